//===- Passes.td - passes that decide what one dispatch is -----------------===//

#ifndef NPU_DISPATCHCREATION_PASSES_TD
#define NPU_DISPATCHCREATION_PASSES_TD

include "mlir/Pass/PassBase.td"

defvar dispatchCreationDialects = [
  "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
  "::mlir::tensor::TensorDialect", "::npu::flow::FlowDialect"];

/// A pass on functions.
class DispatchCreationPass<string name> :
    InterfacePass<"npu-dispatch-creation-" # name, "::mlir::FunctionOpInterface"> {
  let dependentDialects = dispatchCreationDialects;
}

/// A pass on any op, as which kind of op holds the code does not matter to it.
class DispatchCreationAnyOpPass<string name> : Pass<"npu-dispatch-creation-" # name> {
  let dependentDialects = dispatchCreationDialects;
}

def FoldUnitExtentDims : DispatchCreationAnyOpPass<"fold-unit-extent-dims"> {
  let summary = "Fold unit dimensions of generics and pads";
  let description = [{
    Runs upstream's patterns outside of dispatches. The tensors around an op keep their shape by
    reshapes. If the pass runs on a module, private globals whose data are parameters or
    uninitialized lose such dimensions as well: one type serves all their loads and stores, which a
    pass on a function does not see.

    #### Precondition
    Named ops whose unit dimensions shall go are generics.

    #### Postcondition
    `linalg.generic` and `tensor.pad` have no unit dimension, except where it cannot be dropped: the
    loops of a window stay if what is left of the window would have to be as long as what it slides
    over, and is not.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-fold-unit-extent-dims))'
    util.func public @f(%0: tensor<1x4xf32>, %e: tensor<1x4xf32>) -> tensor<1x4xf32> {
      %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%0 : tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %n = arith.negf %in : f32
        linalg.yield %n : f32
      } -> tensor<1x4xf32>
      util.return %2 : tensor<1x4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<1x4xf32>, %arg1: tensor<1x4xf32>) -> tensor<1x4xf32> {
      %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
      %collapsed_0 = tensor.collapse_shape %arg1 [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%collapsed : tensor<4xf32>) outs(%collapsed_0 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.negf %in : f32
        linalg.yield %1 : f32
      } -> tensor<4xf32>
      %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
      util.return %expanded : tensor<1x4xf32>
    }
    ```
  }];
}

def TensorPadToTensorInsertSlice : DispatchCreationAnyOpPass<"tensor-pad-to-tensor-insert-slice"> {
  let summary = "Convert pads to a fill and an insertion";
  let description = [{
    A `tensor.pad` of one value becomes a tensor filled with the value, into which the source is
    inserted. A pad whose value depends on the position stays, and so does one in a dispatch. With
    `keep-windows`, so does a pad that only convolutions and poolings read: it becomes part of their
    dispatches.

    #### Precondition
    None.

    #### Postcondition
    No `tensor.pad` of one value is left outside of dispatches, but those that are kept.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-tensor-pad-to-tensor-insert-slice))'
    util.func public @f(%0: tensor<4xf32>, %c: f32) -> tensor<6xf32> {
      %1 = tensor.pad %0 low[1] high[1] {
      ^bb0(%i: index):
        tensor.yield %c : f32
      } : tensor<4xf32> to tensor<6xf32>
      util.return %1 : tensor<6xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4xf32>, %arg1: f32) -> tensor<6xf32> {
      %0 = tensor.empty() : tensor<6xf32>
      %1 = linalg.fill ins(%arg1 : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
      %inserted_slice = tensor.insert_slice %arg0 into %1[1] [4] [1] : tensor<4xf32> into tensor<6xf32>
      util.return %inserted_slice : tensor<6xf32>
    }
    ```
  }];
  let options = [
    Option<"keepWindows", "keep-windows", "bool", "false",
           "Keep pads whose only users are convolutions and poolings">
  ];
}

