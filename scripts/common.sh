# Shared by the scripts that build: installs what is missing from Debian, then configures and builds into build/.
# Debian 12 carries every package named here; nothing is fetched from anywhere else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What building the tools needs.
build_packages=(build-essential cmake ninja-build ccache python3 clang-22 lld-22 llvm-22-dev libmlir-22-dev mlir-22-tools
                libzstd-dev zlib1g-dev libonnx-dev libprotobuf-dev libzip-dev protobuf-compiler)
# What the tests need besides: GoogleTest, lit and FileCheck, models, a browser, an emulator, hosts for a sweep,
# what npu-quantize needs, and what makes wheels.
test_packages=(libgtest-dev llvm-22-tools python3-jsonschema libonnx-testdata qemu-user chromium parallel iproute2
               openssh-client openssh-server graphviz python3-numpy python3-onnx python3-pip python3-setuptools python3-wheel)

# install_missing PACKAGE...: installs those that are not there, and says which. Asks first where somebody can answer.
install_missing() {
  local missing=()
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  echo "These packages of Debian are needed and not installed: ${missing[*]}"
  if [ -t 0 ]; then
    read -rp "Install them with ${sudo[*]:+sudo }apt-get? [Y/n] " answer
    case $answer in [Nn]*) echo "nothing was installed or built" >&2; exit 1 ;; esac
  fi
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# build [TARGET...]: everything, or only these.
build() {
  cmake --preset release >/dev/null
  cmake --build --preset release ${@:+--target "$@"}
}
