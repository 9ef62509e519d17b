// RUN: npu-opt %s --npu-import-dispatches --split-input-file | FileCheck %s
// RUN: npu-opt %s --npu-import-dispatches --npu-import-dispatches --split-input-file | FileCheck %s

// Full loads become the arguments, the full store the result; the host side does not change.
// CHECK-LABEL: flow.executable private @ex
// CHECK:         flow.executable.export public @entry
// CHECK:         func.func @entry(%[[A:.*]]: tensor<4x8xf32>, %[[S:.*]]: f32 {name.attr}) -> tensor<4x8xf32> {
// CHECK-NEXT:      %[[T:.*]] = tensor.splat %[[S]] : tensor<4x8xf32>
// CHECK-NEXT:      %[[R:.*]] = arith.addf %[[A]], %[[T]] : tensor<4x8xf32>
// CHECK-NEXT:      return %[[R]] : tensor<4x8xf32>
// CHECK:       util.func public @main(%arg0: tensor<4x8xf32>, %arg1: f32)
// CHECK-NEXT:    flow.dispatch @ex::@entry(%arg0, %arg1) : (tensor<4x8xf32>, f32) -> tensor<4x8xf32>
flow.executable private @ex {
  flow.executable.export public @entry workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
    func.func @entry(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>, %s: f32 {name.attr}, %b: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>) {
      %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
      %1 = tensor.splat %s : tensor<4x8xf32>
      %2 = arith.addf %0, %1 : tensor<4x8xf32>
      iree_tensor_ext.dispatch.tensor.store %2, %b, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
      return
    }
  }
}
util.func public @main(%a: tensor<4x8xf32>, %s: f32) -> tensor<4x8xf32> {
  %0 = flow.dispatch @ex::@entry(%a, %s) : (tensor<4x8xf32>, f32) -> tensor<4x8xf32>
  util.return %0 : tensor<4x8xf32>
}

// -----

