#!/bin/sh
# overlay-root.sh TOOLS WORK CACHE PROGRAM [ARGUMENT...]
# Runs a program as if the packages extracted in TOOLS were installed. Its root is an overlay on the root of this machine, so
# whatever it writes outside WORK, CACHE, the temporary folder and the home folder is in memory and ends with it. Needs a mount namespace of its own:
#   unshare --mount --propagation private sh overlay-root.sh ...
set -eu
tools=$1
work=$2
cache=$3
shift 3

overlay=$work/overlay
mkdir -p "$overlay"
mount -t tmpfs tmpfs "$overlay"
mkdir "$overlay/scratch" "$overlay/root"
# A copy, because a folder of a file system cannot be a layer on top of its root.
cp -a "$tools" "$overlay/upper"

# Mount points outermost first, each with what is mounted below it.
findmnt -rn -o TARGET | sort -u > "$overlay/mounts"
mount -t overlay -o "lowerdir=/,upperdir=$overlay/upper,workdir=$overlay/scratch" overlay "$overlay/root"
bound=
bind() {
  for parent in $bound; do
    case $1/ in "$parent"/*) return ;; esac
  done
  bound="$bound $1"
  mount --rbind "$1" "$overlay/root$1"
}
while read -r target; do
  case $target in
    / | "$overlay"*) ;;
    # A target with a space in it is written with escapes. Nothing that the proofs need is mounted at one.
    *\\x*) ;;
    *) bind "$target" ;;
  esac
done < "$overlay/mounts"
bind "$work"
bind "$cache"
bind "${TMPDIR:-/tmp}"
bind "$HOME"

mkdir "$overlay/root/.former-root"
cd "$overlay/root"
pivot_root . .former-root
cd /
umount -l /.former-root
rmdir /.former-root
exec "$@"
