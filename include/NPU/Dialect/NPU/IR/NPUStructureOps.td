//===- NPUStructureOps.td - kernels, streams, semaphores ---*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUSTRUCTUREOPS_TD
#define NPU_DIALECT_NPU_IR_NPUSTRUCTUREOPS_TD

include "NPU/Dialect/NPU/IR/NPUAttributes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def NPU_KernelOp : NPU_Op<"kernel", [
    AffineScope, AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove]> {
  let summary = "work of one launch";
  let description = [{
    A function that runs on the NPU `target`. In tensor form it maps tensors to tensors. In tile form its
    arguments are memrefs in `#npu.space<dram>`, inputs first, then the outputs, which carry the argument
    attribute `npu.output`; it has no results. An input with the argument attribute `npu.constant` is not
    passed at launch: its contents are part of the program.

    `schedule` says in which loops its stages run and where their values live. Given by hand it is kept,
    otherwise `npu-choose-tiles` finds one. `cluster` asks the search for a split over clusters, and `resident`
    tells it which tensors stay on chip. `prefetch` asks for loads of a loop's operands in loops before it
    (`npu-prefetch-operands`), in so many percent of the time that these leave DRAM idle. `tiling` and `planned_bytes` say what came of it, for whoever describes the program.

    Constraints:
    * kernel_c1: the kernel has a body;
    * kernel_c2: tensors and memrefs are not mixed in the signature;
    * kernel_c3: a kernel on memrefs has no results;
    * kernel_c4: `npu.constant` is a dense constant of the shape and element type of a memref argument,
      which is no output; `npu.output` and `npu.inout` are units, of a memref; `npu.inout` needs `npu.output`;
    * kernel_c5: the kernel has the arguments and results of `resident`.

    Example:

    ```mlir
    npu.kernel @relu(%x: tensor<16xf32>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">} {
      %empty = tensor.empty() : tensor<16xf32>
      %0 = npu.binary max %x -> %empty {imm = 0.000000e+00 : f32} : tensor<16xf32> -> tensor<16xf32>
      npu.return %0 : tensor<16xf32>
    }
    ```
  }];

  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<NPU_TargetAttr>:$target,
    OptionalAttr<NPU_ClusterAttr>:$cluster,
    OptionalAttr<NPU_ResidentAttr>:$resident,
    OptionalAttr<NPU_ScheduleAttr>:$schedule,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$prefetch,
    OptionalAttr<NPU_TilingAttr>:$tiling,
    OptionalAttr<NPU_PlannedBytesAttr>:$planned_bytes,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);

  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                   CArg<"::npu::TargetAttr", "{}">:$target)>
  ];

  let extraClassDeclaration = [{
    /// Name of the argument attribute that marks an output in tile form.
    static constexpr ::llvm::StringLiteral kOutputAttrName = "npu.output";

    /// Name of the argument attribute that marks an output whose old contents stay where the kernel
    /// writes nothing, in tile form.
    static constexpr ::llvm::StringLiteral kInOutAttrName = "npu.inout";

    /// Name of the argument attribute that holds the contents of a constant in tile form.
    static constexpr ::llvm::StringLiteral kConstantAttrName = "npu.constant";

    // FunctionOpInterface.
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }

    /// Whether argument `index` is an output (tile form).
    bool isOutput(unsigned index) { return static_cast<bool>(getArgAttr(index, kOutputAttrName)); }

    /// Whether argument `index` is an output that has contents (tile form).
    bool isInOut(unsigned index) { return static_cast<bool>(getArgAttr(index, kInOutAttrName)); }

    /// The contents of argument `index` if it is a constant (tile form), or null.
    ::mlir::DenseElementsAttr getConstant(unsigned index) {
      return getArgAttrOfType<::mlir::DenseElementsAttr>(index, kConstantAttrName);
    }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def NPU_ReturnOp : NPU_Op<"return", [
    Pure, HasParent<"::npu::KernelOp">, ReturnLike, Terminator]> {
  let summary = "end of a kernel";
  let description = [{
    Returns the kernel's results.

    Constraints:
    * return_c1: operand types are the kernel's result types.

    Example: `npu.return %0 : tensor<16xf32>`.
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}

def NPU_LaunchOp : NPU_Op<"launch", [
    HasParent<"::npu::KernelOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "work of another kernel";
  let description = [{
    Does in a kernel in tile form what kernel `callee` does, which is in tile form, too, on the given memory: that of its
    inputs, then that of its outputs. Its constants are not given. Launches happen in the order in which they stand. Work is
    told apart by part: `callee` has `parts` of them, one if nothing is said.

    Constraints:
    * launch_c1: `callee` is a kernel in tile form for the same target;
    * launch_c2: the operands have the types of its arguments that are no constants.

    Example:

    ```mlir
    npu.launch @matmul(%x, %w, %y) : memref<16x16xi8, #npu.space<dram>>, memref<16x16xi8, #npu.space<dram>>,
        memref<16x16xi32, #npu.space<dram>>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyMemRef>:$operands,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$parts);
  let assemblyFormat = "$callee `(` $operands `)` (`parts` $parts^)? attr-dict `:` type($operands)";
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

def NPU_SegmentOp : NPU_Op<"segment", [
    DeclareOpInterfaceMethods<RegionBranchOpInterface>, NoRegionArguments,
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"::npu::YieldOp">]> {
  let summary = "dispatches that one program runs";
  let description = [{
    A part of a host function that runs on the NPU as one program: dispatches, and reshapes of what is between them. It
    means what its ops mean one after the other. What the host needs of it is yielded.

    Constraints:
    * segment_c1: the results have the types of what is yielded.

    Example:

    ```mlir
    %1 = npu.segment -> tensor<8x16xf32> {
      %0 = flow.dispatch @first::@first(%x, %w) : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
      %2 = flow.dispatch @second::@second(%0) : (tensor<8x16xf32>) -> tensor<8x16xf32>
      npu.yield %2 : tensor<8x16xf32>
    }
    ```
  }];
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`->` type($results)^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def NPU_YieldOp : NPU_Op<"yield", [
    HasParent<"::npu::SegmentOp">, Pure, ReturnLike, Terminator]> {
  let summary = "end of a segment";
  let description = [{
    Gives the segment's results.

    Example: `npu.yield %0 : tensor<16xf32>`.
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

//===----------------------------------------------------------------------===//
// Planned form
//===----------------------------------------------------------------------===//

def NPU_StreamOp : NPU_Op<"stream", [
    HasParent<"::npu::KernelOp">, NoRegionArguments, NoTerminator, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "in-order program of one engine of one cluster";
  let description = [{
    The region holds loops and the ops of one engine, in the order the engine executes them. Streams run at
    the same time; only semaphores order them.

    Constraints:
    * stream_c1: the cluster is not negative.

    Example:

    ```mlir
    npu.stream mxu cluster(0) {
      scf.for %i = %c0 to %c4 step %c1 {
        npu.wait sem(0) >= %i
        npu.signal sem(1)
      }
    }
    ```
  }];
  let arguments = (ins NPU_EngineAttr:$engine, ConfinedAttr<I64Attr, [IntNonNegative]>:$cluster);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::npu::Engine":$engine, "int64_t":$cluster)>];
  let skipDefaultBuilders = 1;
  let assemblyFormat = [{
    custom<Engine>($engine) `cluster` `(` $cluster `)` $body attr-dict
  }];
}

def NPU_WaitOp : NPU_Op<"wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait until a semaphore reaches a value";
  let description = [{
    Blocks the stream until semaphore `sem`, 0 at launch, has been signalled at least `value` times. A value
    of zero or less does not block. Values are affine in the counters of the enclosing loops.

    With `halo` it is for what the next op, a convolution, reads beyond a cluster's own share. The op's other waits are
    enough for windows that lie within the share: `npu-defer-halos` does these first.

    Constraints:
    * wait_c1: the semaphore's number is not negative.

    Example: `npu.wait sem(3) >= %v`.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$sem, Index:$value, UnitAttr:$halo);
  let assemblyFormat = "`sem` `(` $sem `)` custom<AtLeast>($value) (`halo` $halo^)? attr-dict";
}

def NPU_SignalOp : NPU_Op<"signal", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "add one to a semaphore";
  let description = [{
    Adds one to semaphore `sem` when the writes of every earlier op of the stream are visible. One stream
    only signals a given semaphore.

    Constraints:
    * signal_c1: the semaphore's number is not negative.

    Example: `npu.signal sem(3)`.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$sem);
  let assemblyFormat = "`sem` `(` $sem `)` attr-dict";
}

#endif // NPU_DIALECT_NPU_IR_NPUSTRUCTUREOPS_TD
