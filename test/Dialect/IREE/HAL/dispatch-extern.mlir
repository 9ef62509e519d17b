// RUN: npu-opt %s --mlir-print-local-scope | FileCheck %s
// RUN: npu-opt %s | npu-opt --mlir-print-local-scope | FileCheck %s
// RUN: npu-opt %s --mlir-print-op-generic | npu-opt --mlir-print-local-scope | FileCheck %s
// RUN: npu-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

#target_a = #hal.executable.target<"llvm-cpu", "a">
#target_b = #hal.executable.target<"llvm-cpu", "b">
#layout = #hal.pipeline.layout<constants = 1, bindings = [
  #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>

// Two targets, the second with a condition; the result is tied to an argument.
// CHECK-LABEL: util.func public @everything
util.func public @everything(%arg0: tensor<4xi32>, %arg1: tensor<8xi32>, %arg2: i32) -> tensor<8xi32> {
  %c100 = arith.constant 100 : index
  %c50 = arith.constant 50 : index
  // CHECK: hal.dispatch.extern "main"[%c100, %c50](%arg0, %arg1, %arg2) : (tensor<4xi32>, tensor<8xi32>, i32) -> %arg1 count(%{{.*}}: !hal.device, %[[X:.*]]: index, %[[Y:.*]]: index) -> (index, index, index) {
  // CHECK:   hal.return %[[X]], %[[Y]], %{{.*}} : index, index, index
  // CHECK-NEXT: } layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) objects({
  // CHECK-NEXT:   #hal.executable.target<"llvm-cpu", "a"> ordinal(100) = [#hal.executable.object<{path = "a.o"}>, #hal.executable.object<{path = "c.o"}>],
  // CHECK-NEXT:   #hal.executable.target<"llvm-cpu", "b"> if(%[[DEVICE:.*]]: !hal.device) -> i1 {
  // CHECK-NEXT:     %ok, %value = hal.device.query<%[[DEVICE]] : !hal.device> key("some" :: "feature") : i1, i32
  // CHECK-NEXT:     hal.return %ok : i1
  // CHECK-NEXT:   } ordinal(200) = [#hal.executable.object<{path = "b.o"}>]
  // CHECK-NEXT: }) attributes {note, subgroup_size = 32 : index, workgroup_local_memory = 0 : index, workgroup_size = [64 : index, 1 : index, 1 : index]}
  // GENERIC: "hal.dispatch.extern"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{export_name = "main", layout = #{{.*}}, operandSegmentSizes = array<i32: 2, 3, 0, 0>, subgroup_size = 32 : index, target_objects = {{\[\[}}#{{.*}}], [#{{.*}}]], target_ordinals = [100 : index, 200 : index], targets = [#{{.*}}], tied_operands = [1 : index],
  %0 = hal.dispatch.extern "main"[%c100, %c50](%arg0, %arg1, %arg2) : (tensor<4xi32>, tensor<8xi32>, i32) -> %arg1
    count(%device: !hal.device, %x: index, %y: index) -> (index, index, index) {
      %ok, %value = hal.device.query<%device : !hal.device> key("some" :: "value") : i1, i32
      %z = arith.index_cast %value : i32 to index
      hal.return %x, %y, %z : index, index, index
    }
    layout(#layout)
    objects({
      #target_a ordinal(100) = [#hal.executable.object<{path = "a.o"}>, #hal.executable.object<{path = "c.o"}>],
      #target_b if(%device: !hal.device) -> i1 {
        %ok, %value = hal.device.query<%device : !hal.device> key("some" :: "feature") : i1, i32
        hal.return %ok : i1
      } ordinal(200) = [#hal.executable.object<{path = "b.o"}>]
    }) attributes {note, workgroup_size = [64 : index, 1 : index, 1 : index], subgroup_size = 32 : index, workgroup_local_memory = 0 : index}
  util.return %0 : tensor<8xi32>
}

// CHECK-LABEL: util.func public @least
util.func public @least(%arg0: tensor<?xf32>, %arg1: index) -> tensor<?xf32> {
  // CHECK: hal.dispatch.extern "other"(%arg0) : (tensor<?xf32>{%arg1}) -> tensor<?xf32>{%arg1} layout(#hal.pipeline.layout<bindings = []>) objects({})
  // CHECK-NEXT: util.return
  %0 = hal.dispatch.extern "other"(%arg0) : (tensor<?xf32>{%arg1}) -> tensor<?xf32>{%arg1}
    layout(#hal.pipeline.layout<bindings = []>) objects({})
  util.return %0 : tensor<?xf32>
}
