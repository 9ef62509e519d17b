// Segments for MutantsTest: dispatches that hand values on, that share inputs and results, in other shapes and of several results.

flow.executable private @layers {
  flow.executable.export public @dense
  flow.executable.export public @last
  flow.executable.export public @convolution
  flow.executable.export public @pointwise
  flow.executable.export public @add
  flow.executable.export public @scores
  flow.executable.export public @softmax
  flow.executable.export public @sums
  flow.executable.export public @expand
  flow.executable.export public @depthwise
  flow.executable.export public @project
  builtin.module {
    func.func @dense(%x: tensor<24x32xf32>, %w: tensor<32x32xf32>, %b: tensor<32xf32>) -> tensor<24x32xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<24x32xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x32xf32>) -> tensor<24x32xf32>
      %0 = linalg.matmul ins(%x, %w : tensor<24x32xf32>, tensor<32x32xf32>) outs(%f : tensor<24x32xf32>) -> tensor<24x32xf32>
      %1 = linalg.generic {
        indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
        iterator_types = ["parallel", "parallel"]
      } ins(%0, %b : tensor<24x32xf32>, tensor<32xf32>) outs(%e : tensor<24x32xf32>) {
      ^bb0(%a: f32, %c: f32, %o: f32):
        %s = arith.addf %a, %c : f32
        %r = arith.maximumf %s, %zero : f32
        linalg.yield %r : f32
      } -> tensor<24x32xf32>
      return %1 : tensor<24x32xf32>
    }
    func.func @last(%x: tensor<48x16xf32>, %w: tensor<16x16xf32>) -> tensor<48x16xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<48x16xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<48x16xf32>) -> tensor<48x16xf32>
      %0 = linalg.matmul ins(%x, %w : tensor<48x16xf32>, tensor<16x16xf32>) outs(%f : tensor<48x16xf32>) -> tensor<48x16xf32>
      return %0 : tensor<48x16xf32>
    }
    func.func @convolution(%x: tensor<1x10x10x8xi8>, %w: tensor<3x3x8x16xi8>) -> tensor<1x8x8x16xi32> {
      %zero = arith.constant 0 : i32
      %e = tensor.empty() : tensor<1x8x8x16xi32>
      %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32>
      %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
          ins(%x, %w : tensor<1x10x10x8xi8>, tensor<3x3x8x16xi8>) outs(%f : tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32>
      return %0 : tensor<1x8x8x16xi32>
    }
    func.func @pointwise(%x: tensor<64x8xi8>, %w: tensor<8x16xi8>) -> tensor<64x16xi32> {
      %zero = arith.constant 0 : i32
      %e = tensor.empty() : tensor<64x16xi32>
      %f = linalg.fill ins(%zero : i32) outs(%e : tensor<64x16xi32>) -> tensor<64x16xi32>
      %0 = linalg.matmul ins(%x, %w : tensor<64x8xi8>, tensor<8x16xi8>) outs(%f : tensor<64x16xi32>) -> tensor<64x16xi32>
      return %0 : tensor<64x16xi32>
    }
    func.func @add(%x: tensor<1024xi32>, %y: tensor<1024xi32>) -> tensor<1024xi32> {
      %e = tensor.empty() : tensor<1024xi32>
      %0 = linalg.add ins(%x, %y : tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) -> tensor<1024xi32>
      return %0 : tensor<1024xi32>
    }
    func.func @scores(%q: tensor<2x16x32xf32>, %k: tensor<2x16x32xf32>) -> tensor<2x16x16xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<2x16x16xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
      %0 = linalg.generic {
        indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>],
        iterator_types = ["parallel", "parallel", "parallel", "reduction"]
      } ins(%q, %k : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%f : tensor<2x16x16xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %o, %p : f32
        linalg.yield %s : f32
      } -> tensor<2x16x16xf32>
      return %0 : tensor<2x16x16xf32>
    }
    func.func @softmax(%x: tensor<32x16xf32>) -> tensor<32x16xf32> {
      %e = tensor.empty() : tensor<32x16xf32>
      %0 = linalg.softmax dimension(1) ins(%x : tensor<32x16xf32>) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
      return %0 : tensor<32x16xf32>
    }
    func.func @sums(%x: tensor<32x16xf32>, %y: tensor<2x16x16xf32>) -> (tensor<32xf32>, tensor<2x16x16xf32>) {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<32xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
      %0 = linalg.reduce ins(%x : tensor<32x16xf32>) outs(%f : tensor<32xf32>) dimensions = [1] (%a: f32, %o: f32) {
        %s = arith.addf %a, %o : f32
        linalg.yield %s : f32
      }
      %g = tensor.empty() : tensor<2x16x16xf32>
      %1 = linalg.add ins(%y, %y : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%g : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
      return %0, %1 : tensor<32xf32>, tensor<2x16x16xf32>
    }
    func.func @expand(%x: tensor<1x12x12x8xf32>, %w: tensor<1x1x8x32xf32>) -> tensor<1x12x12x32xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x12x12x32xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x12x12x32xf32>) -> tensor<1x12x12x32xf32>
      %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x12x12x8xf32>, tensor<1x1x8x32xf32>) outs(%f : tensor<1x12x12x32xf32>) -> tensor<1x12x12x32xf32>
      %r = linalg.generic {
        indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]
      } ins(%0 : tensor<1x12x12x32xf32>) outs(%e : tensor<1x12x12x32xf32>) {
      ^bb0(%a: f32, %o: f32):
        %m = arith.maximumf %a, %zero : f32
        linalg.yield %m : f32
      } -> tensor<1x12x12x32xf32>
      return %r : tensor<1x12x12x32xf32>
    }
    func.func @depthwise(%x: tensor<1x12x12x32xf32>, %w: tensor<3x3x32xf32>) -> tensor<1x12x12x32xf32> {
      %zero = arith.constant 0.0 : f32
      %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] { ^bb0(%a: index, %b: index, %c: index, %d: index): tensor.yield %zero : f32 } : tensor<1x12x12x32xf32> to tensor<1x14x14x32xf32>
      %e = tensor.empty() : tensor<1x12x12x32xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x12x12x32xf32>) -> tensor<1x12x12x32xf32>
      %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%p, %w : tensor<1x14x14x32xf32>, tensor<3x3x32xf32>) outs(%f : tensor<1x12x12x32xf32>) -> tensor<1x12x12x32xf32>
      %r = linalg.generic {
        indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]
      } ins(%0 : tensor<1x12x12x32xf32>) outs(%e : tensor<1x12x12x32xf32>) {
      ^bb0(%a: f32, %o: f32):
        %m = arith.maximumf %a, %zero : f32
        linalg.yield %m : f32
      } -> tensor<1x12x12x32xf32>
      return %r : tensor<1x12x12x32xf32>
    }
    func.func @project(%x: tensor<1x12x12x32xf32>, %w: tensor<1x1x32x8xf32>) -> tensor<1x12x12x8xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x12x12x8xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x12x12x8xf32>) -> tensor<1x12x12x8xf32>
      %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x12x12x32xf32>, tensor<1x1x32x8xf32>) outs(%f : tensor<1x12x12x8xf32>) -> tensor<1x12x12x8xf32>
      return %0 : tensor<1x12x12x8xf32>
    }
  }
}

