# Shared by demo.sh and test.sh: installs what is missing from Debian, then configures and builds into build/.
# Debian 12 carries every package named here; nothing is fetched from anywhere else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(build-essential cmake ninja-build ccache python3 python3-jsonschema clang-22 lld-22 llvm-22-dev llvm-22-tools
          libmlir-22-dev mlir-22-tools libzstd-dev zlib1g-dev libgtest-dev libonnx-dev libprotobuf-dev libzip-dev
          protobuf-compiler libonnx-testdata qemu-user chromium parallel iproute2 openssh-client openssh-server graphviz)

install_missing() {
  local missing=()
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  echo "installing from Debian: ${missing[*]}"
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

build() {
  install_missing
  cmake --preset release >/dev/null
  cmake --build --preset release
}
