#!/bin/bash
# Runs a command as on a machine that was installed a minute ago: in a minimal Debian 12 root of its own, in a clone of HEAD
# with the corpus (../shared) beside it where there is one. The caller's compiler cache is there too, and so is what
# scripts/web-platform-tests.sh and scripts/npm-clients.sh have fetched for tests. What the command writes is gone at its
# end, and so is all that it left running. Exits as the command does.
# usage: scripts/fresh-machine.sh [--ci] [--keep FOLDER] COMMAND
#   --ci           with the packages of `install-packages.sh --ci`, the root of arm64, and WEBNN_ROOT_KIND=ci
#   --keep FOLDER  the clone is made in FOLDER, or found there, and stays
# Needs root. Minimal roots are kept in the user's cache folder, so that later runs start at once.
set -euo pipefail

usage() {
  echo "usage: scripts/fresh-machine.sh [--ci] [--keep FOLDER] COMMAND" >&2
  exit 2
}
kind=user clone=
while (($# > 0)); do
  case $1 in
    --ci) kind=ci ;;
    --keep)
      (($# > 1)) || usage
      clone=$2
      shift
      ;;
    -*) usage ;;
    *) break ;;
  esac
  shift
done
(($# == 1)) || usage
command=$1

if ((EUID != 0)); then
  echo "scripts/fresh-machine.sh: only root can make a root folder and mount in it; run it as root" >&2
  exit 2
fi
if ! command -v mmdebstrap >/dev/null; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mmdebstrap; } \
    >/dev/null 2>&1 || {
    echo "scripts/fresh-machine.sh: mmdebstrap is not installed, and apt-get cannot install it" >&2
    exit 2
  }
fi

readonly recipe=(--variant=minbase --dpkgopt=force-unsafe-io)
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/scripts/kept-roots.sh"
compiler_cache=$(ccache -k cache_dir 2>/dev/null || echo "${CCACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ccache}")
mkdir -p "$compiler_cache"

# Everything that is mounted is mounted by this function, in a mount namespace that only it and the command are in. So no
# mount outlives it, and outside of it the root is a plain folder: removing that cannot reach what was mounted.
# inside ROOT CHECKOUT COMMAND: as process 1 of a process namespace.
inside() {
  local root=$1 checkout=$2 command=$3
  if [[ -n ${lower:-} ]]; then
    mount -t overlay overlay -o "lowerdir=$lower,upperdir=$scratch/upper,workdir=$scratch/work" "$root" 2>/dev/null ||
      cp -a --reflink=auto "$lower/." "$root"
  fi
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  cp -L /etc/hosts /etc/resolv.conf "$root/etc"
  mkdir -p "$root/ccache" "$root/checkout/webnn-cli"
  mount --bind "$compiler_cache" "$root/ccache"
  mount --bind "$checkout" "$root/checkout/webnn-cli"
  if [[ -d $top/../shared ]]; then
    mkdir -p "$root/checkout/shared"
    mount --bind "$top/../shared" "$root/checkout/shared"
    mount -o remount,bind,ro "$root/checkout/shared"
  fi
  local tests
  for tests in webnn-wpt webnn-clients; do
    if [[ -d ${cache%/*}/$tests ]]; then
      mkdir -p "$root/root/.cache/$tests"
      mount --bind "${cache%/*}/$tests" "$root/root/.cache/$tests"
      mount -o remount,bind,ro "$root/root/.cache/$tests"
    fi
  done
  # The language is part of what the compiler cache knows an object by.
  # Not `exec`: a process 1 ignores signals that it does not ask for, which no test expects.
  chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    TERM="${TERM:-dumb}" ${LANG:+LANG="$LANG"} CCACHE_DIR=/ccache WEBNN_ROOT_KIND="$kind" ${CI:+CI="$CI"} \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} bash -c "cd /checkout/webnn-cli && { $command"$'\n'"}"
}
export -f inside
export top kind compiler_cache cache

# in_namespaces ARGUMENTS: `inside` with them. When this script ends, however it ends, `unshare` is killed, with it its
# child, which is process 1, and with that all the others.
in_namespaces() {
  local status=0
  setpriv --pdeathsig KILL unshare --mount --propagation private --pid --fork --kill-child=KILL \
    bash -euc 'inside "$@"' inside "$@" <&0 &
  stop_at=$!
  wait "$stop_at" || status=$?
  stop_at=
  return "$status"
}

stop_at=
scratch=
end() {
  if [[ -n $stop_at ]]; then
    kill -KILL "$stop_at"
    wait "$stop_at" || true
  fi 2>/dev/null
  local attempt
  for attempt in 1 2 3 4 5; do  # processes of the namespace may take a moment to die
    if [[ -z $scratch ]] || rm -rf --one-file-system "$scratch" 2>/dev/null; then return; fi
    sleep "$attempt"
  done
  echo "scripts/fresh-machine.sh: cannot remove $scratch" >&2
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Folders of runs that were killed: those whose lock nobody holds.
for left in "$cache"/run.*; do
  [[ ! -d $left ]] || flock --nonblock "$left" rm -rf --one-file-system "$left" || true
done
scratch=$(mktemp -d "$cache/run.XXXXXX")
exec 7<"$scratch"
flock --shared 7
mkdir "$scratch/root" "$scratch/upper" "$scratch/work"

minimal_root() {
  echo "making a minimal Debian root" >&2
  apart=(unshare --mount)
  make_root "${recipe[@]}" "$1"
}

root_of_ci() {
  echo "installing CI's packages in it" >&2
  cp -a --reflink=auto "$minimal" "$1"
  lower='' in_namespaces "$1" "$top" 'scripts/install-packages.sh --ci && scripts/arm64-root.sh' >&2
  rm -rf --one-file-system "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/archives/*.deb
}

kept_root minimal "${recipe[*]}" minimal_root
if [[ $kind == ci ]]; then
  minimal=$kept
  kept_root ci "$(cat "$top"/scripts/{install-packages,arm64-root,kept-roots}.sh)" root_of_ci
fi

if [[ -z $clone ]]; then clone=$scratch/clone; fi
if [[ ! -d $clone/.git ]]; then
  git clone --quiet --no-hardlinks "file://$top" "$clone"
fi
clone=$(cd "$clone" && pwd)
export scratch lower=$kept
in_namespaces "$scratch/root" "$clone" "$command"
