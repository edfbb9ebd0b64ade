# Shared by the tests of commands: an empty folder to work in, and fail().
# shellcheck shell=bash
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

fail() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}
