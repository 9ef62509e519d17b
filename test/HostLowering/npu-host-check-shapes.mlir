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

// Indices of each iteration are inside, not of the first and the last one only.
// CHECK-LABEL: func.func @maps
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @maps(%x: memref<10xf32>, %y: memref<11x2xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, k) -> (n mod 10)>,
                                   affine_map<(n, k) -> ((n + k) floordiv 2)>,
                                   affine_map<(n, k) -> (n, k)>],
                  iterator_types = ["parallel", "parallel"]}
                 ins(%x, %x : memref<10xf32>, memref<10xf32>) outs(%y : memref<11x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    linalg.yield %a : f32
  }
  return
}

// How far k may go back from 5 in steps of 2, and n forwards.
// CHECK-LABEL: func.func @dynamic_maps
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?x?xf32>
// CHECK:         cf.assert %{{.*}}, "{{.*}}expected indices inside of the operands, but data gives shapes with which a map leaves one; give inputs that the model can take"
// CHECK:         linalg.generic
func.func @dynamic_maps(%x: memref<?xf32>, %y: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, k) -> (n - k * 2 + 5)>,
                                   affine_map<(n, k) -> (n, k)>],
                  iterator_types = ["parallel", "parallel"]}
                 ins(%x : memref<?xf32>) outs(%y : memref<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// CHECK-LABEL: func.func @reshape
// CHECK:         memref.load
// CHECK:         cf.assert %{{.*}}, "{{.*}}expected extents of at least 0 whose product is less than 2^56 elements
// CHECK:         cf.assert %{{.*}}, "{{.*}}expected a shape with as many elements as the tensor that is reshaped
// CHECK:         memref.reshape
func.func @reshape(%x: memref<?xf32>, %shape: memref<2xi64>) -> memref<?x3xf32> {
  %0 = memref.reshape %x(%shape) : (memref<?xf32>, memref<2xi64>) -> memref<?x3xf32>
  return %0 : memref<?x3xf32>
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

// -----

func.func @leaves_operand(%x: memref<5xf32>, %y: memref<5x5xf32>) {
  // expected-error @below {{expected indices inside of 'tensor<5xf32>', operand 0, found -4 to 4 in dimension 0; change the map, or strides and dilations, or read by tensor.extract}}
  linalg.generic {indexing_maps = [affine_map<(n, k) -> (n - k)>, affine_map<(n, k) -> (n, k)>],
                  iterator_types = ["parallel", "parallel"]}
                 ins(%x : memref<5xf32>) outs(%y : memref<5x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

func.func @between(%x: memref<1xf32>, %y: memref<11xf32>) {
  // expected-error @below {{found 0 to 9 in dimension 0}}
  linalg.generic {indexing_maps = [affine_map<(n) -> (n mod 10)>, affine_map<(n) -> (n)>],
                  iterator_types = ["parallel"]} ins(%x : memref<1xf32>) outs(%y : memref<11xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

func.func @unknown(%x: memref<?xf32>, %y: memref<?xf32>) {
  // expected-error @below {{expected indices inside of 'tensor<?xf32>', operand 0, found those of affine_map<(d0) -> (d0 floordiv 2)>, which are not known to be; change the map, or strides and dilations, or read by tensor.extract}}
  linalg.generic {indexing_maps = [affine_map<(n) -> (n floordiv 2)>, affine_map<(n) -> (n)>],
                  iterator_types = ["parallel"]} ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
