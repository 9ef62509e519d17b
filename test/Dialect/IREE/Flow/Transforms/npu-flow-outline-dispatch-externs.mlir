// RUN: npu-opt %s --npu-flow-outline-dispatch-externs --mlir-print-local-scope | FileCheck %s

#target_a = #hal.executable.target<"llvm-cpu", "a">
#target_b = #hal.executable.target<"rocm", "rocm-HSACO-fb">
#layout = #hal.pipeline.layout<constants = 1, bindings = [
  #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>

// A name that is taken.
hal.executable private @extern_dispatch {
}
util.func private @user() attributes {executable = @extern_dispatch}


// The two variants for one format differ in their conditions; the second gets another name.
// CHECK:      hal.executable private @extern_dispatch_0 {
// CHECK-NEXT:   hal.executable.variant public @a target(<"llvm-cpu", "a">) objects([#hal.executable.object<{path = "a.o"}>]) {
// CHECK-NEXT:     hal.executable.export public @main ordinal(100) layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%[[DEVICE:.*]]: !hal.device, %[[X:.*]]: index, %[[Y:.*]]: index) -> (index, index, index) {
// CHECK-NEXT:       %ok, %value = hal.device.query<%[[DEVICE]] : !hal.device> key("some" :: "value") : i1, i32
// CHECK-NEXT:       %[[Z:.*]] = arith.index_cast %value : i32 to index
// CHECK-NEXT:       hal.return %[[X]], %[[Y]], %[[Z]] : index, index, index
// CHECK-NEXT:     } attributes {test.note, workgroup_size = [64 : index, 1 : index, 1 : index]}
// CHECK-NEXT:   }
// CHECK-NEXT:   hal.executable.variant public @rocm_hsaco_fb target(<"rocm", "rocm-HSACO-fb">) objects([#hal.executable.object<{path = "b.o"}>]) {
// CHECK-NEXT:     hal.executable.condition(%[[DEVICE:.*]]: !hal.device) -> i1 {
// CHECK-NEXT:       %ok, %value = hal.device.query<%[[DEVICE]] : !hal.device> key("some" :: "feature") : i1, i32
// CHECK-NEXT:       hal.return %ok : i1
// CHECK-NEXT:     }
// CHECK-NEXT:     hal.executable.export public @main ordinal(200) layout({{.*}}) count(
// CHECK:        hal.executable.variant public @rocm_hsaco_fb_0 target(<"rocm", "rocm-HSACO-fb">) objects([#hal.executable.object<{path = "c.o"}>]) {
// CHECK-NEXT:     hal.executable.export public @main ordinal(300)

// CHECK-LABEL: util.func public @several
util.func public @several(%arg0: tensor<4xi32>, %arg1: tensor<8xi32>, %arg2: i32) -> tensor<8xi32> {
  %c100 = arith.constant 100 : index
  %c50 = arith.constant 50 : index
  // CHECK: %[[RESULT:.*]] = flow.dispatch {@extern_dispatch_0::@a::@main, @extern_dispatch_0::@rocm_hsaco_fb::@main, @extern_dispatch_0::@rocm_hsaco_fb_0::@main}[%c100, %c50](%arg0, %arg1, %arg2) {test.note} : (tensor<4xi32>, tensor<8xi32>, i32) -> %arg1
  %0 = hal.dispatch.extern "main"[%c100, %c50](%arg0, %arg1, %arg2) : (tensor<4xi32>, tensor<8xi32>, i32) -> %arg1
    count(%device: !hal.device, %x: index, %y: index) -> (index, index, index) {
      %ok, %value = hal.device.query<%device : !hal.device> key("some" :: "value") : i1, i32
      %z = arith.index_cast %value : i32 to index
      hal.return %x, %y, %z : index, index, index
    }
    layout(#layout)
    objects({
      #target_a ordinal(100) = [#hal.executable.object<{path = "a.o"}>],
      #target_b if(%device: !hal.device) -> i1 {
        %ok, %value = hal.device.query<%device : !hal.device> key("some" :: "feature") : i1, i32
        hal.return %ok : i1
      } ordinal(200) = [#hal.executable.object<{path = "b.o"}>],
      #target_b ordinal(300) = [#hal.executable.object<{path = "c.o"}>]
    }) attributes {test.note, workgroup_size = [64 : index, 1 : index, 1 : index]}
  // CHECK: util.return %[[RESULT]]
  util.return %0 : tensor<8xi32>
}

// An op of a nested region; sizes are passed on; each op has its executable.
// CHECK:      hal.executable private @extern_dispatch_1 {
// CHECK-NEXT:   hal.executable.variant public @a target(<"llvm-cpu", "a">) objects([]) {
// CHECK-NEXT:     hal.executable.export public @other ordinal(0) layout(#hal.pipeline.layout<bindings = []>)
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-LABEL: util.func public @nested
util.func public @nested(%arg0: tensor<?xf32>, %arg1: index, %arg2: i1) -> tensor<?xf32> {
  // CHECK: scf.if
  %0 = scf.if %arg2 -> tensor<?xf32> {
    // CHECK-NEXT: flow.dispatch @extern_dispatch_1::@a::@other(%arg0) : (tensor<?xf32>{%arg1}) -> tensor<?xf32>{%arg1}
    %1 = hal.dispatch.extern "other"(%arg0) : (tensor<?xf32>{%arg1}) -> tensor<?xf32>{%arg1}
      layout(#hal.pipeline.layout<bindings = []>) objects({#target_a ordinal(0) = []})
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %arg0 : tensor<?xf32>
  }
  util.return %0 : tensor<?xf32>
}
