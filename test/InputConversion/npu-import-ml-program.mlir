// RUN: npu-opt --npu-import-ml-program %s | FileCheck %s

// CHECK:       util.global private mutable @state = dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT:  util.global public @scale = 2.000000e+00 : f32
// CHECK-NEXT:  util.global private mutable @unset : i32
ml_program.global private mutable @state(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
ml_program.global public @scale(2.0 : f32) : f32
ml_program.global private mutable @unset : i32

// CHECK-LABEL: func.func @step
// CHECK-NEXT:    %[[S:.*]] = util.global.load @state : tensor<4xf32>
// CHECK-NEXT:    %[[F:.*]] = util.global.load immutable @scale : f32
// CHECK:         util.global.store %{{.*}}, @state : tensor<4xf32>
func.func @step(%arg0: tensor<4xf32>) -> f32 {
  %0 = ml_program.global_load @state : tensor<4xf32>
  %1 = ml_program.global_load_const @scale : f32
  %2 = arith.addf %0, %arg0 : tensor<4xf32>
  ml_program.global_store @state = %2 : tensor<4xf32>
  return %1 : f32
}
