// RUN: npu-opt %s | FileCheck %s
// RUN: npu-opt %s | npu-opt | FileCheck %s
// RUN: npu-opt %s --mlir-print-op-generic | npu-opt | FileCheck %s

// An executable with every form of export.
// CHECK-LABEL: flow.executable private @ex {
// CHECK-NEXT:    flow.executable.export public @entry workgroups(%{{.*}}: index, %{{.*}}: index) -> (index, index, index) {
// CHECK-NEXT:      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%{{.*}}, %{{.*}})
// CHECK-NEXT:      flow.return %x, %y, %z : index, index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    flow.executable.export private @entry as("renamed"){{$}}
// CHECK-NEXT:    flow.executable.export nested @entry as("other") attributes {note = 1 : i64}
// CHECK-NEXT:    builtin.module {
flow.executable private @ex {
  flow.executable.export public @entry workgroups(%a: index, %b: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%a, %b)
    flow.return %x, %y, %z : index, index, index
  }
  flow.executable.export private @entry as("renamed")
  flow.executable.export nested @entry as("other") attributes {note = 1 : i64}
  builtin.module {
    func.func @entry(%arg0: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x?xf32>>, %arg1: index) {
      %0 = flow.dispatch.tie_shape %arg0 : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x?xf32>>{%arg1}
      %id = flow.dispatch.workgroup.id[0] : index
      %count = flow.dispatch.workgroup.count[1] : index
      %size = flow.dispatch.workgroup.size[2] : index
      return
    }
  }
}

// Without attributes an executable is public, and its code may be elsewhere.
// CHECK: flow.executable public @external attributes {note} {
// CHECK-NEXT: flow.executable.export public @f
// CHECK-NEXT: }
flow.executable @external attributes {note} {
  flow.executable.export @f
}

