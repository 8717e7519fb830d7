# Sourced by the scripts of the actions.
# shellcheck shell=bash

# A text as the message of a workflow command: on one line, and without the signs that end it.
command_text() {
  local text="$1"
  text="${text//'%'/%25}"
  text="${text//$'\r'/%0D}"
  printf '%s' "${text//$'\n'/%0A}"
}

# A text on one line, without anything but printable characters, of at most 200.
one_line() {
  local text="${1//[[:cntrl:]]/ }"
  printf '%s' "${text:0:200}"
}

# annotate error|warning|notice TITLE MESSAGE; the title is always one of ours.
annotate() {
  printf '::%s title=%s::%s\n' "$1" "$2" "$(command_text "$3")"
}

# fail CODE SENTENCE: tells the mistake and ends.
fail() {
  annotate error Assay "$2"
  exit "$1"
}

# Host and port of an address, in small letters; nothing where there is none.
host_of() {
  local rest="${1#*://}"
  rest="${rest%%[/?#]*}"
  rest="${rest##*@}"
  rest="$(printf '%s' "$rest" | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9.:[]_-')"
  printf '%s' "${rest:0:200}"
}

# A text as a part of an artifact's name.
slug_of() {
  local text
  text="$(printf '%s' "$1" | tr '[:upper:]' '[:lower:]' | tr -c 'a-z0-9._-' '-')"
  printf '%s' "${text:0:80}"
}

# output NAME VALUE: an output of the step, of any number of lines.
output() {
  local mark
  mark="end-$(LC_ALL=C od -An -v -tx1 -N16 /dev/urandom | tr -cd '0-9a-f')"
  printf '%s<<%s\n%s\n%s\n' "$1" "$mark" "$2" "$mark" >> "$GITHUB_OUTPUT"
}

# Variables that are set and empty are what secrets look like that are not given: they count as not set.
unset_empty() {
  local name
  for name in $(compgen -e); do
    case "$name" in
      ASSAY_* | SRC_*) [ -n "${!name}" ] || unset "$name" ;;
    esac
  done
}

# Every variable that holds a credential.
unset_tokens() {
  local name
  for name in $(compgen -e); do
    case "$name" in
      ASSAY_*TOKEN* | SRC_ACCESS_TOKEN | SRC_HEADER* | GH_TOKEN | GITHUB_TOKEN) unset "$name" ;;
    esac
  done
}

# Runs a command such that an interrupt of this script interrupts it, and waits until it has ended in its own way.
# Leaves its exit code in `code`.
# shellcheck disable=SC2034 # read by who calls it
run_interruptible() {
  "$@" &
  local child=$!
  # shellcheck disable=SC2064 # the child of now
  trap "kill -INT $child 2> /dev/null || true" INT
  # shellcheck disable=SC2064
  trap "kill -TERM $child 2> /dev/null || true" TERM
  code=0
  wait "$child" || code=$?
  # A signal ends the waiting and not the child.
  while kill -0 "$child" 2> /dev/null; do
    code=0
    wait "$child" || code=$?
  done
  trap - INT TERM
}

# Where the command is: as install.sh has left it, else in the checkout that the actions lie in.
assay_program() {
  local said="${RUNNER_TEMP:-}/assay-program"
  if [ -f "$said" ]; then
    cat "$said"
  else
    printf '%s' "$(cd "${GITHUB_ACTION_PATH:-$(dirname "${BASH_SOURCE[0]}")}/../../.." && pwd)/packages/cli/bin/assay.js"
  fi
}
