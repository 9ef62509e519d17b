// Each old spelling becomes the new one, which npu-opt reads.
// RUN: split-file %s %t
// RUN: npu-translate --upgrade-iree-ir %t/host.mlir -o %t/host.new
// RUN: grep -v CHECK %t/host.new | FileCheck %t/host.mlir
// RUN: npu-opt %t/host.new -o /dev/null
// RUN: npu-translate --upgrade-iree-ir %t/executable.mlir -o %t/executable.new
// RUN: grep -v CHECK %t/executable.new | FileCheck %t/executable.mlir
// RUN: npu-opt %t/executable.new -o /dev/null
// RUN: npu-translate --upgrade-iree-ir %t/hook.mlir -o %t/hook.new
// RUN: grep -v CHECK %t/hook.new | FileCheck %t/hook.mlir
// RUN: npu-opt %t/hook.new -o /dev/null

// New text stays as it is, and so does text that is not IREE's.
// RUN: npu-translate --upgrade-iree-ir %t/host.new | diff %t/host.new -
// RUN: npu-translate --upgrade-iree-ir %t/executable.new | diff %t/executable.new -
// RUN: npu-translate --upgrade-iree-ir %t/plain.mlir | diff %t/plain.mlir -

//--- host.mlir
#device_target = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64">]>
// CHECK: module @model attributes {test.note, stream.affinity.default = #hal.device.affinity<@__device_0>} {
// CHECK-NEXT: util.global private @__device_0 = #device_target
module @model attributes {test.note, hal.device.targets = [#device_target]} {
  flow.executable private @ex {
    flow.executable.export public @entry workgroups(%arg0: index, %arg1: index) -> (index, index, index) {
      // CHECK: %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0, %arg1)
      %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %arg0, %arg1
      flow.return %x, %y, %z : index, index, index
    }
    flow.executable.export public @entry2 workgroups(%arg0: index) -> (index, index, index) {
      // CHECK: %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0)
      %x, %y, %z = flow.dispatch.default_workgroup_count %arg0
      // CHECK: iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier workgroups(%x, %y, %z) workload(%arg0)
      %a, %b, %c = flow.dispatch.workgroup_count_split_reduction_modifier workgroups(%x, %y, %z) workload(%arg0)
      flow.return %a, %b, %c : index, index, index
    }
    flow.executable.export public @entry3 workgroups() -> (index, index, index) {
      // CHECK: iree_tensor_ext.dispatch.workgroup_count_from_slice()
      // CHECK-NEXT: flow.return
      %x, %y, %z = flow.dispatch.workgroup_count_from_slice
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      // Functions of executables stay what they are.
      // CHECK: func.func @entry(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x?xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xi8>>, %arg3: !iree_tensor_ext.dispatch.tensor<readonly:f32>, %i: index) {
      func.func @entry(%arg0: !flow.dispatch.tensor<readonly:4x?xf32>, %arg1: !flow.dispatch.tensor<writeonly:tensor<4x8xf32>>, %arg2: !flow.dispatch.tensor<readonly:?x4xi8>, %arg3: !flow.dispatch.tensor<readonly:f32>, %i: index) {
        // CHECK: iree_tensor_ext.dispatch.workload.ordinal %i, 0 : index
        %d = flow.dispatch.workload.ordinal %i, 0 : index
        // CHECK: iree_tensor_ext.dispatch.tensor.load %arg0, {{.*}} : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x?xf32>>{%d} -> tensor<4x8xf32>
        %0 = flow.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !flow.dispatch.tensor<readonly:4x?xf32>{%d} -> tensor<4x8xf32>
        // CHECK: "iree_tensor_ext.dispatch.tensor.store"(%0, %arg1)
        "flow.dispatch.tensor.store"(%0, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 8>, static_strides = array<i64: 1, 1>}> : (tensor<4x8xf32>, !flow.dispatch.tensor<writeonly:4x8xf32>) -> ()
        // CHECK: {{^ *}}return
        return
      }
      func.func @entry2() { return }
      func.func @entry3() { return }
    }
  }
  // CHECK: util.func private @callee(tensor<4x8xf32>) -> tensor<4x8xf32>
  func.func private @callee(tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: util.func @main(%arg0: !hal.buffer_view, %storage: !hal.buffer) -> !hal.buffer_view attributes {iree.abi.stub} {
  func.func @main(%arg0: !hal.buffer_view, %storage: !hal.buffer) -> !hal.buffer_view attributes {iree.abi.stub} {
    %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<4x8xf32>
    // CHECK: flow.tensor.transfer %0 : tensor<4x8xf32> to #hal.device.affinity<@__device_0, [0, 1]>
    %1 = flow.tensor.transfer %0 : tensor<4x8xf32> to #hal.affinity.queue<[0, 1]>
    // CHECK: flow.tensor.transfer %1 : tensor<4x8xf32> to #hal.device.affinity<@__device_0>
    %2 = flow.tensor.transfer %1 : tensor<4x8xf32> to #hal.affinity.queue<*>
    // CHECK: %3 = util.call @callee(%2)
    %3 = call @callee(%2) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    // CHECK: %4 = util.call @callee(%3)
    %4 = func.call @callee(%3) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    // CHECK: %[[ALIAS:.*]] = hal.tensor.alias %4 : tensor<4x8xf32> to %storage : !hal.buffer
    // CHECK-NEXT: %5 = hal.tensor.export %[[ALIAS]] "output" : tensor<32xf32> as tensor<4x8xf32> -> !hal.buffer_view
    %5 = hal.tensor.export %4 into(%storage : !hal.buffer) "output" : tensor<32xf32> as tensor<4x8xf32> -> !hal.buffer_view
    // CHECK: util.return %5 : !hal.buffer_view
    return %5 : !hal.buffer_view
  }
}

//--- executable.mlir
#executable_target = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic"}>
#set = #hal.descriptor_set.layout<0, bindings = [#hal.descriptor_set.binding<0, storage_buffer, ReadOnly>, #hal.descriptor_set.binding<1, storage_buffer>]>
// CHECK: #pipeline_layout = #hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>
#pipeline_layout = #hal.pipeline.layout<push_constants = 2, sets = [<0, bindings = [<0, storage_buffer, ReadOnly>, <1, storage_buffer>]>]>
// CHECK: #aliased_layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>
#aliased_layout = #hal.pipeline.layout<push_constants = 0, sets = [#set]>
// CHECK: #indirect_layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<uniform_buffer, "ReadOnly|Indirect">], flags = Indirect>
#indirect_layout = #hal.pipeline.layout<push_constants = 0, sets = [#hal.descriptor_set.layout<0, bindings = [#hal.descriptor_set.binding<0, uniform_buffer, "ReadOnly|Indirect">], flags = Indirect>]>
hal.executable private @ex {
  // CHECK: hal.executable.variant public @v target(#executable_target) objects([#hal.executable.object<{path = "a.o"}>]) {
  hal.executable.variant public @v, target = #executable_target, objects = [#hal.executable.object<{path = "a.o"}>] {
    // CHECK: hal.executable.export public @entry ordinal(0) layout(#pipeline_layout) count(%device: !hal.device, %w: index) -> (index, index, index) {
    // CHECK-NEXT: hal.return %w, %w, %w : index, index, index
    // CHECK-NEXT: } attributes {workgroup_size = [64 : index, 1 : index, 1 : index]}
    hal.executable.export public @entry ordinal(0) layout(#pipeline_layout) attributes {workgroup_size = [64 : index, 1 : index, 1 : index]} {
    ^bb0(%device: !hal.device, %w: index):
      hal.return %w, %w, %w : index, index, index
    }
    // CHECK: hal.executable.export public @other ordinal(1) layout(#aliased_layout) count(%device: !hal.device) -> (index, index, index) {
    hal.executable.export public @other ordinal(1) layout(#aliased_layout) {
    ^bb0(%device: !hal.device):
      %c1 = arith.constant 1 : index
      hal.return %c1, %c1, %c1 : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        // CHECK: hal.interface.constant.load layout(#pipeline_layout) ordinal(1) : i32
        %0 = hal.interface.constant.load[1] : i32
        // CHECK: hal.interface.binding.subspan layout(#pipeline_layout) binding(1) {{ *}}alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
        %1 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) alignment(64) offset(%c0) flags(ReadOnly) : !flow.dispatch.tensor<readonly:tensor<4xf32>>
        return
      }
      func.func @other() {
        // CHECK: hal.interface.binding.subspan layout(#aliased_layout) binding(0) {{ *}}: memref<4xf32>
        %0 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) : memref<4xf32>
        return
      }
    }
  }
  // CHECK: hal.executable.variant @w target(<"a", "b", {}>) {
  hal.executable.variant @w, target = <"a", "b", {}> {
  }
}

