// RUN: npu-opt %s --npu-choose-tiles | FileCheck %s
// RUN: npu-opt %s --npu-choose-tiles --remarks-filter=npu-tile 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Given sizes are kept, the others are chosen; whole dimensions have no attribute.
// CHECK-LABEL: npu.kernel @by_hand
// CHECK-SAME: cluster = #npu.cluster<dim = 0, count = 1>
// CHECK-SAME: npu.schedule = {depths = array<i64: {{.*}}>, levels = array<i64: {{.*}}>, order = array<i64: {{0, 1|1, 0}}>}
// CHECK: npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} {tile_m = 64, tile_n = 64} :
// REMARK: remark: [Analysis] Tiled | Category:npu-tile | Function=by_hand | {{.*}}clusters=1, order="{{m n|n m}}", predictedCycles={{[0-9]+}}, rooflineCycles={{[0-9]+}}, sramBytes={{[0-9]+}}, tile="m=64 n=64 k=64"
npu.kernel @by_hand(%A: tensor<128x64xf16>, %B: tensor<64x256xf16>) -> tensor<128x256xf32> attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<128x256xf32>
  %0 = npu.matmul %A, %B -> %c {tile_m = 64, tile_n = 64, tile_k = 64} : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
  npu.return %0 : tensor<128x256xf32>
}

// A large product is split over all clusters and into tiles of both result dimensions.
// CHECK-LABEL: npu.kernel @clusters
// CHECK-SAME: cluster = #npu.cluster<dim = {{[01]}}, count = 4>
// CHECK: npu.matmul {{.*}} {tile_{{.*}}}
// REMARK: Function=clusters {{.*}}clusters=4
npu.kernel @clusters(%A: tensor<1024x1024xi8>, %B: tensor<1024x1024xi8>) -> tensor<1024x1024xi32> attributes {target = #npu.target<"npu-v1-x4">} {
  %c = tensor.empty() : tensor<1024x1024xi32>
  %0 = npu.matmul %A, %B -> %c : tensor<1024x1024xi8>, tensor<1024x1024xi8> -> tensor<1024x1024xi32>
  npu.return %0 : tensor<1024x1024xi32>
}

// Nothing to split: no loops, no attributes.
// CHECK-LABEL: npu.kernel @small
// CHECK-SAME: npu.schedule = {depths = array<i64: 1, 1, 1>, levels = array<i64: 0, 0, 0>, order = array<i64>}
// CHECK: npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} : tensor<1x8xi8>
npu.kernel @small(%A: tensor<1x8xi8>, %B: tensor<8x1xi8>) -> tensor<1x1xi32> attributes {target = #npu.target<"npu-tiny">} {
  %c = tensor.empty() : tensor<1x1xi32>
  %0 = npu.matmul %A, %B -> %c : tensor<1x8xi8>, tensor<8x1xi8> -> tensor<1x1xi32>
  npu.return %0 : tensor<1x1xi32>
}
