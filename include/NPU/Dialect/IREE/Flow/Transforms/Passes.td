//===- Passes.td - passes on IREE's flow-level IR --------------------------===//

#ifndef NPU_DIALECT_IREE_FLOW_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_IREE_FLOW_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrintDispatches : Pass<"npu-print-dispatches", "::mlir::ModuleOp"> {
  let summary = "Print one line for each dispatch: what it computes, its sizes and its types";
  let description = [{
    Writes to the standard output one line for each `flow.dispatch`, in the order in which they
    stand in the host functions. A module without host functions is read as a list of dispatches,
    one for each `func.func`. The line describes the dispatch's root: its contraction or
    convolution (the last one, if there are several), else its pooling, else its last linalg op.

    Contractions show B (if there is a batch), M, N and K, convolutions N, H, W (of the input), C,
    F, OH, OW, kernel, stride, dilation and groups; a pooling shows images and channels as one
    number, NC. All come from the op's indexing maps, so a
    `linalg.generic` reads as the named op that computes the same. A dimension of size 1 that the
    maps do not have (IREE folds unit dimensions) shows as 1. Everything else shows its loops'
    sizes. The dtype is one name if operands and accumulator agree, else `<lhs>x<rhs>x<accumulator>`.

    #### Precondition
    None; what cannot be described (an executable that is not in the file) is shown as such.

    #### Postcondition
    The IR is unchanged.

    #### Example
    ```
    Dispatch #0: op: linalg.matmul M=128 N=512 K=256 dtype: f16
    Dispatch #1: op: linalg.generic shape=128x512 dtype: f32
    ```
  }];
}

def ImportDispatches : Pass<"npu-import-dispatches", "::mlir::ModuleOp"> {
  let summary = "Turn the functions of flow executables into functions on tensors";
  let description = [{
    Rewrites each function that a `flow.executable` exports, in place: the symbol names do not
    change, so `flow.dispatch @ex::@entry` still names its code, and the host functions are not
    touched. The arguments and results of the new function are those of the dispatch:

    * a `readonly` tensor becomes a tensor argument, a `readwrite` one an argument and a result, a
      `writeonly` one a result; every other argument stays. Results come in the order of the
      results of the dispatches that name the function, or, if there is none, of the arguments.
    * a load of the whole tensor becomes the argument itself, another load a `tensor.extract_slice`;
    * a store of the whole tensor gives the result, another store is a `tensor.insert_slice` into
      what was there before: the argument of a `readwrite` tensor, else a `tensor.empty`.

    #### Precondition
    The functions have one block, in which all loads and stores stand. Tensors have no encoding.

    #### Postcondition
    Neither types nor ops of `iree_tensor_ext.dispatch.tensor` remain in executables. Dynamic shapes
    stay; their sizes are index arguments as before.

    #### Example
    ```mlir
    func.func @entry(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>,
                     %b: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
      %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0], sizes = [4], strides = [1]
          : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
      %1 = math.exp %0 : tensor<4xf32>
      iree_tensor_ext.dispatch.tensor.store %1, %b, offsets = [0], sizes = [4], strides = [1]
          : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
      return
    }
    // becomes
    func.func @entry(%a: tensor<4xf32>) -> tensor<4xf32> {
      %1 = math.exp %a : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

#endif // NPU_DIALECT_IREE_FLOW_TRANSFORMS_PASSES_TD
