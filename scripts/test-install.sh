#!/usr/bin/env bash
# Installs what is in a build tree, uses it (check-installed.sh) and removes it.
# usage: test-install.sh [--prefix [<build tree>]]
#   (none)    as a Debian package, in a clean Debian 12 made by mmdebstrap from the sources of this machine's apt
#   --prefix  by cmake --install into an empty directory, which needs no rights
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

test_prefix() {
  local tree=$1 prefix=$scratch/prefix left
  cmake --install "$tree" --prefix "$prefix" >"$scratch/log" || { cat "$scratch/log"; exit 1; }
  cp "$tree/install_manifest.txt" "$scratch/manifest"
  scripts/check-installed.sh tools "$prefix" "$scratch/work"
  scripts/check-installed.sh projects "$prefix" "$scratch/work"
  xargs -d '\n' rm <"$scratch/manifest"
  left=$(find "$prefix" ! -type d)
  [ -z "$left" ] || { echo "left behind: $left" >&2; exit 1; }
  echo "removed"
}

# Runs in the new system, with its root as the first argument.
test_package() {
  local package=/tmp/npu-toolchain.deb
  export DEBIAN_FRONTEND=noninteractive
  apt-get install -y -qq --no-install-recommends "$package" >/dev/null
  /tmp/check-installed.sh tools /usr /tmp/work
  apt-get install -y -qq --no-install-recommends cmake g++ make python3-numpy libmlir-22-dev llvm-22-dev mlir-22-tools zlib1g-dev libzstd-dev \
    >/dev/null
  /tmp/check-installed.sh projects /usr /tmp/work
  dpkg -L npu-toolchain >/tmp/files
  apt-get purge -y -qq npu-toolchain >/dev/null
  while read -r file; do
    # Directories may be other packages' as well.
    if [ -e "$file" ] && ! dpkg -S "$file" >/dev/null 2>&1; then
      echo "left behind: $file" >&2
      exit 1
    fi
  done </tmp/files
  if dpkg -s npu-toolchain >/dev/null 2>&1; then
    echo "left behind: npu-toolchain is still known to dpkg" >&2
    exit 1
  fi
  echo "purged"
}

case ${1:-} in
  --prefix) test_prefix "${2:-build}" ;;
  --in-package-root) test_package ;;
  "")
    source scripts/common.sh
    install_missing "${build_packages[@]}" "${test_packages[@]}" mmdebstrap
    build
    cpack --config build/CPackConfig.cmake -B "$scratch" >"$scratch/log" || { cat "$scratch/log"; exit 1; }
    mv "$scratch"/npu-toolchain_*.deb "$scratch/npu-toolchain.deb"
    cp scripts/check-installed.sh scripts/test-install.sh "$scratch"
    mapfile -t sources < <(find /etc/apt -name '*.sources' -o -name '*.list')
    mmdebstrap --quiet --variant=minbase \
      --customize-hook="copy-in $scratch/npu-toolchain.deb $scratch/check-installed.sh $scratch/test-install.sh /tmp" \
      --customize-hook='chroot "$1" bash /tmp/test-install.sh --in-package-root' bookworm /dev/null "${sources[@]}"
    ;;
  *)
    echo "usage: test-install.sh [--prefix [<build tree>]]" >&2
    exit 2
    ;;
esac
