//===- Passes.td - conversions between dialects -------------*- tablegen -*-===//

#ifndef NPU_CONVERSION_PASSES_TD
#define NPU_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFuncToKernel : Pass<"convert-func-to-kernel", "::mlir::ModuleOp"> {
  let summary = "Turn functions on tensors into kernels of a target";
  let description = [{
    Every `func.func` with a body and tensors in its signature becomes an `npu.kernel` of the given target,
    also in modules nested in the module's ops. Names, visibility and attributes stay.

    #### Precondition
    Such a function has one block, calls nothing and has tensors only in its signature.

    #### Postcondition
    No such function is left.

    #### Example
    ```mlir
    func.func @id(%x: tensor<16xf32>) -> tensor<16xf32> {
      return %x : tensor<16xf32>
    }
    // becomes
    npu.kernel @id(%x: tensor<16xf32>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">} {
      npu.return %x : tensor<16xf32>
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"npu-v1\"",
           "The target's specification: a known name, optionally followed by overrides">
  ];
  let dependentDialects = ["::npu::NPUDialect"];
}

def ConvertLinalgToNPU : Pass<"convert-linalg-to-npu"> {
  let summary = "Turn linalg ops on tensors into npu ops";
  let description = [{
    Converts by what an op is: its indexing maps and its body, not its name. Contractions become
    `npu.matmul` (or `npu.conv` with a 1x1 kernel if an operand has two dimensions for the rows),
    convolutions `npu.conv`, element-wise ops a chain of `npu` element-wise ops with one op per body op,
    where usual quantization sequences become one `npu.requantize` or `npu.rescale`. A constant `tensor.pad`
    before a convolution becomes its padding. A zero-filled accumulator is dropped, another initial value is
    added afterwards.

    If an op cannot be converted the pass fails with one error at that op, which names the op, the reason
    and a remedy.

    #### Precondition
    Kernels or functions on tensors of static shape; no accumulators of f16 or bf16
    (`npu-widen-accumulators`).

    #### Postcondition
    No linalg op is left. Reshapes of arguments that a conversion needs are part of the kernel's signature:
    an argument can get a type of the same number of elements in the same order.

    #### Example
    ```mlir
    %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>)
                       outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    // becomes
    %1 = npu.matmul %a, %b -> %empty : tensor<4x16xf32>, tensor<16x8xf32> -> tensor<4x8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect", "::npu::NPUDialect"];
}

def ConvertNPUToNPUISA : Pass<"convert-npu-to-npu-isa", "::mlir::ModuleOp"> {
  let summary = "convert kernels in planned form to programs";
  let description = [{
    Every kernel becomes an `npu_isa.program`, every stream of it an `npu_isa.stream`, every op of an engine
    an instruction: index values become affine fields and clamped extents, rings and views addresses, DMA
    maps boxes. Waits before and signals after an op become part of its instruction; what exceeds two of
    either goes to `sync` instructions. Regions are numbered as the kernel's arguments. Locations stay.

    #### Precondition

    Planned form with offsets.

    #### Postcondition

    No kernel is left in the module.

    #### Example

    `npu.matmul %a, %b -> %c extents(%m, %n, %k) init(%kk) {packed}` becomes
    `npu_isa.mxu.matmul {..., accumulate_mode = unless, ...}`.
  }];
  let dependentDialects = ["::npu::isa::NPUISADialect"];
}

def ConvertONNXToLinalg : Pass<"convert-onnx-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Turn ONNX graphs into functions on tensors";
  let description = [{
    Every node becomes what the table of specifications says: named linalg ops where there are such, and
    `linalg.generic`. Integers become signless; ops know which they were. There is no way through TOSA, which
    refuses strides and groups that real networks have.

    #### Precondition
    All types are inferred (`npu-onnx-infer-shapes`).

    #### Postcondition
    No op of the onnx dialect is left.

    #### Example
    ```mlir
    %y = onnx.node "Add"(%a, %b) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    // becomes
    %y = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%empty : tensor<4x8xf32>) { ... }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

#endif // NPU_CONVERSION_PASSES_TD
