#!/bin/bash
# enter-node.sh WORK NODE: gives a node its control groups and namespaces, and starts it.
set -eu
work=$1
node=$2
here=$(cd "$(dirname "$0")" && pwd)
while read -r group; do
  mkdir -p "$group/node$node"
  case $group in
    */cpuset*)
      cat "$group/cpuset.cpus" > "$group/node$node/cpuset.cpus"
      cat "$group/cpuset.mems" > "$group/node$node/cpuset.mems"
      ;;
  esac
  echo 0 > "$group/node$node/cgroup.procs"
done < "$work/cgroups"
exec nsenter --net="/run/netns/node$node" \
  unshare --mount --propagation private --ipc --uts --cgroup --pid --fork --kill-child --mount-proc \
  bash "$here/node.sh" "$work" "$node"
