// RUN: npu-opt --split-input-file --npu-flow-outline-constants %s | FileCheck %s --match-full-lines --strict-whitespace

// 28.1 A table, a splat and a named parameter.
//      CHECK:module {
// CHECK-NEXT:  util.global private @__constant_tensor_4xi8 {inlining_policy = #util.inline.never} = dense<[12, -7, 0, 55]> : tensor<4xi8>
// CHECK-NEXT:  util.global private @__parameter_net_fc_weight_tensor_2x3xf16 {inlining_policy = #util.inline.never} = #flow.parameter.named<"net"::"fc.weight"> : tensor<2x3xf16>
// CHECK-NEXT:  util.func public @lut() -> (tensor<4xi8>, tensor<9xf32>, tensor<2x3xf16>) {
// CHECK-NEXT:    %__constant_tensor_4xi8 = util.global.load immutable @__constant_tensor_4xi8 : tensor<4xi8>
// CHECK-NEXT:    %cst = arith.constant dense<7.500000e-01> : tensor<9xf32>
// CHECK-NEXT:    %__parameter_net_fc_weight_tensor_2x3xf16 = util.global.load immutable @__parameter_net_fc_weight_tensor_2x3xf16 : tensor<2x3xf16>
// CHECK-NEXT:    util.return %__constant_tensor_4xi8, %cst, %__parameter_net_fc_weight_tensor_2x3xf16 : tensor<4xi8>, tensor<9xf32>, tensor<2x3xf16>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @lut() -> (tensor<4xi8>, tensor<9xf32>, tensor<2x3xf16>) {
  %cst = arith.constant dense<[12, -7, 0, 55]> : tensor<4xi8>
  %cst_0 = arith.constant dense<7.500000e-01> : tensor<9xf32>
  %0 = flow.tensor.constant #flow.parameter.named<"net"::"fc.weight"> : tensor<2x3xf16>
  util.return %cst, %cst_0, %0 : tensor<4xi8>, tensor<9xf32>, tensor<2x3xf16>
}
