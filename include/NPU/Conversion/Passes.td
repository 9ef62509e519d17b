//===- Passes.td - conversions between dialects -------------*- tablegen -*-===//

#ifndef NPU_CONVERSION_PASSES_TD
#define NPU_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFuncToKernel : Pass<"convert-func-to-kernel", "::mlir::ModuleOp"> {
  let summary = "Convert functions on tensors to kernels for a target";
  let description = [{
    Every `func.func` with a body and tensors in its signature becomes an `npu.kernel` of the given target,
    also in modules nested in the module's ops. Names, visibility and attributes stay.

    #### Precondition
    Such a function has one block, calls nothing and has tensors only in its signature.

    #### Postcondition
    No such function is left.

    #### Example
    ```mlir
    // $ npu-opt --convert-func-to-kernel="target=npu-v1"
    func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
      %0 = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    npu.kernel @f(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {target = #npu.target<"npu-v1">} {
      %0 = linalg.add ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%arg0 : tensor<4xf32>) -> tensor<4xf32>
      npu.return %0 : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"target", "target", "::npu::TargetName", /*default=*/"\"npu-v1\"",
           "The target's specification: a known name, optionally followed by overrides">
  ];
  let dependentDialects = ["::npu::NPUDialect"];
}

def ConvertLinalgExtToNPU : Pass<"convert-linalg-ext-to-npu"> {
  let summary = "Convert sorts and top-k to npu ops";
  let description = [{
    A sort of one tensor is an `npu.sort`. Of several tensors the one that is compared is, and an `npu.arg_sort` says where the
    elements of the others come from: they are read there, but positions are its result themselves. A top-k is both ops
    for the first places only; where its outputs are filled, only what is better than the fill takes a place.

    Converted is what has static sizes, elements of at most 32 bits and a comparator that is one
    comparison, signed or ordered, of the elements of one tensor. In a top-k it has to be strict, the
    positions are not given, and the outputs are `tensor.empty` or filled with what is worse than all
    else and with a position that is not positive. Anything else is an error at the op with the reason, except in functions
    that are placed on the host.

    #### Postcondition
    No `iree_linalg_ext.sort` or `topk` is left but in functions on the host.

    #### Sketch
    In full in `test/Conversion/LinalgExtToNPU/sorts.mlir`:

    ```mlir
    %0:2 = iree_linalg_ext.topk dimension(1)
        ins(%x : tensor<4x8xf32>) outs(%v, %i : tensor<4x3xf32>, tensor<4x3xi32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.cmpf ogt, %a, %b : f32
      iree_linalg_ext.yield %1 : i1
    } -> tensor<4x3xf32>, tensor<4x3xi32>
    ```
    becomes, if `%v` and `%i` are empty,
    ```mlir
    %0 = npu.sort descending %x -> %v {indexing_maps = [...]} : tensor<4x8xf32> -> tensor<4x3xf32>
    %1 = npu.arg_sort descending %x -> %i {indexing_maps = [...]} : tensor<4x8xf32> -> tensor<4x3xi32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::npu::NPUDialect"
  ];
}

def ConvertLinalgToNPU : Pass<"convert-linalg-to-npu"> {
  let summary = "Convert linalg ops on tensors to npu ops";
  let description = [{
    Converts by what an op is: its indexing maps and its body, not its name. Contractions become
    `npu.matmul` (or `npu.conv` with a 1x1 kernel if an operand has two dimensions for the rows),
    convolutions `npu.conv`, element-wise ops a chain of `npu` element-wise ops with one op per body op,
    where usual quantization sequences become one `npu.requantize` or `npu.rescale`. Other reductions become such a
    chain and an `npu.reduce` per dimension, windows of an input `npu.pool`. A constant `tensor.pad` before a
    convolution or a window becomes its padding, another one an `npu.copy`, and so does what is returned as it came. An
    initial value that changes nothing is dropped, another one is combined with the result.

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
    // $ npu-opt --convert-linalg-to-npu
    npu.kernel @f(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>) -> tensor<4x8xf32> attributes {target = #npu.target<"npu-v1">} {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4x8xf32>
      %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      %1 = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
      npu.return %1 : tensor<4x8xf32>
    }
    // becomes
    npu.kernel @f(%arg0: tensor<4x16xf32>, %arg1: tensor<16x8xf32>) -> tensor<4x8xf32> attributes {target = #npu.target<"npu-v1">} {
      %0 = tensor.empty() : tensor<4x8xf32>
      %1 = npu.matmul %arg0, %arg1 -> %0 : tensor<4x16xf32>, tensor<16x8xf32> -> tensor<4x8xf32>
      npu.return %1 : tensor<4x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect", "::npu::NPUDialect"];
}

def ConvertNPUToNPUISA : Pass<"convert-npu-to-npu-isa", "::mlir::ModuleOp"> {
  let summary = "Convert kernels in planned form to programs";
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
    ```mlir
    // $ npu-opt --convert-npu-to-npu-isa
    npu.kernel @k(%d: memref<16x16xi32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      npu.stream mxu cluster(0) {
        %c0 = arith.constant 0 : index
        %a = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
        %b = npu.ring %c0 {depth = 1, id = 1, offset = 256, slot_bytes = 512} : memref<1x16x32xi8, #npu.space<sram>>
        %c = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 1024} : memref<16x16xi32, #npu.space<acc>>
        npu.matmul %a, %b -> %c {packed} : memref<16x16xi8, #npu.space<sram>>, memref<1x16x32xi8, #npu.space<sram>> -> memref<16x16xi32, #npu.space<acc>>
      }
      npu.return
    }
    // becomes
    npu_isa.program @k attributes {regions = [#npu_isa.region<output "arg0", 1024 bytes>], target = "npu-v1"} {
      npu_isa.stream mxu cluster(0) {
        npu_isa.mxu.matmul {accumulate_start_depth = 1, a_depth = 1, a_pitch_row_bytes = 16, b_depth = 1, b_base = 256, b_panel_panel_bytes = 512, out_space = acc, out_depth = 1, out_pitch_row_bytes = 64, m_limit = 16, m_full = 16, n_limit = 16, n_full = 16, k_limit = 16, k_full = 16}
        npu_isa.halt
      }
    }
    ```
  }];
  let dependentDialects = ["::npu::isa::NPUISADialect"];
}

def ConvertONNXToLinalg : Pass<"convert-onnx-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Convert ONNX graphs to functions on tensors";
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
    // $ npu-opt --convert-onnx-to-linalg
    module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
      func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
        %0 = onnx.node "Add"(%a, %b) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
        return %0 : tensor<4x8xf32>
      }
    }
    // becomes
    module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
      func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) -> tensor<4x8xf32> {
        %0 = tensor.empty() : tensor<4x8xf32>
        %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8xf32>) outs(%0 : tensor<4x8xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %2 = arith.addf %in, %in_0 : f32
          linalg.yield %2 : f32
        } -> tensor<4x8xf32>
        return %1 : tensor<4x8xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // NPU_CONVERSION_PASSES_TD
