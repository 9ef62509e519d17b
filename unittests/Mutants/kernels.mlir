// Kernels whose programs MutantsTest breaks. Together with the targets of that test they need every kind
// of dependence that the compiler synchronizes: operands reused over loops, accumulators kept over
// several k tiles, tails, several clusters, ragged edges.

func.func @matmul_f32(%a: tensor<40x100xf32>, %b: tensor<100x70xf32>) -> tensor<40x70xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x70xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<40x70xf32>) -> tensor<40x70xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<40x100xf32>, tensor<100x70xf32>) outs(%0 : tensor<40x70xf32>) -> tensor<40x70xf32>
  return %1 : tensor<40x70xf32>
}

// Long sums where the memory is slow: they are in SRAM.
func.func @matmul_long(%a: tensor<70x700xi8>, %b: tensor<700x90xi8>) -> tensor<70x90xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<70x90xi32>
  %0 = linalg.fill ins(%z : i32) outs(%e : tensor<70x90xi32>) -> tensor<70x90xi32>
  %1 = linalg.matmul ins(%a, %b : tensor<70x700xi8>, tensor<700x90xi8>) outs(%0 : tensor<70x90xi32>) -> tensor<70x90xi32>
  return %1 : tensor<70x90xi32>
}

func.func @matmul_init(%a: tensor<40x64xi8>, %b: tensor<64x72xi8>, %c: tensor<40x72xi32>) -> tensor<40x72xi32> {
  %1 = linalg.matmul ins(%a, %b : tensor<40x64xi8>, tensor<64x72xi8>) outs(%c : tensor<40x72xi32>) -> tensor<40x72xi32>
  return %1 : tensor<40x72xi32>
}

func.func @matmul_bias_relu(%a: tensor<50x90xf16>, %b: tensor<90x70xf16>, %bias: tensor<70xf16>) -> tensor<50x70xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<50x70xf16>
  %0 = linalg.fill ins(%z : f16) outs(%e : tensor<50x70xf16>) -> tensor<50x70xf16>
  %1 = linalg.matmul ins(%a, %b : tensor<50x90xf16>, tensor<90x70xf16>) outs(%0 : tensor<50x70xf16>) -> tensor<50x70xf16>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%1, %bias : tensor<50x70xf16>, tensor<70xf16>) outs(%e : tensor<50x70xf16>) {
  ^bb0(%x: f16, %y: f16, %out: f16):
    %s = arith.addf %x, %y : f16
    %r = arith.maximumf %s, %z : f16
    linalg.yield %r : f16
  } -> tensor<50x70xf16>
  return %2 : tensor<50x70xf16>
}

func.func @matmul_residual(%a: tensor<36x64xf32>, %b: tensor<64x80xf32>, %bias: tensor<80xf32>, %residual: tensor<36x80xf32>) -> tensor<36x80xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<36x80xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<36x80xf32>) -> tensor<36x80xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<36x64xf32>, tensor<64x80xf32>) outs(%0 : tensor<36x80xf32>) -> tensor<36x80xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%1, %bias, %residual : tensor<36x80xf32>, tensor<80xf32>, tensor<36x80xf32>) outs(%e : tensor<36x80xf32>) {
  ^bb0(%x: f32, %y: f32, %w: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    %t = arith.addf %s, %w : f32
    linalg.yield %t : f32
  } -> tensor<36x80xf32>
  return %2 : tensor<36x80xf32>
}

func.func @matmul_requant(%a: tensor<40x48xi8>, %b: tensor<48x56xi8>, %bias: tensor<56xi32>) -> tensor<40x56xi8> {
  %scale = arith.constant 0.25 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %z = arith.constant 0 : i32
  %e8 = tensor.empty() : tensor<40x56xi8>
  %e = tensor.empty() : tensor<40x56xi32>
  %0 = linalg.fill ins(%z : i32) outs(%e : tensor<40x56xi32>) -> tensor<40x56xi32>
  %1 = linalg.matmul ins(%a, %b : tensor<40x48xi8>, tensor<48x56xi8>) outs(%0 : tensor<40x56xi32>) -> tensor<40x56xi32>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%1, %bias : tensor<40x56xi32>, tensor<56xi32>) outs(%e8 : tensor<40x56xi8>) {
  ^bb0(%x: i32, %y: i32, %out: i8):
    %3 = arith.addi %x, %y : i32
    %4 = arith.sitofp %3 : i32 to f32
    %5 = arith.mulf %4, %scale : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %low : f32
    %8 = arith.minimumf %7, %high : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<40x56xi8>
  return %2 : tensor<40x56xi8>
}

