//===- Passes.td - conversions between dialects -------------*- tablegen -*-===//

#ifndef NPU_CONVERSION_PASSES_TD
#define NPU_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

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
    `npu_isa.mxu.matmul {accumulate.mode = "unless", ...}`.
  }];
  let dependentDialects = ["::npu::isa::NPUISADialect"];
}

#endif // NPU_CONVERSION_PASSES_TD