// Parts: a rank-reduced load, two stores into a new tensor.
// CHECK:      func.func @parts(%[[A:.*]]: tensor<4x8xf32>) -> tensor<2x8xf32> {
// CHECK-NEXT:   %[[P:.*]] = tensor.extract_slice %[[A]][3, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
// CHECK-NEXT:   %[[E:.*]] = tensor.empty() : tensor<2x8xf32>
// CHECK-NEXT:   %[[I:.*]] = tensor.insert_slice %[[P]] into %[[E]][0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<2x8xf32>
// CHECK-NEXT:   %[[J:.*]] = tensor.insert_slice %[[P]] into %[[I]][1, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<2x8xf32>
// CHECK-NEXT:   return %[[J]] : tensor<2x8xf32>
flow.executable private @ex {
  flow.executable.export public @parts
  builtin.module {
    func.func @parts(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>, %b: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x8xf32>>) {
      %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [3, 0], sizes = [1, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<8xf32>
      iree_tensor_ext.dispatch.tensor.store %0, %b, offsets = [0, 0], sizes = [1, 8], strides = [1, 1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x8xf32>>
      iree_tensor_ext.dispatch.tensor.store %0, %b, offsets = [1, 0], sizes = [1, 8], strides = [1, 1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x8xf32>>
      return
    }
  }
}

// -----

// A load after a store reads what was stored. A readwrite tensor is an argument and a result.
// CHECK:      func.func @update(%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %[[I:.*]] = tensor.insert_slice %[[A]] into %[[B]][2] [4] [1] : tensor<4xf32> into tensor<8xf32>
// CHECK-NEXT:   %[[R:.*]] = arith.negf %[[I]] : tensor<8xf32>
// CHECK-NEXT:   return %[[R]] : tensor<8xf32>
flow.executable private @ex {
  flow.executable.export public @update
  builtin.module {
    func.func @update(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %b: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<8xf32>>) {
      %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
      iree_tensor_ext.dispatch.tensor.store %0, %b, offsets = [2], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<8xf32>>
      %1 = iree_tensor_ext.dispatch.tensor.load %b, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<8xf32>> -> tensor<8xf32>
      %2 = arith.negf %1 : tensor<8xf32>
      iree_tensor_ext.dispatch.tensor.store %2, %b, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<8xf32>>
      return
    }
  }
}
util.func public @main(%a: tensor<4xf32>, %b: tensor<8xf32>) {
  %0 = flow.dispatch @ex::@update(%a, %b) : (tensor<4xf32>, tensor<8xf32>) -> %b
  util.return
}

// -----

// The results come in the order of the dispatch, here the new tensor before the updated one.
// CHECK:      func.func @order(%[[A:.*]]: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
// CHECK-NEXT:   %[[R:.*]] = arith.fptosi %[[A]] : tensor<4xf32> to tensor<4xi32>
// CHECK-NEXT:   return %[[R]], %[[A]] : tensor<4xi32>, tensor<4xf32>
flow.executable private @ex {
  flow.executable.export public @order
  builtin.module {
    func.func @order(%a: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>>, %b: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>) {
      %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>> -> tensor<4xf32>
      %1 = arith.fptosi %0 : tensor<4xf32> to tensor<4xi32>
      iree_tensor_ext.dispatch.tensor.store %1, %b, offsets = [0], sizes = [4], strides = [1] : tensor<4xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>
      return
    }
  }
}
util.func public @main(%a: tensor<4xf32>) {
  %0:2 = flow.dispatch @ex::@order(%a) : (tensor<4xf32>) -> (tensor<4xi32>, %a)
  util.return
}

// -----

// Dynamic shapes stay: their sizes are arguments, and a load of all of them is the argument.
// CHECK:      func.func @dynamic(%[[A:.*]]: tensor<?xf32>, %[[D:.*]]: index) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:   %[[N:.*]] = arith.negf %[[A]] : tensor<?xf32>
// CHECK-NEXT:   %[[E:.*]] = tensor.empty(%[[D]]) : tensor<?xf32>
// CHECK-NEXT:   %[[I:.*]] = tensor.insert_slice %[[N]] into %[[E]][1] [%[[D]]] [1]
// CHECK-NEXT:   return %[[N]], %[[I]] : tensor<?xf32>, tensor<?xf32>
flow.executable private @ex {
  flow.executable.export public @dynamic
  builtin.module {
    func.func @dynamic(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %n: index, %b: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>, %c: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>) {
      %d = iree_tensor_ext.dispatch.workload.ordinal %n, 0 : index
      %t = flow.dispatch.tie_shape %a : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%d}
      %0 = iree_tensor_ext.dispatch.tensor.load %t, offsets = [0], sizes = [%d], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%d} -> tensor<?xf32>
      %1 = arith.negf %0 : tensor<?xf32>
      iree_tensor_ext.dispatch.tensor.store %1, %b, offsets = [0], sizes = [%d], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%d}
      iree_tensor_ext.dispatch.tensor.store %1, %c, offsets = [1], sizes = [%d], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%d}
      return
    }
  }
}

// -----

// What nothing stores to may be loaded anywhere.
// CHECK:      func.func @nested(%[[A:.*]]: tensor<4xf32>, %[[N:.*]]: index) -> tensor<1xf32> {
// CHECK:        scf.for %[[I:.*]] = %[[N]] to
// CHECK:          tensor.extract_slice %[[A]][%[[I]]] [1] [1] : tensor<4xf32> to tensor<1xf32>
flow.executable private @ex {
  flow.executable.export public @nested
  builtin.module {
    func.func @nested(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %n: index, %b: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1xf32>>) {
      %e = tensor.empty() : tensor<1xf32>
      %0 = scf.for %i = %n to %n step %n iter_args(%o = %e) -> (tensor<1xf32>) {
        %1 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [%i], sizes = [1], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<1xf32>
        scf.yield %1 : tensor<1xf32>
      }
      iree_tensor_ext.dispatch.tensor.store %0, %b, offsets = [0], sizes = [1], strides = [1] : tensor<1xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1xf32>>
      return
    }
  }
}
