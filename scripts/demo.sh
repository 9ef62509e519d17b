#!/usr/bin/env bash
# Installs what building needs, builds the tools, and takes one real convolution, as IREE printed it, through all steps:
# dispatch, npu IR, assembly, simulated run, comparison with the host. Then a network names the digit in a picture.
# usage: demo.sh [--no-build] [MODEL [TARGET]]
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
must_build=true
[ "${1:-}" != --no-build ] || { must_build=false; shift; }
model=${1:-examples/resnet_conv.flow.mlir}
target=${2:-npu-v1}
bin=build/bin

heading() { printf '\n== %s\n' "$1"; }

if $must_build; then
  echo "This builds npu-opt, npu-compile, npu-translate and npu-run in build/: about six minutes on two cores, less than 600 MB. Tests need more: ./scripts/test.sh"
  install_missing "${build_packages[@]}"
  build npu-opt npu-compile npu-translate npu-run
fi

heading "The dispatches of $model"
$bin/npu-opt --npu-print-dispatches "$model" -o /dev/null

heading "Tensor form: what the NPU computes"
$bin/npu-opt --npu-import-dispatches --npu-widen-accumulators --convert-func-to-kernel="target=$target" \
  --convert-linalg-to-npu --npu-choose-tiles --mlir-print-local-scope "$model" | sed -n '/npu.kernel/,/^  }/p'

heading "Tile form: where data lives and when it moves"
$bin/npu-opt --npu-import-dispatches "$model" |
  $bin/npu-opt --pass-pipeline="builtin.module(npu-widen-accumulators,convert-func-to-kernel{target=$target},convert-linalg-to-npu,npu-choose-tiles,npu.kernel(npu-lower-to-tiles))" --mlir-print-local-scope |
  sed -n '/npu.kernel/,/^  }/p'

heading "Assembly: one stream per engine"
$bin/npu-opt --npu-codegen-pipeline="target=$target" --mlir-print-debuginfo "$model" |
  $bin/npu-translate --mlir-to-npu-asm

heading "The run on the simulated $target, checked against the host CPU"
$bin/npu-run --check --target="$target" "$model"

heading "An ONNX network, trained by examples/digits/train.py, names the digit in examples/digits/7.png"
python3 examples/digits/classify.py examples/digits/7.png $bin/npu-run --target="$target"