def FoldTransposesIntoRoots : DispatchCreationPass<"fold-transposes-into-roots"> {
  let summary = "Fold transposes into contractions and attention";
  let description = [{
    The indexing maps of a contraction or of attention take over the transpositions of its operands,
    and the transposition of its result if that has no other use. A named op becomes a generic. An
    NPU loads and stores in any order of dimensions, so that the transposition costs nothing there;
    alone it would be a dispatch. A contraction takes over the repetition of an operand as well, as
    torch-mlir repeats the weights of a linear layer for every batch.

    #### Precondition
    None.

    #### Postcondition
    No contraction or attention reads a transposition, and no contraction the repetition of one operand.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-fold-transposes-into-roots))'
    util.func public @f(%0: tensor<8x4x16xf32>, %b: tensor<4x16x8xf32>, %c: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
      %e = tensor.empty() : tensor<4x8x16xf32>
      %1 = linalg.transpose ins(%0 : tensor<8x4x16xf32>) outs(%e : tensor<4x8x16xf32>) permutation = [1, 0, 2]
      %2 = linalg.batch_matmul ins(%1, %b : tensor<4x8x16xf32>, tensor<4x16x8xf32>) outs(%c : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      util.return %2 : tensor<4x8x8xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<8x4x16xf32>, %arg1: tensor<4x16x8xf32>, %arg2: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<8x4x16xf32>, tensor<4x16x8xf32>) outs(%arg2 : tensor<4x8x8xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.mulf %in, %in_0 : f32
        %2 = arith.addf %out, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<4x8x8xf32>
      util.return %0 : tensor<4x8x8xf32>
    }
    ```
  }];
}

def ElementwiseOpFusion : DispatchCreationAnyOpPass<"elementwise-op-fusion"> {
  let summary = "Fuse elementwise generics into the generics that use them";
  let description = [{
    A producer is fused if it yields booleans, copies, or has one use. Not fused: a producer that the
    consumer broadcasts, a narrowing producer into anything but a narrowing or unary consumer, a
    producer into a widening consumer of several uses, a producer into a contraction, a convolution
    or, through a map that is no permutation, a reduction; and whatever would give an op of more
    than 16 operands. A constant of one value moves into the bodies that use it, but for contractions, which
    would be none any more. With `keep-tails`, what reads a contraction or convolution stays out of
    reductions, so that it can be computed where the matrix engine leaves its result, what makes bytes of
    a contraction's sums out of the tail of an earlier one, which would read the sums,
    and what computes with i64, f64 or indices stays apart from what does not. With `keep-integers`, so do floats that
    are computed of integers. With `keep-narrow`, what makes wider
    elements one by one and by arithmetic alone, as floats of the zero points of blocks, is also
    fused where the consumer broadcasts it: the narrow ones then lie in memory, and a kernel computes
    each step along the loops that it depends on.

    #### Precondition
    None.

    #### Postcondition
    None; no op in a dispatch is fused.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-elementwise-op-fusion))'
    util.func public @f(%0: tensor<4xf32>, %b: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
      %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%0, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%x: f32, %y: f32, %out: f32):
        %s = arith.addf %x, %y : f32
        linalg.yield %s : f32
      } -> tensor<4xf32>
      %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%1 : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%x: f32, %out: f32):
        %n = arith.negf %x : f32
        linalg.yield %n : f32
      } -> tensor<4xf32>
      util.return %2 : tensor<4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
      %0 = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %2 = arith.addf %in, %in_0 : f32
        %3 = arith.negf %2 : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      util.return %1 : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"keepTails", "keep-tails", "bool", "false",
           "do not fuse the tail of a contraction or convolution into a reduction, nor types that an "
           "NPU does not have into those that it has">,
    Option<"keepIntegers", "keep-integers", "bool", "false",
           "do not fuse what gives integers into what gives floats, for a vector unit without floats">,
    Option<"keepNarrow", "keep-narrow", "bool", "false",
           "fuse what widens elements also into what broadcasts them">];
  let dependentDialects =
      !listconcat(dispatchCreationDialects, ["::npu::tensor_ext::TensorExtDialect"]);
}

def BubbleUpExpandShapes : DispatchCreationPass<"bubble-up-expand-shapes"> {
  let summary = "Move reshapes between linalg ops above elementwise generics";
  let description = [{
    Expands the loops of an all-parallel generic that reads a collapsed result of a linalg op, or
    whose result a linalg op reads expanded, so that the reshape moves towards the other side of the
    generic and meets its opposite. Reshapes at the border of the model stay there.

    #### Precondition
    None.

    #### Postcondition
    None.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-bubble-up-expand-shapes))'
    util.func public @f(%a: tensor<1x4xf32>, %b: tensor<4x8xf32>, %c: tensor<1x8xf32>) -> tensor<8xf32> {
      %matmul = linalg.matmul ins(%a, %b : tensor<1x4xf32>, tensor<4x8xf32>) outs(%c : tensor<1x8xf32>) -> tensor<1x8xf32>
      %row = tensor.collapse_shape %matmul [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
      %e = tensor.empty() : tensor<8xf32>
      %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%row : tensor<8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%x: f32, %out: f32):
        %n = arith.negf %x : f32
        linalg.yield %n : f32
      } -> tensor<8xf32>
      util.return %1 : tensor<8xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<1x4xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<1x8xf32>) -> tensor<8xf32> {
      %0 = linalg.matmul ins(%arg0, %arg1 : tensor<1x4xf32>, tensor<4x8xf32>) outs(%arg2 : tensor<1x8xf32>) -> tensor<1x8xf32>
      %1 = tensor.empty() : tensor<1x8xf32>
      %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<1x8xf32>) outs(%1 : tensor<1x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %3 = arith.negf %in : f32
        linalg.yield %3 : f32
      } -> tensor<1x8xf32>
      %collapsed = tensor.collapse_shape %2 [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
      util.return %collapsed : tensor<8xf32>
    }
    ```
  }];
}

