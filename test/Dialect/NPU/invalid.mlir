// RUN: npu-opt %s -split-input-file -verify-diagnostics

// matmul_c1
func.func @matmul_letters(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected layout_a to have letters of "bghmnijk" but found "mz"}}
  npu.matmul %a, %b -> %c {layout_a = #npu.layout<mz>} : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

// expected-error@+1 {{expected distinct letters from a to z in a layout but found 'mm'}}
func.func @layout_letters() attributes {test.layout = #npu.layout<mm>} {
  return
}

// -----

func.func @layout_type(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{attribute 'layout_a' failed to satisfy constraint: layout, as in #npu.layout<mk>}}
  npu.matmul %a, %b -> %c {layout_a = "mk"} : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

// expected-error@+1 {{expected a positive size of 'm' but found 0}}
func.func @tiling_size() attributes {test.tiling = #npu.tiling<m = 0>} {
  return
}

// -----

// expected-error@+1 {{expected one size of 'm' but found two}}
func.func @tiling_names() attributes {test.tiling = #npu.tiling<m = 4, m = 8>} {
  return
}

// -----

// expected-error@+1 {{expected bytes that are not negative but found sram = 64, acc = -1}}
func.func @planned_bytes() attributes {test.bytes = #npu.planned_bytes<sram = 64, acc = -1>} {
  return
}

// -----

// expected-error@+1 {{'func.func' op has attribute 'npu.dim', which the npu dialect does not have; remove it}}
func.func @unknown_attribute() attributes {npu.dim = 4 : i64} {
  return
}

// -----

// expected-error@+1 {{'func.func' op expected 'npu.placement' to be #npu.placement<npu> or #npu.placement<host> but found "host"}}
func.func @placement() attributes {npu.placement = "host"} {
  return
}

// -----

func.func @placement_place() {
  // expected-error@+1 {{'func.return' op expected 'npu.placement' on functions only}}
  return {npu.placement = #npu.placement<host>}
}

// -----

func.func @dispatch_number() {
  // expected-error@+1 {{'func.return' op expected 'npu.dispatch_number' to be an i64 that is not negative but found -1 : i64}}
  return {npu.dispatch_number = -1 : i64}
}

// -----

func.func @buffers_place() {
  // expected-error@+1 {{'memref.alloc' op expected 'npu.buffers' on a memref.alloc in #npu.space<sram> or #npu.space<acc> only}}
  %0 = memref.alloc() {npu.buffers = 2 : i64} : memref<4xf32, #npu.space<dram>>
  return
}

// -----

func.func @offset_place() {
  // expected-error@+1 {{'memref.alloc' op expected 'npu.offset' on a memref.alloc in an #npu.space only}}
  %0 = memref.alloc() {npu.offset = 64 : i64} : memref<4xf32>
  return
}

// -----

func.func @clusters_place() {
  // expected-error@+1 {{'func.return' op expected 'npu.clusters' on scf.for only}}
  return {npu.clusters = 2 : i64}
}

// -----

// expected-error@+1 {{'func.func' op argument 0 has attribute 'npu.output', which the npu dialect does not have outside of kernels; remove it}}
func.func @argument(%x: memref<4xf32> {npu.output}) {
  return
}

// -----

// expected-error@+1 {{'npu.kernel' op argument 0 has attribute 'npu.outptu', which the npu dialect does not have for arguments; remove it}}
npu.kernel @misspelt(%x: memref<4xf32> {npu.outptu}) {
  npu.return
}

// -----

// expected-error@+1 {{'npu.kernel' op expected 'npu.output' of argument 0 to be a unit attribute of a memref, but the argument is 'tensor<4xf32>' and the attribute unit}}
npu.kernel @output_tensor(%x: tensor<4xf32> {npu.output}) {
  npu.return
}

// -----

// expected-error@+1 {{'npu.kernel' op expected 'npu.output' of argument 0, which has 'npu.inout'}}
npu.kernel @inout(%x: memref<4xf32> {npu.inout}) {
  npu.return
}

// -----

// expected-error@+1 {{'npu.kernel' op expected argument 0 to be an output or a constant but found both}}
npu.kernel @constant_output(%x: memref<1xf32> {npu.constant = dense<1.0> : tensor<1xf32>, npu.output}) {
  npu.return
}

// -----

// expected-error@+1 {{'npu.kernel' op result 0 has attribute 'npu.output', which the npu dialect does not have for results; remove it}}
npu.kernel @result(%x: tensor<4xf32>) -> (tensor<4xf32> {npu.output}) {
  npu.return %x : tensor<4xf32>
}

// -----

// matmul_c1
func.func @matmul_rank(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected an operand of rank 3 for layout_a "bmk" but found 'tensor<4x8xf32>'}}
  npu.matmul %a, %b -> %c {layout_a = #npu.layout<bmk>} : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

// matmul_c2
func.func @matmul_places(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected 'm' in the layouts of first operand and destination only but found "nk", "kn", "mn"}}
  npu.matmul %a, %b -> %c {layout_a = #npu.layout<nk>} : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

// matmul_c2
func.func @matmul_reduction_places(%a: tensor<4x2x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected 'i' in the layouts of first operand and second operand only but found "mik", "kn", "mn"}}
  npu.matmul %a, %b -> %c {layout_a = #npu.layout<mik>} : tensor<4x2x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

// matmul_c5
func.func @matmul_packed_order(%a: memref<4x2x8xf32>, %b: memref<1x8x2x32xf32>, %c: memref<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected layout_b "kn" or "k", perhaps with "i" or "j" before, with 'packed' but found "kin"}}
  npu.matmul %a, %b -> %c {layout_a = #npu.layout<mik>, layout_b = #npu.layout<kin>, packed} : memref<4x2x8xf32>, memref<1x8x2x32xf32> -> memref<4x16xf32>
  return
}

// -----

// matmul_c2
func.func @matmul_no_reduction(%a: tensor<4xf32>, %b: tensor<16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected a reduction dimension 'k' but found none; an outer product is npu.binary mul}}
  npu.matmul %a, %b -> %c {layout_a = #npu.layout<m>, layout_b = #npu.layout<n>} : tensor<4xf32>, tensor<16xf32> -> tensor<4x16xf32>
  return
}

// -----

// matmul_c2
func.func @matmul_batch(%a: tensor<2x4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected 'b' in the layouts of the destination and an input but found "bmk", "kn", "mn"}}
  npu.matmul %a, %b -> %c {layout_a = #npu.layout<bmk>} : tensor<2x4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

// matmul_c2
func.func @matmul_batches(%a: tensor<2x3x4x8xf32>, %b: tensor<2x3x8x16xf32>, %c: tensor<2x4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected 'g' in the layouts of the destination and an input but found "bgmk", "bgkn", "bmn"}}
  npu.matmul %a, %b -> %c {layout_a = #npu.layout<bgmk>, layout_b = #npu.layout<bgkn>, layout_c = #npu.layout<bmn>} : tensor<2x3x4x8xf32>, tensor<2x3x8x16xf32> -> tensor<2x4x16xf32>
  return
}

// -----

// matmul_c3
func.func @matmul_types(%a: tensor<4x8xf16>, %b: tensor<8x16xf16>, %c: tensor<4x16xf16>) {
  // expected-error@+1 {{'npu.matmul' op expected i8 x i8 -> i32, i16 x i8 -> i32, f16 x f16 -> f32, bf16 x bf16 -> f32 or f32 x f32 -> f32 but found 'f16' x 'f16' -> 'f16'}}
  npu.matmul %a, %b -> %c : tensor<4x8xf16>, tensor<8x16xf16> -> tensor<4x16xf16>
  return
}

// -----

// matmul_c4
func.func @matmul_shapes(%a: tensor<4x8xf32>, %b: tensor<9x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected 9 elements in dimension 'k' of operand 0 but found 8}}
  npu.matmul %a, %b -> %c : tensor<4x8xf32>, tensor<9x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @matmul_mixed(%a: memref<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected all data operands to be tensors like the destination but operand 0 is 'memref<4x8xf32>'}}
  npu.matmul %a, %b -> %c : memref<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

