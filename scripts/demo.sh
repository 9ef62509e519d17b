#!/usr/bin/env bash
# Installs what is missing, builds, and takes one real convolution, as IREE printed it, through all steps:
# dispatch, npu IR, assembly, simulated run, comparison with the host.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
build
model=${1:-examples/resnet_conv.flow.mlir}
target=${2:-npu-v1}
bin=build/bin

heading() { printf '\n== %s\n' "$1"; }

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

heading "A convolution from an .onnx file: ONNX's own test, compared with the result that ONNX stores for it"
data=/usr/share/libonnx-testdata/data/node/test_basic_conv_with_padding
$bin/npu-translate --onnx-to-mlir $data/model.onnx
$bin/npu-translate --onnx-to-mlir $data/model.onnx | $bin/npu-opt --npu-onnx-pipeline --npu-codegen-pipeline="target=$target" |
  $bin/npu-translate --mlir-to-npu-asm
$bin/npu-run $data/model.onnx --target="$target" --npu-fallback=error --input=@$data/test_data_set_0/input_0.pb \
  --input=@$data/test_data_set_0/input_1.pb --expected_output=@$data/test_data_set_0/output_0.pb
