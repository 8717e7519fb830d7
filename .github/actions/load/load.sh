#!/usr/bin/env bash
# Makes one load run with the inputs of action.yml, which come as LOAD_* variables, and compares it with the runs that are kept in
# RUNNER_TEMP/assay-history. Leaves its outputs in GITHUB_OUTPUT and ends with 0 whatever the verdict is: finish.sh ends with it.
set -euo pipefail
# shellcheck source=../gate/words.sh
source "$(dirname "${BASH_SOURCE[0]}")/../gate/words.sh"

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
assay="$(assay_program)"
# A verdict needs this many runs on each side.
side=10
code=0

# end CODE SENTENCE
end() {
  output exit-code "$1"
  output summary "$2"
  exit 0
}

mistake() {
  annotate error Assay "$1"
  end 2 "$1"
}

# is_on NAME VALUE: reads a switch.
is_on() {
  case "$2" in
    true) return 0 ;;
    false | "") return 1 ;;
    *) mistake "the input $1 is \"$(one_line "$2")\"; it takes true or false" ;;
  esac
}

is_on decide "${LOAD_DECIDE:-}" && decide=1 || decide=
is_on reset-baseline "${LOAD_RESET_BASELINE:-}" && reset=1 || reset=
unset_empty
baseline="${LOAD_BASELINE:-nightly}"
[[ "$baseline" =~ ^[a-z0-9][a-z0-9._-]{0,59}$ ]] ||
  mistake "the input baseline is \"$(one_line "$baseline")\"; a name has a-z, 0-9, dot, hyphen and underscore"
# The name stands in the key of a cache, which is looked for by its beginning up to a slash.
[[ "${LOAD_HISTORY:-}" =~ ^([A-Za-z0-9][A-Za-z0-9._-]{0,99})?$ ]] ||
  mistake "the input history is \"$(one_line "$LOAD_HISTORY")\"; a name has A-Z, a-z, 0-9, dot, hyphen and underscore"
# Without a target the command would load the server that comes along, and a green night would say nothing.
[ -n "${LOAD_URL:-}${LOAD_TARGET:-}${ASSAY_URL:-}${ASSAY_TARGET:-}${SRC_ENDPOINT:-}" ] ||
  mistake "there is no target: give the input url, or target; an empty one is often a variable that is not set"

# `--flag=value`, so that no value is taken for a flag; and one flag for each line of a value that has several.
flags=()
flag() {
  local line
  while IFS= read -r line; do
    line="${line#"${line%%[![:space:]]*}"}"
    line="${line%"${line##*[![:space:]]}"}"
    [ -z "$line" ] || flags+=("--$1=$line")
  done <<< "$2"
}
flag url "${LOAD_URL:-}"
flag against "${LOAD_AGAINST:-}"
flag target "${LOAD_TARGET:-}"
flag limits "${LOAD_LIMITS:-}"
flag confirm-host "${LOAD_CONFIRM_HOST:-}"
flag rate "${LOAD_RATE:-}"
flag duration "${LOAD_DURATION:-}"
flag questions "${LOAD_QUESTIONS:-}"
flag query "${LOAD_QUERY:-}"
flag threshold "${LOAD_THRESHOLD:-}"
flag preset "${LOAD_PRESET:-}"
[ -z "$decide" ] || flags+=(--decide)
config=()
[ -z "${LOAD_CONFIG:-}" ] || config=("--config=$LOAD_CONFIG")

work="$(mktemp -d "$RUNNER_TEMP/assay-load-XXXXXXXX")"
folder="$work/run"
GITHUB_OUTPUT="$work/own-outputs" run_interruptible node "$assay" "${config[@]}" load "${flags[@]}" "--out=$folder" -- "${LOAD_SCENARIO:-search-first-match}"
loaded="$code"
if [ -d "$folder" ]; then
  output run-folder "$folder"
  artifact="${LOAD_ARTIFACT:-}"
  [ -n "$artifact" ] || artifact="$(basename "$work" | tr '[:upper:]' '[:lower:]')-${GITHUB_RUN_ATTEMPT:-1}"
  output artifact "$artifact"
fi

# The code that weighs more, in the order that the command itself keeps.
worst_of() {
  local known
  for known in 70 130 143 2 1 4 3 5 6; do
    if [ "$1" = "$known" ] || [ "$2" = "$known" ]; then
      printf '%s' "$known"
      return
    fi
  done
  [ "$1" = 0 ] && [ "$2" = 0 ] && printf 0 || printf 70
}

sentence="the load run ended with exit code $loaded"
# Only figures that can be trusted are kept: not those of a run that was invalid, was ended early or met violations.
case "$loaded" in
  0 | 4 | 5 | 6) ;;
  *) end "$loaded" "$sentence; it is not kept${reset:+, and the baseline is what it was}" ;;
