// A variant for llvm-cpu keeps its module, which launches a program in an object file.

// RUN: npu-opt --npu-iree-hook --backend=llvm-cpu --driver=driver.o %s > %t.out
// RUN: FileCheck %s < %t.out
// RUN: npu-opt %s --npu-iree-hook="backend=llvm-cpu driver=driver.o" --mlir-print-local-scope | FileCheck %s
// RUN: npu-opt %t.out --mlir-print-op-generic | not grep -E '[#!"]npu(_isa)?\.'
// RUN: %python %S/Inputs/extract-objects.py %t.objects < %t.out | FileCheck %s --check-prefix=OBJECTS
// OBJECTS: twice_npu.o
// RUN: llvm-readelf -h -s %t.objects/twice_npu.o | FileCheck %s --check-prefix=ELF
// ELF: Type: REL
// ELF: Machine: AArch64
// ELF-DAG: GLOBAL DEFAULT {{[0-9]+}} twice_npu
// ELF-DAG: GLOBAL DEFAULT UND npu_launch
// RUN: llvm-readelf -x .rodata %t.objects/twice_npu.o | FileCheck %s --check-prefix=PROGRAM
// PROGRAM: NPUPROG

// The target of an object is that of the variant.
// RUN: sed 's/, {target_triple = "[^"]*"}//' %s | not npu-opt --npu-iree-hook --backend=llvm-cpu 2>&1 | FileCheck %s --check-prefix=TRIPLE
// TRIPLE: executable:[[#]]:3: error: 'hal.executable.variant' op expected a 'target_triple' in the configuration of #hal.executable.target<"llvm-cpu", "embedded-elf-arm_64">
// RUN: sed 's/triple = "aarch64/triple = "npu/' %s | not npu-opt --npu-iree-hook --backend=llvm-cpu 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: 'hal.executable.variant' op {{.*}}npu-unknown-unknown-eabi-elf

hal.executable private @ex {
  // CHECK: hal.executable.variant public @cpu target(<"llvm-cpu", "embedded-elf-arm_64", {target_triple = "aarch64-unknown-unknown-eabi-elf"}>) objects([#hal.executable.object<{path = "twice_npu.o", data = dense<"0x7F454C46{{[0-9A-F]*}}"> : vector<{{[0-9]+}}xi8>}>, #hal.executable.object<{path = "driver.o"}>]) {
  hal.executable.variant public @cpu target(<"llvm-cpu", "embedded-elf-arm_64", {target_triple = "aarch64-unknown-unknown-eabi-elf"}>) {
    // CHECK-NEXT: hal.executable.export public @twice ordinal(0) layout([[LAYOUT:.*]]) count(%{{.*}}: !hal.device{{.*}}) -> (index, index, index) {
    // CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : index
    // CHECK-NEXT: hal.return %[[ONE]], %[[ONE]], %[[ONE]] : index, index, index
    hal.executable.export public @twice ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer>], flags = Indirect>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    // CHECK: builtin.module {
    builtin.module {
      // CHECK-NEXT: func.func private @twice_npu(memref<i8>, index, memref<i8>, index) attributes {hal.import.static, llvm.bareptr = true}
      // CHECK-NEXT: func.func @twice() {
      // CHECK-NEXT: %[[OUT_OFFSET:.*]] = arith.constant 0 : index
      // CHECK-NEXT: %[[IN_OFFSET:.*]] = arith.constant 256 : index
      // CHECK-NEXT: %[[IN:.*]] = hal.interface.binding.subspan layout(<bindings = {{.*}}, flags = Indirect>) binding(0) flags("ReadOnly|Indirect") : memref<i8>
      // CHECK-NEXT: %[[OUT:.*]] = hal.interface.binding.subspan layout(<bindings = {{.*}}, flags = Indirect>) binding(1) : memref<i8>
      // CHECK-NEXT: call @twice_npu(%[[IN]], %[[IN_OFFSET]], %[[OUT]], %[[OUT_OFFSET]]) : (memref<i8>, index, memref<i8>, index) -> ()
      // CHECK-NEXT: return
      func.func @twice() {
        %c0 = arith.constant 0 : index
        %c256 = arith.constant 256 : index
        %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer>], flags = Indirect>) binding(0) alignment(64) offset(%c256) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x16xf32>>
        %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer>], flags = Indirect>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x16xf32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x16xf32>> -> tensor<8x16xf32>
        %3 = tensor.empty() : tensor<8x16xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x16xf32>) outs(%3 : tensor<8x16xf32>) {
        ^bb0(%in: f32, %out: f32):
          %5 = arith.addf %in, %in : f32
          linalg.yield %5 : f32
        } -> tensor<8x16xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %1, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : tensor<8x16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x16xf32>>
        return
      }
    }
  }
}
