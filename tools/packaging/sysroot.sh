#!/bin/bash
# Unpacks Debian packages of another architecture, with all that they depend on, into a folder to
# compile against. The packages of this system stay as they are; no need to be root.
# Usage: sysroot.sh ARCHITECTURE FOLDER PACKAGE...
set -euo pipefail
architecture=$1 folder=$(realpath -m "$2")
shift 2

wanted="$architecture $*"
[[ $(cat "$folder/wanted" 2>/dev/null) != "$wanted" ]] || exit 0
rm -rf "$folder"
apt=$folder/var/apt
mkdir -p "$apt"/{state/lists/partial,cache/archives/partial}
: >"$apt/status"  # nothing is installed there
options=(-q -o APT::Architecture="$architecture" -o APT::Architectures="$architecture"
    -o Dir::State="$apt/state" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache"
    -o Debug::NoLocking=1 -o APT::Sandbox::User=)
apt-get "${options[@]}" update >&2 || echo "apt-get update had errors; going on" >&2
apt-get "${options[@]}" install -y --download-only --no-install-recommends "$@" >&2
for package in "$apt"/cache/archives/*.deb; do
    dpkg-deb -x "$package" "$folder"
done
rm -rf "$apt"
# The linker follows links to absolute paths outside the folder, so make them relative.
find "$folder" -type l -lname '/*' | while read -r link; do
    ln -snfr "$folder$(readlink "$link")" "$link"
done
echo "$wanted" >"$folder/wanted"
