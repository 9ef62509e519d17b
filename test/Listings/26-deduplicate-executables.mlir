// RUN: npu-opt --split-input-file --npu-flow-deduplicate-executables %s | FileCheck %s --match-full-lines --strict-whitespace

// 26.1 Two equal executables under different names.
//      CHECK:module {
// CHECK-NEXT:  flow.executable private @ex0 {
// CHECK-NEXT:    flow.executable.export public @ex0_mul
// CHECK-NEXT:    builtin.module {
// CHECK-NEXT:      func.func @ex0_mul(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xi32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6xi32>>) {
// CHECK-NEXT:        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [6], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xi32>> -> tensor<6xi32>
// CHECK-NEXT:        %1 = arith.muli %0, %0 : tensor<6xi32>
// CHECK-NEXT:        iree_tensor_ext.dispatch.tensor.store %1, %arg1, offsets = [0], sizes = [6], strides = [1] : tensor<6xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6xi32>>
// CHECK-NEXT:        return
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func public @quartic(%arg0: tensor<6xi32>) -> tensor<6xi32> {
// CHECK-NEXT:    %0 = flow.dispatch @ex0::@ex0_mul(%arg0) : (tensor<6xi32>) -> tensor<6xi32>
// CHECK-NEXT:    %1 = flow.dispatch @ex0::@ex0_mul(%0) : (tensor<6xi32>) -> tensor<6xi32>
// CHECK-NEXT:    util.return %1 : tensor<6xi32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
flow.executable private @ex0 {
  flow.executable.export public @ex0_mul
  builtin.module {
    func.func @ex0_mul(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xi32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6xi32>>) {
      %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [6], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xi32>> -> tensor<6xi32>
      %1 = arith.muli %0, %0 : tensor<6xi32>
      iree_tensor_ext.dispatch.tensor.store %1, %arg1, offsets = [0], sizes = [6], strides = [1] : tensor<6xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6xi32>>
      return
    }
  }
}
flow.executable private @ex1 {
  flow.executable.export public @ex1_mul
  builtin.module {
    func.func @ex1_mul(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xi32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6xi32>>) {
      %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [6], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6xi32>> -> tensor<6xi32>
      %1 = arith.muli %0, %0 : tensor<6xi32>
      iree_tensor_ext.dispatch.tensor.store %1, %arg1, offsets = [0], sizes = [6], strides = [1] : tensor<6xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6xi32>>
      return
    }
  }
}
util.func public @quartic(%arg0: tensor<6xi32>) -> tensor<6xi32> {
  %0 = flow.dispatch @ex0::@ex0_mul(%arg0) : (tensor<6xi32>) -> tensor<6xi32>
  %1 = flow.dispatch @ex1::@ex1_mul(%0) : (tensor<6xi32>) -> tensor<6xi32>
  util.return %1 : tensor<6xi32>
}
