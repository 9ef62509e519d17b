// A dispatch of code that is not in the file is shown, but nothing is decided about it.
// RUN: npu-opt %s --npu-front-half --npu-import-dispatches --npu-partition-report -o /dev/null | FileCheck %s
// RUN: npu-opt %s --npu-front-half --npu-import-dispatches --npu-partition-report="format=json" -o /dev/null | FileCheck %s --check-prefix=JSON
// RUN: not npu-run %s --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: npu-run --plan %s | FileCheck %s --check-prefix=PLAN
// RUN: npu-opt %s --npu-front-half -o %t.mlir
// RUN: not npu-translate --mlir-to-npu-json %t.mlir -o %t.json 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not ls %t.npy %t.json

// CHECK:      dispatch  on           MACs  what it computes
// CHECK-NEXT: #0        npu        262144  op: linalg.matmul M=64 N=64 K=64 dtype: f32
// CHECK-NEXT: #1        -               -  op: external @extern_dispatch::@npu::@entry
// CHECK-NEXT:                              its code is not in this file; nothing is decided about it
// CHECK-NEXT: #2        npu             0  op: linalg.generic shape=4096 dtype: f32
// CHECK-NEXT: on the NPU: 2 of 3 dispatches, 262144 of 262144 MACs; on the host: 0 dispatches; code not in this file: 1 dispatches

// PLAN: planned on the NPU: 2 of 3 dispatches, 262144 of 262144 MACs, predicted {{[0-9]+}} cycles on npu-v1; on the host: none; code not in this file: 1
// PLAN: Dispatch #1: op: external @extern_dispatch::@npu::@entry
// PLAN-NEXT: from external.mlir:
// PLAN-NEXT: its code is not in this file; nothing is decided about it

// JSON:      "external": [
// JSON-NEXT:   {
// JSON-NEXT:     "computes": "op: external @extern_dispatch::@npu::@entry",
// JSON-NEXT:     "number": 1
// JSON-NEXT:   }
// JSON-NEXT: ],

// RUN: not npu-opt %S/Inputs/in-place.mlir --npu-partition 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: in-place.mlir:2:8: error: 'flow.dispatch.workgroups' op expected a dispatch of a function, found its code in place; run npu-flow-pipeline and npu-import-dispatches before

func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%fill : tensor<64x64xf32>) -> tensor<64x64xf32>
  // RAN: error: {{.*}}external.mlir:[[@LINE+2]]:8: 'flow.dispatch' op dispatch #1 failed: its code is not in this file; give a flow-level module with its executables
  // GRAPH: error: {{.*}}external.mlir.tmp.mlir:{{.*}}: 'flow.dispatch' op its code is not in this file; give a flow-level module with its executables
  %1 = hal.dispatch.extern "entry"(%0) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>)
    objects({#hal.executable.target<"npu", "npu"> ordinal(0) = [#hal.executable.object<{path = "kernel.bin"}>]})
  %2 = linalg.add ins(%1, %0 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