// matmul_c6
func.func @matmul_extents_on_tensors(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>, %e: index) {
  // expected-error@+1 {{'npu.matmul' op expected no extents on tensors but found 3; slice the operands instead}}
  npu.matmul %a, %b -> %c extents(%e, %e, %e) : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

// matmul_c6
func.func @matmul_extents(%a: memref<4x8xf32>, %b: memref<8x16xf32>, %c: memref<4x16xf32>, %e: index) {
  // expected-error@+1 {{'npu.matmul' op expected one extent per iteration dimension, that is 3, but found 2}}
  npu.matmul %a, %b -> %c extents(%e, %e) : memref<4x8xf32>, memref<8x16xf32> -> memref<4x16xf32>
  return
}

// -----

// matmul_c6
func.func @matmul_init_on_tensors(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>, %e: index) {
  // expected-error@+1 {{'npu.matmul' op expected no 'init' on tensors; use 'accumulate'}}
  npu.matmul %a, %b -> %c init(%e) : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

// matmul_c5
func.func @matmul_packed_layout(%a: memref<4x8xf32>, %b: memref<2x8x8xf32>, %c: memref<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected layout_b "kn" or "k", perhaps with "i" or "j" before, with 'packed' but found "nk"}}
  npu.matmul %a, %b -> %c {layout_b = #npu.layout<nk>, packed} : memref<4x8xf32>, memref<2x8x8xf32> -> memref<4x16xf32>
  return
}

// -----

// matmul_c5
func.func @matmul_packed_tensor(%a: tensor<4x8xf32>, %b: tensor<2x8x8xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected memrefs with 'packed' but found 'tensor<2x8x8xf32>'}}
  npu.matmul %a, %b -> %c {packed} : tensor<4x8xf32>, tensor<2x8x8xf32> -> tensor<4x16xf32>
  return
}

// -----

// matmul_c5
func.func @matmul_packed_dynamic(%a: memref<4x8xf32>, %b: memref<?x8x8xf32>, %c: memref<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected static shapes with 'packed' but found 'memref<?x8x8xf32>'}}
  npu.matmul %a, %b -> %c {packed} : memref<4x8xf32>, memref<?x8x8xf32> -> memref<4x16xf32>
  return
}

// -----

