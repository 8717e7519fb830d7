#!/usr/bin/env bash
# Gets the command `assay` for the steps that follow, and says where it is in $RUNNER_TEMP/assay-program. Needs GITHUB_ACTION_PATH and
# RUNNER_TEMP. Does nothing when an earlier step of the same job has done it.
#
# Installs the package that the variable ASSAY_PACKAGE names (a version, or a packed file by its path or address); else the
# package of the version that this action lies in, where its repository publishes one (its package.json says so by `repository`);
# else the command is built of the checkout that this action lies in. In a workflow of that repository it always is: what is
# tested there is what is checked out. With INSTALL_K6=yes the k6 that makes load is wanted too: the package brings one, and a
# checkout builds it, which needs Go.
#
# With --which nothing is installed: the output `package` names the package, and is empty for a checkout.
set -euo pipefail
# shellcheck source=words.sh
source "$(dirname "${BASH_SOURCE[0]}")/words.sh"

# Nothing that is installed or built has any business with a token.
unset_tokens

root="$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)"
if ! command -v node > /dev/null || ! command -v npm > /dev/null; then
  fail 2 "Node and npm are not on the path; give the input node-version, or set Node up in an earlier step"
fi

published() {
  # shellcheck disable=SC2016 # for Node
  node -p '
    const read = (name) => JSON.parse(fs.readFileSync(name, "utf8"));
    const [root] = process.argv.slice(1);
    read(`${root}/package.json`).repository === undefined ? "" : `assay@${read(`${root}/packages/cli/package.json`).version}`;
  ' "$root"
}

package="${ASSAY_PACKAGE:-}"
if [ -z "$package" ] && [ "$root" != "${GITHUB_WORKSPACE:-}" ]; then
  package="$(published)"
fi
if [ "${1:-}" = --which ]; then
  output package "$package"
  exit 0
fi

mark="$RUNNER_TEMP/assay-installed"
wanted="${package:-$root} ${INSTALL_K6:-no}"
if [ -f "$mark" ] && grep -qxF "$wanted" "$mark"; then
  exit 0
fi
if [ -n "$package" ]; then
  echo "::group::Install $package"
  npm install --prefix "$RUNNER_TEMP/assay-package" --ignore-scripts --prefer-offline --no-audit --no-fund "$package"
  echo "::endgroup::"
  printf '%s\n' "$RUNNER_TEMP/assay-package/node_modules/assay/packages/cli/bin/assay.js" > "$RUNNER_TEMP/assay-program"
  printf '%s\n%s\n' "$package yes" "$package no" > "$mark"
  exit 0
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
printf '%s\n' "$root/packages/cli/bin/assay.js" > "$RUNNER_TEMP/assay-program"
printf '%s\n%s\n' "$wanted" "$root no" > "$mark"
