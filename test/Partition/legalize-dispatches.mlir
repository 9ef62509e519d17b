// Kernels are what the single passes make, whether functions stand in executables or not, and what the host runs stays.

// RUN: npu-opt --npu-legalize-dispatches=fallback=host %s > %t.once
// RUN: npu-opt --npu-partition=fallback=host --npu-tabulate-positions --npu-decompose-aggregates --npu-tabulate-functions --npu-expand-scalar-ops --npu-widen-accumulators --convert-func-to-kernel --convert-linalg-to-npu %s | diff %t.once -
// RUN: FileCheck %s < %t.once
// RUN: npu-opt --npu-front-half --npu-import-dispatches --npu-legalize-dispatches %source_root/examples/matmul.mlir > %t.nested
// RUN: npu-opt --npu-front-half --npu-import-dispatches --npu-widen-accumulators --convert-func-to-kernel --convert-linalg-to-npu %source_root/examples/matmul.mlir | diff %t.nested -

// Equal functions are legalized once; the remark stands at the first.
// RUN: npu-opt --npu-legalize-dispatches=fallback=host --remarks-filter=npu-codegen %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: npu-opt --npu-legalize-dispatches=fallback=host --mlir-disable-threading %s | diff %t.once -

// What the target does not run is an error, where it stands, for every function.
// RUN: not npu-opt --npu-legalize-dispatches %s 2>&1 | FileCheck %s --check-prefix=ERROR

// REMARK: :[[@LINE+9]]:1: remark: [Passed] Legalized | Category:npu-codegen | Function=sum | target=npu-v1
// REMARK-NOT: Function=twin
// REMARK: remark: [Passed] Legalized | Category:npu-codegen | Function=erf
// REMARK-NOT: Legalized

// ERROR: :[[@LINE+17]]:8: error: Dispatch #2 not supported: op without npu equivalent (math.erf)
// ERROR: :[[@LINE+21]]:8: error: Dispatch #3 not supported: op without npu equivalent (math.erf)

// CHECK: npu.kernel @sum(
func.func @sum(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %empty = tensor.empty() : tensor<16xf32>
  %0 = linalg.add ins(%a, %b : tensor<16xf32>, tensor<16xf32>) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
// CHECK: npu.kernel private @twin(
func.func private @twin(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %empty = tensor.empty() : tensor<16xf32>
  %0 = linalg.add ins(%a, %b : tensor<16xf32>, tensor<16xf32>) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
// CHECK: func.func @erf(%{{.*}} attributes {npu.placement = #npu.placement<host>}
func.func @erf(%a: tensor<16xf64>) -> tensor<16xf64> {
  %0 = math.erf %a : tensor<16xf64>
  return %0 : tensor<16xf64>
}
// CHECK: func.func @other_erf(%{{.*}} attributes {npu.placement = #npu.placement<host>}
func.func @other_erf(%a: tensor<16xf64>) -> tensor<16xf64> {
  %0 = math.erf %a : tensor<16xf64>
  return %0 : tensor<16xf64>
}
