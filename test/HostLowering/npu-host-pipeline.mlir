// The levels of the host pipeline. Each adds its passes to those of the level before.

// RUN: npu-opt --npu-host-pipeline=level=linalg %s | FileCheck %s --check-prefix=LINALG
// RUN: npu-opt --npu-host-pipeline=level=buffers %s | FileCheck %s --check-prefix=BUFFERS
// RUN: npu-opt --npu-host-pipeline=level=loops %s | FileCheck %s --check-prefix=LOOPS
// RUN: npu-opt --npu-host-pipeline=level=cf %s | FileCheck %s --check-prefix=CF
// RUN: npu-opt --npu-host-pipeline %s | FileCheck %s --check-prefix=LLVM

// What is called is inlined and gone. The bias is element-wise work on its way in.
// LINALG:     func.func @main(%{{.*}}: tensor<8x16xf32>, %{{.*}}: tensor<16x64xf32>, %{{.*}}: tensor<8x64xf32>) -> tensor<8x64xf32>
// LINALG-DAG:   tensor.empty
// LINALG:       linalg.fill
// LINALG:       linalg.generic
// LINALG-SAME:      iterator_types = ["reduction", "parallel", "parallel"]
// LINALG-SAME:      npu_host.ordered
// LINALG:       linalg.generic
// LINALG-SAME:      iterator_types = ["parallel", "parallel"]
// LINALG-NOT: func.func

// The result is the last argument, and the product is written to it at once.
// BUFFERS:     func.func @main(%{{.*}}: memref<8x16xf32>, %{{.*}}: memref<16x64xf32>, %[[BIAS:.*]]: memref<8x64xf32>, %[[OUT:.*]]: memref<8x64xf32>) attributes {llvm.emit_c_interface} {
// BUFFERS-NOT:   tensor
// BUFFERS:       linalg.fill {{.*}} outs(%[[OUT]] : memref<8x64xf32>)
// BUFFERS:       linalg.generic {{.*}} outs(%[[OUT]] : memref<8x64xf32>)
// BUFFERS:       linalg.generic {{.*}} ins(%[[OUT]], %[[BIAS]] : {{.*}}) outs(%[[OUT]] : memref<8x64xf32>)
// BUFFERS-NOT:   tensor
// BUFFERS:       return

// LOOPS-NOT: linalg
// LOOPS:     scf.for
// LOOPS:       memref.store
// LOOPS:     scf.for
// LOOPS:       scf.for
// LOOPS:         scf.for
// LOOPS:           memref.load
// LOOPS:           arith.mulf
// LOOPS:           arith.addf
// LOOPS:           memref.store
// LOOPS-NOT: linalg

// CF-NOT: scf
// CF:     cf.br
// CF:     cf.cond_br
// CF:     memref.load
// CF-NOT: scf

// Outside and inside; the wrapper takes addresses of descriptors.
// LLVM-NOT: func.func
// LLVM:     llvm.func @main(
// LLVM:       llvm.cond_br
// LLVM:       llvm.fmul
// LLVM:       llvm.fadd
// LLVM:     llvm.func @_mlir_ciface_main(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// LLVM-NOT: unrealized_conversion_cast

func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x64xf32>, %bias: tensor<8x64xf32>)
    -> tensor<8x64xf32> {
  %0 = call @product(%a, %b) : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  %1 = arith.addf %0, %bias : tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}

func.func private @product(%a: tensor<8x16xf32>, %b: tensor<16x64xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x64xf32>)
                     outs(%init : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// The pipeline as it is printed does the same: all its passes are known by their names.
// RUN: npu-opt --npu-host-pipeline %s -o %t.mlir
// RUN: npu-opt --npu-host-pipeline --dump-pass-pipeline %s 2>&1 > /dev/null | tail -n +2 | sed 's|^ *||' | tr -d '\n' > %t.pipeline
// RUN: npu-opt --pass-pipeline="$(cat %t.pipeline)" %s | diff %t.mlir -
// RUN: FileCheck %s --check-prefix=PASSES < %t.pipeline

// PASSES: inline
// PASSES: npu-host-lower-tosa
// PASSES: npu-host-order-loops
// PASSES: npu-host-split-slices
// PASSES: one-shot-bufferize
// PASSES: convert-linalg-to-loops
// PASSES: convert-scf-to-cf
// PASSES: convert-to-llvm

// RUN: npu-opt --npu-host-pipeline --mlir-print-ir-after-all --mlir-print-ir-after-change %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRINT
// PRINT-NOT: (npu-host-lower-tosa)
// PRINT:     IR Dump After {{.*}}(npu-host-order-loops)
// PRINT:     npu_host.ordered
// PRINT:     IR Dump After {{.*}}(one-shot-bufferize)

// RUN: not npu-opt --npu-host-pipeline=level=scf %s 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: Cannot find option named 'scf'!
