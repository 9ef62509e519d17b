// RUN: npu-opt %s --npu-choose-tiles | FileCheck %s

// By itself the product is shared by rows.
// CHECK-LABEL: npu.kernel @alone
// CHECK-SAME:  for m = {{[0-9]+}} clusters 4
npu.kernel @alone(%a: tensor<128x256xi8>, %b: tensor<256x1024xi8>) -> tensor<128x1024xi32> attributes {target = #npu.target<"npu-v1-x4">} {
  %e = tensor.empty() : tensor<128x1024xi32>
  %0 = npu.matmul %a, %b -> %e : tensor<128x256xi8>, tensor<256x1024xi8> -> tensor<128x1024xi32>
  npu.return %0 : tensor<128x1024xi32>
}

// Among others that share columns it shares columns; nothing is left of the attribute.
// CHECK-LABEL: npu.kernel @columns
// CHECK-NOT:   resident
// CHECK-SAME:  for n = {{[0-9]+}} clusters 4
npu.kernel @columns(%a: tensor<128x256xi8>, %b: tensor<256x1024xi8>) -> tensor<128x1024xi32> attributes {target = #npu.target<"npu-v1-x4">, resident = #npu.resident<arguments = [0], results = [0], bytes = 139264, dims = [1]>} {
  %e = tensor.empty() : tensor<128x1024xi32>
  %0 = npu.matmul %a, %b -> %e : tensor<128x256xi8>, tensor<256x1024xi8> -> tensor<128x1024xi32>
  npu.return %0 : tensor<128x1024xi32>
}

// Among others that share rows and columns it shares both, as two by two, or four by two of eight clusters.
// CHECK-LABEL: npu.kernel @grid
// CHECK-SAME:  for m = {{[0-9]+}} clusters 2 {{.*}}for n = {{[0-9]+}} clusters 2 {
npu.kernel @grid(%a: tensor<128x256xi8>, %b: tensor<256x1024xi8>) -> tensor<128x1024xi32> attributes {target = #npu.target<"npu-v1-x4">, resident = #npu.resident<arguments = [0], results = [0], bytes = 139264, dims = [0, 1]>} {
  %e = tensor.empty() : tensor<128x1024xi32>
  %0 = npu.matmul %a, %b -> %e : tensor<128x256xi8>, tensor<256x1024xi8> -> tensor<128x1024xi32>
  npu.return %0 : tensor<128x1024xi32>
}
// CHECK-LABEL: npu.kernel @larger_grid
// CHECK-SAME:  for m = {{[0-9]+}} clusters {{2.* for n = [0-9]+ clusters 4|4.* for n = [0-9]+ clusters 2}} {
npu.kernel @larger_grid(%a: tensor<128x256xi8>, %b: tensor<256x1024xi8>) -> tensor<128x1024xi32> attributes {target = #npu.target<"npu-v1-x4:clusters=8">, resident = #npu.resident<arguments = [0], results = [0], bytes = 69632, dims = [0, 1]>} {
  %e = tensor.empty() : tensor<128x1024xi32>
  %0 = npu.matmul %a, %b -> %e : tensor<128x256xi8>, tensor<256x1024xi8> -> tensor<128x1024xi32>
  npu.return %0 : tensor<128x1024xi32>
}

