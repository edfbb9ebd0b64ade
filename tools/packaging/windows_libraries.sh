#!/bin/bash
# Builds the static libraries to compile Nutcracker for 64-bit Windows against, from Debian's source
# packages. Libraries that are headers alone are this system's.
# Usage: windows_libraries.sh FOLDER
set -euo pipefail
toolchain=$(dirname "$(realpath "$0")")/windows.cmake
folder=$(realpath -m "$1")

wanted=$(sha256sum <"$0")
[[ $(cat "$folder/wanted" 2>/dev/null) != "$wanted" ]] || exit 0
rm -rf "$folder"
sources=$folder/source
apt=$sources/apt
mkdir -p "$folder"/{include,lib,share/cmake/boost} "$apt"/{lists/partial,cache/archives/partial,sources}
cd "$sources"

# apt checks signatures and digests. The sources come from where this system has Debian's packages from;
# its own lists stay as they are; no need to be root.
# shellcheck disable=SC2016  # apt's variable, not ours
apt-get indextargets --format '$(SOURCESENTRY)' 'Created-By: Packages' 'Origin: Debian' |
    sed 's/:[0-9]*$//' | sort -u | while read -r list; do
        sed -E 's/^Types:.*/Types: deb-src/; s/^deb(-src)? /deb-src /' "$list" >"$apt/sources/${list##*/}"
    done
options=(-q -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" -o Debug::NoLocking=1
    -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources" -o APT::Sandbox::User=)
apt-get "${options[@]}" update >&2 || echo "apt-get update had errors; going on" >&2
apt-get "${options[@]}" source sqlite3 sqlitecpp fmtlib boost1.74 zlib bzip2 libzstd libb2 >&2

# static_library NAME SOURCE_OR_OPTION...: of C, or of C++.
static_library() {
    mkdir "$sources/$1"
    (cd "$sources/$1" && x86_64-w64-mingw32-gcc-posix -c -O2 -DNDEBUG -ffile-prefix-map="$folder"=. \
        -I"$folder/include" "${@:2}" && x86_64-w64-mingw32-ar rcsD "$folder/lib/lib$1.a" ./*)
}

# cmake_library SOURCES OPTION...: as its own CMakeLists.txt has it.
cmake_library() {
    cmake -S "$1" -B "$1/windows" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_INSTALL_PREFIX="$folder" "${@:2}" >&2
    cmake --build "$1/windows" --target install >&2
}

ln -s /usr/include/{boost,nlohmann,tl} "$folder/include"
ln -s /usr/share/cmake/{nlohmann_json,tl-expected} "$folder/share/cmake"

cp zlib-*/{zlib,zconf}.h bzip2-*/bzlib.h libzstd-*/lib/zstd.h libb2-*/src/blake2.h "$folder/include"
static_library z "$sources"/zlib-*/*.c
static_library bz2 "$sources"/bzip2-*/{blocksort,bzlib,compress,crctable,decompress,huffman,randtable}.c
static_library zstd "$sources"/libzstd-*/lib/{common,compress,decompress}/*.c
echo >"$(echo libb2-*/src)/config.h"
static_library b2 -DSUFFIX= -DNATIVE_LITTLE_ENDIAN "$sources"/libb2-*/src/blake2b-ref.c
static_library boost_program_options "$sources"/boost*/libs/program_options/src/*.cpp
static_library boost_iostreams "$sources"/boost*/libs/iostreams/src/{bzip2,gzip,zlib,zstd}.cpp
# The two files that are left out belong to other libraries, and each has a main() of its own.
rm "$sources"/boost*/libs/test/src/{cpp,test}_main.cpp
static_library boost_unit_test_framework "$sources"/boost*/libs/test/src/*.cpp

# Like Boost's own BoostConfig.cmake, which its build system writes.
version=$(sed -n 's/^#define BOOST_LIB_VERSION "\(.*\)_\(.*\)"/\1.\2/p' "$folder/include/boost/version.hpp")
cat >"$folder/share/cmake/boost/BoostConfig.cmake" <<'CMAKE'
set(Boost_USE_STATIC_LIBS ON)
get_filename_component(folder ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
add_library(Boost::headers INTERFACE IMPORTED)
foreach(name IN LISTS Boost_FIND_COMPONENTS)
    add_library(Boost::${name} STATIC IMPORTED)
    set_target_properties(Boost::${name} PROPERTIES
        IMPORTED_LOCATION ${folder}/lib/libboost_${name}.a INTERFACE_LINK_LIBRARIES Boost::headers)
    set(Boost_${name}_FOUND ON)
endforeach()
target_link_libraries(Boost::iostreams INTERFACE z bz2 zstd)
CMAKE
cat >"$folder/share/cmake/boost/BoostConfigVersion.cmake" <<CMAKE
set(PACKAGE_VERSION $version)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
CMAKE

# SQLite's sources come as one file for each part of it; the library is compiled as one.
(cd sqlite3-*/ && ./configure -q --disable-tcl && make -s sqlite3.c) >&2
cp sqlite3-*/sqlite3.h "$folder/include"
static_library sqlite3 -DSQLITE_ENABLE_COLUMN_METADATA "$sources"/sqlite3-*/sqlite3.c

cmake_library fmtlib-* -DFMT_DOC=OFF -DFMT_TEST=OFF
cmake_library sqlitecpp-* -DSQLITECPP_INTERNAL_SQLITE=OFF -DSQLITECPP_RUN_CPPLINT=OFF -DSQLITECPP_RUN_CPPCHECK=OFF

# What whoever passes on programs with these libraries must pass on as well. Boost's licence asks for nothing.
for name in sqlite3 sqlitecpp fmtlib zlib bzip2 libzstd libb2; do
    printf '==== %s ====\n\n' "$name" && cat "$name"-*/debian/copyright && echo
done >"$folder/copyright"
for name in libexpected-dev nlohmann-json3-dev mingw-w64-x86-64-dev; do
    printf '==== %s ====\n\n' "$name" && cat "/usr/share/doc/$name/copyright" && echo
done >>"$folder/copyright"
rm -rf "$sources"
echo "$wanted" >"$folder/wanted"
