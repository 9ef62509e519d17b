// Offsets in buffers that a launch passes: in every form in which IREE computes them, the program's regions say how, and the
// function of a variant for a CPU keeps the computation.

// RUN: npu-opt --npu-iree-hook --strict %s -o %t.npu
// RUN: %python %S/Inputs/extract-objects.py %t.objects < %t.npu
// RUN: npu-translate --npu-binary-to-asm %t.objects/word.npub | FileCheck %s --check-prefix=WORD-REGIONS
// WORD-REGIONS: .region 0 input "binding0+0+1*constant0" 512
// WORD-REGIONS-NEXT: .region 1 output "binding1+64" 512
// RUN: npu-translate --npu-binary-to-asm %t.objects/signed.npub | FileCheck %s --check-prefix=SIGNED-REGIONS
// SIGNED-REGIONS: .region 0 input "binding0+0+1*constant2" 512
// SIGNED-REGIONS-NEXT: .region 1 output "binding1+64" 512
// RUN: npu-translate --npu-binary-to-asm %t.objects/halves.npub | FileCheck %s --check-prefix=HALVES-REGIONS
// HALVES-REGIONS: .region 0 input "binding0+0+1*constant1+4294967296*constant2" 512
// HALVES-REGIONS-NEXT: .region 1 output "binding1+64" 512
// RUN: npu-translate --npu-binary-to-asm %t.objects/computed.npub | FileCheck %s --check-prefix=COMPUTED-REGIONS
// COMPUTED-REGIONS: .region 0 input "binding0+192+2*constant0+192*constant1" 512
// COMPUTED-REGIONS-NEXT: .region 1 output "binding1+64" 512
// RUN: npu-translate --npu-binary-to-asm %t.objects/apart.npub | FileCheck %s --check-prefix=APART
// APART: .region 0 input "binding0+0+1*constant0" 512
// APART-NEXT: .region 1 output "binding0+0+1*constant1" 512
// RUN: sed 's/"npu", "npu-binary"/"llvm-cpu", "elf", {target_triple = "x86_64-unknown-unknown-eabi-elf"}/' %s > %t.cpu.mlir
// RUN: npu-opt --npu-iree-hook --backend=llvm-cpu --strict %t.cpu.mlir | FileCheck %s

#layout = #hal.pipeline.layout<constants = 3, bindings = [#hal.pipeline.binding<storage_buffer, Indirect>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>
!in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x16xf32>>
!out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x16xf32>>
#map = affine_map<(d0, d1) -> (d0, d1)>

hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @word ordinal(0) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    hal.executable.export public @signed ordinal(1) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    hal.executable.export public @halves ordinal(2) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    hal.executable.export public @computed ordinal(3) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    hal.executable.export public @apart ordinal(4) layout(#layout) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      // One constant, as IREE writes it.
      // CHECK: func.func @word() {
      // CHECK-NEXT: %[[WORD:.*]] = hal.interface.constant.load layout({{.*}}) ordinal(0) : i32
      // CHECK-NEXT: %[[CAST:.*]] = arith.index_castui %[[WORD]] : i32 to index
      // CHECK-NEXT: %[[IN_OFFSET:.*]] = util.assume.int %[[CAST]][<umin = 256, umax = 256, udiv = 256>, <umin = 0, umax = 0>] : index
      // CHECK-NEXT: %[[OUT_OFFSET:.*]] = arith.constant 64 : index
      // CHECK-NEXT: %[[IN:.*]] = hal.interface.binding.subspan layout({{.*}}) binding(0) flags(Indirect) : memref<i8>
      // CHECK-NEXT: %[[OUT:.*]] = hal.interface.binding.subspan layout({{.*}}) binding(1) flags(Indirect) : memref<i8>
      // CHECK-NEXT: call @word_npu(%[[IN]], %[[IN_OFFSET]], %[[OUT]], %[[OUT_OFFSET]])
      // CHECK-NEXT: return
      func.func @word() {
        %0 = hal.interface.constant.load layout(#layout) ordinal(0) : i32
        %1 = arith.index_castui %0 : i32 to index
        %offset = util.assume.int %1[<umin = 256, umax = 256, udiv = 256>, <umin = 0, umax = 0>] : index
        %c64 = arith.constant 64 : index
        %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%offset) flags(Indirect) : !in
        %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c64) flags(Indirect) : !out
        %loaded = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : !in -> tensor<8x16xf32>
        %empty = tensor.empty() : tensor<8x16xf32>
        %sum = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%loaded : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
        ^bb0(%a: f32, %b: f32):
          %r = arith.addf %a, %a : f32
          linalg.yield %r : f32
        } -> tensor<8x16xf32>
        iree_tensor_ext.dispatch.tensor.store %sum, %out, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : tensor<8x16xf32> -> !out
        return
      }
      // An offset is not negative, so the sign bit is 0.
      // CHECK: func.func @signed() {
      // CHECK: %[[OFFSET:.*]] = arith.index_cast %{{.*}} : i32 to index
      // CHECK: call @signed_npu(%{{[0-9]+}}, %[[OFFSET]], %
      func.func @signed() {
        %0 = hal.interface.constant.load layout(#layout) ordinal(2) alignment(64) : i32
        %offset = arith.index_cast %0 : i32 to index
        %c64 = arith.constant 64 : index
        %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%offset) flags(Indirect) : !in
        %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c64) flags(Indirect) : !out
        %loaded = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : !in -> tensor<8x16xf32>
        %empty = tensor.empty() : tensor<8x16xf32>
        %sum = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%loaded : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
        ^bb0(%a: f32, %b: f32):
          %r = arith.addf %a, %a : f32
          linalg.yield %r : f32
        } -> tensor<8x16xf32>
        iree_tensor_ext.dispatch.tensor.store %sum, %out, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : tensor<8x16xf32> -> !out
        return
      }
      // Two constants are the halves of 64 bits.
      // CHECK: func.func @halves() {
      // CHECK: %[[INDEX:.*]] = arith.index_castui %{{.*}} : i64 to index
      // CHECK-NEXT: %[[OFFSET:.*]] = util.assume.int %[[INDEX]]<udiv = 64> : index
      // CHECK: call @halves_npu(%{{[0-9]+}}, %[[OFFSET]], %
      func.func @halves() {
        %0 = hal.interface.constant.load layout(#layout) ordinal(1) : i32
        %1 = hal.interface.constant.load layout(#layout) ordinal(2) : i32
        %2 = arith.extui %0 : i32 to i64
        %3 = arith.extui %1 : i32 to i64
        %c32_i64 = arith.constant 32 : i64
        %4 = arith.shli %3, %c32_i64 : i64
        %5 = arith.ori %2, %4 : i64
        %6 = arith.index_castui %5 : i64 to index
        %offset = util.assume.int %6<udiv = 64> : index
        %c64 = arith.constant 64 : index
        %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%offset) flags(Indirect) : !in
        %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c64) flags(Indirect) : !out
        %loaded = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : !in -> tensor<8x16xf32>
        %empty = tensor.empty() : tensor<8x16xf32>
        %sum = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%loaded : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
        ^bb0(%a: f32, %b: f32):
          %r = arith.addf %a, %a : f32
          linalg.yield %r : f32
        } -> tensor<8x16xf32>
        iree_tensor_ext.dispatch.tensor.store %sum, %out, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : tensor<8x16xf32> -> !out
        return
      }
      // Sums and products, and an alignment that changes nothing.
      // CHECK: func.func @computed() {
      // CHECK: %[[OFFSET:.*]] = util.align %{{.*}}, %{{.*}} : index
      // CHECK: call @computed_npu(%{{[0-9]+}}, %[[OFFSET]], %
      func.func @computed() {
        %0 = hal.interface.constant.load layout(#layout) ordinal(1) : i32
        %1 = hal.interface.constant.load layout(#layout) ordinal(0) : i32
        %2 = arith.index_castui %0 : i32 to index
        %3 = arith.index_castui %1 : i32 to index
        %4:2 = util.assume.int
            %2[<umin = 1, umax = 7>, <umin = 2, umax = 2>],
            %3[<umax = 4096, udiv = 128>]
          : index, index
        %c192 = arith.constant 192 : index
        %5 = arith.muli %c192, %4#0 : index
        %6 = arith.addi %5, %4#1 : index
        %7 = arith.addi %6, %c192 : index
        %8 = arith.addi %7, %4#1 : index
        %c64_0 = arith.constant 64 : index
        %offset = util.align %8, %c64_0 : index
        %c64 = arith.constant 64 : index
        %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%offset) flags(Indirect) : !in
        %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c64) flags(Indirect) : !out
        %loaded = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : !in -> tensor<8x16xf32>
        %empty = tensor.empty() : tensor<8x16xf32>
        %sum = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%loaded : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
        ^bb0(%a: f32, %b: f32):
          %r = arith.addf %a, %a : f32
          linalg.yield %r : f32
        } -> tensor<8x16xf32>
        iree_tensor_ext.dispatch.tensor.store %sum, %out, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : tensor<8x16xf32> -> !out
        return
      }
      // Both tensors are in one buffer, apart from each other wherever the function is launched from.
      func.func @apart() {
        %0 = hal.interface.constant.load layout(#layout) ordinal(0) : i32
        %1 = hal.interface.constant.load layout(#layout) ordinal(1) : i32
        %2 = arith.index_castui %0 : i32 to index
        %3 = arith.index_castui %1 : i32 to index
        %4:2 = util.assume.int
            %2[<umin = 0, umax = 0>, <umin = 512, umax = 512, udiv = 512>],
            %3[<umin = 512, umax = 512, udiv = 512>, <umin = 0, umax = 0>]
          : index, index
        %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%4#0) flags(Indirect) : !in
        %out = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%4#1) flags(Indirect) : !out
        %loaded = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : !in -> tensor<8x16xf32>
        %empty = tensor.empty() : tensor<8x16xf32>
        %sum = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%loaded : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
        ^bb0(%a: f32, %b: f32):
          %r = arith.addf %a, %a : f32
          linalg.yield %r : f32
        } -> tensor<8x16xf32>
        iree_tensor_ext.dispatch.tensor.store %sum, %out, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : tensor<8x16xf32> -> !out
        return
      }
    }
  }
}