// One after the other, the last in another shape.
util.func public @chain(%x: tensor<24x32xf32>, %w: tensor<32x32xf32>, %b: tensor<32xf32>, %v: tensor<16x16xf32>) -> tensor<48x16xf32> {
  %r = npu.segment -> tensor<48x16xf32> {
    %0 = flow.dispatch @layers::@dense(%x, %w, %b) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<32xf32>) -> tensor<24x32xf32>
    %1 = flow.dispatch @layers::@dense(%0, %w, %b) : (tensor<24x32xf32>, tensor<32x32xf32>, tensor<32xf32>) -> tensor<24x32xf32>
    %2 = flow.tensor.reshape %1 : tensor<24x32xf32> -> tensor<48x16xf32>
    %3 = flow.dispatch @layers::@last(%2, %v) : (tensor<48x16xf32>, tensor<16x16xf32>) -> tensor<48x16xf32>
    npu.yield %3 : tensor<48x16xf32>
  }
  util.return %r : tensor<48x16xf32>
}

// Two branches that meet, one of them a result as well.
util.func public @branches(%x: tensor<1x10x10x8xi8>, %w: tensor<3x3x8x16xi8>, %y: tensor<64x8xi8>, %v: tensor<8x16xi8>) -> (tensor<1024xi32>, tensor<64x16xi32>) {
  %r:2 = npu.segment -> tensor<1024xi32>, tensor<64x16xi32> {
    %0 = flow.dispatch @layers::@convolution(%x, %w) : (tensor<1x10x10x8xi8>, tensor<3x3x8x16xi8>) -> tensor<1x8x8x16xi32>
    %1 = flow.dispatch @layers::@pointwise(%y, %v) : (tensor<64x8xi8>, tensor<8x16xi8>) -> tensor<64x16xi32>
    %2 = flow.tensor.reshape %0 : tensor<1x8x8x16xi32> -> tensor<1024xi32>
    %3 = flow.tensor.reshape %1 : tensor<64x16xi32> -> tensor<1024xi32>
    %4 = flow.dispatch @layers::@add(%2, %3) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
    npu.yield %4, %1 : tensor<1024xi32>, tensor<64x16xi32>
  }
  util.return %r#0, %r#1 : tensor<1024xi32>, tensor<64x16xi32>
}

