#!/usr/bin/env bash
# Shows two runs side by side, and what changed from BEFORE to AFTER, in the summary of the job; leaves the report as the output
# `folder`. Whether the release is well is the verdict on AFTER and is none of this script's business; that the two could not be
# compared is, and ends with 3.
set -euo pipefail
# shellcheck source=words.sh
source "$(dirname "${BASH_SOURCE[0]}")/words.sh"

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
assay="$(assay_program)"
folder="$(mktemp -d "$RUNNER_TEMP/assay-changes-XXXXXXXX")/report"
code=0
env -u GITHUB_OUTPUT node "$assay" report "$BEFORE" "$AFTER" "--baseline=$BEFORE" "--out=$folder" || code=$?
[ ! -d "$folder" ] || output folder "$folder"
case "$code" in
  2 | 70) fail "$code" "the two runs could not be shown side by side; the log says why" ;;
esac
why="$(node "$here/not-compared.mjs" "$BEFORE" "$AFTER")"
[ -z "$why" ] || fail 3 "$why"
