//===- FlowCollectiveOps.td - ops between devices -------------------------===//

#ifndef NPU_DIALECT_IREE_FLOW_IR_FLOWCOLLECTIVEOPS_TD
#define NPU_DIALECT_IREE_FLOW_IR_FLOWCOLLECTIVEOPS_TD

include "NPU/Dialect/IREE/Flow/IR/FlowBase.td"
include "mlir/IR/OpAsmInterface.td"

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

class Flow_ChannelOp<string mnemonic> :
    Flow_PureOp<mnemonic, [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]>;

def Flow_ChannelDefaultOp : Flow_ChannelOp<"channel.default"> {
  let summary = "channel of all devices, or of a group by name";
  let description = [{
    ```mlir
    %channel = flow.channel.default : !flow.channel
    ```
  }];

  let arguments = (ins OptionalAttr<StrAttr>:$group);
  let results = (outs Flow_ChannelType:$result);
  let assemblyFormat = "($group^)? `:` qualified(type($result)) attr-dict-with-keyword";
}

def Flow_ChannelSplitOp : Flow_ChannelOp<"channel.split"> {
  let summary = "channel of the devices that give the same color, in the order of their keys";
  let description = [{
    ```mlir
    %part = flow.channel.split %channel, %color, %key : !flow.channel -> !flow.channel
    ```
  }];

  let arguments = (ins Flow_ChannelType:$channel, Index:$color, Index:$key);
  let results = (outs Flow_ChannelType:$result);
  let assemblyFormat = [{
    $channel `,` $color `,` $key `:` qualified(type($channel)) `->` qualified(type($result))
    attr-dict-with-keyword
  }];
}

class Flow_ChannelInfoOp<string mnemonic> : Flow_ChannelOp<mnemonic> {
  let arguments = (ins Flow_ChannelType:$channel);
  let results = (outs Index:$result);
  let assemblyFormat = "$channel `:` type($result) attr-dict-with-keyword";
}

def Flow_ChannelRankOp : Flow_ChannelInfoOp<"channel.rank"> {
  let summary = "number of this device in a channel";
  let description = [{
    ```mlir
    %rank = flow.channel.rank %channel : index
    ```
  }];
}

def Flow_ChannelCountOp : Flow_ChannelInfoOp<"channel.count"> {
  let summary = "number of devices in a channel";
  let description = [{
    ```mlir
    %count = flow.channel.count %channel : index
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// An op between devices on `target`, which the result is an update of, and `source`. How it combines
/// elements and what type these have are the words that IREE prints.
class Flow_CollectiveOp<string mnemonic, dag first = (ins), dag last = (ins)> :
    Flow_Op<mnemonic, [AllTypesMatch<["target", "result"]>, Util_ResultDims]> {
  let arguments = !con(first, (ins
    StrAttr:$element_type,
    AnyTensor:$target,
    Variadic<Index>:$target_dims,
    AnyTensor:$source,
    Flow_ChannelType:$channel), last, (ins OptionalAttr<ArrayAttr>:$tied_operands));
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    custom<Keyword>($element_type) `,` $target `,` $source `,` $channel `:`
    `(` type($target) `,` type($source) `,` qualified(type($channel)) `)` `->`
    custom<ShapedTiedResult>(ref($target), type($result), $target_dims, $tied_operands)
    attr-dict-with-keyword
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OperandRange getResultDims() { return getTargetDims(); }
  }];
}

class Flow_CollectiveReductionOp<string mnemonic> :
    Flow_CollectiveOp<mnemonic, (ins StrAttr:$reduction_op)> {
  let assemblyFormat = [{
    custom<Keyword>($reduction_op) `,` custom<Keyword>($element_type) `,` $target `,` $source `,`
    $channel `:`
    `(` type($target) `,` type($source) `,` qualified(type($channel)) `)` `->`
    custom<ShapedTiedResult>(ref($target), type($result), $target_dims, $tied_operands)
    attr-dict-with-keyword
  }];
}

def Flow_CollectiveAllGatherOp : Flow_CollectiveOp<"collective.all_gather"> {
  let summary = "sources of all devices, one after the other";
  let description = [{
    * one size per dynamic dimension.

    ```mlir
    %1 = flow.collective.all_gather f32, %target, %source, %channel
        : (tensor<8xf32>, tensor<4xf32>, !flow.channel) -> %target as tensor<8xf32>
    ```
  }];
}

def Flow_CollectiveAllReduceOp : Flow_CollectiveReductionOp<"collective.all_reduce"> {
  let summary = "sources of all devices, combined";
  let description = [{
    * one size per dynamic dimension.

    ```mlir
    %1 = flow.collective.all_reduce sum, f32, %target, %source, %channel
        : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> %target as tensor<4xf32>
    ```
  }];
}

def Flow_CollectiveAllToAllOp : Flow_CollectiveOp<"collective.all_to_all"> {
  let summary = "parts of the sources of all devices, each to another device";
  let description = [{
    * one size per dynamic dimension.

    ```mlir
    %1 = flow.collective.all_to_all f32, %target, %source, %channel
        : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> %target as tensor<4xf32>
    ```
  }];
}

def Flow_CollectiveReduceScatterOp : Flow_CollectiveReductionOp<"collective.reduce_scatter"> {
  let summary = "sources of all devices, combined, and a part of that to each device";
  let description = [{
    * one size per dynamic dimension.

    ```mlir
    %1 = flow.collective.reduce_scatter sum, f32, %target, %source, %channel
        : (tensor<2xf32>, tensor<4xf32>, !flow.channel) -> %target as tensor<2xf32>
    ```
  }];
}

def Flow_CollectiveSendRecvOp :
    Flow_CollectiveOp<"collective.send_recv", (ins), (ins Index:$send, Index:$recv)> {
  let summary = "source of one device, while the own source goes to another one";
  let description = [{
    * one size per dynamic dimension.

    ```mlir
    %1 = flow.collective.send_recv f32, %target, %source, %channel, %send, %recv
        : (tensor<4xf32>, tensor<4xf32>, !flow.channel, index, index) -> %target as tensor<4xf32>
    ```
  }];
  let assemblyFormat = [{
    custom<Keyword>($element_type) `,` $target `,` $source `,` $channel `,` $send `,` $recv `:`
    `(` type($target) `,` type($source) `,` qualified(type($channel)) `,` type($send) `,`
    type($recv) `)` `->`
    custom<ShapedTiedResult>(ref($target), type($result), $target_dims, $tied_operands)
    attr-dict-with-keyword
  }];
}

#endif // NPU_DIALECT_IREE_FLOW_IR_FLOWCOLLECTIVEOPS_TD
