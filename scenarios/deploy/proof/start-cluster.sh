#!/bin/bash
# start-cluster.sh WORK TOOLS CACHE NODES: runs a cluster until it is killed. Everything in it is below one process, the first of a process
# namespace: with it end the processes, mounts, interfaces and firewall rules. Only the control groups in WORK/cgroups remain.
set -eu
work=$1
tools=$2
cache=$3
export NODES=$4
here=$(cd "$(dirname "$0")" && pwd)
group=assay-prove-cluster

# Version 1 has a hierarchy for each controller. Version 2 has one, where a group with processes of its own cannot give controllers to
# groups inside it. So the group is created at the root, with the controllers that the root gives already, and control plane and nodes
# get groups inside it.
create_groups() {
  if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
    mkdir "/sys/fs/cgroup/$group"
    tr ' ' '\n' < "/sys/fs/cgroup/$group/cgroup.controllers" | while read -r controller; do
      echo "+$controller" > "/sys/fs/cgroup/$group/cgroup.subtree_control"
    done
    echo "/sys/fs/cgroup/$group" > "$work/cgroups"
    mkdir "/sys/fs/cgroup/$group/control"
    echo 0 > "/sys/fs/cgroup/$group/control/cgroup.procs"
    return
  fi
  # Read at once, because the paths change with each group that is entered.
  local memberships
  memberships=$(cat /proc/self/cgroup)
  while IFS=: read -r number controllers path; do
    for controller in $(echo "${controllers#name=}" | tr , ' '); do
      create_group_of_version_1 "$controller" "$path"
    done
    [ "$number" != 0 ] || create_group_of_version_1 unified "$path"
  done <<< "$memberships"
}

create_group_of_version_1() {
  local folder=/sys/fs/cgroup/$1${2%/}/$group
  [ -d "/sys/fs/cgroup/$1" ] || return 0
  mkdir -p "$folder"
  echo "$folder" >> "$work/cgroups"
  if [ "$1" = cpuset ]; then
    cat "$folder/../cpuset.cpus" > "$folder/cpuset.cpus"
    cat "$folder/../cpuset.mems" > "$folder/cpuset.mems"
  fi
  echo 0 > "$folder/cgroup.procs"
}

: > "$work/cgroups"
create_groups
exec unshare --net --mount --propagation private --ipc --uts --pid --fork --kill-child --mount-proc \
  sh "$here/overlay-root.sh" "$tools" "$work" "$cache" bash "$here/control-plane.sh" "$work"
