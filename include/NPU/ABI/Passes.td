//===- Passes.td - passes that give a module its calling convention -------===//

#ifndef NPU_ABI_PASSES_TD
#define NPU_ABI_PASSES_TD

include "mlir/Pass/PassBase.td"

def ImportPublic : Pass<"npu-import-public", "::mlir::ModuleOp"> {
  let summary = "Convert the functions of a model to host functions";
  let description = [{
    Rewrites every `func.func` at the top of the module, its returns and calls to `util.func`,
    `util.return` and `util.call`. Functions inside of executables stay.

    #### Precondition
    None.

    #### Postcondition
    No `func` op stands at the top of the module or in a host function.

    #### Example
    ```mlir
    // $ npu-opt --npu-import-public
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      return %a : tensor<4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      util.return %arg0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::npu::util::UtilDialect"];
}

def WrapEntryPoints : Pass<"npu-abi-wrap-entry-points", "::mlir::ModuleOp"> {
  let summary = "Wrap entry points in functions on buffer views";
  let description = [{
    Puts the calling convention around a module. A public function `@f` becomes the private `@_f`; a
    new public `@f` takes and returns `!hal.buffer_view` where `@f` had tensors, imports the
    arguments, calls `@_f` and exports the results. Every other argument passes through. A declared
    function gets the mirror image: the declaration works on buffer views, and a private `@_f` on
    tensors that all callers now use.

    With `coarse-fences` a function has two more arguments. It waits for the first fence before it
    reads tensors, and signals the second one when the tensors that it returns are available. A
    declared function that returns no tensors is waited for, unless it has `nosideeffects`.

    A function may say more by attributes, of itself (f), its arguments (a) or its results (r):

    * `iree.abi.model` (f): `"sync"` or `"coarse-fences"`, whatever the option says;
    * `iree.abi.declaration` (f): the text of the declaration in `iree.reflection`;
    * `iree.abi.name` (a, r): the name, instead of `inputN` or `outputN`, where N counts all
      arguments or results;
    * `iree.abi.encoding` (a, r): the tensor type that the other side sees;
    * `iree.abi.affinity` (f, a, r): the device;
    * `iree.abi.consume` (a): the buffer passes to the function;
    * `iree.abi.output = k` (a): the buffer in which result k goes;
    * `iree.abi.transients` (a): the buffer in which temporaries go.

    Functions with `iree.abi.stub` are wrapped already.

    #### Precondition
    Entry points are `util.func`.

    #### Postcondition
    No public function takes or returns a tensor.

    #### Example
    ```mlir
    // $ npu-opt --npu-abi-wrap-entry-points
    util.func public @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      util.return %a : tensor<4xf32>
    }
    // becomes
    util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4xf32>) -> (%output0: tensor<4xf32>)"}} {
      %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<4xf32>
      %1 = util.call @_f(%0) : (tensor<4xf32>) -> tensor<4xf32>
      %2 = hal.tensor.export %1 "output0" : tensor<4xf32> -> !hal.buffer_view
      util.return %2 : !hal.buffer_view
    }
    util.func private @_f(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {hal.abi.convention = #hal.abi.convention<synchronous>} {
      util.return %arg0 : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"invocationModel", "invocation-model", "::npu::abi::InvocationModel",
           "::npu::abi::InvocationModel::Sync", "The synchronization between caller and function",
           [{::llvm::cl::values(
             clEnumValN(::npu::abi::InvocationModel::Sync, "sync",
                        "The results of a function are available when it returns"),
             clEnumValN(::npu::abi::InvocationModel::CoarseFences, "coarse-fences",
                        "A function waits for one fence and signals another"))}]>
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect", "::npu::hal::HALDialect",
    "::npu::util::UtilDialect"];
}

#endif // NPU_ABI_PASSES_TD