func.func @matmul_i16(%a: tensor<24x50xi16>, %b: tensor<50x40xi8>) -> tensor<24x40xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<24x40xi32>
  %0 = linalg.fill ins(%z : i32) outs(%e : tensor<24x40xi32>) -> tensor<24x40xi32>
  %1 = linalg.matmul ins(%a, %b : tensor<24x50xi16>, tensor<50x40xi8>) outs(%0 : tensor<24x40xi32>) -> tensor<24x40xi32>
  return %1 : tensor<24x40xi32>
}

func.func @batch_matmul(%a: tensor<3x20x40xf32>, %b: tensor<3x40x36xf32>) -> tensor<3x20x36xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x20x36xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<3x20x36xf32>) -> tensor<3x20x36xf32>
  %1 = linalg.batch_matmul ins(%a, %b : tensor<3x20x40xf32>, tensor<3x40x36xf32>) outs(%0 : tensor<3x20x36xf32>) -> tensor<3x20x36xf32>
  return %1 : tensor<3x20x36xf32>
}

func.func @conv_padded(%i: tensor<1x12x14x16xi8>, %f: tensor<3x3x16x40xi8>) -> tensor<1x12x14x40xi32> {
  %z8 = arith.constant 0 : i8
  %z = arith.constant 0 : i32
  %p = tensor.pad %i low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %y: index, %x: index, %c: index):
    tensor.yield %z8 : i8
  } : tensor<1x12x14x16xi8> to tensor<1x14x16x16xi8>
  %e = tensor.empty() : tensor<1x12x14x40xi32>
  %0 = linalg.fill ins(%z : i32) outs(%e : tensor<1x12x14x40xi32>) -> tensor<1x12x14x40xi32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%p, %f : tensor<1x14x16x16xi8>, tensor<3x3x16x40xi8>) outs(%0 : tensor<1x12x14x40xi32>) -> tensor<1x12x14x40xi32>
  return %1 : tensor<1x12x14x40xi32>
}

func.func @conv_strided(%i: tensor<1x17x17x16xf32>, %f: tensor<3x3x16x48xf32>) -> tensor<1x8x8x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x48xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<1x8x8x48xf32>) -> tensor<1x8x8x48xf32>
  %1 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%i, %f : tensor<1x17x17x16xf32>, tensor<3x3x16x48xf32>) outs(%0 : tensor<1x8x8x48xf32>) -> tensor<1x8x8x48xf32>
  return %1 : tensor<1x8x8x48xf32>
}

func.func @conv_bias(%i: tensor<1x24x10x10xf16>, %f: tensor<40x24x3x3xf16>, %bias: tensor<40xf16>) -> tensor<1x40x8x8xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x40x8x8xf16>
  %0 = linalg.fill ins(%z : f16) outs(%e : tensor<1x40x8x8xf16>) -> tensor<1x40x8x8xf16>
  %1 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x24x10x10xf16>, tensor<40x24x3x3xf16>) outs(%0 : tensor<1x40x8x8xf16>) -> tensor<1x40x8x8xf16>
  %2 = linalg.generic {indexing_maps = [affine_map<(n, f, y, x) -> (n, f, y, x)>, affine_map<(n, f, y, x) -> (f)>, affine_map<(n, f, y, x) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%1, %bias : tensor<1x40x8x8xf16>, tensor<40xf16>) outs(%e : tensor<1x40x8x8xf16>) {
  ^bb0(%x: f16, %y: f16, %out: f16):
    %s = arith.addf %x, %y : f16
    linalg.yield %s : f16
  } -> tensor<1x40x8x8xf16>
  return %2 : tensor<1x40x8x8xf16>
}