def SinkReshapes : DispatchCreationPass<"sink-reshapes"> {
  let summary = "Sink reshapes below elementwise generics to enable fusion";
  let description = [{
    An all-parallel generic that reads the expanded result of a reduction, contraction or
    convolution gets the loops of the result itself if it can, so that both may become one dispatch.

    #### Precondition
    None.

    #### Postcondition
    None.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-sink-reshapes))'
    util.func public @f(%a: tensor<64x16xf32>, %b: tensor<16x128xf32>, %c: tensor<64x128xf32>) -> tensor<64x4x32xf32> {
      %matmul = linalg.matmul ins(%a, %b : tensor<64x16xf32>, tensor<16x128xf32>) outs(%c : tensor<64x128xf32>) -> tensor<64x128xf32>
      %heads = tensor.expand_shape %matmul [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf32> into tensor<64x4x32xf32>
      %e = tensor.empty() : tensor<64x4x32xf32>
      %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%heads : tensor<64x4x32xf32>) outs(%e : tensor<64x4x32xf32>) {
      ^bb0(%x: f32, %out: f32):
        %n = arith.negf %x : f32
        linalg.yield %n : f32
      } -> tensor<64x4x32xf32>
      util.return %1 : tensor<64x4x32xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<64x16xf32>, %arg1: tensor<16x128xf32>, %arg2: tensor<64x128xf32>) -> tensor<64x4x32xf32> {
      %0 = linalg.matmul ins(%arg0, %arg1 : tensor<64x16xf32>, tensor<16x128xf32>) outs(%arg2 : tensor<64x128xf32>) -> tensor<64x128xf32>
      %1 = tensor.empty() : tensor<64x128xf32>
      %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<64x128xf32>) outs(%1 : tensor<64x128xf32>) {
      ^bb0(%in: f32, %out: f32):
        %3 = arith.negf %in : f32
        linalg.yield %3 : f32
      } -> tensor<64x128xf32>
      %expanded = tensor.expand_shape %2 [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf32> into tensor<64x4x32xf32>
      util.return %expanded : tensor<64x4x32xf32>
    }
    ```
  }];
}

def TransposeGenericOps : Pass<"npu-dispatch-creation-transpose-generic-ops"> {
  let summary = "Reorder the loops of generics";
  let description = [{
    Puts the parallel loops of every generic before its reductions. An elementwise generic that reads
    the result of a reduction, contraction or convolution transposed, as its only user, gets the order
    of that result, so that both can be one dispatch. A mere transposition walks its input in order.

    #### Precondition
    None.

    #### Postcondition
    In every `linalg.generic` the parallel loops come first.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-transpose-generic-ops))'
    util.func public @f(%x: tensor<4x8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(k, i) -> (k, i)>, affine_map<(k, i) -> (i)>], iterator_types = ["reduction", "parallel"]}
          ins(%x : tensor<4x8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %s = arith.addf %in, %out : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      util.return %0 : tensor<8xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.addf %in, %out : f32
        linalg.yield %1 : f32
      } -> tensor<8xf32>
      util.return %0 : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def RemoveTensorBarriers : DispatchCreationPass<"remove-tensor-barriers"> {
  let summary = "Remove the barriers for reshapes";
  let description = [{
    IREE puts `iree_tensor_ext.compute_barrier` ops where a model's inputs and outputs meet what is computed. Nothing moves any more
    when dispatches are formed, and a barrier is the identity.

    #### Precondition
    None.

    #### Postcondition
    No `iree_tensor_ext.compute_barrier.start` and no `iree_tensor_ext.compute_barrier.end` is left.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-remove-tensor-barriers))'
    util.func public @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = iree_tensor_ext.compute_barrier.start %x : tensor<4xf32> -> tensor<4xf32>
      %1 = iree_tensor_ext.compute_barrier.end %0 : tensor<4xf32> -> tensor<4xf32>
      util.return %1 : tensor<4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      util.return %arg0 : tensor<4xf32>
    }
    ```
  }];
}

