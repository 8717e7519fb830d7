#!/usr/bin/env bash
# Starts a reference server that keeps the contract and one that sends comments, for the workflow dogfood.yml; they live as long as
# the job. Leaves their addresses and tokens in GITHUB_OUTPUT.
set -euo pipefail
# shellcheck source=words.sh
source "$(dirname "${BASH_SOURCE[0]}")/words.sh"

assay="$(assay_program)"

# member NAME FILE
member() {
  node -p 'JSON.parse(fs.readFileSync(process.argv[2], "utf8"))[process.argv[1]]' "$1" "$2"
}

# start NAME FLAGS...
start() {
  local name="$1" file="$RUNNER_TEMP/server-$1.json" waited=0
  shift
  nohup node "$assay" serve --json "$@" > "$file" 2> "$file.err" < /dev/null &
  echo "$!" > "$file.pid"
  until [ -s "$file" ]; do
    [ "$waited" -lt 150 ] || fail 70 "the server $name did not start within 30 s: $(one_line "$(cat "$file.err")")"
    waited=$((waited + 1))
    sleep 0.2
  done
  local token
  token="$(member token "$file")"
  echo "::add-mask::$token"
  output "$name-url" "$(member url "$file")"
  output "$name-token" "$token"
}

start well
start broken --fault comment
