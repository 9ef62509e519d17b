//===- Passes.td - passes from tensors to the host's code ------------------===//
//
// What upstream has no pass for. npu-host-pipeline puts them between upstream's passes.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_HOSTLOWERING_PASSES_TD
#define NPU_HOSTLOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

class HostFunctionPass<string flag> : InterfacePass<flag, "::mlir::FunctionOpInterface">;

def LowerTosa : Pass<"npu-host-lower-tosa", "::mlir::ModuleOp"> {
  let summary = "Lower tosa to linalg, arith, tensor and scf with the upstream passes";
  let description = [{
    Modules without ops of tosa stay as they are: upstream's pipeline would canonicalize them. The
    compiler lowers tosa by a pass of its own, as the reference shares no code with it.

    #### Precondition
    Ops of tosa are in a `func.func`.

    #### Postcondition
    No op of tosa is left, except those that upstream cannot lower.
  }];
}

def LowerPacks : HostFunctionPass<"npu-host-lower-packs"> {
  let summary = "Lower linalg.pack and linalg.unpack";
  let description = [{
    #### Precondition
    Inner tiles are static.

    #### Postcondition
    A pad, an expansion or collapse, and a transpose stand for each `linalg.pack` and `linalg.unpack`.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(func.func(npu-host-lower-packs))'
    func.func @f(%x: tensor<8xf32>, %0: tensor<2x4xf32>) -> tensor<2x4xf32> {
      %1 = linalg.pack %x inner_dims_pos = [0] inner_tiles = [4] into %0 : tensor<8xf32> -> tensor<2x4xf32>
      return %1 : tensor<2x4xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<8xf32>, %arg1: tensor<2x4xf32>) -> tensor<2x4xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %padded = tensor.pad %arg0 low[0] high[0] {
      ^bb0(%arg2: index):
        tensor.yield %cst : f32
      } : tensor<8xf32> to tensor<8xf32>
      %expanded = tensor.expand_shape %padded [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
      %transposed = linalg.transpose ins(%expanded : tensor<2x4xf32>) outs(%arg1 : tensor<2x4xf32>) permutation = [0, 1] 
      return %transposed : tensor<2x4xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def DecomposeAggregates : HostFunctionPass<"npu-host-decompose-aggregates"> {
  let summary = "Decompose aggregates such as linalg.softmax";
  let description = [{
    Asks upstream's `AggregatedOpInterface`.

    #### Precondition
    None.

    #### Postcondition
    No op implements that interface.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def DecomposeConcat : HostFunctionPass<"npu-host-decompose-concat"> {
  let summary = "Decompose tensor.concat into insertions";
  let description = [{
    Applies upstream's patterns.

    #### Precondition
    None.

    #### Postcondition
    No `tensor.concat` is left.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def SplitSlices : HostFunctionPass<"npu-host-split-slices"> {
  let summary = "Split slices into strided slices and rank reductions";
  let description = [{
    Upstream tells the dimensions that a `memref.subview` leaves out by their strides, and crashes on
    those that it cannot tell: where the subview has other strides than its source.

    #### Precondition
    None.

    #### Postcondition
    No `tensor.extract_slice` or `tensor.insert_slice` with strides leaves dimensions out.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(func.func(npu-host-split-slices))'
    func.func @f(%0: tensor<8x1x4xf32>) -> tensor<4x1xf32> {
      %1 = tensor.extract_slice %0[0, 0, 0] [4, 1, 1] [2, 1, 1] : tensor<8x1x4xf32> to tensor<4x1xf32>
      return %1 : tensor<4x1xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<8x1x4xf32>) -> tensor<4x1xf32> {
      %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [4, 1, 1] [2, 1, 1] : tensor<8x1x4xf32> to tensor<4x1x1xf32>
      %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<4x1x1xf32> into tensor<4x1xf32>
      return %collapsed : tensor<4x1xf32>
    }
    ```
  }];
}

def GeneralizeOps : HostFunctionPass<"npu-host-generalize-ops"> {
  let summary = "Generalize named linalg ops, except linalg.fill";
  let description = [{
    As upstream's `linalg-generalize-named-ops`, but for fills: they are bufferized and vectorized well
    as they are, and tell `eliminate-empty-tensors` more.

    #### Precondition
    None.

    #### Postcondition
    The only linalg ops are `linalg.generic` and `linalg.fill`, and those that upstream does not generalize.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def DefineUndefined : HostFunctionPass<"npu-host-define-undefined"> {
  let summary = "Define the results of ops that are undefined for some data";
  let description = [{
    What is undefined for some data must not end the process that runs the code, and is what the instruction
    set says where it says something:

    * a quotient or remainder by zero is 0; the least integer divided by -1 is the least integer, the remainder 0;
    * shifts by the bit width or more shift every bit out; a negative amount counts as too large for `shli`
      and `shrui`, and as 0 for `shrsi`;
    * a float outside of the integer type that it is converted to gives the nearest integer of that type, NaN 0;
    * 0 to a negative power (`math.ipowi`) is 0;
    * flags that promise something of the operands (`overflow<nsw>`, `exact`, `nneg`, `fastmath<nnan>` and the like)
      are dropped: what they rule out happens, and `fastmath` would round otherwise than the IR says.

    Ops of the index dialect become those of arith where they can be undefined.

    #### Precondition
    Arithmetic on tensors is in `linalg` ops: `convert-elementwise-to-linalg`.

    #### Postcondition
    No division, shift, power or conversion to an integer of scalars is undefined for any data.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(func.func(npu-host-define-undefined))'
    func.func @f(%x: i32, %y: i32) -> i32 {
      %q = arith.divsi %x, %y : i32
      return %q : i32
    }
    // becomes
    func.func @f(%arg0: i32, %arg1: i32) -> i32 {
      %c0_i32 = arith.constant 0 : i32
      %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
      %c0_i32_0 = arith.constant 0 : i32
      %1 = arith.cmpi eq, %arg1, %c0_i32_0 : i32
      %c-1_i32 = arith.constant -1 : i32
      %2 = arith.cmpi eq, %arg1, %c-1_i32 : i32
      %c-2147483648_i32 = arith.constant -2147483648 : i32
      %3 = arith.cmpi eq, %arg0, %c-2147483648_i32 : i32
      %4 = arith.andi %2, %3 : i1
      %5 = arith.ori %1, %4 : i1
      %c1_i32 = arith.constant 1 : i32
      %6 = arith.select %5, %c1_i32, %arg1 : i32
      %7 = arith.divsi %arg0, %6 : i32
      %c0_i32_1 = arith.constant 0 : i32
      %8 = arith.select %0, %c0_i32_1, %7 : i32
      return %8 : i32
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def KeepInBounds : HostFunctionPass<"npu-host-keep-in-bounds"> {
  let summary = "Clamp data-dependent accesses to the bounds of their tensors";
  let description = [{
    Ops on tensors are pure: passes may run them where the program does not, so none may fail. Where data or constants
    give indices that a tensor does not have,

    * `tensor.extract` reads the nearest element, and 0 of a tensor without elements;
    * `tensor.insert` writes nothing;
    * `tensor.extract_slice` reads the nearest slice. Strides become the largest with which it fits, of the same sign,
      and 1 instead of 0; sizes that are data become the largest that fit with these; then offsets move until all of it
      is inside;
    * `tensor.insert_slice` and `tensor.parallel_insert_slice` write nothing unless all of the slice is inside;
    * edges of a `tensor.pad` that are data are at least 0, and those in front leave the source inside of a result whose
      extents are given;
    * the dimension of a `tensor.dim` is the nearest one;
    * extents of new tensors (`tensor.empty`, `tensor.splat`, `tensor.generate`) are at least 0;
    * steps of loops are at least 1.

    Indices that are constants in range cost nothing. Types that no data makes right are errors: a slice that is
    read, or inserted in parallel, of more elements than there are, negative edges, a source that is larger than the
    padded result.

    #### Precondition
    `affine.apply` and the like are lowered, as what they compute is not known here.

    #### Postcondition
    Every element of a slice is inside of the tensor for any data. Extents that do not fit to each other are left to
    `npu-host-check-shapes`.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(func.func(npu-host-keep-in-bounds))'
    func.func @f(%x: tensor<8xf32>, %i: index) -> tensor<4xf32> {
      %0 = tensor.extract_slice %x[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<8xf32>, %arg1: index) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %0 = arith.maxsi %arg1, %c0 : index
      %1 = arith.minsi %0, %c4 : index
      %2 = arith.cmpi eq, %1, %arg1 : index
      %extracted_slice = tensor.extract_slice %arg0[%1] [4] [1] : tensor<8xf32> to tensor<4xf32>
      return %extracted_slice : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def RoundOnce : HostFunctionPass<"npu-host-round-once"> {
  let summary = "Convert integers to bf16 with one rounding";
  let description = [{
    LLVM converts them through f32, which does not hold integers of 32 and 64 bits: 16842753 is 2^24 + 2^16 + 1, more
    than the middle of two values of bf16, and f32 rounds it to the middle. Here the integer is rounded to odd first, to the
    24 bits of f32 or the 53 of f64, after which the conversion is exact and the truncation rounds as if it had the integer.
    For f16 LLVM is right: what f32 does not hold is infinite in f16.

    `arith.truncf` of a converted integer becomes LLVM's op: upstream's `canonicalize` would make both one conversion, which
    is not what the IR says.

    #### Precondition
    Arithmetic on tensors is in `linalg` ops: `convert-elementwise-to-linalg`.

    #### Postcondition
    No scalar conversion to bf16 is from more bits than f32 holds, and none can be merged with another.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(func.func(npu-host-round-once))'
    func.func @f(%x: i32) -> bf16 {
      %0 = arith.sitofp %x : i32 to bf16
      return %0 : bf16
    }
    // becomes
    func.func @f(%arg0: i32) -> bf16 {
      %c0_i32 = arith.constant 0 : i32
      %c255_i32 = arith.constant 255 : i32
      %0 = arith.andi %arg0, %c255_i32 : i32
      %c-256_i32 = arith.constant -256 : i32
      %1 = arith.andi %arg0, %c-256_i32 : i32
      %2 = arith.cmpi eq, %0, %c0_i32 : i32
      %c256_i32 = arith.constant 256 : i32
      %3 = arith.select %2, %c0_i32, %c256_i32 : i32
      %4 = arith.ori %1, %3 : i32
      %c16777216_i32 = arith.constant 16777216 : i32
      %5 = arith.addi %arg0, %c16777216_i32 : i32
      %c33554432_i32 = arith.constant 33554432 : i32
      %6 = arith.cmpi ult, %5, %c33554432_i32 : i32
      %7 = arith.select %6, %arg0, %4 : i32
      %8 = arith.sitofp %7 : i32 to f32
      %9 = llvm.fptrunc %8 : f32 to bf16
      return %9 : bf16
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}

def WidenSums : HostFunctionPass<"npu-host-widen-sums"> {
  let summary = "Accumulate long sums of f32 in f64";
  let description = [{
    A sum of more than 128 terms, or of a number that only data tells, gets an accumulator of f64 and is rounded to f32 once.
    Terms are computed as the IR says, and their order stays. With one of f32, the sum of a softmax of 32000 elements is hundreds
    of units in the last place off, as the accumulator grows and terms do not.

    Contractions (matmuls, convolutions), which use an element for several results, keep f32: they compute more than they read,
    and would take twice as long. So do sums of f16 and bf16, whose rounding is the model's.

    #### Precondition
    `linalg.generic` on tensors: `npu-host-generalize-ops`.

    #### Postcondition
    No `linalg.generic` adds more than 128 terms of f32 to one of f32, unless it reads an element for several results.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(func.func(npu-host-widen-sums))'
    func.func @f(%x: tensor<32000xf32>, %init: tensor<f32>) -> tensor<f32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
          ins(%x : tensor<32000xf32>) outs(%init : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.addf %out, %in : f32
        linalg.yield %1 : f32
      } -> tensor<f32>
      return %0 : tensor<f32>
    }
    // becomes
    func.func @f(%arg0: tensor<32000xf32>, %arg1: tensor<f32>) -> tensor<f32> {
      %0 = tensor.empty() : tensor<f64>
      %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg1 : tensor<f32>) outs(%0 : tensor<f64>) {
      ^bb0(%in: f32, %out: f64):
        %5 = arith.extf %in : f32 to f64
        linalg.yield %5 : f64
      } -> tensor<f64>
      %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%arg0 : tensor<32000xf32>) outs(%1 : tensor<f64>) {
      ^bb0(%in: f32, %out: f64):
        %5 = arith.extf %in : f32 to f64
        %6 = arith.addf %out, %5 : f64
        linalg.yield %6 : f64
      } -> tensor<f64>
      %3 = tensor.empty() : tensor<f32>
      %4 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%2 : tensor<f64>) outs(%3 : tensor<f32>) {
      ^bb0(%in: f64, %out: f32):
        %5 = arith.truncf %in : f64 to f32
        linalg.yield %5 : f32
      } -> tensor<f32>
      return %4 : tensor<f32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def OrderLoops : HostFunctionPass<"npu-host-order-loops"> {
  let summary = "Reorder the loops of reductions so that LLVM vectorizes them";
  let description = [{
    Generated loops follow the iterator order of linalg ops, which usually puts a reduction innermost. A
    floating-point reduction cannot be vectorized without changing its result, so the naive order is 10 to 30
    times slower than one with a parallel dimension of unit stride innermost. That dimension, and operands that are
    transposed to have it last, are chosen here. Reductions keep their order: no value changes.

    #### Precondition
    `linalg.generic` on tensors: `npu-host-generalize-ops`.

    #### Postcondition
    Reordered ops have the attribute `npu_host.ordered`, for `npu-host-tile-loops`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SeparateEmpties : HostFunctionPass<"npu-host-separate-empties"> {
  let summary = "Duplicate tensor.empty for every use";
  let description = [{
    Ops that write to the same `tensor.empty`, which `cse` makes of all of a type, are aliases to upstream's bufferization
    until it has seen each of them: its time grows with the cube of their number. With a `tensor.empty` each, it grows with
    the number of ops, and that of the reads of one value squared.

    #### Precondition
    No `cse` comes between this and `one-shot-bufferize`.

    #### Postcondition
    Every `tensor.empty` has one use. What becomes a buffer each is for `npu-host-reuse-buffers`.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def EliminateEmpties : Pass<"npu-host-eliminate-empties", "::mlir::ModuleOp"> {
  let summary = "Run eliminate-empty-tensors in functions with insertions";
  let description = [{
    Upstream's pass computes slices where they are inserted. It analyses all aliases first, which takes as long as
    `one-shot-bufferize` and changes nothing where no `tensor.insert_slice` is.

    #### Precondition
    Functions on tensors.

    #### Postcondition
    As of `eliminate-empty-tensors`.
  }];
}

def MarkEntries : HostFunctionPass<"npu-host-mark-entries"> {
  let summary = "Mark public functions as entry points";
  let description = [{
    Nothing may write their inputs: `bufferization.writable = false`, which `one-shot-bufferize` reads and removes.
    The host calls them by addresses of memref descriptors: `llvm.emit_c_interface`, which `convert-to-llvm` reads.

    #### Precondition
    Functions on tensors.

    #### Postcondition
    Bufferization copies an input before it is changed.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def CopyRepeatedResults : HostFunctionPass<"npu-host-copy-repeated-results"> {
  let summary = "Copy buffers that are returned repeatedly";
  let description = [{
    A buffer that is returned twice is copied: `buffer-results-to-out-params` makes an argument of each result and
    would replace the value by one of them only.

    #### Precondition
    Functions on memrefs of static shape: `one-shot-bufferize`.

    #### Postcondition
    A function returns no memref twice.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def ReplaceCopies : HostFunctionPass<"npu-host-replace-copies"> {
  let summary = "Convert memref.copy to linalg.generic";
  let description = [{
    Upstream lowers strided copies to calls of its runners' library, which this code does without. As loops they are
    vectorized, too.

    #### Precondition
    None.

    #### Postcondition
    No `memref.copy` is left.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def ReuseBuffers : HostFunctionPass<"npu-host-reuse-buffers"> {
  let summary = "Reuse buffers whose contents are dead";
  let description = [{
    Buffers of one static type whose lives in a block are apart become one. Upstream frees buffers at the end of their
    block only, so a chain of ops would hold one per op.

    #### Precondition
    Functions on memrefs, before the deallocation of buffers.

    #### Postcondition
    No two buffers of a type that only linalg ops, loads, stores and views use have lives that are apart.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def OutlineOps : Pass<"npu-host-outline-ops", "::mlir::ModuleOp"> {
  let summary = "Outline the linalg ops of long functions";
  let description = [{
    LLVM's analyses of loops go up through all loops before them: the time for a function grows with the square of its
    loops. From 64 ops on each becomes a private function that is not inlined; ops that print the same share one.

    #### Precondition
    Functions on memrefs.

    #### Postcondition
    No function has 64 linalg ops or more in its blocks.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def CheckShapes : HostFunctionPass<"npu-host-check-shapes"> {
  let summary = "Check data-dependent extents before their use";
  let description = [{
    Asserts before every op with buffers of dynamic shape that their extents fit: by upstream's
    `RuntimeVerifiableOpInterface` for linalg ops, casts and subviews, and for new buffers and expanded shapes, for
    which upstream has nothing, that extents are at least 0 and that their product is the number of elements. The messages start
    with the place in the input.

    Maps of linalg ops are checked as well, as upstream's verifier looks at the first and the last iteration only: with
    `(d0, d1) -> (d0 - d1)`, both read element 0. Where shapes are static, a map that leaves an operand is an error, and
    nothing is left to check. Where they are data, the map must be a sum of loop indices, for which there is an assert.

    #### Precondition
    Functions on memrefs: `one-shot-bufferize`, `npu-host-replace-copies`.

    #### Postcondition
    No loop leaves a buffer: a `cf.assert` fails first.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def CheckAllocations : HostFunctionPass<"npu-host-check-allocations"> {
  let summary = "Check the allocations of temporary buffers";
  let description = [{
    A `cf.assert` behind every `memref.alloc` that its address is not null, with the place in the input. A static type
    whose size cannot be computed in 64 bits is an error.

    #### Precondition
    Every `memref.alloc` is there, those of `bufferization.clone` too.

    #### Postcondition
    Nothing is read or written at the null address.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect"
  ];
}

def TileLoops : HostFunctionPass<"npu-host-tile-loops"> {
  let summary = "Tile the two innermost loops of reordered reductions";
  let description = [{
    Accumulators of one tile stay in the first-level cache while the reductions run. No value changes.

    #### Precondition
    Ops with the attribute `npu_host.ordered`, on memrefs.

    #### Postcondition
    The attribute is gone. Ops that need tiles are in `scf.for`.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def CallLibm : Pass<"npu-host-call-libm", "::mlir::ModuleOp"> {
  let summary = "Call the C library for log1p and expm1";
  let description = [{
    Upstream's conversion to intrinsics takes the logarithm of 1 + x, and 1 off the exponential. Near zero both have no digits
    left: in bf16 half of the result is wrong.

    #### Precondition
    None.

    #### Postcondition
    No `math.log1p` and no `math.expm1` is left.

    #### Example
    ```mlir
    // $ npu-opt --npu-host-call-libm
    func.func @f(%x: f32) -> f32 {
      %0 = math.log1p %x : f32
      return %0 : f32
    }
    // becomes
    func.func private @log1pf(f32) -> f32 attributes {llvm.readnone}
    func.func @f(%arg0: f32) -> f32 {
      %0 = call @log1pf(%arg0) : (f32) -> f32
      return %0 : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect"];
}

#endif // NPU_HOSTLOWERING_PASSES_TD
