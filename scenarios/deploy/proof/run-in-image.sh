#!/bin/sh
# run-in-image.sh ROOT USER FOLDER PROGRAM [ARGUMENT...]: runs a program in the unpacked image ROOT with a read-only root file system, as
# USER (user:group), without any capability, with FOLDER mounted on /work. The environment is the caller's. Needs namespaces of its own:
#   unshare --mount --pid --ipc --uts --fork --kill-child sh run-in-image.sh ...
set -eu
root=$1
user=$2
folder=$3
shift 3

mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero random urandom; do
  : > "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mkdir -p "$root/work"
mount --bind "$folder" "$root/work"
mount -o remount,bind,ro "$root"
hostname in-image
# setpriv of the image, because a root without capabilities could not change the root directory.
exec chroot "$root" setpriv --reuid="${user%:*}" --regid="${user#*:}" --clear-groups --no-new-privs --bounding-set=-all \
  --inh-caps=-all /bin/sh -c 'cd /work && exec "$@"' sh "$@"