// A kernel of several stages between others, and several results.
util.func public @rows(%q: tensor<2x16x32xf32>, %k: tensor<2x16x32xf32>) -> (tensor<32xf32>, tensor<2x16x16xf32>) {
  %r:2 = npu.segment -> tensor<32xf32>, tensor<2x16x16xf32> {
    %0 = flow.dispatch @layers::@scores(%q, %k) : (tensor<2x16x32xf32>, tensor<2x16x32xf32>) -> tensor<2x16x16xf32>
    %1 = flow.tensor.reshape %0 : tensor<2x16x16xf32> -> tensor<32x16xf32>
    %2 = flow.dispatch @layers::@softmax(%1) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %3:2 = flow.dispatch @layers::@sums(%2, %0) : (tensor<32x16xf32>, tensor<2x16x16xf32>) -> (tensor<32xf32>, tensor<2x16x16xf32>)
    npu.yield %3#0, %3#1 : tensor<32xf32>, tensor<2x16x16xf32>
  }
  util.return %r#0, %r#1 : tensor<32xf32>, tensor<2x16x16xf32>
}

// A convolution whose tiles are copied, with a border, from the whole image that is on chip.
util.func public @image(%x: tensor<1x12x12x8xf32>, %u: tensor<1x1x8x32xf32>, %v: tensor<3x3x32xf32>, %w: tensor<1x1x32x8xf32>) -> tensor<1x12x12x8xf32> {
  %r = npu.segment -> tensor<1x12x12x8xf32> {
    %0 = flow.dispatch @layers::@expand(%x, %u) : (tensor<1x12x12x8xf32>, tensor<1x1x8x32xf32>) -> tensor<1x12x12x32xf32>
    %1 = flow.dispatch @layers::@depthwise(%0, %v) : (tensor<1x12x12x32xf32>, tensor<3x3x32xf32>) -> tensor<1x12x12x32xf32>
    %2 = flow.dispatch @layers::@project(%1, %w) : (tensor<1x12x12x32xf32>, tensor<1x1x32x8xf32>) -> tensor<1x12x12x8xf32>
    npu.yield %2 : tensor<1x12x12x8xf32>
  }
  util.return %r : tensor<1x12x12x8xf32>
}
