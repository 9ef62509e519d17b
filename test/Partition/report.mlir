// RUN: npu-opt %s --npu-partition-report -o /dev/null | FileCheck %s
// RUN: npu-opt %s --npu-partition-report="target=npu-tiny" -o /dev/null | FileCheck %s --check-prefix=TINY
// RUN: npu-opt %s --npu-partition-report="format=json" -o /dev/null | FileCheck %s --check-prefix=JSON
// RUN: npu-opt %s --npu-partition-report | FileCheck %s --check-prefix=SAME
// RUN: npu-opt %s --npu-partition="fallback=host" --remarks-filter=npu-partition -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=PLACED < %t.mlir
// RUN: npu-opt %s --npu-codegen-pipeline="fallback=host" | FileCheck %s --check-prefix=CODE

// CHECK:      dispatch  on           MACs  what it computes
// CHECK-NEXT: #0        npu         32768  op: linalg.matmul M=32 N=32 K=32 dtype: f32
// CHECK-NEXT: #1        host            0  op: linalg.reduce shape=32x32 dtype: f64
// CHECK-NEXT:                             element type without npu equivalent (f64 of operand 0 of linalg.reduce), expected i1, i8, i16, i32, f16, bf16, f32; use i8, i16, i32, f16, bf16 or f32
// CHECK-NEXT: on the NPU: 1 of 2 dispatches, 32768 of 32768 MACs; on the host: 1 dispatches

// TINY:      #0        host        32768  op: linalg.matmul M=32 N=32 K=32 dtype: f32
// TINY-NEXT:                              operand types that the target's array does not multiply (f32 matmul), expected i8, i16 x i8 on target 'npu-tiny'; run this dispatch on the host
// TINY:      on the NPU: 0 of 2 dispatches, 0 of 32768 MACs

// JSON:      "dispatches": [
// JSON:        "computes": "op: linalg.reduce shape=32x32 dtype: f64",
// JSON-NEXT:   "function": "maximum",
// JSON-NEXT:   "macs": 0,
// JSON-NEXT:   "numbers": [
// JSON-NEXT:     1
// JSON-NEXT:   ],
// JSON-NEXT:   "placement": "host",
// JSON-NEXT:   "reasons": [
// JSON-NEXT:     {
// JSON-NEXT:       "limit": "i1, i8, i16, i32, f16, bf16, f32",
// JSON-NEXT:       "location": "{{.*}}report.mlir:[[@LINE+25]]:8",
// JSON-NEXT:       "op": "linalg.reduce",
// JSON-NEXT:       "reason": "element-type",
// JSON-NEXT:       "remedy": "use i8, i16, i32, f16, bf16 or f32",
// JSON-NEXT:       "text": "element type without npu equivalent (f64 of operand 0 of linalg.reduce)",
// JSON-NEXT:       "value": "f64 of operand 0 of linalg.reduce"
// JSON:      "target": "npu-v1",
// JSON-NEXT: "version": 1

// SAME-NOT: npu.placement
// REMARK: remark: [Missed] element-type | Category:npu-partition | Function=maximum | Reason="element type without npu equivalent (f64 of operand 0 of linalg.reduce)", Suggestion="use i8, i16, i32, f16, bf16 or f32", dispatch=1, limit="i1, i8, i16, i32, f16, bf16, f32", op=linalg.reduce, value="f64 of operand 0 of linalg.reduce"
// PLACED: func.func @product({{.*}}) -> tensor<32x32xf32> {
// PLACED: func.func @maximum({{.*}}) -> tensor<32xf64> attributes {npu.placement = #npu.placement<host>} {
// CODE: npu_isa.program @product
// CODE: func.func @maximum

func.func @product(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}

func.func @maximum(%a: tensor<32x32xf64>, %init: tensor<32xf64>) -> tensor<32xf64> {
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<32x32xf64>) outs(%init : tensor<32xf64>) dimensions = [1]
  return %0 : tensor<32xf64>
}
