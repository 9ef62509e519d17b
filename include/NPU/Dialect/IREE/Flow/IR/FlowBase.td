//===- FlowBase.td - IREE's flow dialect ----------------------------------===//

#ifndef NPU_DIALECT_IREE_FLOW_IR_FLOWBASE_TD
#define NPU_DIALECT_IREE_FLOW_IR_FLOWBASE_TD

include "NPU/Dialect/IREE/Util/IR/ResultDims.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Flow_Dialect : Dialect {
  let name = "flow";
  let cppNamespace = "::npu::flow";
  let summary = "IREE's dispatches and the tensor operations between them";
  let description = [{
    The ops of IREE's `flow` dialect that occur in IR dumped after its dispatch creation and flow
    phases. Names, attributes, operand order and syntax are IREE's. Attributes of the dialect
    (`#flow.parameter.named`) are carried verbatim.
  }];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::npu::tensor_ext::TensorExtDialect", "::npu::util::UtilDialect"];
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
  }];
}

def Flow_ChannelType : TypeDef<Flow_Dialect, "Channel"> {
  let mnemonic = "channel";
  let summary = "group of devices that exchange tensors";
  let description = [{
    ```mlir
    !flow.channel
    ```
  }];
}

class Flow_Op<string mnemonic, list<Trait> traits = []> : Op<Flow_Dialect, mnemonic, traits>;
class Flow_PureOp<string mnemonic, list<Trait> traits = []> :
    Flow_Op<mnemonic, !listconcat(traits, [Pure])>;

#endif // NPU_DIALECT_IREE_FLOW_IR_FLOWBASE_TD
