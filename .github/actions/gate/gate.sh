#!/usr/bin/env bash
# Runs the gate with the inputs of action.yml, which come as GATE_* variables, and leaves its outputs in GITHUB_OUTPUT. Ends with 0
# whatever the verdict is: finish.sh ends with it, after the run folder was kept. A mistake in the inputs is exit code 2.
#
# Without a credential the target is not asked anything: Assay runs against the reference server that it brings along, to show
# that it works here, and the outcome is `not-gated`. Pull requests from forks are given no secrets and no variables, so that is what
# they get; in any other run a target that is not named is a mistake, and so is a token that the target does not use.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=words.sh
source "$here/words.sh"

assay="$(assay_program)"
code=0
comment=
name=

[ -n "${RUNNER_TEMP:-}" ] || fail 2 "RUNNER_TEMP is not set; this script runs in a step of GitHub Actions"
work="$(mktemp -d "$RUNNER_TEMP/assay-XXXXXXXX")"
mkdir "$work/comment"
unique="$(printf '%s' "${work##*-}" | tr '[:upper:]' '[:lower:]')"

# A number of the inputs, which tells the gates of one job apart and stays when the job runs again.
inputs="$(for each in $(compgen -e | grep '^GATE_' | LC_ALL=C sort); do printf '%s=%s;' "$each" "${!each}"; done | cksum | cut -d ' ' -f 1)"

# leave_comment OUTCOME CODE SENTENCE: leaves the text of a comment, a short one where there is no other, and the number of the
# pull request, to be kept as an artifact. Every end leaves one, so that what was said of an earlier commit does not stay.
leave_comment() {
  [ -n "$comment" ] || return 0
  if ! [[ "${GITHUB_REF:-}" =~ ^refs/pull/([0-9]{1,9})/ ]]; then
    annotate notice Assay "this is no run of a pull request, so there is no comment"
    return 0
  fi
  printf '%s\n' "${BASH_REMATCH[1]}" > "$work/comment/pull-request.txt"
  if [ ! -s "$work/comment/comment.md" ]; then
    # shellcheck disable=SC2016 # a block of code, in which nothing is markup and nobody is called
    printf '## ✗ Assay: %s (exit code %s)\n\n```text\n%s: %s\n```\n' "$1" "$2" "${name:-gate}" "${3//[[:cntrl:]]/ }" > "$work/comment/comment.md"
  fi
  output comment-folder "$work/comment"
  output comment-artifact "assay-comment-$(slug_of "${GITHUB_JOB:-job}-${name:-gate}")-$inputs-${GITHUB_RUN_ATTEMPT:-1}-$unique"
}

# end OUTCOME CODE SENTENCE: the outputs that there always are, and the end.
end() {
  leave_comment "$@"
  output outcome "$1"
  output exit-code "$2"
  output summary "$3"
  exit 0
}

mistake() {
  annotate error Assay "$1"
  end usage-error 2 "$1"
}

# is_on NAME VALUE: reads a switch.
is_on() {
  case "$2" in
    true) return 0 ;;
    false | "") return 1 ;;
    *) mistake "the input $1 is \"$(one_line "$2")\"; it takes true or false" ;;
  esac
}

is_on comment "${GATE_COMMENT:-}" && comment=1 || comment=
is_on strict "${GATE_STRICT:-}" && strict=1 || strict=
is_on require-credentials "${GATE_REQUIRE_CREDENTIALS:-}" && required=1 || required=

unset_empty
url="${GATE_URL:-${ASSAY_URL:-${SRC_ENDPOINT:-}}}"
target="${GATE_TARGET:-${ASSAY_TARGET:-}}"
name="$(one_line "$target")"
[ -n "$name" ] || name="$(host_of "$url")"

# The flags that a run of the target gets. `--flag=value`, so that no value is taken for a flag.
flags=()
flag() {
  [ -z "$2" ] || flags+=("--$1=$2")
}
flag url "${GATE_URL:-}"
flag target "${GATE_TARGET:-}"
flag profile "${GATE_PROFILE:-}"
flag limits "${GATE_LIMITS:-}"
flag questions "${GATE_QUESTIONS:-}"
flag baseline "${GATE_BASELINE:-}"
flag access "${GATE_ACCESS:-}"
flag query "${GATE_QUERY:-}"
while IFS= read -r file; do
  file="${file#"${file%%[![:space:]]*}"}"
  flag known-failures "${file%"${file##*[![:space:]]}"}"
done <<< "${GATE_KNOWN_FAILURES:-}"
[ -z "$strict" ] || flags+=(--strict)
config=()
[ -z "${GATE_CONFIG:-}" ] || config=("--config=$GATE_CONFIG")

case "${GATE_OUT:-}" in
  *[[:cntrl:]*?!\"\<\>\|]* | *'['*) mistake "the input out holds a sign that no folder of a run may have; give a plain path" ;;
esac
folder="$work/run"
[ -z "${GATE_OUT:-}" ] || folder="$(node -p 'path.resolve(process.env.GATE_OUT)')"
# What lies there already would be kept, and shown, as if it came from this run.
if [ -e "$folder" ] && { [ ! -d "$folder" ] || [ -n "$(ls -A -- "$folder")" ]; }; then
  mistake "the input out names $(one_line "$GATE_OUT"), which is no empty folder; give one that is new or empty"
fi

# keep WHOSE: the outputs about a folder that is there. It holds nothing but what this run has left.
keep() {
  [ -d "$folder" ] || return 0
  output run-folder "$folder"
  local artifact="${GATE_ARTIFACT:-}"
  [ -n "$artifact" ] || artifact="assay-$(slug_of "$1")-assay-$unique-${GITHUB_RUN_ATTEMPT:-1}"
  output artifact "$artifact"
}

# Whether GitHub keeps secrets and variables from this run, as it does in pull requests from forks and for Dependabot.
is_withheld() {
  [ "${GITHUB_ACTOR:-}" != "dependabot[bot]" ] || return 0
  case "${GITHUB_EVENT_NAME:-}" in
    pull_request_target) return 1 ;;
    pull_request*) ;;
    *) return 1 ;;
  esac
  node -e '
    const { head } = JSON.parse(fs.readFileSync(process.env.GITHUB_EVENT_PATH, "utf8")).pull_request;
    process.exit(head.repo?.full_name === process.env.GITHUB_REPOSITORY ? 1 : 0);
  ' 2> /dev/null
}

