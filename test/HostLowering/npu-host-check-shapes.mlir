// RUN: npu-opt --npu-host-check-shapes --split-input-file --verify-diagnostics %s | FileCheck %s

// Every operand has the extent of the loop.
// CHECK-LABEL: func.func @add
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>
// CHECK-DAG:     %[[N:.*]] = memref.dim %[[X]]
// CHECK-DAG:     %[[M:.*]] = memref.dim %[[Y]]
// CHECK:         %[[IS_SAME:.*]] = arith.cmpi eq, %[[N]], %[[M]]
// CHECK:         cf.assert %[[IS_SAME]], "{{.*}}npu-host-check-shapes.mlir:[[@LINE+3]]:3: expected operands with the same extents, but data gives others; give inputs that the model can take"
// CHECK:         linalg.generic
func.func @add(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>],
                  iterator_types = ["parallel"]} ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// Static shapes were checked by the verifier.
// CHECK-LABEL: func.func @static
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @static(%x: memref<4xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>],
                  iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// CHECK-LABEL: func.func @alloc
// CHECK-COUNT-2: cf.assert %{{.*}}, "{{.*}}expected extents of at least 0 whose product is less than 2^56 elements
// CHECK:         memref.alloc
func.func @alloc(%n: index, %m: index) -> memref<?x?xf32> {
  %0 = memref.alloc(%n, %m) : memref<?x?xf32>
  return %0 : memref<?x?xf32>
}

// CHECK-LABEL: func.func @cast
// CHECK:         cf.assert %{{.*}}, "{{.*}}expected shapes that fit, but data gives others: size mismatch of dim 0; give inputs that the model can take"
// CHECK:         memref.cast
func.func @cast(%x: memref<?xf32>) -> memref<4xf32> {
  %0 = memref.cast %x : memref<?xf32> to memref<4xf32>
  return %0 : memref<4xf32>
}

// CHECK-LABEL: func.func @expand
// CHECK:         cf.assert %{{.*}}, "{{.*}}expected a shape with as many elements as the tensor that is reshaped
// CHECK:         memref.expand_shape
func.func @expand(%x: memref<?xf32>, %n: index) -> memref<?x3xf32> {
  %0 = memref.expand_shape %x [[0, 1]] output_shape [%n, 3] : memref<?xf32> into memref<?x3xf32>
  return %0 : memref<?x3xf32>
}

// -----

func.func @expand_twice(%x: memref<?xf32>, %n: index, %m: index) -> memref<?x?xf32> {
  // expected-error @below {{expected at most one extent that is data where a dimension is expanded, found 'tensor<?x?xf32>'; make the others constants}}
  %0 = memref.expand_shape %x [[0, 1]] output_shape [%n, %m] : memref<?xf32> into memref<?x?xf32>
  return %0 : memref<?x?xf32>
}