def FormDispatchRegions : DispatchCreationPass<"form-dispatch-regions"> {
  let summary = "Group ops into dispatches";
  let description = [{
    Reductions and named linalg ops are the roots of dispatches, around which ops gather that walk
    along the root's loops. What is left of linalg ops then forms dispatches of its own.
    docs/front-half.md has the rules of both modes one by one.

    With `mode=iree` the rules are those of IREE at optimization level 0. With `mode=npu` a dispatch
    is what an NPU computes in one kernel: a contraction or convolution and the chain of elementwise
    ops on its result, of any type that a vector unit may have. Widening casts of its operands, and
    whatever computes with i64, f64 or indices, are dispatches beside it. What the vector unit computes, and what
    runs on the host, is fused as far as its loops agree: reductions of the same rows, their elementwise producers and
    consumers, also with several uses.
    `horizontal-fusion` lets contractions that read one operand share a dispatch, `fuse-attention`
    two contractions with what is between them, if the second one sums over rows that are reduced
    there.

    Each decision is a remark of category `npu-fusion` with its reason: `Fused` or `NotFused`.

    #### Precondition
    None.

    #### Postcondition
    Every linalg op but fills and widening casts is in a `flow.dispatch.region`.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions))'
    util.func public @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %bias: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
      %e = tensor.empty() : tensor<4x4xf32>
      %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%1, %bias : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
      ^bb0(%x: f32, %y: f32, %out: f32):
        %s = arith.addf %x, %y : f32
        linalg.yield %s : f32
      } -> tensor<4x4xf32>
      util.return %2 : tensor<4x4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = tensor.empty() : tensor<4x4xf32>
      %1 = flow.dispatch.region -> (tensor<4x4xf32>) {
        %2 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %arg3 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %4 = arith.addf %in, %in_0 : f32
          linalg.yield %4 : f32
        } -> tensor<4x4xf32>
        flow.return %3 : tensor<4x4xf32>
      }
      util.return %1 : tensor<4x4xf32>
    }
    ```
  }];
  let options = [
    Option<"mode", "mode", "::npu::dispatch_creation::FusionMode",
           "::npu::dispatch_creation::FusionMode::NPU", "The rules by which dispatches are formed",
           [{::llvm::cl::values(
               clEnumValN(::npu::dispatch_creation::FusionMode::IREE, "iree",
                          "the rules of IREE at its default optimization level"),
               clEnumValN(::npu::dispatch_creation::FusionMode::NPU, "npu",
                          "the rules for kernels of the NPU"))}]>,
    Option<"horizontalFusion", "horizontal-fusion", "bool", "false",
           "Fuse contractions with a common operand (mode=npu)">,
    Option<"fuseAttention", "fuse-attention", "bool", "true",
           "Fuse two contractions and the softmax between them (mode=npu)">,
    Option<"keepIntegers", "keep-integers", "bool", "false",
           "Keep floats out of the dispatches of integer contractions, for a vector unit without floats">
  ];
}

def CloneProducersIntoDispatchRegions :
    DispatchCreationPass<"clone-producers-into-dispatch-regions"> {
  let summary = "Clone cheap producers into the dispatches that use them";
  let description = [{
    Constants of up to 256 bytes, fills, uninitialized tensors, slices, pads of one value, scalar
    arithmetic and widening casts are computed where they are used. The target of an insertion is not, as it may be
    updated in place. A linalg generic that remains outside gets a dispatch of its own.

    #### Precondition
    Dispatches are `flow.dispatch.region`.

    #### Postcondition
    No region uses a cheap value from outside.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-clone-producers-into-dispatch-regions))'
    util.func public @f(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %c = arith.constant 2.0 : f32
      %1 = flow.dispatch.region -> (tensor<4x8xf32>) {
        %e = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
            ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
        ^bb0(%in: f32, %out: f32):
          %n = arith.mulf %in, %c : f32
          linalg.yield %n : f32
        } -> tensor<4x8xf32>
        flow.return %2 : tensor<4x8xf32>
      }
      util.return %1 : tensor<4x8xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = flow.dispatch.region -> (tensor<4x8xf32>) {
        %cst = arith.constant 2.000000e+00 : f32
        %1 = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf32>) outs(%1 : tensor<4x8xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = arith.mulf %in, %cst : f32
          linalg.yield %3 : f32
        } -> tensor<4x8xf32>
        flow.return %2 : tensor<4x8xf32>
      }
      util.return %0 : tensor<4x8xf32>
    }
    ```
  }];
}