not_gated() {
  local sentence="not run against ${name:-the target}: no credentials"
  local why="Assay ran against its own reference server instead, which says nothing about the target."
  local because="No token is set, although secrets are not kept from this run: set ASSAY_TOKEN in the env of the step from a secret."
  if is_withheld; then
    because="Neither secrets nor variables are given to pull requests from forks; a run on a branch of this repository has them."
  fi
  annotate warning "Assay: not gated" "$sentence. $because $why"
  local variable
  for variable in $(compgen -e); do
    case "$variable" in
      ASSAY_* | SRC_*) unset "$variable" ;;
    esac
  done
  # The verdict of this run is about the server that comes along, so it is not printed, and cannot be taken for one on the target.
  # In the folder below, no configuration is found.
  # shellcheck disable=SC2016 # for the inner shell
  run_interruptible env -u GITHUB_ACTIONS -u GITHUB_STEP_SUMMARY -u GITHUB_OUTPUT \
    bash -c 'cd "$0" && exec "$@"' "$work" node "$assay" run --embedded --quiet "--out=$folder" > /dev/null
  local text="## ⚠ Assay: not gated

**${sentence}.** Nothing was learned about it. $because

${why} That run ended with exit code ${code}."
  printf '%s\n\n' "$text" >> "$GITHUB_STEP_SUMMARY"
  printf '%s\n' "$text" > "$work/comment/comment.md"
  keep reference-server
  end not-gated "$code" "$sentence"
}

gated() {
  # What the command itself leaves as outputs is said below, once.
  GITHUB_OUTPUT="$work/own-outputs" run_interruptible node "$assay" "${config[@]}" run "${flags[@]}" "--out=$folder"
  local outcome whom sentence
  { read -r outcome && read -r whom && IFS= read -r sentence; } < <(node "$here/read-outcome.mjs" "$folder" "$code")
  if [ "$whom" = embedded ]; then
    mistake "the run did not reach ${name:-the target}, but the server that comes along with Assay; name the target by url, or by target"
  fi
  keep "${name:-target}"
  # A result that does not belong to the exit code is none to show.
  [ "$whom" = unknown ] || show_result
  end "$outcome" "$code" "$sentence"
}

# The page of the run, and its text for a comment.
show_result() {
  [ ! -f "$folder/report.html" ] || output report "$folder/report.html"
  [ -n "$comment" ] || return 0
  # It repeats the exit code of the run; only whether there is a text counts here.
  env -u GITHUB_ACTIONS -u GITHUB_STEP_SUMMARY -u GITHUB_OUTPUT \
    node "$assay" report "$folder" "--comment=$work/comment/comment.md" || true
  [ -s "$work/comment/comment.md" ] || annotate warning Assay "the text of the comment could not be made; the log says why"
}

# What the run would work with: the file of configuration counts as well, and only Assay knows what it says.
if ! node "$assay" "${config[@]}" config --json run "${flags[@]}" > "$work/config.json" 2> "$work/config.err"; then
  said="$(grep -m1 . "$work/config.err" || true)"
  mistake "$(one_line "${said:-the configuration cannot be read}")"
fi
{ read -r has_url has_token access host && IFS= read -r sources && IFS= read -r unused; } \
  < <(node "$here/read-config.mjs" < "$work/config.json")
[ -n "$name" ] || [ -z "$host" ] || name="$(host_of "//$host")"
given="${ASSAY_TOKEN:-}${SRC_ACCESS_TOKEN:-}${ASSAY_OAUTH_TOKEN:-}"
if [ "$has_url" = url ] && { [ "$has_token" = token ] || [ "$access" = public ]; }; then
  [ -z "$unused" ] || annotate warning Assay "given, and not used for ${name:-the target}: $unused; it takes its tokens from $sources"
  gated
fi
if [ "$has_url" = url ] && [ -n "$given" ]; then
  mistake "a token is given and not used for ${name:-the target}: $unused; it takes its tokens from $sources (see tokenVariable and tokens of the target, and SRC_ENDPOINT)"
fi
[ -z "$required" ] || [ -n "$given" ] || mistake "no credentials were given, and require-credentials says that there have to be some; set ASSAY_TOKEN in the env of the step from a secret"
if [ "$has_url" != url ] && { [ -n "$given" ] || ! is_withheld; }; then
  mistake "there is ${given:+a token and }no target${given:+ to use it on}: give the input url, or target; an empty one is often a variable that is not set"
fi
not_gated
