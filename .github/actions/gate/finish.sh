#!/usr/bin/env bash
# Ends with the exit code of the gate. A gate that left none has failed.
set -euo pipefail
# shellcheck source=words.sh
source "$(dirname "${BASH_SOURCE[0]}")/words.sh"

if ! [[ "${EXIT_CODE:-}" =~ ^[0-9]{1,3}$ ]]; then
  fail 70 "the gate ended without an exit code; see the steps before this one"
fi
echo "exit code $EXIT_CODE: $(one_line "${SENTENCE:-}")"
exit "$EXIT_CODE"
