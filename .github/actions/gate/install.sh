#!/usr/bin/env bash
# Installs and builds Assay in the checkout that this action lies in. Needs GITHUB_ACTION_PATH and RUNNER_TEMP. Does nothing
# when an earlier step of the same job has done it. With INSTALL_K6=yes it also builds the k6 that makes load, which needs Go.
set -euo pipefail
# shellcheck source=words.sh
source "$(dirname "${BASH_SOURCE[0]}")/words.sh"

# Nothing that is installed or built has any business with a token.
unset_tokens

root="$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)"
mark="$RUNNER_TEMP/assay-installed"
wanted="$root ${INSTALL_K6:-no}"
if [ -f "$mark" ] && grep -qxF "$wanted" "$mark"; then
  exit 0
fi
if ! command -v node > /dev/null || ! command -v npm > /dev/null; then
  fail 2 "Node and npm are not on the path; give the input node-version, or set Node up in an earlier step"
fi
cd "$root"
echo "::group::Install Assay"
# What builds is a development dependency, which NODE_ENV=production would leave out.
npm ci --ignore-scripts --include=dev --no-audit --no-fund
npm run -s build
echo "::endgroup::"
if [ "${INSTALL_K6:-no}" = yes ]; then
  echo "::group::Build k6"
  npm run -s k6:build
  echo "::endgroup::"
fi
printf '%s\n%s\n' "$wanted" "$root no" > "$mark"