// Also where the result has them in another order than the op. What has one index of such a dimension is shared as it likes.
// CHECK-LABEL: npu.kernel @turned_grid
// CHECK-SAME:  for n = {{[0-9]+}} clusters 2 {{.*}}for m = {{[0-9]+}} clusters 2 {
npu.kernel @turned_grid(%a: tensor<128x256xi8>, %b: tensor<256x1024xi8>) -> tensor<1024x128xi32> attributes {target = #npu.target<"npu-v1-x4">, resident = #npu.resident<arguments = [0], results = [0], bytes = 139264, dims = [0, 1]>} {
  %e = tensor.empty() : tensor<1024x128xi32>
  %0 = npu.matmul %a, %b -> %e {layout_c = #npu.layout<nm>} : tensor<128x256xi8>, tensor<256x1024xi8> -> tensor<1024x128xi32>
  npu.return %0 : tensor<1024x128xi32>
}
// CHECK-LABEL: npu.kernel @one_pixel
// CHECK-SAME:  for f = {{[0-9]+}} clusters 4
npu.kernel @one_pixel(%i: tensor<1x1x512xf16>, %f: tensor<1x1x512x1024xf16>) -> tensor<1x1x1024xf32> attributes {target = #npu.target<"npu-v1-x4">, resident = #npu.resident<arguments = [0], results = [0], bytes = 1024, dims = [0, 1]>} {
  %e = tensor.empty() : tensor<1x1x1024xf32>
  %0 = npu.conv %i, %f -> %e {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>} : tensor<1x1x512xf16>, tensor<1x1x512x1024xf16> -> tensor<1x1x1024xf32>
  npu.return %0 : tensor<1x1x1024xf32>
}

// A dimension that the result does not have asks for nothing.
// CHECK-LABEL: npu.kernel @beyond
// CHECK-SAME:  for {{[mn]}} = {{[0-9]+}} clusters 4
npu.kernel @beyond(%a: tensor<128x256xi8>, %b: tensor<256x1024xi8>) -> tensor<128x1024xi32> attributes {target = #npu.target<"npu-v1-x4">, resident = #npu.resident<arguments = [0], bytes = 8192, dims = [2]>} {
  %e = tensor.empty() : tensor<128x1024xi32>
  %0 = npu.matmul %a, %b -> %e : tensor<128x256xi8>, tensor<256x1024xi8> -> tensor<128x1024xi32>
  npu.return %0 : tensor<128x1024xi32>
}

// What is on chip already takes no time of DRAM, which is all that this one waits for.
// CHECK-LABEL: npu.kernel @in_dram
// CHECK-SAME:  cycles {{[0-9][0-9][0-9][0-9][0-9]}}
npu.kernel @in_dram(%x: tensor<256x1024xf32>) -> tensor<256x1024xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<256x1024xf32>
  %0 = npu.unary neg %x -> %e : tensor<256x1024xf32> -> tensor<256x1024xf32>
  npu.return %0 : tensor<256x1024xf32>
}
// CHECK-LABEL: npu.kernel @on_chip
// CHECK-SAME:  cycles {{[0-9][0-9][0-9][0-9]}}
npu.kernel @on_chip(%x: tensor<256x1024xf32>) -> tensor<256x1024xf32> attributes {target = #npu.target<"npu-v1">, resident = #npu.resident<arguments = [0], results = [0], bytes = 0>} {
  %e = tensor.empty() : tensor<256x1024xf32>
  %0 = npu.unary neg %x -> %e : tensor<256x1024xf32> -> tensor<256x1024xf32>
  npu.return %0 : tensor<256x1024xf32>
}

// By itself it begins early, with few sums. Where kernels before it hide most of that wait, it has all of them in a tile, and no second load of the left operand.
// CHECK-LABEL: npu.kernel @by_itself
// CHECK-SAME:  for k = 256 {load @matmul.lhs x2, load @matmul.rhs x2,
npu.kernel @by_itself(%a: tensor<64x768xi8>, %b: tensor<768x3072xi8>) -> tensor<64x3072xi32> attributes {target = #npu.target<"npu-v1">, resident = #npu.resident<arguments = [0], results = [0], bytes = 49152>} {
  %e = tensor.empty() : tensor<64x3072xi32>
  %0 = npu.matmul %a, %b -> %e : tensor<64x768xi8>, tensor<768x3072xi8> -> tensor<64x3072xi32>
  npu.return %0 : tensor<64x3072xi32>
}
// CHECK-LABEL: npu.kernel @behind_others
// CHECK-SAME:  load @matmul.lhs, {{.*}}for k = 768 {load @matmul.rhs x2,
npu.kernel @behind_others(%a: tensor<64x768xi8>, %b: tensor<768x3072xi8>) -> tensor<64x3072xi32> attributes {target = #npu.target<"npu-v1">, resident = #npu.resident<arguments = [0], results = [0], hidden = 90, bytes = 49152>} {
  %e = tensor.empty() : tensor<64x3072xi32>
  %0 = npu.matmul %a, %b -> %e : tensor<64x768xi8>, tensor<768x3072xi8> -> tensor<64x3072xi32>
  npu.return %0 : tensor<64x3072xi32>
}

// What is on chip is there for a slice of it as well: each cluster has one tile of pixels, and loads the filter in parts.
// CHECK-LABEL: npu.kernel @slice
// CHECK-SAME:  for h = 14 clusters 2 {for w = 14 clusters 2 {{{.*}}load @conv.filter x2
npu.kernel @slice(%a: tensor<256x56x56xf16>, %b: tensor<512x256x1x1xf16>) -> tensor<512x28x28xf32> attributes {target = #npu.target<"npu-v1-x4">, resident = #npu.resident<arguments = [0], results = [0], bytes = 602112, dims = [1, 2]>} {
  %e = tensor.empty() : tensor<512x28x28xf32>
  %s = tensor.extract_slice %a[0, 0, 0] [256, 28, 55] [1, 2, 1] : tensor<256x56x56xf16> to tensor<256x28x55xf16>
  %0 = npu.conv %s, %b -> %e {layout_filter = #npu.layout<fcyx>, layout_input = #npu.layout<chw>, layout_output = #npu.layout<fhw>, strides = array<i64: 1, 2>} : tensor<256x28x55xf16>, tensor<512x256x1x1xf16> -> tensor<512x28x28xf32>
  npu.return %0 : tensor<512x28x28xf32>
}
