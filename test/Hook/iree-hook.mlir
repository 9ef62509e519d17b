// As the tool for iree-compile: one executable in, one out. This is how IREE hands it over.

// RUN: npu-opt --npu-iree-hook --log-file=%t.log < %s > %t.out
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// LOG: Dispatch @matmul compiled for npu-v1: {{[0-9]+}} bytes
// LOG: Dispatch @insert compiled for npu-v1: {{[0-9]+}} bytes

// What comes out is IREE's, and nothing else.
// RUN: npu-opt %t.out --mlir-print-op-generic | not grep -E '[#!"]npu(_isa)?\.'
// RUN: npu-opt --npu-iree-hook %s -o %t.again && diff %t.out %t.again
// RUN: npu-opt --npu-iree-hook %t.out | diff %t.out -

// The programs: regions are named after the buffers they lie in.
// RUN: %python %S/Inputs/extract-objects.py %t.objects < %t.out | FileCheck %s --check-prefix=OBJECTS
// OBJECTS: matmul.npub
// OBJECTS-NEXT: insert.npub
// RUN: npu-translate --npu-binary-to-asm %t.objects/matmul.npub | FileCheck %s --check-prefix=MATMUL
// MATMUL: .kernel "matmul"
// MATMUL-NEXT: .target "npu-v1"
// MATMUL-NEXT: .region 0 input "binding0+0" 8192
// MATMUL-NEXT: .region 1 input "binding0+8192" 8192
// MATMUL-NEXT: .region 2 output "binding1+64" 16384
// RUN: npu-run %t.objects/matmul.npub --input=64x32xf32=2 --input=32x64xf32=3 --output=@%t.bin
// RUN: od -A n -t f4 -N 8 %t.bin | FileCheck %s --check-prefix=RESULT
// RESULT: 192 192
// RUN: npu-translate --npu-binary-to-asm %t.objects/insert.npub | FileCheck %s --check-prefix=INSERT
// INSERT: .kernel "insert"
// INSERT: .region 0 input "binding0+256" 512
// INSERT-NEXT: .region 1 inout "binding1+0" 640

// In a module, and with the options of a pass.
// RUN: npu-opt %s --npu-iree-hook="target=npu-v1:sramBytes=65536" --mlir-print-local-scope | FileCheck %s
// RUN: npu-opt %s --npu-hal-preprocess-executables-with="npu-opt --npu-iree-hook" --mlir-print-local-scope | FileCheck %s
// RUN: npu-opt %s --npu-hal-preprocess-executables-with="builtin.module(hal.executable(npu-iree-hook))" --mlir-print-local-scope | FileCheck %s

// CHECK: hal.executable private @ex attributes {note = "kept"} {
hal.executable private @ex attributes {note = "kept"} {
  // CHECK-NEXT: hal.executable.variant public @npu target(<"npu", "npu-binary", {cores = 1 : i64, resolver = #iree_cpu.cpu_encoding_resolver<>}>) objects([#hal.executable.object<{path = "given.bin"}>, #hal.executable.object<{path = "matmul.npub", data = dense<"0x4E505550524F470A
  // CHECK-SAME: {path = "insert.npub", data = dense<"0x4E505550524F470A
  hal.executable.variant public @npu target(<"npu", "npu-binary", {cores = 1 : i64, resolver = #iree_cpu.cpu_encoding_resolver<>}>) objects([#hal.executable.object<{path = "given.bin"}>]) {
    // CHECK-NEXT: hal.executable.export public @matmul ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%{{.*}}: !hal.device{{.*}}, %{{.*}}: index{{.*}}) -> (index, index, index) {
    // CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : index
    // CHECK-NEXT: hal.return %[[ONE]], %[[ONE]], %[[ONE]] : index, index, index
    // CHECK-NEXT: } attributes {workgroup_size = [1 : index, 1 : index, 1 : index]}
    hal.executable.export public @matmul ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%arg0: !hal.device loc("model.mlir":3:5), %arg1: index loc("model.mlir":3:5)) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg1) loc("model.mlir":3:5)
      hal.return %x, %y, %z : index, index, index loc("model.mlir":3:5)
    } attributes {workgroup_size = [1 : index, 1 : index, 1 : index]} loc("model.mlir":3:5)
    // CHECK-NEXT: hal.executable.export public @insert ordinal(1)
    // CHECK-NEXT: arith.constant 1 : index
    hal.executable.export public @insert ordinal(1) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%arg0: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    // CHECK-NOT: builtin.module
    // CHECK: hal.executable.variant public @cpu
    builtin.module {
      func.func @matmul() {
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %c8192 = arith.constant 8192 : index
        %cst = arith.constant 0.000000e+00 : f32
        %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c8192) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x64xf32>>
        %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>>
        %2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c64) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x64xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [64, 32], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>> -> tensor<64x32xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [32, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x64xf32>> -> tensor<32x64xf32>
        %5 = tensor.empty() : tensor<64x64xf32>
        %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<64x64xf32>) -> tensor<64x64xf32>
        %7 = linalg.matmul ins(%3, %4 : tensor<64x32xf32>, tensor<32x64xf32>) outs(%6 : tensor<64x64xf32>) -> tensor<64x64xf32>
        iree_tensor_ext.dispatch.tensor.store %7, %2, offsets = [0, 0], sizes = [64, 64], strides = [1, 1] : tensor<64x64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x64xf32>>
        return
      }
      func.func @insert() {
        %c0 = arith.constant 0 : index
        %c256 = arith.constant 256 : index
        %offset = util.assume.int %c256<umin = 0, udiv = 64> : index
        %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%offset) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x16xf32>>
        %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<10x16xf32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x16xf32>> -> tensor<8x16xf32>
        %3 = tensor.empty() : tensor<8x16xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x16xf32>) outs(%3 : tensor<8x16xf32>) {
        ^bb0(%in: f32, %out: f32):
          %5 = arith.addf %in, %in : f32
          linalg.yield %5 : f32
        } -> tensor<8x16xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %1, offsets = [1, 0], sizes = [8, 16], strides = [1, 1] : tensor<8x16xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<10x16xf32>>
        return
      }
    }
  }
  // A variant for another back end stays.
  // CHECK-SAME: target(<"llvm-cpu", "embedded-elf-x86_64">) {
  // CHECK-NEXT: builtin.module
  hal.executable.variant public @cpu target(<"llvm-cpu", "embedded-elf-x86_64">) {
    builtin.module {
      func.func @matmul() {
        return
      }
    }
  }
}
