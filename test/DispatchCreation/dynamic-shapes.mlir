// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions,npu-dispatch-creation-clone-producers-into-dispatch-regions,npu-dispatch-creation-convert-dispatch-regions-to-workgroups,npu-dispatch-creation-convert-tensor-to-flow),cse)' %s | FileCheck %s --match-full-lines --strict-whitespace

// What a dispatch reads and returns comes with its sizes; those that its body does not use anyway
// are its last arguments. Results have the sizes of what they are written to, an update those of
// its target. Between dispatches, slices of whole rows stay one piece of memory whatever their
// number; columns are loaded by a dispatch. A cast changes no sizes.

//      CHECK:module {
// CHECK-NEXT:  util.func public @dense(%arg0: tensor<?x64xf32>, %arg1: index, %arg2: tensor<64x32xf32>) -> tensor<?x32xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %dim = tensor.dim %arg0, %c0 : tensor<?x64xf32>
// CHECK-NEXT:    %0 = flow.dispatch.workgroups(%arg1, %arg0, %arg2, %dim) : (index, tensor<?x64xf32>{%dim}, tensor<64x32xf32>, index) -> tensor<?x32xf32>{%arg1} =
// CHECK-NEXT:        (%arg3: index, %arg4: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>, %arg5: !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>>, %arg6: index, %arg7: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x32xf32>>) {
// CHECK-NEXT:      %1 = iree_tensor_ext.dispatch.tensor.load %arg4, offsets = [0, 0], sizes = [%arg6, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>{%arg6} -> tensor<?x64xf32>
// CHECK-NEXT:      %2 = iree_tensor_ext.dispatch.tensor.load %arg5, offsets = [0, 0], sizes = [64, 32], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>> -> tensor<64x32xf32>
// CHECK-NEXT:      %3 = tensor.empty(%arg3) : tensor<?x32xf32>
// CHECK-NEXT:      %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<?x32xf32>) -> tensor<?x32xf32>
// CHECK-NEXT:      %5 = linalg.matmul ins(%1, %2 : tensor<?x64xf32>, tensor<64x32xf32>) outs(%4 : tensor<?x32xf32>) -> tensor<?x32xf32>
// CHECK-NEXT:      iree_tensor_ext.dispatch.tensor.store %5, %arg7, offsets = [0, 0], sizes = [%arg3, 32], strides = [1, 1] : tensor<?x32xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x32xf32>>{%arg3}
// CHECK-NEXT:      flow.return
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %0 : tensor<?x32xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func public @update(%arg0: tensor<?x64xf32>, %arg1: tensor<64x32xf32>, %arg2: tensor<?x32xf32>) -> tensor<?x32xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %dim = tensor.dim %arg2, %c0 : tensor<?x32xf32>
// CHECK-NEXT:    %dim_0 = tensor.dim %arg0, %c0 : tensor<?x64xf32>
// CHECK-NEXT:    %0 = flow.dispatch.workgroups(%arg0, %arg1, %arg2, %dim_0, %dim) : (tensor<?x64xf32>{%dim_0}, tensor<64x32xf32>, tensor<?x32xf32>{%dim}, index, index) -> %arg2{%dim} =
// CHECK-NEXT:        (%arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>, %arg4: !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>>, %arg5: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x32xf32>>, %arg6: index, %arg7: index) {
// CHECK-NEXT:      %1 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0, 0], sizes = [%arg6, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>{%arg6} -> tensor<?x64xf32>
// CHECK-NEXT:      %2 = iree_tensor_ext.dispatch.tensor.load %arg4, offsets = [0, 0], sizes = [64, 32], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>> -> tensor<64x32xf32>
// CHECK-NEXT:      %3 = iree_tensor_ext.dispatch.tensor.load %arg5, offsets = [0, 0], sizes = [%arg7, 32], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x32xf32>>{%arg7} -> tensor<?x32xf32>
// CHECK-NEXT:      %4 = linalg.matmul ins(%1, %2 : tensor<?x64xf32>, tensor<64x32xf32>) outs(%3 : tensor<?x32xf32>) -> tensor<?x32xf32>
// CHECK-NEXT:      iree_tensor_ext.dispatch.tensor.store %4, %arg5, offsets = [0, 0], sizes = [%arg7, 32], strides = [1, 1] : tensor<?x32xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x32xf32>>{%arg7}
// CHECK-NEXT:      flow.return
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %0 : tensor<?x32xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func public @between(%arg0: tensor<?x8xf32>, %arg1: tensor<?x8xf32>, %arg2: index, %arg3: index) -> (tensor<?x8xf32>, tensor<?x3xf32>, tensor<?x2x4xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
// CHECK-NEXT:    %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %dim = tensor.dim %arg0, %c0 : tensor<?x8xf32>
// CHECK-NEXT:    %c8 = arith.constant 8 : index
// CHECK-NEXT:    %0 = flow.tensor.slice %arg0[%arg2, %c0 for %arg3, %c8] : tensor<?x8xf32>{%dim} -> tensor<?x8xf32>{%arg3}
// CHECK-NEXT:    %1 = flow.dispatch.workgroups(%arg0, %arg3, %dim) : (tensor<?x8xf32>{%dim}, index, index) -> tensor<?x3xf32>{%arg3} =
// CHECK-NEXT:        (%arg4: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x8xf32>>, %arg5: index, %arg6: index, %arg7: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x3xf32>>) {
// CHECK-NEXT:      %5 = iree_tensor_ext.dispatch.tensor.load %arg4, offsets = [0, 2], sizes = [%arg5, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x8xf32>>{%arg6} -> tensor<?x3xf32>
// CHECK-NEXT:      iree_tensor_ext.dispatch.tensor.store %5, %arg7, offsets = [0, 0], sizes = [%arg5, 3], strides = [1, 1] : tensor<?x3xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x3xf32>>{%arg5}
// CHECK-NEXT:      flow.return
// CHECK-NEXT:    }
// CHECK-NEXT:    %2 = flow.tensor.reshape %arg0 : tensor<?x8xf32>{%dim} -> tensor<?x2x4xf32>{%arg3}
// CHECK-NEXT:    %3 = flow.tensor.splat %cst : tensor<?x8xf32>{%arg3}
// CHECK-NEXT:    %dim_0 = tensor.dim %arg1, %c0 : tensor<?x8xf32>
// CHECK-NEXT:    %4 = flow.tensor.update %0, %arg1[%arg2, %c0] : tensor<?x8xf32>{%arg3} -> %arg1 as tensor<?x8xf32>{%dim_0}
// CHECK-NEXT:    util.return %0, %1, %2, %3, %4 : tensor<?x8xf32>, tensor<?x3xf32>, tensor<?x2x4xf32>, tensor<?x8xf32>, tensor<?x8xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func public @cast(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: index) -> tensor<?x8xf32> {
// CHECK-NEXT:    %0 = flow.tensor.tie_shape %arg0 : tensor<?x?xf32>{%arg1, %arg2}
// CHECK-NEXT:    %cast = tensor.cast %0 : tensor<?x?xf32> to tensor<?x8xf32>
// CHECK-NEXT:    %1 = flow.dispatch.workgroups(%arg1, %cast) : (index, tensor<?x8xf32>{%arg1}) -> tensor<?x8xf32>{%arg1} =
// CHECK-NEXT:        (%arg3: index, %arg4: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x8xf32>>, %arg5: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x8xf32>>) {
// CHECK-NEXT:      %2 = iree_tensor_ext.dispatch.tensor.load %arg4, offsets = [0, 0], sizes = [%arg3, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x8xf32>>{%arg3} -> tensor<?x8xf32>
// CHECK-NEXT:      %3 = tensor.empty(%arg3) : tensor<?x8xf32>
// CHECK-NEXT:      %4 = linalg.exp ins(%2 : tensor<?x8xf32>) outs(%3 : tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT:      iree_tensor_ext.dispatch.tensor.store %4, %arg5, offsets = [0, 0], sizes = [%arg3, 8], strides = [1, 1] : tensor<?x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x8xf32>>{%arg3}
// CHECK-NEXT:      flow.return
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %1 : tensor<?x8xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @dense(%x: tensor<?x64xf32>, %d: index, %w: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%d) : tensor<?x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x32xf32>) outs(%f : tensor<?x32xf32>) -> tensor<?x32xf32>
  util.return %m : tensor<?x32xf32>
}
util.func public @update(%x: tensor<?x64xf32>, %y: tensor<64x32xf32>, %acc: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %m = linalg.matmul ins(%x, %y : tensor<?x64xf32>, tensor<64x32xf32>) outs(%acc : tensor<?x32xf32>) -> tensor<?x32xf32>
  util.return %m : tensor<?x32xf32>
}
util.func public @between(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %o: index, %n: index) -> (tensor<?x8xf32>, tensor<?x3xf32>, tensor<?x2x4xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.extract_slice %x[%o, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %columns = tensor.extract_slice %x[0, 2] [%n, 3] [1, 1] : tensor<?x8xf32> to tensor<?x3xf32>
  %split = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %joined = tensor.insert_slice %rows into %y[%o, 0] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<?x8xf32>
  util.return %rows, %columns, %split, %zeros, %joined : tensor<?x8xf32>, tensor<?x3xf32>, tensor<?x2x4xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}
util.func public @cast(%x: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x8xf32> {
  %tied = flow.tensor.tie_shape %x : tensor<?x?xf32>{%m, %n}
  %cast = tensor.cast %tied : tensor<?x?xf32> to tensor<?x8xf32>
  %e = tensor.empty(%m) : tensor<?x8xf32>
  %r = linalg.exp ins(%cast : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  util.return %r : tensor<?x8xf32>
}
