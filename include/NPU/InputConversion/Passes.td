//===- Passes.td - passes that bring models into host functions ------------===//

#ifndef NPU_INPUTCONVERSION_PASSES_TD
#define NPU_INPUTCONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ImportMLProgram : Pass<"npu-import-ml-program", "::mlir::ModuleOp"> {
  let summary = "Turn the globals of ml_program into globals of the host program";
  let description = [{
    Rewrites every `ml_program.global` and its loads and stores to `util.global`. A value that is to
    come from outside (`#ml_program.extern`) is an error: it has a name in IREE, as a parameter.

    #### Precondition
    None.

    #### Postcondition
    No global of ml_program is left, and no access to one but those with tokens.

    #### Example
    ```mlir
    ml_program.global private mutable @state(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
    %0 = ml_program.global_load @state : tensor<4xf32>
    // becomes
    util.global private mutable @state = dense<0.0> : tensor<4xf32>
    %0 = util.global.load @state : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::npu::util::UtilDialect"];
}

def SanitizeModuleNames : Pass<"npu-sanitize-module-names", "::mlir::ModuleOp"> {
  let summary = "Give modules names that are identifiers";
  let description = [{
    In the name of the module, and of the modules in it, everything but letters, digits and
    underscores becomes an underscore. A name does not begin with a digit.

    #### Precondition
    None.

    #### Postcondition
    Modules have names that are identifiers, or none.

    #### Example
    ```mlir
    module @"resnet-18.v1" {}
    // becomes
    module @resnet_18_v1 {}
    ```
  }];
}

#endif // NPU_INPUTCONVERSION_PASSES_TD