// matmul_c5
func.func @matmul_panels(%a: memref<4x8xf32>, %b: memref<3x8x8xf32>, %c: memref<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op expected 2 panels of 8 columns for 16 columns but found 3}}
  npu.matmul %a, %b -> %c {packed} : memref<4x8xf32>, memref<3x8x8xf32> -> memref<4x16xf32>
  return
}

// -----

// An attribute of the wrong type is an error, not dropped.
func.func @matmul_tile_type(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'npu.matmul' op attribute 'tile_m' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  npu.matmul %a, %b -> %c {tile_m = "64"} : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

// conv_c2
func.func @conv_places(%i: tensor<1x9x9x8xf32>, %f: tensor<3x3x8x16xf32>, %o: tensor<1x7x7x16xf32>) {
  // expected-error@+1 {{'npu.conv' op expected 'f' in the layouts of second operand and destination only but found "nhwc", "yxcf", "nhwc"}}
  npu.conv %i, %f -> %o {layout_output = #npu.layout<nhwc>} : tensor<1x9x9x8xf32>, tensor<3x3x8x16xf32> -> tensor<1x7x7x16xf32>
  return
}

// -----

// conv_c2
func.func @conv_spatial(%i: tensor<1x9x8xf32>, %f: tensor<3x3x8x16xf32>, %o: tensor<1x7x16xf32>) {
  // expected-error@+1 {{'npu.conv' op expected 'h' with 'y', 'w' with 'x' or neither, and 'd' with 'z' beside those or neither, but found "nhc", "yxcf", "nhf"}}
  npu.conv %i, %f -> %o {layout_input = #npu.layout<nhc>, layout_output = #npu.layout<nhf>} : tensor<1x9x8xf32>, tensor<3x3x8x16xf32> -> tensor<1x7x16xf32>
  return
}

// -----

// conv_c3
func.func @conv_stride(%i: tensor<1x9x9x8xf32>, %f: tensor<3x3x8x16xf32>, %o: tensor<1x7x7x16xf32>) {
  // expected-error@+1 {{'npu.conv' op expected 2 values of at least 1 in 'stride' but found [0, 1]}}
  npu.conv %i, %f -> %o {stride = array<i64: 0, 1>} : tensor<1x9x9x8xf32>, tensor<3x3x8x16xf32> -> tensor<1x7x7x16xf32>
  return
}

// -----

// conv_c3
func.func @conv_pad_value(%i: tensor<1x9x9x8xf32>, %f: tensor<3x3x8x16xf32>, %o: tensor<1x7x7x16xf32>) {
  // expected-error@+1 {{'npu.conv' op expected 'pad_value' of type 'f32' but found 0 : i8}}
  npu.conv %i, %f -> %o {pad_value = 0 : i8} : tensor<1x9x9x8xf32>, tensor<3x3x8x16xf32> -> tensor<1x7x7x16xf32>
  return
}

// -----

// conv_c5
func.func @conv_window(%i: tensor<1x9x9x8xf32>, %f: tensor<3x3x8x16xf32>, %o: tensor<1x8x7x16xf32>) {
  // expected-error@+1 {{'npu.conv' op expected at least 10 input elements in dimension 'h' for 8 outputs but found 9 and 0 of padding}}
  npu.conv %i, %f -> %o : tensor<1x9x9x8xf32>, tensor<3x3x8x16xf32> -> tensor<1x8x7x16xf32>
  return
}

// -----

// conv_c6
func.func @conv_packed(%i: memref<9x9x8xf32>, %f: memref<2x3x3x8x8xf32>, %o: memref<7x7x16xf32>) {
  // expected-error@+1 {{'npu.conv' op expected layout_filter "yxcf" or a part of it with 'packed' but found "fyxc"}}
  npu.conv %i, %f -> %o {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<fyxc>, layout_output = #npu.layout<hwf>, packed}
      : memref<9x9x8xf32>, memref<2x3x3x8x8xf32> -> memref<7x7x16xf32>
  return
}

// -----

// unary_c1
func.func @unary_type(%x: tensor<4xi32>) {
  // expected-error@+1 {{'npu.unary' op does not take elements of type 'i32'}}
  npu.unary exp %x -> %x : tensor<4xi32> -> tensor<4xi32>
  return
}

// -----

// unary_c1
func.func @unary_output(%x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error@+1 {{'npu.unary' op expected an output of element type 'f32' but found 'f16'}}
  npu.unary exp %x -> %y : tensor<4xf32> -> tensor<4xf16>
  return
}

// -----

// copy_c1
func.func @copy_pad(%x: tensor<4xi32>, %y: tensor<6xi32>) {
  // expected-error@+1 {{'npu.copy' op expected 'pad_value' of element type 'i32' but found 'f32'}}
  npu.copy %x -> %y {pad_value = 0.0 : f32} : tensor<4xi32> -> tensor<6xi32>
  return
}

// -----

// copy_c2
func.func @copy_offset(%x: tensor<4xi32>, %y: tensor<6xi32>) {
  // expected-error@+1 {{'npu.copy' op expected indexing maps to be projected permutations of the 1 dimensions of the destination but found affine_map<(d0) -> (d0 - 1)>}}
  npu.copy %x -> %y {indexing_maps = [affine_map<(d0) -> (d0 - 1)>, affine_map<(d0) -> (d0)>]} : tensor<4xi32> -> tensor<6xi32>
  return
}

// -----

// copy_c2
func.func @copy_padded_buffer(%x: memref<4xi32>, %y: memref<6xi32>) {
  // expected-error@+1 {{'npu.copy' op expected no 'pad_value' on memrefs, where everything lies in the buffer}}
  npu.copy %x -> %y {pad_value = 0 : i32} : memref<4xi32> -> memref<6xi32>
  return
}

// -----

// copy_c1
func.func @copy_output(%x: tensor<4xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'npu.copy' op expected an output of element type 'i32' but found 'f32'}}
  npu.copy %x -> %y : tensor<4xi32> -> tensor<4xf32>
  return
}

// -----

// elementwise_c1
func.func @copy_shape(%x: tensor<4x8xi32>, %y: tensor<4x8xi32>) {
  // expected-error@+1 {{'npu.copy' op expected 8 elements in dimension d1 of operand 0 but found 4}}
  npu.copy %x -> %y {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]} : tensor<4x8xi32> -> tensor<4x8xi32>
  return
}

// -----

// elementwise_c1
func.func @map_count(%x: tensor<4xf32>) {
  // expected-error@+1 {{'npu.unary' op expected one indexing map per data operand, that is 2, but found 1}}
  npu.unary exp %x -> %x {indexing_maps = [affine_map<(d0) -> (d0)>]} : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// elementwise_c2
func.func @map_kind(%x: tensor<4xf32>) {
  // expected-error@+1 {{'npu.unary' op expected indexing maps to be projected permutations of the 1 dimensions of the destination but found affine_map<(d0) -> (d0 + 1)>}}
  npu.unary exp %x -> %x {indexing_maps = [affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0)>]} : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// elementwise_c2
func.func @map_destination(%x: tensor<4xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'npu.unary' op expected the map of the destination to be a permutation but found affine_map<(d0, d1) -> (d0)>}}
  npu.unary exp %x -> %y {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>]} : tensor<4xf32> -> tensor<4x4xf32>
  return
}

