// RUN: npu-opt %s --mlir-print-local-scope | FileCheck %s
// RUN: npu-opt %s | npu-opt --mlir-print-local-scope | FileCheck %s
// RUN: npu-opt %s --mlir-print-op-generic | npu-opt --mlir-print-local-scope | FileCheck %s

#npu_target = #hal.executable.target<"npu", "npu-binary", {cores = 4 : i64, resolver = #iree_cpu.cpu_encoding_resolver<>}>
#layout = #hal.pipeline.layout<constants = 2, bindings = [
  #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">,
  #hal.pipeline.binding<uniform_buffer, ReadOnly>,
  #hal.pipeline.binding<storage_buffer>], flags = Indirect>
#none = #hal.pipeline.layout<bindings = []>

// The target of a variant is read by its alias, whole, or without its prefix.
// CHECK-LABEL: hal.executable private @ex {
hal.executable private @ex {
  // CHECK-NEXT: hal.executable.variant public @npu target(<"npu", "npu-binary", {cores = 4 : i64, resolver = #iree_cpu.cpu_encoding_resolver<>}>) objects([#hal.executable.object<{path = "a.bin"}>, #hal.executable.object<{path = "b.bin", data = dense<1> : vector<4xi8>}>]) sources({a = "b"}) attributes {note} {
  hal.executable.variant public @npu target(#npu_target)
      objects([#hal.executable.object<{path = "a.bin"}>, #hal.executable.object<{path = "b.bin", data = dense<1> : vector<4xi8>}>])
      sources({a = "b"}) attributes {note} {
    // CHECK-NEXT: hal.executable.condition(%{{.*}}: !hal.device) -> i1 {
    hal.executable.condition(%device: !hal.device) -> i1 {
      // CHECK-NEXT: %ok, %value = hal.device.query<%{{.*}} : !hal.device> key("npu" :: "v1") : i1, i1 = false
      %ok, %value = hal.device.query<%device : !hal.device> key("npu" :: "v1") : i1, i1 = false
      // CHECK-NEXT: hal.return %value : i1
      hal.return %value : i1
    }
    // CHECK: hal.executable.constant.block(%{{.*}}: !hal.device) -> i32 as "a" {
    hal.executable.constant.block(%device: !hal.device) -> i32 as "a" {
      %c1 = arith.constant 1 : i32
      hal.return %c1 : i32
    }
    // CHECK: hal.executable.constant.block() -> (i32, i32) as ("b", "c") {
    hal.executable.constant.block() -> (i32, i32) as ("b", "c") {
      %c1 = arith.constant 1 : i32
      hal.return %c1, %c1 : i32, i32
    }
    // CHECK: hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<uniform_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>], flags = Indirect>) count(%{{.*}}: !hal.device, %{{.*}}: index) -> (index, index, index) {
    // CHECK: } attributes {subgroup_size = 32 : index, workgroup_size = [64 : index, 1 : index, 1 : index]}
    hal.executable.export public @entry ordinal(0) layout(#layout) count(%device: !hal.device, %w: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%w)
      hal.return %x, %y, %z : index, index, index
    } attributes {subgroup_size = 32 : index, workgroup_size = [64 : index, 1 : index, 1 : index]}
    // CHECK: hal.executable.export public @small layout(#hal.pipeline.layout<constants = 2, {{.*}}, flags = Indirect>) condition(%{{.*}}: !hal.device, %{{.*}}: index) -> i1 {
    // CHECK: } fallback(@entry) count(%{{.*}}: !hal.device, %{{.*}}: index) -> (index, index, index) {
    hal.executable.export public @small layout(#layout) condition(%device: !hal.device, %w: index) -> i1 {
      %true = arith.constant true
      hal.return %true : i1
    } fallback(@entry) count(%device: !hal.device, %w: index) -> (index, index, index) {
      hal.return %w, %w, %w : index, index, index
    }
    // CHECK: hal.executable.export public @nothing layout(#hal.pipeline.layout<bindings = []>){{$}}
    hal.executable.export @nothing layout(<bindings = []>)
    builtin.module {
      // CHECK-LABEL: func.func @entry
      func.func @entry() {
        %c64 = arith.constant 64 : index
        // CHECK: hal.executable.constant.load "a" : i32
        %0 = hal.executable.constant.load "a" : i32
        // CHECK: %workgroup_id_x = hal.interface.workgroup.id[0] : index
        %1 = hal.interface.workgroup.id[0] : index
        // CHECK: %workgroup_count_y = hal.interface.workgroup.count[1] upper_bound 65535 : index
        %2 = hal.interface.workgroup.count[1] upper_bound 65535 : index
        // CHECK: %workgroup_size_z = hal.interface.workgroup.size[2] : index
        %3 = hal.interface.workgroup.size[2] : index
        // CHECK: hal.interface.constant.load layout(<constants = 2, bindings = [{{.*}}], flags = Indirect>) ordinal(1) alignment(16) values([16 : i32, 32 : i32]) : i32
        %4 = hal.interface.constant.load layout(#layout) ordinal(1) alignment(16) values([16 : i32, 32 : i32]) : i32
        // CHECK: hal.interface.binding.subspan layout(<constants = 2, bindings = [{{.*}}], flags = Indirect>) binding(0) alignment(64) offset(%c64) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>{%c64}
        %5 = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c64) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>{%c64}
        // CHECK: hal.interface.binding.subspan layout(<{{.*}}>) binding(1) flags(ReadOnly) {gpu.use_buffers} : memref<4xf32>
        %6 = hal.interface.binding.subspan layout(#layout) binding(1) flags("ReadOnly") {gpu.use_buffers} : memref<4xf32>
        // CHECK: hal.interface.binding.subspan layout(<{{.*}}>) binding(2) : memref<?xf32>{%c64}
        %7 = hal.interface.binding.subspan layout(#layout) binding(2) : memref<?xf32>{%c64}
        return
      }
    }
  }
  // CHECK: hal.executable.variant public @other target(<"llvm-cpu", "embedded-elf-x86_64">) {
  hal.executable.variant @other target(<"llvm-cpu", "embedded-elf-x86_64", {}>) {
  }
  // CHECK: hal.executable.binary public @binary attributes {data = dense<0> : vector<4xi8>, format = "npu-binary", mime_type = "application/octet-stream"}
  hal.executable.binary public @binary attributes {data = dense<0> : vector<4xi8>, format = "npu-binary", mime_type = "application/octet-stream"}
}

// CHECK: hal.executable public lazy @lazy attributes {note} {
hal.executable lazy @lazy attributes {note} {
}

// CHECK: hal.executable.source private @source attributes {objects = #hal.executable.objects<{#hal.executable.target<"npu", "npu-binary"> = [#hal.executable.object<{path = "a.bin"}>], #hal.executable.target<"a", "b"> = []}>} {
hal.executable.source private @source attributes {objects = #hal.executable.objects<{#hal.executable.target<"npu", "npu-binary"> = [#hal.executable.object<{path = "a.bin"}>], #hal.executable.target<"a", "b"> = []}>} {
  // CHECK: hal.executable.export public @entry layout(#hal.pipeline.layout<bindings = []>)
  hal.executable.export public @entry layout(#none)
}
