# What the scripts in tools/ share. Sourced by them, not run.
# shellcheck shell=bash disable=SC2034

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release

# What it takes to compile; all of it from Debian. The linker runs make to optimise on all cores.
build_libraries=(
    libboost-program-options-dev libboost-iostreams-dev libboost-test-dev
    libexpected-dev libsqlitecpp-dev libsqlite3-dev
    libfmt-dev nlohmann-json3-dev libb2-dev)
build_packages=(g++ cmake ninja-build make help2man "${build_libraries[@]}")

say() { printf '\n== %s\n' "$*" >&2; }

die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 2
}

is_installed() {
    # One line for each architecture.
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "to install packages I must be root, or have sudo: $*"
    fi
}

# need PACKAGE...: installs the missing ones; without any missing, apt is not called at all.
need() {
    local package missing=()
    command -v dpkg-query >/dev/null || die "this is not Debian; please install: $*"
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    ((${#missing[@]} > 0)) || return 0
    say "Installing ${missing[*]}"
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    as_root "${apt[@]}" update </dev/null >&2 || say "apt-get update had errors; going on"
    as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >&2
}

# Prepares the preset arm64: compiler, libraries, and the kernel to run ARM programs by QEMU, which takes
# their libraries from the folder in QEMU_LD_PREFIX.
prepare_arm64() {
    local kernel=/proc/sys/fs/binfmt_misc
    need g++-aarch64-linux-gnu
    if [[ ! -e $kernel/qemu-aarch64 ]]; then
        need qemu-user-binfmt
        [[ -e $kernel/register ]] || as_root mount -t binfmt_misc binfmt_misc $kernel
        [[ -e $kernel/qemu-aarch64 ]] || as_root tee $kernel/register </usr/lib/binfmt.d/qemu-aarch64.conf >&2
    fi
    export QEMU_LD_PREFIX=$root/build/arm64-sysroot
    "$root/tools/packaging/sysroot.sh" arm64 "$QEMU_LD_PREFIX" libstdc++-12-dev "${build_libraries[@]}"
}

# Prepares the preset windows: compiler, libraries, and Wine with a folder of its own to run the programs.
prepare_windows() {
    need g++-mingw-w64-x86-64-posix dpkg-dev tcl wine wine64
    export WINEPREFIX=$root/build/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml='
    "$root/tools/packaging/windows_libraries.sh" "$root/build/windows-libraries"
    [[ -e $WINEPREFIX/system.reg ]] || wineboot --init >&2
}

# build_preset PRESET [TARGET...]: all targets unless some are named.
build_preset() {
    local preset=$1 targets=()
    shift
    (($# == 0)) || targets=(--target "$@")
    say "Building ($preset)"
    cd "$root" || die "cannot enter $root"
    cmake --preset "$preset" >&2
    cmake --build --preset "$preset" -j "$(nproc)" "${targets[@]}" >&2
}
