// RUN: npu-opt %s | FileCheck %s
// RUN: npu-opt %s | npu-opt | FileCheck %s
// RUN: npu-opt %s --mlir-print-op-generic | npu-opt | FileCheck %s

// CHECK-LABEL: func.func @load_store
func.func @load_store(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x?xf32>>,
                      %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x16xf32>>,
                      %arg2: !iree_tensor_ext.dispatch.tensor<readwrite:f32>, %d: index) {
  // CHECK: iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, %arg3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x?xf32>>{%arg3} -> tensor<4x?xf32>
  %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, %d], strides = [1, 1]
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x?xf32>>{%d} -> tensor<4x?xf32>
  // A slice may lose its unit dimensions.
  // CHECK: iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [1, %arg3], sizes = [1, 8], strides = [1, 2] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x?xf32>>{%arg3} -> tensor<8xf32>
  %1 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [1, %d], sizes = [1, 8], strides = [1, 2]
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x?xf32>>{%d} -> tensor<8xf32>
  // CHECK: iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [], sizes = [], strides = [] : !iree_tensor_ext.dispatch.tensor<readwrite:f32> -> tensor<f32>
  %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [], sizes = [], strides = []
      : !iree_tensor_ext.dispatch.tensor<readwrite:f32> -> tensor<f32>
  // CHECK: iree_tensor_ext.dispatch.tensor.store %{{.*}}, %arg1, offsets = [3, 8], sizes = [1, 8], strides = [1, 1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x16xf32>>
  iree_tensor_ext.dispatch.tensor.store %1, %arg1, offsets = [3, 8], sizes = [1, 8], strides = [1, 1]
      : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x16xf32>>
  return
}

// CHECK-LABEL: func.func @others
func.func @others(%i: index, %t: tensor<?xf32>) {
  // CHECK: iree_tensor_ext.dispatch.workload.ordinal %arg0, 2 : index
  %0 = iree_tensor_ext.dispatch.workload.ordinal %i, 2 : index
  // CHECK: %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
  %1:3 = iree_tensor_ext.dispatch.workgroup_count_from_slice()
  // CHECK: %{{.*}}, %{{.*}}, %{{.*}} = iree_tensor_ext.dispatch.workgroup_count_from_dag_root(%arg0, %arg0)
  %2:3 = iree_tensor_ext.dispatch.workgroup_count_from_dag_root(%i, %i)
  // CHECK: iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier workgroups(%x, %y, %z) workload(%arg0)
  %3:3 = iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier workgroups(%1#0, %1#1, %1#2) workload(%i)
  // CHECK: iree_tensor_ext.bitcast %arg1 : tensor<?xf32>{%arg0} -> tensor<?xi32>{%arg0}
  %4 = iree_tensor_ext.bitcast %t : tensor<?xf32>{%i} -> tensor<?xi32>{%i}
  // CHECK: iree_tensor_ext.compute_barrier.start %arg1 : tensor<?xf32>{%arg0} -> tensor<?xf32>
  %5 = iree_tensor_ext.compute_barrier.start %t : tensor<?xf32>{%i} -> tensor<?xf32>
  // CHECK: iree_tensor_ext.compute_barrier.end %{{.*}} : tensor<?xf32>{%arg0} -> tensor<?xf32>
  %6 = iree_tensor_ext.compute_barrier.end %5 : tensor<?xf32>{%i} -> tensor<?xf32>
  return
}
