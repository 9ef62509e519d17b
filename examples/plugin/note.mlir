npu.kernel @double(%x: tensor<64xf32>) -> tensor<64xf32> attributes {target = #npu.target<"npu-v1">} {
  %0 = tensor.empty() : tensor<64xf32>
  %1 = npu.binary add %x, %x -> %0 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  npu.return %1 : tensor<64xf32>
}
note.about @double "is a demonstration"
