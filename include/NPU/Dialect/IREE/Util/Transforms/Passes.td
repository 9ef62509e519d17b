//===- Passes.td - passes on host functions and globals --------------------===//

#ifndef NPU_DIALECT_IREE_UTIL_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_IREE_UTIL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SimplifyGlobalAccesses :
    InterfacePass<"npu-util-simplify-global-accesses", "::mlir::CallableOpInterface"> {
  let summary = "Remove redundant loads and stores of globals";
  let description = [{
    Every immutable global is loaded once, at the start of the function. Accesses to a mutable global
    are simplified within sequences: parts of a block without a call, a wait or an op that nothing is
    known of. There, a load after a load or a store takes its value; of several stores the last one
    stays. The load that is left moves to the start of the sequence, the store to its end; several
    are in the order of their symbols.

    In an initializer every global is mutable. In a function that accesses a global by address, only
    loads of immutable globals are simplified.

    #### Precondition
    None.

    #### Postcondition
    A sequence has at most one load and one store of a global, and the load comes first.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-util-simplify-global-accesses))'
    util.global private mutable @state : tensor<4xf32>
    util.func public @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      util.global.store %a, @state : tensor<4xf32>
      %0 = util.global.load @state : tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    // becomes
    util.global private mutable @state : tensor<4xf32>
    util.func public @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      util.global.store %arg0, @state : tensor<4xf32>
      util.return %arg0 : tensor<4xf32>
    }
    ```
  }];
}

def ApplyPatterns : Pass<"npu-util-apply-patterns"> {
  let summary = "Canonicalize, and simplify block arguments";
  let description = [{
    Runs the canonicalization patterns of all dialects. In addition, arguments of a block that are
    given the same value by every branch are merged, and an argument that is the same value on every
    edge is replaced by that value. The branches lose the operands.

    #### Precondition
    None.

    #### Postcondition
    No block has such arguments.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-util-apply-patterns))'
    util.func public @f(%c: i1, %0: index, %1: index, %2: index) -> (index, index, index) {
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      cf.br ^bb3(%0, %0, %2 : index, index, index)
    ^bb2:
      cf.br ^bb3(%1, %1, %2 : index, index, index)
    ^bb3(%a: index, %b: index, %d: index):
      util.return %a, %b, %d : index, index, index
    }
    // becomes
    util.func public @f(%arg0: i1, %arg1: index, %arg2: index, %arg3: index) -> (index, index, index) {
      %0 = arith.select %arg0, %arg1, %arg2 : index
      %1 = arith.select %arg0, %arg1, %arg2 : index
      util.return %0, %1, %arg3 : index, index, index
    }
    ```
  }];
}

