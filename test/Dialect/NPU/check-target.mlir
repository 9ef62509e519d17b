// RUN: npu-opt %s --npu-check-target -split-input-file -verify-diagnostics

npu.kernel @f16(%a: tensor<4x16xf16>, %b: tensor<16x8xf16>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {target = #npu.target<"npu-tiny">} {
  // expected-error @+1 {{operand types that the target's array does not multiply (f16 matmul), expected i8, i16 x i8 on target 'npu-tiny'; run this dispatch on the host}}
  %0 = npu.matmul %a, %b -> %c : tensor<4x16xf16>, tensor<16x8xf16> -> tensor<4x8xf32>
  // expected-error @+1 {{float op on a target whose vector unit has no float operations (f32 max), expected integer ops on target 'npu-tiny'; run this dispatch on the host}}
  %1 = npu.binary max %0 -> %c {imm = 0.0 : f32} : tensor<4x8xf32> -> tensor<4x8xf32>
  npu.return %1 : tensor<4x8xf32>
}

// -----

// The other targets have all of it.
npu.kernel @f16(%a: tensor<4x16xf16>, %b: tensor<16x8xf16>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {target = #npu.target<"npu-v1">} {
  %0 = npu.matmul %a, %b -> %c : tensor<4x16xf16>, tensor<16x8xf16> -> tensor<4x8xf32>
  %1 = npu.binary max %0 -> %c {imm = 0.0 : f32} : tensor<4x8xf32> -> tensor<4x8xf32>
  npu.return %1 : tensor<4x8xf32>
}

// -----

// Integers and requantization run on a chip without floats.
npu.kernel @requantize(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>, %c: tensor<4x8xi32>, %s: tensor<4x8xf32>, %o: tensor<4x8xi8>) -> tensor<4x8xi8> attributes {target = #npu.target<"npu-tiny">} {
  %0 = npu.matmul %a, %b -> %c : tensor<4x16xi8>, tensor<16x8xi8> -> tensor<4x8xi32>
  %1 = npu.requantize %0 scales(%s) -> %o {lo = -128, hi = 127} : tensor<4x8xi32>, tensor<4x8xf32> -> tensor<4x8xi8>
  npu.return %1 : tensor<4x8xi8>
}

// -----

// A copy moves bits: it needs no floats.
npu.kernel @copy(%a: tensor<4x16xf32>, %o: tensor<16x4xf32>) -> tensor<16x4xf32> attributes {target = #npu.target<"npu-tiny">} {
  %0 = npu.copy %a -> %o {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]} : tensor<4x16xf32> -> tensor<16x4xf32>
  npu.return %0 : tensor<16x4xf32>
}

// -----

// Rates are parameters: an override takes a type away.
npu.kernel @override(%a: tensor<4x16xi16>, %b: tensor<16x8xi8>, %c: tensor<4x8xi32>) -> tensor<4x8xi32> attributes {target = #npu.target<"npu-v1:macsPerCycleI16I8=0">} {
  // expected-error @+1 {{operand types that the target's array does not multiply (i16 x i8 matmul), expected i8, f16, bf16, f32 on target 'npu-v1:macsPerCycleI16I8=0'; run this dispatch on the host}}
  %0 = npu.matmul %a, %b -> %c : tensor<4x16xi16>, tensor<16x8xi8> -> tensor<4x8xi32>
  npu.return %0 : tensor<4x8xi32>
}

// -----

// expected-error @+1 {{expected a target but found none; run convert-func-to-kernel or add the attribute 'target'}}
npu.kernel @none() {
  npu.return
}

// -----

// expected-error @+1 {{npu-v9}}
npu.kernel @unknown() attributes {target = #npu.target<"npu-v9">} {
  npu.return
}

// -----

// expected-error @below {{tensor larger than a program can address (tensor<9223372036854775807xf32>, argument 0), expected 2^31 - 1 elements per dimension, 2^40 bytes; split the dispatch}}
npu.kernel @huge(%a: tensor<9223372036854775807xf32>) attributes {target = #npu.target<"npu-v1">} {
  npu.return
}

// -----

npu.kernel @steps(%i: tensor<1x272001x2xi8>, %f: tensor<3x2x4xi8>, %o: tensor<1x3x4xi32>) -> tensor<1x3x4xi32> attributes {target = #npu.target<"npu-v1">} {
  // expected-error @below {{stride or dilation that no instruction holds (70000), expected at most 65535; run this dispatch on the host}}
  %0 = npu.conv %i, %f -> %o {dilation = array<i64: 66000>, layout_filter = #npu.layout<ycf>, layout_input = #npu.layout<nhc>, layout_output = #npu.layout<nhf>, stride = array<i64: 70000>} : tensor<1x272001x2xi8>, tensor<3x2x4xi8> -> tensor<1x3x4xi32>
  npu.return %0 : tensor<1x3x4xi32>
}

// -----

// expected-error @below {{more tensors than a program can address (257), expected 256 arguments, results and constants; split the dispatch; of a whole model --npu-front-half makes dispatches}}
npu.kernel @many(%0: tensor<i8>, %1: tensor<i8>, %2: tensor<i8>, %3: tensor<i8>, %4: tensor<i8>, %5: tensor<i8>, %6:
    tensor<i8>, %7: tensor<i8>, %8: tensor<i8>, %9: tensor<i8>, %10: tensor<i8>, %11: tensor<i8>,
    %12: tensor<i8>, %13: tensor<i8>, %14: tensor<i8>, %15: tensor<i8>, %16: tensor<i8>, %17:
    tensor<i8>, %18: tensor<i8>, %19: tensor<i8>, %20: tensor<i8>, %21: tensor<i8>, %22: tensor<i8>,
    %23: tensor<i8>, %24: tensor<i8>, %25: tensor<i8>, %26: tensor<i8>, %27: tensor<i8>, %28:
    tensor<i8>, %29: tensor<i8>, %30: tensor<i8>, %31: tensor<i8>, %32: tensor<i8>, %33: tensor<i8>,
    %34: tensor<i8>, %35: tensor<i8>, %36: tensor<i8>, %37: tensor<i8>, %38: tensor<i8>, %39:
    tensor<i8>, %40: tensor<i8>, %41: tensor<i8>, %42: tensor<i8>, %43: tensor<i8>, %44: tensor<i8>,
    %45: tensor<i8>, %46: tensor<i8>, %47: tensor<i8>, %48: tensor<i8>, %49: tensor<i8>, %50:
    tensor<i8>, %51: tensor<i8>, %52: tensor<i8>, %53: tensor<i8>, %54: tensor<i8>, %55: tensor<i8>,
    %56: tensor<i8>, %57: tensor<i8>, %58: tensor<i8>, %59: tensor<i8>, %60: tensor<i8>, %61:
    tensor<i8>, %62: tensor<i8>, %63: tensor<i8>, %64: tensor<i8>, %65: tensor<i8>, %66: tensor<i8>,
    %67: tensor<i8>, %68: tensor<i8>, %69: tensor<i8>, %70: tensor<i8>, %71: tensor<i8>, %72:
    tensor<i8>, %73: tensor<i8>, %74: tensor<i8>, %75: tensor<i8>, %76: tensor<i8>, %77: tensor<i8>,
    %78: tensor<i8>, %79: tensor<i8>, %80: tensor<i8>, %81: tensor<i8>, %82: tensor<i8>, %83:
    tensor<i8>, %84: tensor<i8>, %85: tensor<i8>, %86: tensor<i8>, %87: tensor<i8>, %88: tensor<i8>,
    %89: tensor<i8>, %90: tensor<i8>, %91: tensor<i8>, %92: tensor<i8>, %93: tensor<i8>, %94:
    tensor<i8>, %95: tensor<i8>, %96: tensor<i8>, %97: tensor<i8>, %98: tensor<i8>, %99: tensor<i8>,
    %100: tensor<i8>, %101: tensor<i8>, %102: tensor<i8>, %103: tensor<i8>, %104: tensor<i8>, %105:
    tensor<i8>, %106: tensor<i8>, %107: tensor<i8>, %108: tensor<i8>, %109: tensor<i8>, %110:
    tensor<i8>, %111: tensor<i8>, %112: tensor<i8>, %113: tensor<i8>, %114: tensor<i8>, %115:
    tensor<i8>, %116: tensor<i8>, %117: tensor<i8>, %118: tensor<i8>, %119: tensor<i8>, %120:
    tensor<i8>, %121: tensor<i8>, %122: tensor<i8>, %123: tensor<i8>, %124: tensor<i8>, %125:
    tensor<i8>, %126: tensor<i8>, %127: tensor<i8>, %128: tensor<i8>, %129: tensor<i8>, %130:
    tensor<i8>, %131: tensor<i8>, %132: tensor<i8>, %133: tensor<i8>, %134: tensor<i8>, %135:
    tensor<i8>, %136: tensor<i8>, %137: tensor<i8>, %138: tensor<i8>, %139: tensor<i8>, %140:
    tensor<i8>, %141: tensor<i8>, %142: tensor<i8>, %143: tensor<i8>, %144: tensor<i8>, %145:
    tensor<i8>, %146: tensor<i8>, %147: tensor<i8>, %148: tensor<i8>, %149: tensor<i8>, %150:
    tensor<i8>, %151: tensor<i8>, %152: tensor<i8>, %153: tensor<i8>, %154: tensor<i8>, %155:
    tensor<i8>, %156: tensor<i8>, %157: tensor<i8>, %158: tensor<i8>, %159: tensor<i8>, %160:
    tensor<i8>, %161: tensor<i8>, %162: tensor<i8>, %163: tensor<i8>, %164: tensor<i8>, %165:
    tensor<i8>, %166: tensor<i8>, %167: tensor<i8>, %168: tensor<i8>, %169: tensor<i8>, %170:
    tensor<i8>, %171: tensor<i8>, %172: tensor<i8>, %173: tensor<i8>, %174: tensor<i8>, %175:
    tensor<i8>, %176: tensor<i8>, %177: tensor<i8>, %178: tensor<i8>, %179: tensor<i8>, %180:
    tensor<i8>, %181: tensor<i8>, %182: tensor<i8>, %183: tensor<i8>, %184: tensor<i8>, %185:
    tensor<i8>, %186: tensor<i8>, %187: tensor<i8>, %188: tensor<i8>, %189: tensor<i8>, %190:
    tensor<i8>, %191: tensor<i8>, %192: tensor<i8>, %193: tensor<i8>, %194: tensor<i8>, %195:
    tensor<i8>, %196: tensor<i8>, %197: tensor<i8>, %198: tensor<i8>, %199: tensor<i8>, %200:
    tensor<i8>, %201: tensor<i8>, %202: tensor<i8>, %203: tensor<i8>, %204: tensor<i8>, %205:
    tensor<i8>, %206: tensor<i8>, %207: tensor<i8>, %208: tensor<i8>, %209: tensor<i8>, %210:
    tensor<i8>, %211: tensor<i8>, %212: tensor<i8>, %213: tensor<i8>, %214: tensor<i8>, %215:
    tensor<i8>, %216: tensor<i8>, %217: tensor<i8>, %218: tensor<i8>, %219: tensor<i8>, %220:
    tensor<i8>, %221: tensor<i8>, %222: tensor<i8>, %223: tensor<i8>, %224: tensor<i8>, %225:
    tensor<i8>, %226: tensor<i8>, %227: tensor<i8>, %228: tensor<i8>, %229: tensor<i8>, %230:
    tensor<i8>, %231: tensor<i8>, %232: tensor<i8>, %233: tensor<i8>, %234: tensor<i8>, %235:
    tensor<i8>, %236: tensor<i8>, %237: tensor<i8>, %238: tensor<i8>, %239: tensor<i8>, %240:
    tensor<i8>, %241: tensor<i8>, %242: tensor<i8>, %243: tensor<i8>, %244: tensor<i8>, %245:
    tensor<i8>, %246: tensor<i8>, %247: tensor<i8>, %248: tensor<i8>, %249: tensor<i8>, %250:
    tensor<i8>, %251: tensor<i8>, %252: tensor<i8>, %253: tensor<i8>, %254: tensor<i8>, %255:
    tensor<i8>, %256: tensor<i8>)
    attributes {target = #npu.target<"npu-v1">} {
  npu.return
}
