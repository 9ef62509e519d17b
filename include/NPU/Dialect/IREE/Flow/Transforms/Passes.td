//===- Passes.td - passes on IREE's flow-level IR --------------------------===//

#ifndef NPU_DIALECT_IREE_FLOW_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_IREE_FLOW_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def DropEncodings : Pass<"npu-drop-encodings", "::mlir::ModuleOp"> {
  let summary = "Give all tensors their plain layout back";
  let description = [{
    Undoes what IREE's data tiling has planned. An encoding says how IREE will lay out a tensor, not
    what is in it, and the NPU has layouts of its own. Every `#iree_encoding` attribute goes from the
    types of tensors, wherever these stand: in functions, globals, executables, dispatch tensors,
    regions and attributes. `iree_encoding.set_encoding`, `unset_encoding` and `flow.tensor.encode`
    are replaced by their sources. A dispatch that only encodes copies its argument.
    All passes that need plain layouts do this first.

    #### Precondition
    No tensor has the encoding `#iree_encoding.packed_storage`, which the host sees in its buffers.

    #### Postcondition
    No tensor has an encoding of `iree_encoding`, and no op of this dialect is left.

    #### Example
    ```mlir
    // $ npu-opt --npu-drop-encodings
    util.func public @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32, #iree_encoding.testing<>> {
      %0 = iree_encoding.set_encoding %a : tensor<4x8xf32> -> tensor<4x8xf32, #iree_encoding.testing<>>
      %1 = math.exp %0 : tensor<4x8xf32, #iree_encoding.testing<>>
      util.return %1 : tensor<4x8xf32, #iree_encoding.testing<>>
    }
    // becomes
    util.func public @f(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = math.exp %arg0 : tensor<4x8xf32>
      util.return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::npu::flow::FlowDialect", "::mlir::tensor::TensorDialect"];
}

def ImportDispatches : Pass<"npu-import-dispatches", "::mlir::ModuleOp"> {
  let summary = "Convert the functions of flow executables to functions on tensors";
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
    The functions have one block, in which all stores stand, and all loads of what is stored to.
    Encodings of IREE are dropped first, by `npu-drop-encodings`; there are no others. The host
    program is for one device.

    #### Postcondition
    Neither types nor ops of `iree_tensor_ext.dispatch.tensor` remain in executables. Dynamic shapes
    stay; their sizes are index arguments as before.

    #### Example
    ```mlir
    // $ npu-opt --npu-import-dispatches
    flow.executable private @ex0 {
      flow.executable.export public @exp
      builtin.module {
        func.func @exp(%i: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %o: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
          %0 = iree_tensor_ext.dispatch.tensor.load %i, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
          %1 = math.exp %0 : tensor<4xf32>
          iree_tensor_ext.dispatch.tensor.store %1, %o, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
          return
        }
      }
    }
    util.func public @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = flow.dispatch @ex0::@exp(%a) : (tensor<4xf32>) -> tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    // becomes
    flow.executable private @ex0 {
      flow.executable.export public @exp
      builtin.module {
        func.func @exp(%arg0: tensor<4xf32>) -> tensor<4xf32> {
          %0 = math.exp %arg0 : tensor<4xf32>
          return %0 : tensor<4xf32>
        }
      }
    }
    util.func public @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = flow.dispatch @ex0::@exp(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def InitializeEmptyTensors : Pass<"npu-flow-initialize-empty-tensors"> {
  let summary = "Allocate the uninitialized tensors between dispatches";
  let description = [{
    A `tensor.empty` of a host function that something else than linalg uses becomes
    `flow.tensor.empty`, or with `zero-fill` a `flow.tensor.splat` of zero. Element types that have no
    zero stay uninitialized.

    #### Precondition
    None.

    #### Postcondition
    Between dispatches no `tensor.empty` is used but by linalg ops.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-flow-initialize-empty-tensors))'
    util.func public @f() -> tensor<4xf32> {
      %0 = tensor.empty() : tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    // becomes
    util.func public @f() -> tensor<4xf32> {
      %0 = flow.tensor.empty : tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"zeroFill", "zero-fill", "bool", "false", "Fill the tensors with zeros">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::npu::flow::FlowDialect"];
}

def OutlineDispatchExterns : Pass<"npu-flow-outline-dispatch-externs", "::mlir::ModuleOp"> {
  let summary = "Outline dispatches of externally compiled code into executables";
  let description = [{
    Each `hal.dispatch.extern` gets an executable `@extern_dispatch` with one variant per target,
    named by the target's format, and a `flow.dispatch` of all of its entry points takes the op's
    place. The files go to the variants, the count region to the exports. A name that is taken gets
    a suffix.

    #### Precondition
    None.

    #### Postcondition
    No `hal.dispatch.extern` is left.

    #### Sketch
    In full in `test/Dialect/IREE/Flow/Transforms/npu-flow-outline-dispatch-externs.mlir`:

    ```mlir
    %1 = hal.dispatch.extern "entry"(%0) : (tensor<4xf32>) -> tensor<4xf32> ...
    // becomes
    hal.executable private @extern_dispatch {
      hal.executable.variant public @npu_binary target(<"npu", "npu-binary">) objects([...]) {
        hal.executable.export public @entry ordinal(0) layout(...)
      }
    }
    %1 = flow.dispatch @extern_dispatch::@npu_binary::@entry(%0) : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::npu::flow::FlowDialect", "::npu::hal::HALDialect"];
}

def OutlineDispatchRegions : Pass<"npu-flow-outline-dispatch-regions", "::mlir::ModuleOp"> {
  let summary = "Outline dispatch regions into executables";
  let description = [{
    The body of the k-th `flow.dispatch.workgroups` of function `@f` becomes a function in the new
    executable `@f_dispatch_<k>`, exported under the same name, and a `flow.dispatch` takes the op's
    place. Initializers give `@_initializer_<i>_dispatch_<k>`. A name that is taken gets a suffix.

    #### Precondition
    None.

    #### Postcondition
    No `flow.dispatch.workgroups` is left.

    #### Example
    ```mlir
    // $ npu-opt --npu-flow-outline-dispatch-regions
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
    flow.executable private @f_dispatch_0 {
      flow.executable.export public @f_dispatch_0
      builtin.module {
        func.func @f_dispatch_0(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
          %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
          %1 = math.exp %0 : tensor<4xf32>
          iree_tensor_ext.dispatch.tensor.store %1, %arg1, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
          return
        }
      }
    }
    util.func public @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = flow.dispatch @f_dispatch_0::@f_dispatch_0(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::npu::flow::FlowDialect"];
}

def AnnotateDispatches : Pass<"npu-flow-annotate-dispatches", "::mlir::ModuleOp"> {
  let summary = "Name dispatches by what they compute";
  let description = [{
    Appends to the name of every exported function the kind of its most expensive op, the sizes of
    that op's loops (`D` if dynamic) and its element types: `_matmul_128x512x256_f32`. The cost is
    the product of the loop sizes (1024 if dynamic), twice that with reductions; of equals the later
    op counts. A dispatch that only moves data is a `slow_memcpy`. Executables keep their names.

    #### Precondition
    Executables have one export for each function.

    #### Postcondition
    All references use the new names.

    #### Example
    ```mlir
    // $ npu-opt --npu-flow-outline-dispatch-regions --npu-flow-annotate-dispatches
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
    flow.executable private @f_dispatch_0 {
      flow.executable.export public @f_dispatch_0
      builtin.module {
        func.func @f_dispatch_0(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
          %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
          %1 = math.exp %0 : tensor<4xf32>
          iree_tensor_ext.dispatch.tensor.store %1, %arg1, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
          return
        }
      }
    }
    util.func public @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = flow.dispatch @f_dispatch_0::@f_dispatch_0(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    ```
  }];
}

def DeduplicateExecutables : Pass<"npu-flow-deduplicate-executables", "::mlir::ModuleOp"> {
  let summary = "Deduplicate equal executables";
  let description = [{
    Executables are equal if they differ in nothing but the names of symbols and locations. Every
    dispatch of a later one runs the first one.

    #### Precondition
    None.

    #### Postcondition
    No two executables are equal.

    #### Example
    ```mlir
    // $ npu-opt --npu-flow-deduplicate-executables
    flow.executable private @ex0 {
      flow.executable.export public @exp
      builtin.module {
        func.func @exp(%i: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %o: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
          %0 = iree_tensor_ext.dispatch.tensor.load %i, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
          %1 = math.exp %0 : tensor<4xf32>
          iree_tensor_ext.dispatch.tensor.store %1, %o, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
          return
        }
      }
    }
    flow.executable private @ex1 {
      flow.executable.export public @again
      builtin.module {
        func.func @again(%i: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %o: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
          %0 = iree_tensor_ext.dispatch.tensor.load %i, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
          %1 = math.exp %0 : tensor<4xf32>
          iree_tensor_ext.dispatch.tensor.store %1, %o, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
          return
        }
      }
    }
    util.func public @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = flow.dispatch @ex0::@exp(%a) : (tensor<4xf32>) -> tensor<4xf32>
      %1 = flow.dispatch @ex1::@again(%0) : (tensor<4xf32>) -> tensor<4xf32>
      util.return %1 : tensor<4xf32>
    }
    // becomes
    flow.executable private @ex0 {
      flow.executable.export public @exp
      builtin.module {
        func.func @exp(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
          %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
          %1 = math.exp %0 : tensor<4xf32>
          iree_tensor_ext.dispatch.tensor.store %1, %arg1, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
          return
        }
      }
    }
    util.func public @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = flow.dispatch @ex0::@exp(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
      %1 = flow.dispatch @ex0::@exp(%0) : (tensor<4xf32>) -> tensor<4xf32>
      util.return %1 : tensor<4xf32>
    }
    ```
  }];
}

def OutlineConstants : Pass<"npu-flow-outline-constants", "::mlir::ModuleOp"> {
  let summary = "Outline the constants of host functions into globals";
  let description = [{
    A tensor constant that is not one repeated value, and every parameter, becomes the initial value
    of a private global before the function, `@__constant_<type>` or
    `@__parameter_<scope>_<key>_<type>`, that is not inlined again. Attributes of other dialects on
    the constant go to the global. Constants in dispatches stay.

    #### Precondition
    None.

    #### Postcondition
    The tensor constants of host functions are splats.

    #### Example
    ```mlir
    // $ npu-opt --npu-flow-outline-constants
    util.func public @f() -> tensor<2xi8> {
      %0 = arith.constant dense<[12, -7]> : tensor<2xi8>
      util.return %0 : tensor<2xi8>
    }
    // becomes
    util.global private @__constant_tensor_2xi8 {inlining_policy = #util.inline.never} = dense<[12, -7]> : tensor<2xi8>
    util.func public @f() -> tensor<2xi8> {
      %__constant_tensor_2xi8 = util.global.load immutable @__constant_tensor_2xi8 : tensor<2xi8>
      util.return %__constant_tensor_2xi8 : tensor<2xi8>
    }
    ```
  }];
  let dependentDialects = ["::npu::util::UtilDialect"];
}

def CaptureDynamicDims : Pass<"npu-flow-capture-dynamic-dims"> {
  let summary = "Pass the dynamic dimensions of tensors to dispatches, loops and branches explicitly";
  let description = [{
    The sizes of a dispatch's dynamic arguments and untied results become arguments of the dispatch
    unless they are already, and the body ties each tensor to its sizes by `flow.dispatch.tie_shape`.
    What `scf.for`, `scf.while` and `scf.if` pass on between dispatches, they pass on with its sizes,
    tied by `flow.tensor.tie_shape`; sizes that no iteration changes go by canonicalization.

    #### Precondition
    Dispatches are `flow.dispatch.workgroups`.

    #### Postcondition
    In a dispatch every dynamic tensor is used through `flow.dispatch.tie_shape` only, and so is every
    dynamic tensor of a loop or a branch through `flow.tensor.tie_shape`.

    #### Example
    ```mlir
    // $ npu-opt --allow-unregistered-dialect --npu-flow-capture-dynamic-dims
    util.func public @f(%a: tensor<?xf32>, %d: index) -> tensor<4xf32> {
      %0 = flow.dispatch.workgroups(%a) : (tensor<?xf32>{%d}) -> tensor<4xf32> =
          (%i: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %o: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
        "test.op"(%i, %o) : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) -> ()
        flow.return
      }
      util.return %0 : tensor<4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<?xf32>, %arg1: index) -> tensor<4xf32> {
      %0 = flow.dispatch.workgroups(%arg0, %arg1) : (tensor<?xf32>{%arg1}, index) -> tensor<4xf32> =
          (%arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %arg3: index, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
        %1 = flow.dispatch.tie_shape %arg2 : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%arg3}
        "test.op"(%1, %arg4) : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) -> ()
        flow.return
      }
      util.return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def CleanupTensorShapes : Pass<"npu-flow-cleanup-tensor-shapes"> {
  let summary = "Erase shape ops, and report shape queries that remain";
  let description = [{
    `flow.tensor.tie_shape` is replaced by its operand. A `tensor.dim` or `tensor.rank` that is left
    is an error: after the flow phase nobody could answer it. Executables are not looked into.

    #### Precondition
    Sizes come from index values (`npu-flow-capture-dynamic-dims`, `resolve-shaped-type-result-dims`).

    #### Postcondition
    No `flow.tensor.tie_shape`, `tensor.dim` or `tensor.rank` is left.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-flow-cleanup-tensor-shapes))'
    util.func public @f(%0: tensor<?x5xf32>, %d: index) -> tensor<?x5xf32> {
      %1 = flow.tensor.tie_shape %0 : tensor<?x5xf32>{%d}
      util.return %1 : tensor<?x5xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<?x5xf32>, %arg1: index) -> tensor<?x5xf32> {
      util.return %arg0 : tensor<?x5xf32>
    }
    ```
  }];
}

def InjectDispatchTracing :
    InterfacePass<"npu-flow-inject-dispatch-tracing", "::mlir::FunctionOpInterface"> {
  let summary = "Print the inputs and outputs of every dispatch when the program runs";
  let description = [{
    Puts a `flow.tensor.trace` of the tensor arguments before each `flow.dispatch`, and one of its
    tensor results after it, under the name of its entry point. Scalars are not traced.

    #### Precondition
    Dispatches are outlined.

    #### Postcondition
    None.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-flow-inject-dispatch-tracing))'
    flow.executable private @ex0 {
      flow.executable.export public @exp
      builtin.module {
        func.func @exp(%i: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %o: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
          %0 = iree_tensor_ext.dispatch.tensor.load %i, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
          %1 = math.exp %0 : tensor<4xf32>
          iree_tensor_ext.dispatch.tensor.store %1, %o, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
          return
        }
      }
    }
    util.func public @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = flow.dispatch @ex0::@exp(%a) : (tensor<4xf32>) -> tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    // becomes
    flow.executable private @ex0 {
      flow.executable.export public @exp
      builtin.module {
        func.func @exp(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
          %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
          %1 = math.exp %0 : tensor<4xf32>
          iree_tensor_ext.dispatch.tensor.store %1, %arg1, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
          return
        }
      }
    }
    util.func public @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      flow.tensor.trace "ex0::exp inputs" = [%arg0 : tensor<4xf32>]
      %0 = flow.dispatch @ex0::@exp(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
      flow.tensor.trace "ex0::exp outputs" = [%0 : tensor<4xf32>]
      util.return %0 : tensor<4xf32>
    }
    ```
  }];
}

def VerifyInputLegality : Pass<"npu-verify-input-legality"> {
  let summary = "Report ops that must be lowered before the flow level";
  let description = [{
    An op of the tosa or ml_program dialect here has no lowering, as the passes that had to lower it
    did not. Each is reported. `tosa.apply_scale` is none of them: it is arithmetic on scalars.

    #### Precondition
    None.

    #### Postcondition
    There is no such op.

    #### Example
    ```mlir
    // $ npu-opt --npu-verify-input-legality --verify-diagnostics
    util.func public @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      // expected-error@below {{'tosa.exp' op expected to be lowered by now; the input phase (--npu-input-pipeline) has no lowering for it as it stands}}
      %0 = tosa.exp %a : (tensor<4xf32>) -> tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    ```
  }];
}

def InlineDispatches : Pass<"npu-inline-dispatches", "::mlir::ModuleOp"> {
  let summary = "Inline dispatches into one function on tensors";
  let description = [{
    The inverse of dispatch creation, for checking it: the code of every dispatch takes the place of
    the dispatch, and ops on tensors between dispatches become those of upstream's dialects.

    #### Precondition
    Executables are as `npu-import-dispatches` leaves them. Tensors between dispatches have static
    shapes.

    #### Postcondition
    Neither executables nor dispatches are left.

    #### Example
    ```mlir
    // $ npu-opt --npu-import-dispatches --npu-inline-dispatches
    flow.executable private @ex0 {
      flow.executable.export public @exp
      builtin.module {
        func.func @exp(%i: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %o: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
          %0 = iree_tensor_ext.dispatch.tensor.load %i, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
          %1 = math.exp %0 : tensor<4xf32>
          iree_tensor_ext.dispatch.tensor.store %1, %o, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
          return
        }
      }
    }
    util.func public @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = flow.dispatch @ex0::@exp(%a) : (tensor<4xf32>) -> tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = math.exp %arg0 : tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // NPU_DIALECT_IREE_FLOW_TRANSFORMS_PASSES_TD