func.func @depthwise(%i: tensor<1x14x14x48xi8>, %f: tensor<3x3x48xi8>) -> tensor<1x12x12x48xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x12x12x48xi32>
  %0 = linalg.fill ins(%z : i32) outs(%e : tensor<1x12x12x48xi32>) -> tensor<1x12x12x48xi32>
  %1 = linalg.depthwise_conv_2d_nhwc_hwc ins(%i, %f : tensor<1x14x14x48xi8>, tensor<3x3x48xi8>) outs(%0 : tensor<1x12x12x48xi32>) -> tensor<1x12x12x48xi32>
  return %1 : tensor<1x12x12x48xi32>
}

func.func @elementwise(%x: tensor<60x130xf32>, %row: tensor<130xf32>) -> tensor<60x130xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<60x130xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %row : tensor<60x130xf32>, tensor<130xf32>) outs(%e : tensor<60x130xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.mulf %a, %b : f32
    %r = arith.maximumf %s, %z : f32
    linalg.yield %r : f32
  } -> tensor<60x130xf32>
  return %0 : tensor<60x130xf32>
}

func.func @gather(%t: tensor<30x24xf32>, %i: tensor<70xi32>, %b: tensor<70x24xf32>) -> tensor<70x24xf32> {
  %e = tensor.empty() : tensor<70x24xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%i, %b : tensor<70xi32>, tensor<70x24xf32>) outs(%e : tensor<70x24xf32>) {
  ^bb0(%x: i32, %y: f32, %out: f32):
    %row = arith.index_cast %x : i32 to index
    %n = linalg.index 1 : index
    %r = tensor.extract %t[%row, %n] : tensor<30x24xf32>
    %s = arith.addf %r, %y : f32
    linalg.yield %s : f32
  } -> tensor<70x24xf32>
  return %0 : tensor<70x24xf32>
}

// A function of what the array computes, whose table all tiles read.
func.func @table(%a: tensor<40x24xi8>, %b: tensor<24x70xi8>, %t: tensor<256xi8>) -> tensor<40x70xi8> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40x70xi32>
  %g = tensor.empty() : tensor<40x70xi8>
  %0 = linalg.fill ins(%z : i32) outs(%e : tensor<40x70xi32>) -> tensor<40x70xi32>
  %1 = linalg.matmul ins(%a, %b : tensor<40x24xi8>, tensor<24x70xi8>) outs(%0 : tensor<40x70xi32>) -> tensor<40x70xi32>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<40x70xi32>) outs(%g : tensor<40x70xi8>) {
  ^bb0(%x: i32, %out: i8):
    %five = arith.constant 5 : i32
    %c128 = arith.constant 128 : index
    %s = arith.shrsi %x, %five : i32
    %n = arith.trunci %s : i32 to i8
    %i = arith.index_cast %n : i8 to index
    %j = arith.addi %i, %c128 : index
    %r = tensor.extract %t[%j] : tensor<256xi8>
    linalg.yield %r : i8
  } -> tensor<40x70xi8>
  return %2 : tensor<40x70xi8>
}

func.func @softmax(%x: tensor<40x24xf32>) -> tensor<40x24xf32> {
  %e = tensor.empty() : tensor<40x24xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<40x24xf32>) outs(%e : tensor<40x24xf32>) -> tensor<40x24xf32>
  return %0 : tensor<40x24xf32>
}

func.func @max_pool(%x: tensor<1x18x20x8xf32>) -> tensor<1x8x9x8xf32> {
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x8x9x8xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.fill ins(%least : f32) outs(%e : tensor<1x8x9x8xf32>) -> tensor<1x8x9x8xf32>
  %1 = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x18x20x8xf32>, tensor<3x3xf32>) outs(%0 : tensor<1x8x9x8xf32>) -> tensor<1x8x9x8xf32>
  return %1 : tensor<1x8x9x8xf32>
}