def CollapseDimensions : DispatchCreationPass<"collapse-dimensions"> {
  let summary = "Collapse loops that all ops of a dispatch have in common";
  let description = [{
    Adjacent loops of the same kind that appear side by side in every indexing map of every generic
    of a dispatch become one loop. Operands and results are reshaped outside of the dispatch.
    Dispatches with ops other than generics and fills stay as they are.

    With `keep-images`, so do those that hand tensors on to a dispatch with windows, or take them from one,
    directly or through others: where all see an image with the same dimensions, they can share a kernel.

    #### Precondition
    Dispatches are `flow.dispatch.region`.

    #### Postcondition
    No reshape stands in a dispatch where none stood before.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-collapse-dimensions))'
    util.func public @f(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %1 = flow.dispatch.region -> (tensor<4x8xf32>) {
        %e = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
            ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
        ^bb0(%in: f32, %out: f32):
          %n = arith.negf %in : f32
          linalg.yield %n : f32
        } -> tensor<4x8xf32>
        flow.return %2 : tensor<4x8xf32>
      }
      util.return %1 : tensor<4x8xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
      %0 = flow.dispatch.region -> (tensor<32xf32>) {
        %1 = tensor.empty() : tensor<32xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%collapsed : tensor<32xf32>) outs(%1 : tensor<32xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = arith.negf %in : f32
          linalg.yield %3 : f32
        } -> tensor<32xf32>
        flow.return %2 : tensor<32xf32>
      }
      %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
      util.return %expanded : tensor<4x8xf32>
    }
    ```
  }];
  let options = [
    Option<"keepImages", "keep-images", "bool", "false",
           "leave dispatches alone that are connected to one with windows">
  ];
}

def ConvertDispatchRegionsToWorkgroups :
    DispatchCreationPass<"convert-dispatch-regions-to-workgroups"> {
  let summary = "Convert dispatch regions to isolated workgroups";
  let description = [{
    A region becomes `flow.dispatch.workgroups`: what it used from outside becomes an argument, what
    it returned a store. A result that updates a tensor from outside is tied to its argument.

    #### Precondition
    Regions have one block.

    #### Postcondition
    No `flow.dispatch.region` is left.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-convert-dispatch-regions-to-workgroups))'
    util.func public @f(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %1 = flow.dispatch.region -> (tensor<4x8xf32>) {
        %e = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
            ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
        ^bb0(%in: f32, %out: f32):
          %n = arith.negf %in : f32
          linalg.yield %n : f32
        } -> tensor<4x8xf32>
        flow.return %2 : tensor<4x8xf32>
      }
      util.return %1 : tensor<4x8xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = flow.dispatch.workgroups(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32> =
          (%arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>) {
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %2 = tensor.empty() : tensor<4x8xf32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%2 : tensor<4x8xf32>) {
        ^bb0(%in: f32, %out: f32):
          %4 = arith.negf %in : f32
          linalg.yield %4 : f32
        } -> tensor<4x8xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        flow.return
      }
      util.return %0 : tensor<4x8xf32>
    }
    ```
  }];
}

