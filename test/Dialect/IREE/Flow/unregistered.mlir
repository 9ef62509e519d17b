// An op that nobody knows does no harm in a dispatch before it has to be compiled.
// RUN: not npu-opt %s 2>&1 | FileCheck %s --check-prefix=PARSE
// RUN: npu-opt --allow-unregistered-dialect --npu-print-dispatches --npu-import-dispatches %s | FileCheck %s --check-prefix=IMPORT
// RUN: npu-opt --allow-unregistered-dialect --npu-import-dispatches --npu-inline-dispatches %s | FileCheck %s --check-prefix=INLINE
// RUN: npu-opt --allow-unregistered-dialect --npu-flow-pipeline %s | FileCheck %s --check-prefix=IMPORT
// RUN: not npu-opt --allow-unregistered-dialect --npu-codegen-pipeline %s 2>&1 | FileCheck %s --check-prefix=CODEGEN
// RUN: not npu-run %s 2>&1 | FileCheck %s --check-prefix=RUN-IT

// PARSE: unregistered.mlir:[[@LINE+13]]:22: error: operation being parsed with an unregistered dialect
// IMPORT: "other.op"
// INLINE-LABEL: util.func public @main
// INLINE-NEXT: "other.op"(%arg0)
// INLINE-NEXT: util.return
// CODEGEN: unregistered.mlir:[[@LINE+8]]:12: error: Dispatch #0 not supported: op without npu equivalent (other.op)
// RUN-IT: error: {{.*}}unregistered.mlir:[[@LINE+14]]:8: {{.*}} dispatch #0 failed: {{.*}}unregistered.mlir:[[@LINE+7]]:12: op was not bufferized
flow.executable private @ex {
  flow.executable.export public @entry
  builtin.module {
    func.func @entry(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>) {
      %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
      // The op.
      %1 = "other.op"(%0) : (tensor<8xf32>) -> tensor<8xf32>
      iree_tensor_ext.dispatch.tensor.store %1, %arg1, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = flow.dispatch @ex::@entry(%a) : (tensor<8xf32>) -> tensor<8xf32>
  util.return %0 : tensor<8xf32>
}