//--- hook.mlir
// Without exports the layout is what the function uses.
func.func @entry() {
  // CHECK: hal.interface.constant.load layout(#hal.pipeline.layout<constants = 3, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<uniform_buffer, ReadOnly>]>) ordinal(2) : i32
  %0 = hal.interface.constant.load[2] : i32
  // CHECK: hal.interface.binding.subspan layout(#hal.pipeline.layout<constants = 3, {{.*}}>) binding(1)
  %1 = hal.interface.binding.subspan set(0) binding(1) type(uniform_buffer) flags(ReadOnly) : memref<4xf32>
  return
}
// For some weeks ops had both a layout and a descriptor set.
func.func @both() {
  // CHECK: hal.interface.constant.load layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) ordinal(0) : i32
  %0 = hal.interface.constant.load layout(<push_constants = 1, sets = [<0, bindings = [<0, storage_buffer, Indirect>], flags = Indirect>]>) ordinal(0) : i32
  // CHECK: hal.interface.binding.subspan layout(#hal.pipeline.layout<constants = 1, {{.*}}>) {{ *}}binding(0) alignment(64) : memref<4xf32>
  %1 = hal.interface.binding.subspan layout(<push_constants = 1, sets = [<0, bindings = [<0, storage_buffer, Indirect>], flags = Indirect>]>) set(0) binding(0) alignment(64) : memref<4xf32>
  return
}
// What is known of an integer has had several ops.
func.func @known(%x: index) -> index {
  // CHECK: %[[A:.*]] = util.assume.int %{{.*}}<udiv = 16> : index
  %0 = util.assume.divisible %x by 16 : index
  // CHECK: util.assume.int %[[A]]<umin = 2, umax = 2048> : index
  %1 = util.assume.range %0 in [2, 2048] : index
  return %1 : index
}

//--- plain.mlir
func.func @plain(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>   // flow.dispatch.tensor.load
}