// CHECK-LABEL: util.func public @dispatches
util.func public @dispatches(%arg0: tensor<4x?xf32>, %d: index, %arg2: tensor<8xi8>) {
  // CHECK: flow.dispatch @nowhere::@at_all() : () -> ()
  flow.dispatch @nowhere::@at_all() : () -> ()
  // CHECK: flow.dispatch @ex::@entry[%arg1, %arg1](%arg0, %arg1) : (tensor<4x?xf32>{%arg1}, index) -> %arg0{%arg1}
  %0 = flow.dispatch @ex::@entry[%d, %d](%arg0, %d) : (tensor<4x?xf32>{%d}, index) -> %arg0{%d}
  // CHECK: flow.dispatch {@ex::@renamed, @external::@f}(%arg2) {stream.affinity = #hal.device.affinity<@dev>} : (tensor<8xi8>) -> (%arg2 as tensor<2xi32>, tensor<?x?xf32>{%arg1, %arg1})
  %1:2 = flow.dispatch {@ex::@renamed, @external::@f}(%arg2) {stream.affinity = #hal.device.affinity<@dev>}
      : (tensor<8xi8>) -> (%arg2 as tensor<2xi32>, tensor<?x?xf32>{%d, %d})
  util.return
}

// CHECK-LABEL: util.func public @workgroups
// CHECK:         flow.dispatch.workgroups[%arg1](%arg0, %arg1) : (tensor<4xf32>, index) -> (%arg0, tensor<4xf32>) =
// CHECK-NEXT:        (%{{.*}}: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>>, %{{.*}}: index, %{{.*}}: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
// CHECK-NEXT:      flow.return
// CHECK-NEXT:    } count(%{{.*}}: index) -> (index, index, index) {
util.func public @workgroups(%arg0: tensor<4xf32>, %arg1: index) {
  %0:2 = flow.dispatch.workgroups[%arg1](%arg0, %arg1) : (tensor<4xf32>, index) -> (%arg0, tensor<4xf32>) =
      (%a: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>>, %b: index,
       %c: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
    flow.return
  } count(%w: index) -> (index, index, index) {
    flow.return %w, %w, %w : index, index, index
  }
  util.return
}

// CHECK-LABEL: util.func public @region
// CHECK:         flow.dispatch.region[%arg1] -> (tensor<?xf32>{%arg1}) {
// CHECK-NEXT:      flow.return %arg0 : tensor<?xf32>
// CHECK-NEXT:    } count(%{{.*}}: index) -> (index, index, index) {
// CHECK:         flow.dispatch.region -> (tensor<?xf32>{%arg1}) {
// CHECK-NEXT:      flow.return %arg0 : tensor<?xf32>
// CHECK-NEXT:    }
util.func public @region(%arg0: tensor<?xf32>, %arg1: index) {
  %0 = flow.dispatch.region[%arg1] -> (tensor<?xf32>{%arg1}) {
    flow.return %arg0 : tensor<?xf32>
  } count(%w: index) -> (index, index, index) {
    flow.return %w, %w, %w : index, index, index
  }
  %1 = flow.dispatch.region -> (tensor<?xf32>{%arg1}) {
    flow.return %arg0 : tensor<?xf32>
  }
  util.return
}

// CHECK-LABEL: util.func public @tensors
util.func public @tensors(%t: tensor<4x8xf32>, %u: tensor<?x8xf32>, %d: index, %v: f32) {
  // CHECK: flow.tensor.constant #flow.parameter.named<"scope"::"key"> : tensor<4xf32>
  %0 = flow.tensor.constant #flow.parameter.named<"scope"::"key"> : tensor<4xf32>
  // CHECK: flow.tensor.constant dense<1.000000e+00> : tensor<4xf32>
  %1 = flow.tensor.constant dense<1.0> : tensor<4xf32>
  // CHECK: flow.tensor.dynamic_constant dense<1.000000e+00> : tensor<4xf32> -> tensor<?xf32>
  %2 = flow.tensor.dynamic_constant dense<1.0> : tensor<4xf32> -> tensor<?xf32>
  // CHECK: flow.tensor.tie_shape %arg1 : tensor<?x8xf32>{%arg2}
  %3 = flow.tensor.tie_shape %u : tensor<?x8xf32>{%d}
  // CHECK: flow.tensor.reshape %arg0 : tensor<4x8xf32> -> tensor<32xf32>
  %4 = flow.tensor.reshape %t : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK: flow.tensor.reshape %arg1 : tensor<?x8xf32>{%arg2} -> tensor<8x?xf32>{%arg2}
  %5 = flow.tensor.reshape %u : tensor<?x8xf32>{%d} -> tensor<8x?xf32>{%d}
  // CHECK: flow.tensor.bitcast %arg0 : tensor<4x8xf32> -> tensor<16xf64>
  %6 = flow.tensor.bitcast %t : tensor<4x8xf32> -> tensor<16xf64>
  // CHECK: flow.tensor.clone %arg1 : tensor<?x8xf32>{%arg2}
  %7 = flow.tensor.clone %u : tensor<?x8xf32>{%d}
  // CHECK: flow.tensor.encode %arg0 : tensor<4x8xf32> -> tensor<4x8xf32, "layout">
  %8 = flow.tensor.encode %t : tensor<4x8xf32> -> tensor<4x8xf32, "layout">
  // CHECK: flow.tensor.load %arg0[%arg2, %arg2] : tensor<4x8xf32>
  %9 = flow.tensor.load %t[%d, %d] : tensor<4x8xf32>
  // CHECK: flow.tensor.store %arg3, %arg1[%arg2, %arg2] : tensor<?x8xf32>{%arg2}
  %10 = flow.tensor.store %v, %u[%d, %d] : tensor<?x8xf32>{%d}
  // CHECK: flow.tensor.alloca : tensor<?x8xf32>{%arg2}
  %11 = flow.tensor.alloca : tensor<?x8xf32>{%d}
  // CHECK: flow.tensor.empty : tensor<4xf32>
  %12 = flow.tensor.empty : tensor<4xf32>
  // CHECK: flow.tensor.splat %arg3 : tensor<?xf32>{%arg2}
  %13 = flow.tensor.splat %v : tensor<?xf32>{%d}
  // CHECK: flow.tensor.slice %arg0[%arg2, %arg2 for %arg2, %arg2] : tensor<4x8xf32> -> tensor<2x2xf32>
  %14 = flow.tensor.slice %t[%d, %d for %d, %d] : tensor<4x8xf32> -> tensor<2x2xf32>
  // CHECK: flow.tensor.update %{{.*}}, %arg1[%arg2, %arg2] : tensor<2x2xf32> -> %arg1 as tensor<?x8xf32>{%arg2}
  %15 = flow.tensor.update %14, %u[%d, %d] : tensor<2x2xf32> -> %u as tensor<?x8xf32>{%d}
  // CHECK: flow.tensor.transfer %arg0 : tensor<4x8xf32> to #hal.device.affinity<@dev, [0, 1]>
  %16 = flow.tensor.transfer %t : tensor<4x8xf32> to #hal.device.affinity<@dev, [0, 1]>
  // CHECK: flow.tensor.barrier %arg1 : tensor<?x8xf32>{%arg2} on #hal.device.affinity<@dev>
  %17 = flow.tensor.barrier %u : tensor<?x8xf32>{%d} on #hal.device.affinity<@dev>
  // CHECK: flow.tensor.trace "key" = [%arg1 : tensor<?x8xf32>{%arg2}, %arg0 : tensor<4x8xf32>]
  flow.tensor.trace "key" = [%u : tensor<?x8xf32>{%d}, %t : tensor<4x8xf32>]
  util.return
}

// An extern function prints names for its arguments, so that results can be tied to them.
// CHECK: flow.func private @extern(%arg0: tensor<?xf32>, %arg1: index) -> (%arg0, tensor<4xi8> {test.note})
flow.func private @extern(%a: tensor<?xf32>, %b: index) -> (%a, tensor<4xi8> {test.note})
// CHECK: flow.func private @nothing() attributes {note}
flow.func private @nothing() attributes {note}

// CHECK-LABEL: util.func public @calls
util.func public @calls(%arg0: tensor<?xf32>, %arg1: index) {
  // CHECK: flow.call @extern(%arg0, %arg1) : (tensor<?xf32>{%arg1}, index) -> (%arg0{%arg1}, tensor<4xi8>)
  %0:2 = flow.call @extern(%arg0, %arg1) : (tensor<?xf32>{%arg1}, index) -> (%arg0{%arg1}, tensor<4xi8>)
  // CHECK: flow.call @nothing() : () -> ()
  flow.call @nothing() : () -> ()
  util.return
}

// CHECK-LABEL: util.func public @parameters
util.func public @parameters(%scope: !util.buffer, %key: !util.buffer, %offset: i64, %d: index) {
  // CHECK: %[[T:.*]] = flow.parameter.load %arg1[%arg2] : tensor<4x8xf32>
  %0 = flow.parameter.load %key[%offset] : tensor<4x8xf32>
  // CHECK: flow.parameter.load %arg0::%arg1[%arg2] : tensor<?x8xf32>{%arg3}
  %1 = flow.parameter.load %scope::%key[%offset] : tensor<?x8xf32>{%d}
  // CHECK: flow.parameter.write %[[T]] -> %arg1[%arg2] : tensor<4x8xf32>
  %2 = flow.parameter.write %0 -> %key[%offset] : tensor<4x8xf32>
  // CHECK: flow.parameter.write %{{.*}} -> %arg0::%arg1[%arg2] : tensor<?x8xf32>{%arg3}
  %3 = flow.parameter.write %1 -> %scope::%key[%offset] : tensor<?x8xf32>{%d}
  util.return
}
