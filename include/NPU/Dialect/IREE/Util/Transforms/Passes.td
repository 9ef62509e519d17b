//===- Passes.td - passes on host functions and globals --------------------===//

#ifndef NPU_DIALECT_IREE_UTIL_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_IREE_UTIL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SimplifyGlobalAccesses :
    InterfacePass<"npu-util-simplify-global-accesses", "::mlir::CallableOpInterface"> {
  let summary = "Remove loads and stores of globals that are not needed";
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
    util.global.store %0, @state : tensor<4xf32>
    %1 = util.global.load @state : tensor<4xf32>
    util.return %1 : tensor<4xf32>
    // becomes
    util.global.store %0, @state : tensor<4xf32>
    util.return %0 : tensor<4xf32>
    ```
  }];
}

def ApplyPatterns : Pass<"npu-util-apply-patterns"> {
  let summary = "Canonicalize, and simplify the arguments of blocks";
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
    cf.br ^bb3(%0, %0, %c : index, index, index)   // and the same from elsewhere, with %1 for %0
    ^bb3(%a: index, %b: index, %d: index):
    // becomes
    cf.br ^bb3(%0 : index)
    ^bb3(%a: index):                               // %b is %a, %d is %c
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
    util.global private @scale = 2.0 : f32
    %0 = util.global.load @scale : f32
    // becomes
    %0 = arith.constant 2.0 : f32
    ```
  }];
  let options = [
    Option<"maxIterations", "max-iterations", "int64_t", "10",
           "Number of rounds after which the rest is left as it is">
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
    util.global.store %0, @a : i32
    util.global.store %0, @b : i32
    // becomes, if no other store differs
    util.global.store %0, @a : i32
    ```
  }];
}

def HoistIntoGlobals : Pass<"npu-util-hoist-into-globals", "::mlir::ModuleOp"> {
  let summary = "Compute what does not depend on arguments once";
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
    util.func public @f(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %w = util.global.load immutable @w : tensor<8x4xf32>
      %t = linalg.transpose ins(%w : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) ...
      %0 = arith.addf %arg0, %t : tensor<4x8xf32>
    // becomes
    util.global private @__hoisted_tensor_4x8xf32 : tensor<4x8xf32>
    util.initializer {
      %w = util.global.load immutable @w : tensor<8x4xf32>
      %t = linalg.transpose ins(%w : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) ...
      util.global.store %t, @__hoisted_tensor_4x8xf32 : tensor<4x8xf32>
      util.return
    }
    util.func public @f(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %t = util.global.load immutable @__hoisted_tensor_4x8xf32 : tensor<4x8xf32>
      %0 = arith.addf %arg0, %t : tensor<4x8xf32>
    ```
  }];
  let options = [
    Option<"maxSizeIncreaseThreshold", "max-size-increase-threshold", "int64_t", "1048576",
           "Number of bytes by which a value may be larger than its data">
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
    cf.assert %0, "a must not be below b"
    // becomes nothing
    ```
  }];
}

#endif // NPU_DIALECT_IREE_UTIL_TRANSFORMS_PASSES_TD