def FoldGlobals : Pass<"npu-util-fold-globals", "::mlir::ModuleOp"> {
  let summary = "Fold globals into their uses";
  let description = [{
    Repeats, with canonicalization of the functions in between, until nothing changes:

    1. A global without an initial value whose stores all write one constant has that value from the
       start.
    2. A private mutable global that is only stored what was loaded from another global, each time
       that one is stored, is that other global.
    3. A private global that is stored by initializers only is immutable.
    4. A load of an immutable global with a constant value that nobody stores is that constant,
       unless the global must not be inlined or carries attributes of other dialects. A parameter
       is a constant of the flow dialect.
    5. A private global that is never loaded goes, and its stores with it.
    6. Private immutable globals of equal value, type and attributes that nobody stores are one.

    A global that is referred to in any other way, by its address or by an attribute, is left alone.

    #### Precondition
    None.

    #### Postcondition
    Loads of immutable globals outside of initializers are `immutable`.

    #### Example
    ```mlir
    // $ npu-opt --npu-util-fold-globals
    util.global private @scale = 2.0 : f32
    util.func public @f() -> f32 {
      %0 = util.global.load @scale : f32
      util.return %0 : f32
    }
    // becomes
    util.func public @f() -> f32 {
      %cst = arith.constant 2.000000e+00 : f32
      util.return %cst : f32
    }
    ```
  }];
  let options = [
    Option<"maxIterations", "max-iterations", "int64_t", "10",
           "The largest number of rounds">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::npu::util::UtilDialect"];
}

def FuseGlobals : Pass<"npu-util-fuse-globals", "::mlir::ModuleOp"> {
  let summary = "Merge globals that always have the same value";
  let description = [{
    Private globals of the same type and initial value become one if every store to one of them
    stands beside a store of the same value to the other.

    #### Precondition
    Accesses are simplified (`npu-util-simplify-global-accesses`): what is stored several times in a
    row is not looked at.

    #### Postcondition
    None.

    #### Example
    ```mlir
    // $ npu-opt --npu-util-fuse-globals
    util.global private mutable @a : i32
    util.global private mutable @b : i32
    util.func public @f(%0: i32) -> (i32, i32) {
      util.global.store %0, @a : i32
      util.global.store %0, @b : i32
      %1 = util.global.load @a : i32
      %2 = util.global.load @b : i32
      util.return %1, %2 : i32, i32
    }
    // becomes
    util.global private mutable @a : i32
    util.func public @f(%arg0: i32) -> (i32, i32) {
      util.global.store %arg0, @a : i32
      %a = util.global.load @a : i32
      %a_0 = util.global.load @a : i32
      util.return %a, %a_0 : i32, i32
    }
    ```
  }];
}

def HoistIntoGlobals : Pass<"npu-util-hoist-into-globals", "::mlir::ModuleOp"> {
  let summary = "Hoist constant expressions into globals";
  let description = [{
    A tensor that a host function computes from constants and immutable globals alone is computed by
    an initializer instead, which stores it to a new private global `@__hoisted_<type>`; the function
    loads it. Not hoisted: what is made of repeated values (a fill), another shape of a value, and
    what is much larger than the data that it comes from.

    #### Precondition
    None.

    #### Postcondition
    None; what computed the value is dead where nothing else needs it.

    #### Example
    ```mlir
    // $ npu-opt --npu-util-hoist-into-globals
    util.global private @w = dense<1.0> : tensor<8x4xf32>
    util.func public @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %w = util.global.load immutable @w : tensor<8x4xf32>
      %e = tensor.empty() : tensor<4x8xf32>
      %t = linalg.transpose ins(%w : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
      %0 = arith.addf %a, %t : tensor<4x8xf32>
      util.return %0 : tensor<4x8xf32>
    }
    // becomes
    util.global private @w = dense<1.000000e+00> : tensor<8x4xf32>
    util.global private @__hoisted_tensor_4x8xf32 : tensor<4x8xf32>
    util.initializer {
      %w = util.global.load immutable @w : tensor<8x4xf32>
      %0 = tensor.empty() : tensor<4x8xf32>
      %transposed = linalg.transpose ins(%w : tensor<8x4xf32>) outs(%0 : tensor<4x8xf32>) permutation = [1, 0] 
      util.global.store %transposed, @__hoisted_tensor_4x8xf32 : tensor<4x8xf32>
      util.return
    }
    util.func public @f(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %w = util.global.load immutable @w : tensor<8x4xf32>
      %0 = tensor.empty() : tensor<4x8xf32>
      %__hoisted_tensor_4x8xf32 = util.global.load immutable @__hoisted_tensor_4x8xf32 : tensor<4x8xf32>
      %transposed = linalg.transpose ins(%w : tensor<8x4xf32>) outs(%0 : tensor<4x8xf32>) permutation = [1, 0] 
      %1 = arith.addf %arg0, %__hoisted_tensor_4x8xf32 : tensor<4x8xf32>
      util.return %1 : tensor<4x8xf32>
    }
    ```
  }];
  let options = [
    Option<"maxSizeIncreaseThreshold", "max-size-increase-threshold", "int64_t", "1048576",
           "The number of bytes by which a hoisted value may exceed the data that it is computed from">
  ];
  let dependentDialects = ["::npu::util::UtilDialect"];
}

def StripDebugOps : Pass<"npu-util-strip-debug-ops"> {
  let summary = "Erase assertions";
  let description = [{
    Erases every `cf.assert`. What computed its condition is left to canonicalization.

    #### Precondition
    None.

    #### Postcondition
    No assertion is left.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-util-strip-debug-ops))'
    util.func public @f(%0: i1) {
      cf.assert %0, "a must not be below b"
      util.return
    }
    // becomes
    util.func public @f(%arg0: i1) {
      util.return
    }
    ```
  }];
}

#endif // NPU_DIALECT_IREE_UTIL_TRANSFORMS_PASSES_TD
