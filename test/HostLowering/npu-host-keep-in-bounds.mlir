// RUN: npu-opt --npu-host-keep-in-bounds --cse %s | FileCheck %s

// An index out of range is the nearest one in range; one that is known to be in range stays.
// CHECK-LABEL: func.func @extract
// CHECK-SAME:      %[[X:.*]]: tensor<4x8xf32>, %[[I:.*]]: index
// CHECK:         %[[C2:.*]] = arith.constant 2 : index
// CHECK:         %[[LOW:.*]] = arith.maxsi %[[I]], %{{.*}}
// CHECK:         %[[HIGH:.*]] = arith.minsi %[[LOW]], %{{.*}}
// CHECK:         tensor.extract %[[X]][%[[HIGH]], %[[C2]]]
func.func @extract(%x: tensor<4x8xf32>, %i: index) -> f32 {
  %c2 = arith.constant 2 : index
  %0 = tensor.extract %x[%i, %c2] : tensor<4x8xf32>
  return %0 : f32
}

// The verifier takes constants that are out of range.
// CHECK-LABEL: func.func @extract_constant
// CHECK:         %[[C3:.*]] = arith.constant 3 : index
// CHECK:         tensor.extract %{{.*}}[%[[C3]]]
func.func @extract_constant(%x: tensor<4xf32>) -> f32 {
  %c9 = arith.constant 9 : index
  %0 = tensor.extract %x[%c9] : tensor<4xf32>
  return %0 : f32
}

// Whether there is an element at all is data, too.
// CHECK-LABEL: func.func @extract_dynamic
// CHECK:         tensor.dim
// CHECK:         scf.if
// CHECK:           tensor.extract
// CHECK:         else
// CHECK:           arith.constant 0.000000e+00
func.func @extract_dynamic(%x: tensor<?xf32>, %i: index) -> f32 {
  %0 = tensor.extract %x[%i] : tensor<?xf32>
  return %0 : f32
}

