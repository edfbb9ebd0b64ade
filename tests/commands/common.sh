# Shared by the tests of commands: the programs of the build folder (the script's first argument) in the
# path, an empty folder to work in, and fail(). The programs of a build for Windows are run by scripts
# in the build folder's folder wine.
# shellcheck shell=bash disable=SC2034
build=$(cd "$1" && pwd)
tests=$(cd "$(dirname "$0")/.." && pwd)
data=$tests/book/data
PATH=$build/wine:$build/protocol:$build/tools:$build/tests:$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

fail() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}