def ConvertTensorToFlow : DispatchCreationPass<"convert-tensor-to-flow"> {
  let summary = "Convert the remaining tensor ops between dispatches to flow ops";
  let description = [{
    Reshapes become `flow.tensor.reshape`, fills `flow.tensor.splat`. Insertions and extractions of
    a contiguous piece become `flow.tensor.update` and `flow.tensor.slice`, others a dispatch. In
    dispatches, slices are folded into the loads and stores of their tensors.

    #### Precondition
    Dispatches are `flow.dispatch.workgroups`.

    #### Postcondition
    Between dispatches no reshape, fill or slice of the tensor dialect is left.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-convert-tensor-to-flow))'
    util.func public @f(%0: tensor<1x4xf32>) -> tensor<4xf32> {
      %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
      util.return %1 : tensor<4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<1x4xf32>) -> tensor<4xf32> {
      %0 = flow.tensor.reshape %arg0 : tensor<1x4xf32> -> tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    ```
  }];
}

def MaterializeDefaultWorkgroupCountRegion :
    DispatchCreationPass<"materialize-default-workgroup-count-region"> {
  let summary = "Materialize the workgroup count regions of dispatches";
  let description = [{
    Gives every `flow.dispatch.workgroups` without a count region one. Its `index` arguments become
    the workload, each marked in the body by `iree_tensor_ext.dispatch.workload.ordinal`.

    #### Precondition
    None.

    #### Postcondition
    Every `flow.dispatch.workgroups` has a count region.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-materialize-default-workgroup-count-region))'
    util.func public @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = flow.dispatch.workgroups(%a) : (tensor<4xf32>) -> tensor<4xf32> =
          (%i: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %o: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
        %1 = iree_tensor_ext.dispatch.tensor.load %i, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %2 = math.exp %1 : tensor<4xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %o, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
        flow.return
      }
      util.return %0 : tensor<4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = flow.dispatch.workgroups(%arg0) : (tensor<4xf32>) -> tensor<4xf32> =
          (%arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %2 = math.exp %1 : tensor<4xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg2, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
        flow.return
      } count() -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
        flow.return %x, %y, %z : index, index, index
      }
      util.return %0 : tensor<4xf32>
    }
    ```
  }];
}