// CHECK-LABEL: func.func @insert
// CHECK-SAME:      %[[X:.*]]: tensor<4xf32>, %[[I:.*]]: index
// CHECK:         %[[LOW:.*]] = arith.maxsi %[[I]]
// CHECK:         %[[HIGH:.*]] = arith.minsi %[[LOW]]
// CHECK:         %[[IN:.*]] = arith.cmpi eq, %[[HIGH]], %[[I]]
// CHECK:         scf.if %[[IN]]
// CHECK:           tensor.insert %{{.*}} into %[[X]][%[[HIGH]]]
// CHECK:         else
// CHECK-NEXT:      scf.yield %[[X]]
func.func @insert(%x: tensor<4xf32>, %i: index, %v: f32) -> tensor<4xf32> {
  %0 = tensor.insert %v into %x[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The nearest slice ends at the last element: 8 - (2 * 2 + 1).
// CHECK-LABEL: func.func @extract_slice
// CHECK-SAME:      %[[X:.*]]: tensor<8xf32>, %[[I:.*]]: index
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[LOW:.*]] = arith.maxsi %[[I]]
// CHECK:         %[[HIGH:.*]] = arith.minsi %[[LOW]], %[[C3]]
// CHECK:         tensor.extract_slice %[[X]][%[[HIGH]]] [3] [2]
func.func @extract_slice(%x: tensor<8xf32>, %i: index) -> tensor<3xf32> {
  %0 = tensor.extract_slice %x[%i] [3] [2] : tensor<8xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// A stride becomes the largest that fits, 15 / (4 - 1).
// CHECK-LABEL: func.func @extract_strided
// CHECK:         tensor.extract_slice %{{.*}}[%{{.*}}] [4] [5]
func.func @extract_strided(%x: tensor<16xf32>, %i: index) -> tensor<4xf32> {
  %0 = tensor.extract_slice %x[%i] [4] [100000] : tensor<16xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// So does one that is data; 0 becomes 1.
// CHECK-LABEL: func.func @extract_stride
// CHECK-SAME:      %[[S:[^ ]*]]: index)
// CHECK-DAG:     %[[C5:.*]] = arith.constant 5 : index
// CHECK-DAG:     %[[CM5:.*]] = arith.constant -5 : index
// CHECK:         %[[LOW:.*]] = arith.maxsi %[[S]], %[[CM5]]
// CHECK:         %[[HIGH:.*]] = arith.minsi %[[LOW]], %[[C5]]
// CHECK:         %[[IS_ZERO:.*]] = arith.cmpi eq, %[[HIGH]], %{{.*}}
// CHECK:         %[[STRIDE:.*]] = arith.select %[[IS_ZERO]], %{{.*}}, %[[HIGH]]
// CHECK:         tensor.extract_slice %{{.*}}[%{{.*}}] [4] [%[[STRIDE]]]
func.func @extract_stride(%x: tensor<16xf32>, %i: index, %s: index) -> tensor<4xf32> {
  %0 = tensor.extract_slice %x[%i] [4] [%s] : tensor<16xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Backwards, the first element is the last of the tensor.
// CHECK-LABEL: func.func @extract_backwards
// CHECK-NEXT:    tensor.extract_slice %{{.*}}[7] [8] [-1]
// CHECK-NEXT:    tensor.extract_slice %{{.*}}[3] [4] [-1]
func.func @extract_backwards(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = tensor.extract_slice %x[7] [8] [-1] : tensor<8xf32> to tensor<8xf32>
  %1 = tensor.extract_slice %x[0] [4] [-1] : tensor<8xf32> to tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}

// Products that overflow 64 bits are 0 for the verifier.
// CHECK-LABEL: func.func @extract_far
// CHECK-NEXT:    tensor.extract_slice %{{.*}}[0] [5] [3]
func.func @extract_far(%x: tensor<16xf32>) -> tensor<5xf32> {
  %0 = tensor.extract_slice %x[0] [5] [4611686018427387904] : tensor<16xf32> to tensor<5xf32>
  return %0 : tensor<5xf32>
}

// Nothing is written where no place has room.
// CHECK-LABEL: func.func @insert_large
// CHECK-SAME:      %[[X:.*]]: tensor<8xf32>
// CHECK-NEXT:    return %[[X]]
func.func @insert_large(%x: tensor<8xf32>, %y: tensor<9xf32>, %i: index) -> tensor<8xf32> {
  %0 = tensor.insert_slice %y into %x[%i] [9] [1] : tensor<9xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @insert_strided
// CHECK:         %[[NO:.*]] = arith.constant false
// CHECK:         scf.if %[[NO]]
func.func @insert_strided(%x: tensor<8xf32>, %y: tensor<3xf32>, %i: index) -> tensor<8xf32> {
  %0 = tensor.insert_slice %y into %x[%i] [3] [1000] : tensor<3xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @insert_slice
// CHECK:         scf.if
// CHECK:           tensor.insert_slice
// CHECK:         else
func.func @insert_slice(%x: tensor<8xf32>, %y: tensor<3xf32>, %i: index) -> tensor<8xf32> {
  %0 = tensor.insert_slice %y into %x[%i] [3] [2] : tensor<3xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Constants in range cost nothing.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT:    tensor.extract_slice
// CHECK-NEXT:    tensor.insert_slice
// CHECK-NEXT:    return
func.func @constants(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.extract_slice %x[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
  %1 = tensor.insert_slice %0 into %x[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}

// What is there is written again where the slice is out of range.
// CHECK-LABEL: func.func @parallel_insert_slice
// CHECK:         tensor.extract_slice
// CHECK:         %[[SOURCE:.*]] = scf.if
// CHECK:         scf.forall.in_parallel
// CHECK-NEXT:      tensor.parallel_insert_slice %[[SOURCE]] into
func.func @parallel_insert_slice(%x: tensor<8xf32>, %y: tensor<3xf32>) -> tensor<8xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%t = %x) -> tensor<8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %t[%i] [3] [1] : tensor<3xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// A source of 4 elements in 7 starts at 3 at most.
// CHECK-LABEL: func.func @pad
// CHECK-SAME:      tensor<4xf32>, %[[I:.*]]: index
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[LOW:.*]] = arith.maxsi %[[I]]
// CHECK:         %[[EDGE:.*]] = arith.minsi %[[LOW]], %[[C3]]
// CHECK:         tensor.pad %{{.*}} low[%[[EDGE]]]
func.func @pad(%x: tensor<4xf32>, %i: index, %v: f32) -> tensor<7xf32> {
  %0 = tensor.pad %x low[%i] high[0] {
  ^bb0(%n: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %0 : tensor<7xf32>
}

// A constant edge, too.
// CHECK-LABEL: func.func @pad_dynamic
// CHECK:         %[[EDGE:.*]] = arith.minsi %{{.*}}, %{{.*}}
// CHECK:         tensor.pad %{{.*}} low[%[[EDGE]]] high[4]
func.func @pad_dynamic(%x: tensor<?xf32>, %v: f32) -> tensor<10xf32> {
  %0 = tensor.pad %x low[2] high[4] {
  ^bb0(%n: index):
    tensor.yield %v : f32
  } : tensor<?xf32> to tensor<10xf32>
  return %0 : tensor<10xf32>
}

// All of it is edges.
// CHECK-LABEL: func.func @pad_nothing
// CHECK-NOT:     tensor.pad
// CHECK:         tensor.generate
func.func @pad_nothing(%x: tensor<0xf32>, %i: index, %v: f32) -> tensor<?xf32> {
  %0 = tensor.pad %x low[2] high[%i] {
  ^bb0(%n: index):
    tensor.yield %v : f32
  } : tensor<0xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @new_tensors
// CHECK:         %[[N:.*]] = arith.maxsi
// CHECK:         tensor.empty(%[[N]])
func.func @new_tensors(%n: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// A step that is not positive would never end, nor does it change the bound that it is, too.
// CHECK-LABEL: func.func @loop
// CHECK-SAME:      %[[N:[^:]*]]: index
// CHECK:         %[[STEP:.*]] = arith.maxsi %[[N]]
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[N]] step %[[STEP]]
func.func @loop(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = scf.for %i = %c0 to %n step %n iter_args(%s = %c0) -> index {
    %1 = arith.addi %s, %i : index
    scf.yield %1 : index
  }
  return %0 : index
}
