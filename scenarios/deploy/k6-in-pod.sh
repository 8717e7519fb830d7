#!/bin/sh
# Stands before k6 in the path of the runner image. For `k6 run` in a pod with ASSAY_RESULTS set it prepares a folder named after
# the host (one a pod: the operator names its hosts <test run>-1, -2 and so on), empties what an earlier run left there, and
# lays the files of a load run in it, so that a merge finds what it finds after a run on one machine. Anything else is k6 as it is.
set -eu
k6=${ASSAY_K6_PROGRAM:-/usr/bin/k6}

if [ "${1:-}" != run ] || [ -z "${ASSAY_RESULTS:-}" ]; then
  exec "$k6" "$@"
fi

script=
for argument in "$@"; do
  case $argument in
    /*.js) script=$argument ;;
  esac
done
host=${HOSTNAME:-$(hostname)}
case $host in
  "" | .* | */*)
    echo "k6-in-pod: the host name '$host' cannot be the name of a folder in $ASSAY_RESULTS" >&2
    exit 2
    ;;
esac
for needed in "$script" "${ASSAY_PLAN:-}"; do
  if [ ! -f "$needed" ]; then
    echo "k6-in-pod: '$needed' is missing: the scenario must be given by its absolute path, its plan by ASSAY_PLAN" >&2
    exit 2
  fi
done

folder=$ASSAY_RESULTS/$host
rm -rf "$folder"
mkdir -p "$folder"
cp "$ASSAY_PLAN" "$folder/plan.json"
cp "$script" "$folder/scenario.js"
cd "$folder"

digest=$(sha256sum scenario.js)
export ASSAY_SCENARIO_SHA256="${digest%% *}"
export ASSAY_PLAN="$folder/plan.json"
export ASSAY_SAMPLES="$folder/samples.ndjson"
export ASSAY_LEDGER="$folder/ledger.ndjson"
export ASSAY_SUMMARY="$folder/k6-summary.json"
exec "$k6" "$@"