def SplitReductionOps : Pass<"npu-dispatch-creation-split-reduction-ops"> {
  let summary = "Split the reduction of matmuls in two";
  let description = [{
    A `linalg.matmul` of static shape whose K is a multiple of the ratio becomes a contraction that
    computes as many partial sums, over a new outer loop, and a sum over that loop. Sums of floats
    are reassociated.

    #### Precondition
    None.

    #### Postcondition
    None; with ratio 1 nothing changes.

    #### Example
    ```mlir
    // $ npu-opt --npu-dispatch-creation-split-reduction-ops=split-matmul-reduction=4
    util.func public @f(%a: tensor<6x24xf32>, %b: tensor<24x10xf32>, %0: tensor<6x10xf32>) -> tensor<6x10xf32> {
      %1 = linalg.matmul ins(%a, %b : tensor<6x24xf32>, tensor<24x10xf32>) outs(%0 : tensor<6x10xf32>) -> tensor<6x10xf32>
      util.return %1 : tensor<6x10xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<6x24xf32>, %arg1: tensor<24x10xf32>, %arg2: tensor<6x10xf32>) -> tensor<6x10xf32> {
      %expanded = tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [6, 4, 6] : tensor<6x24xf32> into tensor<6x4x6xf32>
      %expanded_0 = tensor.expand_shape %arg1 [[0, 1], [2]] output_shape [4, 6, 10] : tensor<24x10xf32> into tensor<4x6x10xf32>
      %0 = tensor.empty() : tensor<4x6x10xf32>
      %cst = arith.constant 0.000000e+00 : f32
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
      %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %expanded_0 : tensor<6x4x6xf32>, tensor<4x6x10xf32>) outs(%1 : tensor<4x6x10xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %4 = arith.mulf %in, %in_1 : f32
        %5 = arith.addf %out, %4 : f32
        linalg.yield %5 : f32
      } -> tensor<4x6x10xf32>
      %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%2 : tensor<4x6x10xf32>) outs(%arg2 : tensor<6x10xf32>) {
      ^bb0(%in: f32, %out: f32):
        %4 = arith.addf %in, %out : f32
        linalg.yield %4 : f32
      } -> tensor<6x10xf32>
      util.return %3 : tensor<6x10xf32>
    }
    ```
  }];
  let options = [
    Option<"splitMatmulReduction", "split-matmul-reduction", "int64_t", "1",
           "The number of partial sums of a matmul, where 1 does not split it">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def Detensorize : Pass<"npu-dispatch-creation-detensorize", "::mlir::ModuleOp"> {
  let summary = "Convert single-element tensors of control flow to scalars";
  let description = [{
    Runs upstream's `linalg-detensorize`, which works on `func.func`, on the host functions: linalg
    ops on tensors of one element that branch conditions depend on become ops on scalars.

    #### Precondition
    None.

    #### Postcondition
    None; arguments and results of functions keep their types.

    #### Sketch
    In full in `test/DispatchCreation/detensorize.mlir`:

    ```mlir
    %1 = linalg.generic ins(%a, %b : tensor<i32>, tensor<i32>) ... { arith.addi }
    // becomes
    %0 = tensor.extract %a[] : tensor<i32>
    %1 = arith.addi ...
    ```
  }];
  let options = [
    Option<"aggressiveMode", "aggressive-mode", "bool", "false",
           "Convert all single-element tensors, not only those of control flow">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // NPU_DISPATCHCREATION_PASSES_TD