func.func @scan(%x: tensor<40x64xf32>) -> tensor<40x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x64xf32>
  %l = tensor.empty() : tensor<40xf32>
  %f = linalg.fill ins(%z : f32) outs(%l : tensor<40xf32>) -> tensor<40xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<40x64xf32>) outs(%e, %f : tensor<40x64xf32>, tensor<40xf32>) {
  ^bb0(%a: f32, %o: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t, %t : f32, f32
  } -> (tensor<40x64xf32>, tensor<40xf32>)
  return %r#0 : tensor<40x64xf32>
}

func.func @topk(%x: tensor<24x50xf16>) -> (tensor<24x6xf16>, tensor<24x6xi32>) {
  %v = tensor.empty() : tensor<24x6xf16>
  %p = tensor.empty() : tensor<24x6xi32>
  %r:2 = iree_linalg_ext.topk dimension(1) ins(%x : tensor<24x50xf16>) outs(%v, %p : tensor<24x6xf16>, tensor<24x6xi32>) {
  ^bb0(%a: f16, %b: f16):
    %c = arith.cmpf ogt, %a, %b : f16
    iree_linalg_ext.yield %c : i1
  } -> tensor<24x6xf16>, tensor<24x6xi32>
  return %r#0, %r#1 : tensor<24x6xf16>, tensor<24x6xi32>
}

func.func @argmax(%x: tensor<40x64xi16>) -> tensor<40xi32> {
  %least = arith.constant -32768 : i16
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40xi16>
  %p = tensor.empty() : tensor<40xi32>
  %ef = linalg.fill ins(%least : i16) outs(%e : tensor<40xi16>) -> tensor<40xi16>
  %pf = linalg.fill ins(%zero : i32) outs(%p : tensor<40xi32>) -> tensor<40xi32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<40x64xi16>) outs(%ef, %pf : tensor<40xi16>, tensor<40xi32>) {
  ^bb0(%a: i16, %m: i16, %w: i32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %c = arith.cmpi sgt, %a, %m : i16
    %t = arith.select %c, %a, %m : i16
    %u = arith.select %c, %k, %w : i32
    linalg.yield %t, %u : i16, i32
  } -> (tensor<40xi16>, tensor<40xi32>)
  return %r#1 : tensor<40xi32>
}

func.func @attention(%q: tensor<3x40x16xf32>, %k: tensor<3x24x16xf32>, %v: tensor<3x24x16xf32>) -> tensor<3x40x16xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<3x40x24xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<3x40x24xf32>) -> tensor<3x40x24xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<3x40x16xf32>, tensor<3x24x16xf32>) outs(%sz : tensor<3x40x24xf32>) -> tensor<3x40x24xf32>
  %w = linalg.softmax dimension(2) ins(%s : tensor<3x40x24xf32>) outs(%se : tensor<3x40x24xf32>) -> tensor<3x40x24xf32>
  %oe = tensor.empty() : tensor<3x40x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x40x16xf32>) -> tensor<3x40x16xf32>
  %0 = linalg.batch_matmul ins(%w, %v : tensor<3x40x24xf32>, tensor<3x24x16xf32>) outs(%oz : tensor<3x40x16xf32>) -> tensor<3x40x16xf32>
  return %0 : tensor<3x40x16xf32>
}

// Keys in blocks.
func.func @long_attention(%q: tensor<3x64x16xf32>, %k: tensor<3x256x16xf32>, %v: tensor<3x256x16xf32>) -> tensor<3x64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<3x64x256xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<3x64x256xf32>) -> tensor<3x64x256xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<3x64x16xf32>, tensor<3x256x16xf32>) outs(%sz : tensor<3x64x256xf32>) -> tensor<3x64x256xf32>
  %w = linalg.softmax dimension(2) ins(%s : tensor<3x64x256xf32>) outs(%se : tensor<3x64x256xf32>) -> tensor<3x64x256xf32>
  %oe = tensor.empty() : tensor<3x64x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x64x16xf32>) -> tensor<3x64x16xf32>
  %0 = linalg.batch_matmul ins(%w, %v : tensor<3x64x256xf32>, tensor<3x256x16xf32>) outs(%oz : tensor<3x64x16xf32>) -> tensor<3x64x16xf32>
  return %0 : tensor<3x64x16xf32>
}
