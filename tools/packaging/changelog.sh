#!/bin/bash
# Prints the changes of a version, from the README, as a Debian changelog. Its date is that of
# SOURCE_DATE_EPOCH, or now. Usage: changelog.sh README VERSION
set -euo pipefail
printf 'nutcracker (%s) unstable; urgency=medium\n\n' "$2"
awk -v version="### $2" '
    /^##/ { on = $0 == version; next }
    !on || !NF { next }
    (sub(/^- /, "* ") || sub(/^[A-Z].*:$/, "[ & ]")) && text { print text; text = "" }
    { sub(/^ +/, ""); text = text (text ? " " : "") $0 }
    END { if (text) print text }' "$1" |
    fold -s -w 76 | sed 's/ *$//' | sed -E 's/^\* /  * /; t; s/^\[ (.*): \]$/  [ \1 ]/; t; s/^/    /' | grep . ||
    { echo "changelog.sh: $1 has no changes of version $2" >&2 && exit 1; }
printf '\n -- Nutcracker developers <nutcracker@localhost>  %s\n' \
    "$(LC_ALL=C date -Ru -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}")"
