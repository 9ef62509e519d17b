// RUN: npu-opt %s --npu-drop-encodings --split-input-file --verify-diagnostics | FileCheck %s --implicit-check-not=iree_encoding

#encoding = #iree_encoding.testing<>
#encoding1 = #iree_encoding.layout<[#iree_encoding.padding<[0, 64]>]>

// CHECK: util.global private @g = dense_resource<w> : tensor<2xi32>
util.global private @g = dense_resource<w> : tensor<2xi32, #encoding>
// CHECK: util.func private @types(%arg0: tensor<4xf32>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) attributes {a = [tensor<4xf32>]}
util.func private @types(tensor<4xf32, #encoding>, !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32, #encoding1>>) attributes {a = [tensor<4xf32, #encoding>]}

// What an encoded tensor was given as a size is this size, also through ops that write in place.
// CHECK-LABEL: util.func public @dynamic
// CHECK-NEXT:    %0 = flow.dispatch.region -> (tensor<?x64xf32>{%arg1}) {
// CHECK-NEXT:      %[[CST:.*]] = arith.constant
// CHECK-NEXT:      linalg.fill ins(%[[CST]] : f32) outs(%arg0 : tensor<?x64xf32>) -> tensor<?x64xf32>
// CHECK-NEXT:      flow.return
// CHECK:         util.return %0, %arg1 : tensor<?x64xf32>, index
util.func public @dynamic(%a: tensor<?x64xf32>, %m: index) -> (tensor<?x64xf32>, index) {
  %0 = iree_encoding.set_encoding %a encoding_dims{%m} : tensor<?x64xf32> -> tensor<?x64xf32, #encoding>
  %1 = flow.dispatch.region -> (tensor<?x64xf32, #encoding>{%m}) {
    %cst = arith.constant 0.0 : f32
    %2 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x64xf32, #encoding>) -> tensor<?x64xf32, #encoding>
    flow.return %2 : tensor<?x64xf32, #encoding>
  }
  %cst = arith.constant 0.0 : f32
  %3 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x64xf32, #encoding>) -> tensor<?x64xf32, #encoding>
  %4 = iree_encoding.dim %3[0] : tensor<?x64xf32, #encoding>
  %5 = flow.tensor.encode %1 encoding_dims{%m} : tensor<?x64xf32, #encoding>{%m} -> tensor<?x64xf32, #encoding1>{%m}
  %6 = iree_encoding.dim %5[0] : tensor<?x64xf32, #encoding1>
  %7 = iree_encoding.unset_encoding %5 : tensor<?x64xf32, #encoding1> -> tensor<?x64xf32>{%6}
  util.return %7, %4 : tensor<?x64xf32>, index
}

// CHECK-LABEL: util.func public @shapes
// CHECK:         %[[CAST:.*]] = tensor.cast %arg0 : tensor<?x10xf32> to tensor<20x?xf32>
// CHECK:         flow.tensor.reshape %[[CAST]] : tensor<20x?xf32>{%arg1} -> tensor<20x10xf32>
util.func public @shapes(%a: tensor<?x10xf32>, %d: index) -> tensor<20x10xf32> {
  %0 = iree_encoding.set_encoding %a : tensor<?x10xf32> -> tensor<20x?xf32, #encoding>
  %1 = flow.tensor.encode %0 : tensor<20x?xf32, #encoding>{%d} -> tensor<20x10xf32>
  util.return %1 : tensor<20x10xf32>
}

// CHECK-LABEL: util.func public @constants
// CHECK-DAG:     arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG:     arith.constant dense_resource<w> : tensor<2xi32>
util.func public @constants() -> (tensor<2xf32, #encoding>, tensor<2xi32>) {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32, #encoding>
  %1 = arith.constant dense_resource<w> : tensor<2xi32, #encoding>
  %2 = flow.tensor.encode %1 : tensor<2xi32, #encoding> -> tensor<2xi32>
  util.return %0, %2 : tensor<2xf32, #encoding>, tensor<2xi32>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000100000002000000"
    }
  }
#-}

// -----

// expected-error @below {{expected elements of whole bytes, found 'tensor<8xi1, #iree_encoding.packed_storage>'; pack and unpack the elements in the model}}
util.func private @packed(tensor<8xi1, #iree_encoding.packed_storage>)

// -----

util.func public @unknown(%a: tensor<4xf32, #iree_encoding.testing<>>) -> index {
  // expected-error @below {{expected a tensor that 'iree_encoding.set_encoding' or 'flow.tensor.encode' makes in the same region, so that its 'encoding_dims' are known}}
  %0 = iree_encoding.dim %a[0] : tensor<4xf32, #iree_encoding.testing<>>
  util.return %0 : index
}

// -----

util.func public @few(%a: tensor<4xf32>) -> index {
  %0 = iree_encoding.set_encoding %a : tensor<4xf32> -> tensor<4xf32, #iree_encoding.testing<>>
  // expected-error @below {{expected an index below 0, the number of 'encoding_dims' of the tensor, found 1}}
  %1 = iree_encoding.dim %0[1] : tensor<4xf32, #iree_encoding.testing<>>
  util.return %1 : index
}
