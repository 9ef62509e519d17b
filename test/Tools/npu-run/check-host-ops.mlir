// Ops of flow on whole tensors, without any dispatch, are what was given: --check has no other reference for them.

// RUN: npu-run --check %s --input=1xi32=7 --input=4xi32="1 2 3 4" --expected_output=4xi32="7 2 3 4" | FileCheck %s
// CHECK: output0: 4xi32, match
util.func public @main(%update: tensor<1xi32>, %target: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %0 = flow.tensor.update %update, %target[%c0] : tensor<1xi32> -> %target as tensor<4xi32>
  util.return %0 : tensor<4xi32>
}
