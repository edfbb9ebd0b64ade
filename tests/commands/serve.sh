#!/bin/bash
# The live page: its data, marks by POST, everything it refuses, engines that learn meanwhile, and the
# page itself in Chromium, if that is installed. Screenshots go to $SERVE_SCREENSHOTS, if that is set.
# Usage: serve.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
command -v python3 >/dev/null || { echo "no python3: the live page was not tested"; exit 77; }
python3 "$tests/commands/serve.py" "$folder" "${SERVE_SCREENSHOTS:-$folder}" || fail "see above"