esac
[ -n "${LOAD_HISTORY:-}" ] || end "$loaded" "$sentence"

history="$RUNNER_TEMP/assay-history"
runs="$history/reports/runs"
stored="$history/reports/baselines/$baseline.json"
# The runs of before belong to what is forgotten: they would be the baseline again.
[ -z "$reset" ] || rm -rf "$stored" "$runs"
mkdir -p "$runs" "$history/reports/baselines"
own="reports/baselines/$baseline.json"
[ ! -f "$own" ] || cp "$own" "$stored"
# A baseline of the repository is what somebody chose; what is kept here has to be of the same target.
[ -f "$own" ] && chosen= || chosen="$stored"
other="$(node "$here/other-load.mjs" "$folder/load.json" "$runs" "$chosen")"
[ -z "$other" ] || end "$(worst_of "$loaded" 2)" "$sentence; it is not kept: $other. Give another history, or reset-baseline"

# A run is kept under the time of its start, so that a list of names is a list in time.
id="$(node -p 'JSON.parse(fs.readFileSync(process.argv[1], "utf8")).run.id' "$folder/load.json")"
[[ "$id" =~ ^[0-9A-Za-z][0-9A-Za-z-]{0,79}$ ]] || end 70 "the id of the run is none; it is not kept"
mkdir -p "$runs/$id"
cp "$folder/load.json" "$runs/$id/load.json"
output kept true
cd "$history"

ids() {
  find reports/runs -mindepth 1 -maxdepth 1 -type d | LC_ALL=C sort
}

if [ ! -f "$stored" ] && [ "$(ids | wc -l)" -ge "$side" ]; then
  mapfile -t first < <(ids | head -n "$side")
  node "$assay" baseline set "$baseline" "${first[@]}" ||
    end "$(worst_of "$loaded" 3)" "$sentence; the first $side runs make no baseline, and the log says why; reset-baseline starts from scratch"
  rm -r -- "${first[@]}"
  end "$loaded" "$sentence; the first $side runs are the baseline $baseline from now on"
fi
count="$(ids | wc -l | tr -d ' ')"
if [ ! -f "$stored" ]; then
  sentence="$sentence; $count of the $side runs are there that a baseline needs"
  annotate notice "Assay: nothing to compare with yet" "$sentence"
  [ -z "$decide" ] || end "$(worst_of "$loaded" 5)" "$sentence, and a decision was asked for"
  end "$loaded" "$sentence"
fi

# The newest runs against the baseline; older ones are not needed any more.
mapfile -t old < <(ids | head -n "-$side")
[ "${#old[@]}" -eq 0 ] || rm -r -- "${old[@]}"
compared=()
[ -z "$decide" ] || compared+=(--decide)
[ -z "${LOAD_PRESET:-}" ] || compared+=("--preset=$LOAD_PRESET")
code=0
newest="$(ids | paste -sd, -)"
# It adds its own page to the summary of the job.
GITHUB_OUTPUT="$work/own-outputs" node "$assay" compare "${compared[@]}" "$baseline" "$newest" || code=$?
end "$(worst_of "$loaded" "$code")" "$sentence, the comparison of the newest $(ids | wc -l | tr -d ' ') runs with $baseline with $code"
