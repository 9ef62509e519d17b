//===- Passes.td - passes that bring models into host functions ------------===//

#ifndef NPU_INPUTCONVERSION_PASSES_TD
#define NPU_INPUTCONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ImportMLProgram : Pass<"npu-import-ml-program", "::mlir::ModuleOp"> {
  let summary = "Convert the globals of ml_program to globals of the host program";
  let description = [{
    Rewrites every `ml_program.global` and its loads and stores to `util.global`. A value that is to
    come from outside (`#ml_program.extern`) is an error: it has a name in IREE, as a parameter.

    #### Precondition
    None.

    #### Postcondition
    No global of ml_program is left, and no access to one but those with tokens.

    #### Example
    ```mlir
    // $ npu-opt --npu-import-ml-program
    ml_program.global private mutable @state(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
    func.func @f() -> tensor<4xf32> {
      %0 = ml_program.global_load @state : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    util.global private mutable @state = dense<0.000000e+00> : tensor<4xf32>
    func.func @f() -> tensor<4xf32> {
      %state = util.global.load @state : tensor<4xf32>
      return %state : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::npu::util::UtilDialect"];
}

def SanitizeModuleNames : Pass<"npu-sanitize-module-names", "::mlir::ModuleOp"> {
  let summary = "Rename modules to identifiers";
  let description = [{
    In the name of the module, and of the modules in it, everything but letters, digits and
    underscores becomes an underscore. A name does not begin with a digit.

    #### Precondition
    None.

    #### Postcondition
    Modules have names that are identifiers, or none.

    #### Example
    ```mlir
    // $ npu-opt --npu-sanitize-module-names
    module @"resnet-18.v1" {}
    // becomes
    module @resnet_18_v1 {
    }
    ```
  }];
}

def SpecializeShapes : Pass<"npu-specialize-shapes", "::mlir::ModuleOp"> {
  let summary = "Specialize arguments of dynamic shape to static shapes";
  let description = [{
    Makes the types of the function's arguments static and lets everything that follows from them
    follow: types of ops and results, `tensor.dim`, shapes that are computed, what all ways of a
    condition yield in one shape. What cannot be known before the model runs stays dynamic, as may
    what loops carry; npu-partition says where. Of an ONNX graph, only the arguments get their types,
    and dimensions of one name must get one size: npu-onnx-infer-shapes does the rest.

    #### Precondition
    Nothing calls the function: its callers would pass other types. What it calls is not looked into
    (`--inline --symbol-dce`).

    #### Postcondition
    The function's arguments are of static shape.

    #### Example
    ```mlir
    // $ npu-opt --npu-specialize-shapes="shapes=4x8"
    func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
      %0 = math.exp %x : tensor<?x8xf32>
      return %0 : tensor<?x8xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = math.exp %arg0 : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", "",
           "The function, a func.func; the default is the only public one">,
    ListOption<"shapes", "shapes", "std::string",
               "The shapes of the arguments of dynamic shape or rank in order, such as 4x64">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // NPU_INPUTCONVERSION_PASSES_TD
