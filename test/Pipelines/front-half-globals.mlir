// RUN: npu-opt --npu-front-half %s | FileCheck %s
// RUN: npu-opt --npu-classic-pipeline %s | FileCheck %s

// Weights become globals, equal ones are one, and the state of the model is loaded once and stored
// once. What nobody reads is gone.
// CHECK-NOT:   @unused
// CHECK-DAG:   util.global private mutable @state = dense<0> : tensor<65xi32>
// CHECK-DAG:   util.global private @[[W:__constant_tensor_65xi32]] {inlining_policy = #util.inline.never} = dense<[1, 2, 3
// CHECK-NOT:   util.global
// CHECK-LABEL: util.func public @step
// CHECK-DAG:     util.global.load @state : tensor<65xi32>
// CHECK-DAG:     util.global.load immutable @[[W]] : tensor<65xi32>
// CHECK-NOT:     util.global.load
// CHECK:         flow.dispatch
// CHECK:         util.global.store %{{.*}}, @state
// CHECK-NOT:     util.global.store
ml_program.global private mutable @state(dense<0> : tensor<65xi32>) : tensor<65xi32>
ml_program.global private mutable @unused(dense<0> : tensor<65xi32>) : tensor<65xi32>
func.func @step(%arg0: tensor<65xi32>) -> tensor<65xi32> {
  %w = "tosa.const"() <{values = dense<"0x0100000002000000030000000400000005000000060000000700000008000000090000000A0000000B0000000C0000000D0000000E0000000F000000100000001100000012000000130000001400000015000000160000001700000018000000190000001A0000001B0000001C0000001D0000001E0000001F000000200000002100000022000000230000002400000025000000260000002700000028000000290000002A0000002B0000002C0000002D0000002E0000002F000000300000003100000032000000330000003400000035000000360000003700000038000000390000003A0000003B0000003C0000003D0000003E0000003F0000004000000041000000"> : tensor<65xi32>}> : () -> tensor<65xi32>
  %v = arith.constant dense<"0x0100000002000000030000000400000005000000060000000700000008000000090000000A0000000B0000000C0000000D0000000E0000000F000000100000001100000012000000130000001400000015000000160000001700000018000000190000001A0000001B0000001C0000001D0000001E0000001F000000200000002100000022000000230000002400000025000000260000002700000028000000290000002A0000002B0000002C0000002D0000002E0000002F000000300000003100000032000000330000003400000035000000360000003700000038000000390000003A0000003B0000003C0000003D0000003E0000003F0000004000000041000000"> : tensor<65xi32>
  %0 = ml_program.global_load @state : tensor<65xi32>
  %1 = tosa.add %0, %w : (tensor<65xi32>, tensor<65xi32>) -> tensor<65xi32>
  ml_program.global_store @state = %1 : tensor<65xi32>
  ml_program.global_store @unused = %1 : tensor<65xi32>
  %2 = ml_program.global_load @state : tensor<65xi32>
  %3 = arith.muli %2, %v : tensor<65xi32>
  %4 = arith.addi %3, %arg0 : tensor<65xi32>
  ml_program.global_store @state = %4 : tensor<65xi32>
  return %4 : tensor<65xi32>
}
