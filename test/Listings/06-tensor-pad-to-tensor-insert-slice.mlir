// RUN: npu-opt --split-input-file --npu-dispatch-creation-tensor-pad-to-tensor-insert-slice %s | FileCheck %s --match-full-lines --strict-whitespace

// 6.1 Constant pad, static shape.
//      CHECK:module {
// CHECK-NEXT:  util.func public @frame(%arg0: tensor<3x4xf16>) -> tensor<6x9xf16> {
// CHECK-NEXT:    %cst = arith.constant -2.500000e+00 : f16
// CHECK-NEXT:    %0 = tensor.empty() : tensor<6x9xf16>
// CHECK-NEXT:    %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<6x9xf16>) -> tensor<6x9xf16>
// CHECK-NEXT:    %inserted_slice = tensor.insert_slice %arg0 into %1[2, 0] [3, 4] [1, 1] : tensor<3x4xf16> into tensor<6x9xf16>
// CHECK-NEXT:    util.return %inserted_slice : tensor<6x9xf16>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @frame(%arg0: tensor<3x4xf16>) -> tensor<6x9xf16> {
  %cst = arith.constant -2.500000e+00 : f16
  %padded = tensor.pad %arg0 low[2, 0] high[1, 5] {
  ^bb0(%arg1: index, %arg2: index):
    tensor.yield %cst : f16
  } : tensor<3x4xf16> to tensor<6x9xf16>
  util.return %padded : tensor<6x9xf16>
}

// -----

// 6.2 Dynamic size and dynamic amount.
// IREE asks for the size of the source a second time; here one op serves both, as it does in IREE after
// CSE.
//      CHECK:#map = affine_map<()[s0, s1] -> (s0 + s1 + 3)>
// CHECK-NEXT:module {
// CHECK-NEXT:  util.func public @grow(%arg0: tensor<?xi8>, %arg1: index) -> tensor<?xi8> {
// CHECK-NEXT:    %c7_i8 = arith.constant 7 : i8
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %dim = tensor.dim %arg0, %c0 : tensor<?xi8>
// CHECK-NEXT:    %0 = affine.apply #map()[%dim, %arg1]
// CHECK-NEXT:    %1 = tensor.empty(%0) : tensor<?xi8>
// CHECK-NEXT:    %2 = linalg.fill ins(%c7_i8 : i8) outs(%1 : tensor<?xi8>) -> tensor<?xi8>
// CHECK-NEXT:    %inserted_slice = tensor.insert_slice %arg0 into %2[3] [%dim] [1] : tensor<?xi8> into tensor<?xi8>
// CHECK-NEXT:    util.return %inserted_slice : tensor<?xi8>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @grow(%arg0: tensor<?xi8>, %arg1: index) -> tensor<?xi8> {
  %c7_i8 = arith.constant 7 : i8
  %padded = tensor.pad %arg0 low[3] high[%arg1] {
  ^bb0(%arg2: index):
    tensor.yield %c7_i8 : i8
  } : tensor<?xi8> to tensor<?xi8>
  util.return %padded : tensor<?xi8>
}
