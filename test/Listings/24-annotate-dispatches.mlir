// RUN: npu-opt --split-input-file --npu-flow-annotate-dispatches %s | FileCheck %s --match-full-lines --strict-whitespace

// 24.1 Matmul found inside an outlined dispatch.
//      CHECK:module {
// CHECK-NEXT:  flow.executable private @top_dispatch_3 {
// CHECK-NEXT:    flow.executable.export public @top_dispatch_3_matmul_14x6x20_i8xi8xi32
// CHECK-NEXT:    builtin.module {
// CHECK-NEXT:      func.func @top_dispatch_3_matmul_14x6x20_i8xi8xi32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<14x20xi8>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<20x6xi8>>, %arg2: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<14x6xi32>>) {
// CHECK-NEXT:        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [14, 20], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<14x20xi8>> -> tensor<14x20xi8>
// CHECK-NEXT:        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [20, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<20x6xi8>> -> tensor<20x6xi8>
// CHECK-NEXT:        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0], sizes = [14, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<14x6xi32>> -> tensor<14x6xi32>
// CHECK-NEXT:        %3 = linalg.matmul ins(%0, %1 : tensor<14x20xi8>, tensor<20x6xi8>) outs(%2 : tensor<14x6xi32>) -> tensor<14x6xi32>
// CHECK-NEXT:        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0, 0], sizes = [14, 6], strides = [1, 1] : tensor<14x6xi32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<14x6xi32>>
// CHECK-NEXT:        return
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func public @top(%arg0: tensor<14x20xi8>, %arg1: tensor<20x6xi8>, %arg2: tensor<14x6xi32>) -> tensor<14x6xi32> {
// CHECK-NEXT:    %0 = flow.dispatch @top_dispatch_3::@top_dispatch_3_matmul_14x6x20_i8xi8xi32(%arg0, %arg1, %arg2) : (tensor<14x20xi8>, tensor<20x6xi8>, tensor<14x6xi32>) -> %arg2
// CHECK-NEXT:    util.return %0 : tensor<14x6xi32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
flow.executable private @top_dispatch_3 {
  flow.executable.export public @top_dispatch_3
  builtin.module {
    func.func @top_dispatch_3(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<14x20xi8>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<20x6xi8>>, %arg2: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<14x6xi32>>) {
      %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [14, 20], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<14x20xi8>> -> tensor<14x20xi8>
      %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [20, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<20x6xi8>> -> tensor<20x6xi8>
      %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0], sizes = [14, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<14x6xi32>> -> tensor<14x6xi32>
      %3 = linalg.matmul ins(%0, %1 : tensor<14x20xi8>, tensor<20x6xi8>) outs(%2 : tensor<14x6xi32>) -> tensor<14x6xi32>
      iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0, 0], sizes = [14, 6], strides = [1, 1] : tensor<14x6xi32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<14x6xi32>>
      return
    }
  }
}
util.func public @top(%arg0: tensor<14x20xi8>, %arg1: tensor<20x6xi8>, %arg2: tensor<14x6xi32>) -> tensor<14x6xi32> {
  %0 = flow.dispatch @top_dispatch_3::@top_dispatch_3(%arg0, %arg1, %arg2) : (tensor<14x20xi8>, tensor<20x6xi8>, tensor<14x6xi32>) -> %arg2
  util.return %0 : tensor<14x6xi32>
}