// -----

// elementwise_c1
func.func @broadcast_without_maps(%x: tensor<4xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'npu.unary' op expected operand 0 of rank 2 but found 'tensor<4xf32>'}}
  npu.unary exp %x -> %y : tensor<4xf32> -> tensor<4x4xf32>
  return
}

// -----

// elementwise_c3
func.func @elementwise_shapes(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error@+1 {{'npu.unary' op expected 5 elements in dimension d0 of operand 0 but found 4}}
  npu.unary exp %x -> %y : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

// elementwise_c5
func.func @elementwise_tile(%x: tensor<4xf32>) {
  // expected-error@+1 {{'npu.unary' op expected 1 tile sizes that are not negative but found array<i64: 1, 2>}}
  npu.unary exp %x -> %x {tile = array<i64: 1, 2>} : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// binary_c1
func.func @binary_operands(%x: tensor<4xf32>) {
  // expected-error@+1 {{'npu.binary' op expected either a right operand or 'imm' but found neither}}
  npu.binary add %x -> %x : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// binary_c1
func.func @binary_imm_first(%x: tensor<4xf32>) {
  // expected-error@+1 {{'npu.binary' op expected 'imm_first' together with 'imm' but found an operand}}
  npu.binary sub %x, %x -> %x {imm_first} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// binary_c2
func.func @binary_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{'npu.binary' op does not take elements of type 'f32'}}
  npu.binary xor %x, %x -> %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// binary_c2
func.func @binary_right(%x: tensor<4xf32>) {
  // expected-error@+1 {{'npu.binary' op expected a right operand of element type 'f32' but found 'i32'}}
  npu.binary add %x -> %x {imm = 1 : i32} : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// binary_c3
func.func @compare_output(%x: tensor<4xf32>) {
  // expected-error@+1 {{'npu.binary' op expected an output of element type 'i1' but found 'f32'}}
  npu.binary cmpeq %x, %x -> %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// select_c1
func.func @select_condition(%x: tensor<4xf32>) {
  // expected-error@+1 {{'npu.select' op expected a condition of element type 'i1' but found 'f32'}}
  npu.select %x, %x, %x -> %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// clamp_c1
func.func @clamp_limit(%x: tensor<4xf32>) {
  // expected-error@+1 {{'npu.clamp' op expected 'lo' of element type 'f32' but found 'i32'}}
  npu.clamp %x -> %x {lo = 0 : i32, hi = 6.0 : f32} : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// cast_c1
func.func @cast_types(%x: tensor<4xf32>, %y: tensor<4xi8>) {
  // expected-error@+1 {{'npu.cast' op does not convert 'f32' to 'i8'}}
  npu.cast truncf %x -> %y : tensor<4xf32> -> tensor<4xi8>
  return
}

// -----

// requantize_c1
func.func @requantize_types(%x: tensor<4xf32>, %y: tensor<4xi8>) {
  // expected-error@+1 {{'npu.requantize' op expected i32 input and i8 or i16 output but found 'f32' and 'i8'}}
  npu.requantize %x -> %y {scale = 1.0 : f32, lo = -128, hi = 127} : tensor<4xf32> -> tensor<4xi8>
  return
}

// -----

// requantize_c2
func.func @requantize_scale(%x: tensor<4xi32>, %y: tensor<4xi8>) {
  // expected-error@+1 {{'npu.requantize' op expected either 'scale' or an operand of scales but found neither}}
  npu.requantize %x -> %y {lo = -128, hi = 127} : tensor<4xi32> -> tensor<4xi8>
  return
}

// -----

// requantize_c3
func.func @requantize_range(%x: tensor<4xi32>, %y: tensor<4xi8>) {
  // expected-error@+1 {{'npu.requantize' op expected lo <= hi in the range of 'i8' but found -128 and 255}}
  npu.requantize %x -> %y {scale = 1.0 : f32, lo = -128, hi = 255} : tensor<4xi32> -> tensor<4xi8>
  return
}

// -----

// rescale_c1
func.func @rescale_types(%x: tensor<4xf32>, %y: tensor<4xi8>) {
  // expected-error@+1 {{'npu.rescale' op expected i8, i16 or i32 input and output but found 'f32' and 'i8'}}
  npu.rescale %x -> %y {multiplier = 1, shift = 2} : tensor<4xf32> -> tensor<4xi8>
  return
}

// -----

// rescale_c2
func.func @rescale_factors(%x: tensor<4xi32>, %y: tensor<4xi8>) {
  // expected-error@+1 {{'npu.rescale' op expected a multiplier and a shift, both attributes or both operands}}
  npu.rescale %x -> %y {multiplier = 1} : tensor<4xi32> -> tensor<4xi8>
  return
}

// -----

// rescale_c3
func.func @rescale_range(%x: tensor<4xi32>, %y: tensor<4xi8>) {
  // expected-error@+1 {{'npu.rescale' op expected a multiplier in [0, 2147483647] and a shift in [2, 62] but found 1 and 63}}
  npu.rescale %x -> %y {multiplier = 1, shift = 63} : tensor<4xi32> -> tensor<4xi8>
  return
}

// -----

// rescale_c4
func.func @rescale_one_limit(%a: tensor<4xi32>, %d: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error@+1 {{'npu.rescale' op expected both of 'lo' and 'hi' or neither but found 'hi'}}
  %0 = npu.rescale %a -> %d {hi = 100, multiplier = 1, shift = 31} : tensor<4xi32> -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// rescale_c4
func.func @rescale_limits(%a: tensor<4xi32>, %d: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error@+1 {{'npu.rescale' op expected lo <= hi in the range of 'i8' but found 0 and 128}}
  %0 = npu.rescale %a -> %d {hi = 128, lo = 0, multiplier = 1, shift = 31} : tensor<4xi32> -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// dma_load_c1
func.func @dma_load_destination(%x: memref<4xf32, #npu.space<dram>>, %i: index) {
  // expected-error@+1 {{'npu.dma_load' op expected the destination in #npu.space<sram> but found 'memref<4xf32, #npu.space<dram>>'}}
  npu.dma_load %x[%i] -> %x : memref<4xf32, #npu.space<dram>> to memref<4xf32, #npu.space<dram>>
  return
}

// -----

// dma_load_c1
func.func @dma_load_source(%x: memref<4xf32, #npu.space<acc>>, %y: memref<4xf32, #npu.space<sram>>, %i: index) {
  // expected-error@+1 {{'npu.dma_load' op expected the source in #npu.space<dram> or #npu.space<sram> but found 'memref<4xf32, #npu.space<acc>>'}}
  npu.dma_load %x[%i] -> %y : memref<4xf32, #npu.space<acc>> to memref<4xf32, #npu.space<sram>>
  return
}

// -----

// dma_load_c1
func.func @dma_types(%x: memref<4xf32, #npu.space<dram>>, %y: memref<4xf16, #npu.space<sram>>, %i: index) {
  // expected-error@+1 {{'npu.dma_load' op expected the same element type on both sides but found 'f32' and 'f16'; convert with npu.cast}}
  npu.dma_load %x[%i] -> %y : memref<4xf32, #npu.space<dram>> to memref<4xf16, #npu.space<sram>>
  return
}

// -----

// dma_load_c2
func.func @dma_origin(%x: memref<4xf32, #npu.space<dram>>, %y: memref<4xf32, #npu.space<sram>>, %i: index) {
  // expected-error@+1 {{'npu.dma_load' op expected one origin per dimension of the DRAM side, that is 1, but found 2}}
  npu.dma_load %x[%i, %i] -> %y : memref<4xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
  return
}

// -----

// dma_load_c3
func.func @dma_map(%x: memref<4x4xf32, #npu.space<dram>>, %y: memref<4xf32, #npu.space<sram>>, %i: index) {
  // expected-error@+1 {{'npu.dma_load' op expected a map from the 1 on-chip dimensions to the 2 DRAM dimensions but found affine_map<(d0) -> (d0)>}}
  npu.dma_load %x[%i, %i] -> %y : memref<4x4xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
  return
}

// -----

// dma_store_c4
func.func @dma_extents(%x: memref<4xf32, #npu.space<dram>>, %y: memref<4xf32, #npu.space<sram>>, %i: index) {
  // expected-error@+1 {{'npu.dma_store' op expected no extents or one per on-chip dimension, that is 1, but found 2}}
  npu.dma_store %y -> %x[%i] extents(%i, %i) : memref<4xf32, #npu.space<sram>> to memref<4xf32, #npu.space<dram>>
  return
}

// -----

// dma_load_c6
func.func @dma_multicast(%x: memref<4xf32, #npu.space<sram>>, %y: memref<4xf32, #npu.space<sram>>, %i: index) {
  // expected-error@+1 {{'npu.dma_load' op expected the source in #npu.space<dram>, as 'clusters' receive the data, but found 'memref<4xf32, #npu.space<sram>>'}}
  npu.dma_load %x[%i] -> %y {clusters = 2 : i64} : memref<4xf32, #npu.space<sram>> to memref<4xf32, #npu.space<sram>>
  return
}

// -----

// dma_load_c7
func.func @dma_leader_alone(%x: memref<4xf32, #npu.space<dram>>, %y: memref<4xf32, #npu.space<sram>>, %i: index) {
  // expected-error@+1 {{'npu.dma_load' op expected 'clusters' that receive the data beside 'leader'}}
  npu.dma_load %x[%i] -> %y {leader = 1 : i64} : memref<4xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
  return
}

// -----

// dma_load_c6
func.func @dma_one_cluster(%x: memref<4xf32, #npu.space<dram>>, %y: memref<4xf32, #npu.space<sram>>, %i: index) {
  // expected-error@+1 {{'npu.dma_load' op expected at least 2 clusters that receive the data but found the first one alone; drop 'clusters'}}
  npu.dma_load %x[%i] -> %y {clusters = 1 : i64} : memref<4xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
  return
}

// -----

// dma_load_c5
func.func @dma_fill(%x: memref<4xf32, #npu.space<dram>>, %y: memref<4xf32, #npu.space<sram>>, %i: index) {
  // expected-error@+1 {{'npu.dma_load' op expected a fill value of type 'f32' but found 0 : i8}}
  npu.dma_load %x[%i] -> %y fill(0 : i8) : memref<4xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
  return
}

// -----

// dma_store_c1
func.func @dma_store_destination(%x: memref<4xf32, #npu.space<sram>>, %i: index) {
  // expected-error@+1 {{'npu.dma_store' op expected the DRAM side in #npu.space<dram> but found 'memref<4xf32, #npu.space<sram>>'}}
  npu.dma_store %x -> %x[%i] : memref<4xf32, #npu.space<sram>> to memref<4xf32, #npu.space<sram>>
  return
}

// -----

// dma_store_c1
func.func @dma_store_source(%x: memref<4xf32, #npu.space<dram>>, %i: index) {
  // expected-error@+1 {{'npu.dma_store' op expected the source in #npu.space<sram> or #npu.space<acc> but found 'memref<4xf32, #npu.space<dram>>'}}
  npu.dma_store %x -> %x[%i] : memref<4xf32, #npu.space<dram>> to memref<4xf32, #npu.space<dram>>
  return
}

// -----

// ring_c1
func.func @ring_space(%i: index) {
  // expected-error@+1 {{'npu.ring' op expected a buffer in #npu.space<sram> or #npu.space<acc> but found 'memref<4xf32>'}}
  npu.ring %i {depth = 2, id = 0, slot_bytes = 16} : memref<4xf32>
  return
}

// -----

// ring_c1
func.func @ring_shape(%i: index) {
  // expected-error@+1 {{'npu.ring' op expected a static buffer of numbers with identity layout but found 'memref<?xf32, #npu.space<sram>>'}}
  npu.ring %i {depth = 2, id = 0, slot_bytes = 16} : memref<?xf32, #npu.space<sram>>
  return
}

// -----

// ring_c2
func.func @ring_slot(%i: index) {
  // expected-error@+1 {{'npu.ring' op expected slots of at least 16 bytes for 'memref<4xf32, #npu.space<sram>>' but found 8}}
  npu.ring %i {depth = 2, id = 0, slot_bytes = 8} : memref<4xf32, #npu.space<sram>>
  return
}

// -----

func.func @buffers() {
  // expected-error@+1 {{'memref.alloc' op expected 'npu.buffers' to be a positive i64 but found 0 : i64}}
  %0 = memref.alloc() {npu.buffers = 0 : i64} : memref<4xf32, #npu.space<sram>>
  return
}

// -----

// expected-error@+1 {{expected at least one cluster but found 0}}
module attributes {test.split = #npu.cluster<dim = 1, count = 0>} {}

// -----

// expected-error@+1 {{expected a dimension that is not negative but found -1}}
module attributes {test.split = #npu.cluster<dim = -1, count = 2>} {}

// -----

// kernel_c1
// expected-error@+1 {{'npu.kernel' op expected a body; a kernel cannot be declared}}
npu.kernel @declared(tensor<4xf32>)

// -----

// kernel_c2
// expected-error@+1 {{'npu.kernel' op expected tensors or memrefs in the signature but found both: '(tensor<4xf32>, memref<4xf32>) -> ()'}}
npu.kernel @mixed(%x: tensor<4xf32>, %y: memref<4xf32>) {
  npu.return
}

// -----

// kernel_c3
// expected-error@+1 {{'npu.kernel' op expected no results from a kernel on memrefs but found 1; pass each as an argument marked 'npu.output'}}
npu.kernel @results(%x: memref<4xf32>) -> memref<4xf32> {
  npu.return %x : memref<4xf32>
}

// -----

// return_c1
npu.kernel @returned(%x: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error@+1 {{'npu.return' op expected operands of the kernel's result types ('tensor<5xf32>') but found ('tensor<4xf32>')}}
  npu.return %x : tensor<4xf32>
}

// -----

// fill_c1
npu.kernel @fill(%d: memref<4xi32, #npu.space<dram>>) {
  // expected-error@+1 {{'npu.fill' op expected a buffer in #npu.space<sram> or #npu.space<acc> but found 'memref<4xi32, #npu.space<dram>>'}}
  npu.fill %d {value = 3 : i32} : memref<4xi32, #npu.space<dram>>
  npu.return
}

// -----

// fill_c1
npu.kernel @fill(%d: memref<?xi32, #npu.space<sram>>) {
  // expected-error@+1 {{'npu.fill' op expected a static buffer but found 'memref<?xi32, #npu.space<sram>>'}}
  npu.fill %d {value = 3 : i32} : memref<?xi32, #npu.space<sram>>
  npu.return
}

// -----

// fill_c2
npu.kernel @fill(%d: memref<4xi32, #npu.space<sram>>) {
  // expected-error@+1 {{'npu.fill' op expected a value of type 'i32' but found 3 : i8}}
  npu.fill %d {value = 3 : i8} : memref<4xi32, #npu.space<sram>>
  npu.return
}

// -----

// binary_c2
func.func @narrow_shift(%x: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error @+1 {{'npu.binary' op does not take elements of type 'i8'}}
  %0 = npu.binary shru %x -> %x {imm = 1 : i8} : tensor<4xi8> -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// binary_c2
func.func @boolean_sum(%x: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error @+1 {{'npu.binary' op does not take elements of type 'i1'}}
  %0 = npu.binary add %x, %x -> %x : tensor<4xi1>, tensor<4xi1> -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// kernel_c4
// expected-error @+1 {{expected 'npu.constant' of argument 0 to be a dense constant of a memref's shape and element type, but the argument is 'memref<4xf32>'}}
npu.kernel @constant(%x: memref<4xf32> {npu.constant = dense<1.0> : tensor<3xf32>}) {
  npu.return
}

// -----

func.func @offset() {
  // expected-error@+1 {{'memref.alloc' op expected 'npu.offset' to be an i64 that is not negative but found -64 : i64}}
  %0 = memref.alloc() {npu.offset = -64 : i64} : memref<4xf32, #npu.space<sram>>
  return
}

// -----

func.func @clusters(%a: index, %b: index, %c: index) {
  // expected-error@+1 {{'scf.for' op expected 'npu.clusters' to be a positive i64 but found 0 : i64}}
  scf.for %i = %a to %b step %c {
  } {npu.clusters = 0 : i64}
  return
}

// -----

// previous_c1
func.func @previous(%a: memref<4xf32, #npu.space<sram>>) {
  // expected-error@+1 {{'npu.previous' op expected a buffer allocated with 'npu.buffers' of at least 2: the iteration before still needs its own}}
  %0 = npu.previous %a : memref<4xf32, #npu.space<sram>>
  return
}

// -----

// previous_c1
func.func @previous_part(%a: memref<4xf32, #npu.space<sram>>) {
  %part = memref.subview %a[0] [2] [1] : memref<4xf32, #npu.space<sram>> to memref<2xf32, strided<[1]>, #npu.space<sram>>
  // expected-error@+1 {{'npu.previous' op expected a part of a buffer that is taken in a loop: outside there is no iteration before}}
  %0 = npu.previous %part : memref<2xf32, strided<[1]>, #npu.space<sram>>
  return
}

// -----

// expected-error@+1 {{expected tiles of at least one element but found 0}}
#s = #npu.schedule<{for m = 0 {@matmul}}>

// -----

// expected-error@+1 {{expected at least one cluster but found 0}}
#s = #npu.schedule<{for m = 4 clusters 0 {@matmul}}>

// -----

// expected-error@+1 {{expected an operand as stage.operand but found "lhs"}}
#s = #npu.schedule<{load @lhs}>

// -----

// expected-error@+1 {{expected the name of a stage, without a dot, but found "a.b"}}
#s = #npu.schedule<{@a.b -> acc}>

// -----

// expected-error@+1 {{expected a ring of at least one buffer but found 0}}
#s = #npu.schedule<{load @a.lhs x0}>

// -----

// expected-error@+1 {{expected a ring depth, as in x2}}
#s = #npu.schedule<{load @a.lhs twice}>

// -----

// expected-error@+1 {{expected sram or acc, found dram}}
#s = #npu.schedule<{value @a -> dram}>

// -----

// expected-error@+1 {{expected a skew of 0 or 1 but found 2}}
#s = #npu.schedule<{@a -> acc skew 2}>

// -----

// expected-error@+1 {{expected cycles that are not negative but found -1}}
#s = #npu.schedule<{@a -> acc} cycles -1>

// -----

// matmul_c7
npu.kernel @bias_without_columns(%a: tensor<4x8xi8>, %b: tensor<8xi8>, %bias: tensor<4xi32>, %c: tensor<4xi32>) {
  // expected-error @below {{'npu.matmul' op expected no bias of a result without columns}}
  %0 = npu.matmul %a, %b bias(%bias : tensor<4xi32>) -> %c {layout_b = #npu.layout<k>, layout_c = #npu.layout<m>} : tensor<4x8xi8>, tensor<8xi8> -> tensor<4xi32>
  npu.return
}

// -----

npu.kernel @bias_of_groups(%x: tensor<8x8x16x5xi8>, %w: tensor<3x3x16x5xi8>, %bias: tensor<16xi32>, %e: tensor<6x6x16xi32>) {
  // expected-error @below {{'npu.conv' op expected no bias of a result without columns}}
  %0 = npu.conv %x, %w bias(%bias : tensor<16xi32>) -> %e {layout_input = #npu.layout<hwgc>, layout_filter = #npu.layout<yxgc>, layout_output = #npu.layout<hwg>} : tensor<8x8x16x5xi8>, tensor<3x3x16x5xi8> -> tensor<6x6x16xi32>
  npu.return
}

// -----

npu.kernel @bias_and_accumulate(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>, %bias: tensor<16xi32>, %c: tensor<4x16xi32>) {
  // expected-error @below {{'npu.matmul' op expected no bias with 'accumulate', which starts sums as well}}
  %0 = npu.matmul %a, %b bias(%bias : tensor<16xi32>) -> %c {accumulate} : tensor<4x8xi8>, tensor<8x16xi8> -> tensor<4x16xi32>
  npu.return
}

// -----

npu.kernel @bias_type(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>, %bias: tensor<16xi8>, %c: tensor<4x16xi32>) {
  // expected-error @below {{'npu.matmul' op expected a bias of 'i32' but found 'i8'}}
  %0 = npu.matmul %a, %b bias(%bias : tensor<16xi8>) -> %c : tensor<4x8xi8>, tensor<8x16xi8> -> tensor<4x16xi32>
  npu.return
}

// -----

// conv_c8
npu.kernel @bias_rank(%x: tensor<1x8x8x4xi8>, %f: tensor<3x3x4x16xi8>, %bias: tensor<1x16xi32>, %o: tensor<1x6x6x16xi32>) {
  // expected-error @below {{'npu.conv' op expected an operand of rank 1 for bias "f" but found 'tensor<1x16xi32>'}}
  %0 = npu.conv %x, %f bias(%bias : tensor<1x16xi32>) -> %o : tensor<1x8x8x4xi8>, tensor<3x3x4x16xi8> -> tensor<1x6x6x16xi32>
  npu.return
}

// -----

npu.kernel @bias_length(%x: tensor<1x8x8x4xi8>, %f: tensor<3x3x4x16xi8>, %bias: tensor<15xi32>, %o: tensor<1x6x6x16xi32>) {
  // expected-error @below {{'npu.conv' op expected 16 elements in dimension 'f' of operand 2 but found 15}}
  %0 = npu.conv %x, %f bias(%bias : tensor<15xi32>) -> %o : tensor<1x8x8x4xi8>, tensor<3x3x4x16xi8> -> tensor<1x6x6x16xi32>
  npu.return
}

// -----

// resident_c1
// expected-error@+1 {{expected numbers in ascending order, none negative, but found [1, 0]}}
#resident = #npu.resident<arguments = [1, 0], bytes = 0>

// -----

// expected-error@+1 {{expected numbers in ascending order, none negative, but found [-1]}}
#resident = #npu.resident<results = [-1], bytes = 0>

// -----

// resident_c2
// expected-error@+1 {{expected bytes that are not negative but found -1}}
#resident = #npu.resident<bytes = -1>

// -----

// expected-error@+1 {{expected numbers in ascending order, none negative, but found [-1]}}
#resident = #npu.resident<bytes = 0, dims = [-1]>

// -----

// resident_c3
// expected-error@+1 {{expected at most 2 dimensions that clusters share but found [0, 1, 2]}}
#resident = #npu.resident<bytes = 0, dims = [0, 1, 2]>

// -----

// resident_c4
// expected-error@+1 {{expected from 0 to 100 percent hidden but found 101}}
#resident = #npu.resident<hidden = 101, bytes = 0>

// -----

// kernel_c5
// expected-error@+1 {{expected a resident argument of the 1 that there are but found number 1}}
npu.kernel @no_such_argument(%x: tensor<4xf32>) -> tensor<4xf32> attributes {resident = #npu.resident<arguments = [0, 1], bytes = 0>} {
  npu.return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{expected a resident result of the 1 that there are but found number 2}}
npu.kernel @no_such_result(%x: tensor<4xf32>) -> tensor<4xf32> attributes {resident = #npu.resident<results = [2], bytes = 0>} {
  npu.return %x : tensor<4xf32>
}

// -----

// Bytes are counted of buffers.
// expected-error@below {{'npu.kernel' op expected buffers of integers or floats in a kernel but found 'memref<8xindex, #npu.space<dram>>'}}
npu.kernel @index(%a: memref<8xindex, #npu.space<dram>>) {
  npu.return
}

// -----

npu.kernel @complex(%a: memref<8xf32, #npu.space<dram>>) {
  // expected-error@below {{'memref.alloc' op expected buffers of integers or floats in a kernel but found 'memref<8xcomplex<f32>, #npu.space<sram>>'}}
  %0 = memref.alloc() : memref<8xcomplex<f32>, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @no_bits(%a: memref<8xf32, #npu.space<dram>>) {
  // expected-error@below {{'memref.alloc' op expected buffers of integers or floats in a kernel but found 'memref<8xi0, #npu.space<sram>>'}}
  %0 = memref.alloc() : memref<8xi0, #npu.space<sram>>
  npu.return
}
