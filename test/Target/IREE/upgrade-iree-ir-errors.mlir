// What has no new spelling is refused where it stands.
// RUN: split-file %s %t
// RUN: not npu-translate --upgrade-iree-ir %t/input.mlir 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not npu-translate --upgrade-iree-ir %t/stream.mlir 2>&1 | FileCheck %s --check-prefix=STREAM
// RUN: not npu-translate --upgrade-iree-ir %t/set.mlir 2>&1 | FileCheck %s --check-prefix=SET
// RUN: not npu-translate --upgrade-iree-ir %t/sets.mlir 2>&1 | FileCheck %s --check-prefix=SETS
// RUN: not npu-translate --upgrade-iree-ir %t/ordinal.mlir 2>&1 | FileCheck %s --check-prefix=ORDINAL
// RUN: not npu-translate --upgrade-iree-ir %t/gap.mlir 2>&1 | FileCheck %s --check-prefix=GAP
// RUN: not npu-translate --upgrade-iree-ir %t/arguments.mlir 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: not npu-translate --upgrade-iree-ir %t/result.mlir 2>&1 | FileCheck %s --check-prefix=RESULT

// Text that breaks off is no reason to fail here; the parser says what is wrong with it.
// RUN: npu-translate --upgrade-iree-ir %t/broken.mlir -o /dev/null

//--- input.mlir
// INPUT: input.mlir:2:14: error: '!iree_input.buffer_view' has no new spelling; import the model again with a frontend of 2024 or later
func.func @f(!iree_input.buffer_view)
//--- stream.mlir
// STREAM: stream.mlir:2:1: error: 'stream.executable' belongs to a later phase; run iree-compile again with --compile-to=flow
stream.executable private @ex {
}
//--- set.mlir
// SET: set.mlir:2:40: error: expected descriptor set 0, found 1; other sets have no new spelling
%0 = hal.interface.binding.subspan set(1) binding(0) type(storage_buffer) : memref<4xf32>
//--- sets.mlir
// SETS: sets.mlir:2:75: error: expected one descriptor set, found another; layouts with several sets have no new spelling
#l = #hal.pipeline.layout<push_constants = 0, sets = [<0, bindings = []>, <1, bindings = []>]>
//--- ordinal.mlir
// ORDINAL: ordinal.mlir:2:56: error: expected descriptor set 0, found 3
#l = #hal.pipeline.layout<push_constants = 0, sets = [<3, bindings = []>]>
//--- gap.mlir
// GAP: gap.mlir:2:72: error: expected binding 0, found 1; bindings are numbered without gaps now
#l = #hal.pipeline.layout<push_constants = 0, sets = [<0, bindings = [<1, storage_buffer>]>]>
//--- arguments.mlir
// ARGUMENTS: arguments.mlir:3:30: error: expected ':' after the arguments of the export
hal.executable.export @e layout(#l) {
  ^bb0(%device: !hal.device) hal.return
}
//--- result.mlir
// RESULT: result.mlir:2:1: error: expected the export to have a result
hal.tensor.export %t into(%s : !hal.buffer) : tensor<4xf32> -> !hal.buffer_view
//--- broken.mlir
module attributes {hal.device.targets = [
