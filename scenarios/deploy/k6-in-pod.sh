#!/bin/sh
# Wrapper of k6 in the runner image. For `k6 run` with ASSAY_RESULTS set, it prepares a folder named after the host
# (the operator names the hosts of the pods <test run>-1, -2 and so on), empties it, and puts the files of a load run
# into it, so that a merge finds the same files as after a run on one machine. Any other call goes to k6 unchanged.
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
# Exchanges are kept only with the settings for their size and their redaction, which `assay load --kubernetes` sets.
if [ -n "${ASSAY_KEEP_BYTES:-}" ]; then
  export ASSAY_EXCHANGES="$folder/exchanges"
fi
exec "$k6" "$@"
