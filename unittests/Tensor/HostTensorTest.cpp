//===- HostTensorTest.cpp - host tensors, their files and specifications --===//

#include "NPU/Tensor/HostTensor.h"

#include "NPU/Tensor/FloatFormat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llvm;
using namespace npu::runtime;

namespace {

/// The value of a successful `result`, or a test failure and an empty tensor.
HostTensor expectTensor(Expected<HostTensor> result) {
  if (result)
    return *result;
  ADD_FAILURE() << toString(result.takeError());
  return HostTensor();
}

std::string expectError(Expected<HostTensor> result) {
  if (!result)
    return toString(result.takeError());
  ADD_FAILURE() << "expected an error but got a " << result->getTypeString();
  return "";
}

uint16_t roundByAPFloat(double value, const fltSemantics &semantics) {
  APFloat number(value);
  bool losesInfo;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
}

TEST(FloatFormat, DecodesAndEncodesEveryValue) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    APFloat half(APFloat::IEEEhalf(), APInt(16, bits));
    APFloat brain(APFloat::BFloat(), APInt(16, bits));
    if (half.isNaN())
      EXPECT_TRUE(std::isnan(decodeF16(bits)));
    else
      EXPECT_EQ(decodeF16(bits), half.convertToDouble());
    if (!half.isNaN()) {
      EXPECT_EQ(encodeF16(decodeF16(bits)), bits);
    }
    if (!brain.isNaN()) {
      EXPECT_EQ(encodeBF16(decodeBF16(bits)), bits);
    }
  }
}

TEST(FloatFormat, RoundsOnceToNearestEven) {
  HostTensor random(ElementType::I64, {4096});
  random.fillRandom(7);
  uint64_t state = 1;
  for (int i = 0; i < 200000; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    // Exponents around both formats' ranges, with many ties.
    uint64_t exponent = (i & 1) ? 1023 - 30 + (state >> 58) : 1023 - 140 + (state >> 55) % 280;
    uint64_t fraction = (state >> 3) & ((uint64_t(1) << 52) - 1);
    if (i % 3 == 0)
      fraction &= ~uint64_t(0) << 41;
    if (i % 3 == 1)
      fraction &= ~uint64_t(0) << 44;
    double value = llvm::bit_cast<double>(exponent << 52 | fraction | (state & 1) << 63);
    ASSERT_EQ(encodeF16(value), roundByAPFloat(value, APFloat::IEEEhalf())) << value;
    ASSERT_EQ(encodeBF16(value), roundByAPFloat(value, APFloat::BFloat())) << value;
  }
  for (double value : {0.0, -0.0, 65519.999, 65520.0, 1e300, -1e300, 4.9e-324, 0x1p-25, 0x1.8p-25,
                       0x1p-134, 0x1.8p-134, HUGE_VAL, -HUGE_VAL}) {
    EXPECT_EQ(encodeF16(value), roundByAPFloat(value, APFloat::IEEEhalf())) << value;
    EXPECT_EQ(encodeBF16(value), roundByAPFloat(value, APFloat::BFloat())) << value;
  }
  EXPECT_TRUE(std::isnan(decodeF16(encodeF16(std::nan("")))));
  EXPECT_TRUE(std::isnan(decodeBF16(encodeBF16(std::nan("")))));
}

TEST(HostTensor, CopiesShareUntilWritten) {
  HostTensor a(ElementType::F16, {2, 3});
  a.setFloat(4, 1.5);
  HostTensor b = a;
  EXPECT_EQ(a.getBytes().data(), b.getBytes().data());
  b.setFloat(4, -2);
  EXPECT_EQ(a.getFloat(4), 1.5);
  EXPECT_EQ(b.getFloat(4), -2);
  EXPECT_EQ(a.reshape({6}).getFloat(4), 1.5);
}

TEST(HostTensor, IntegersWrapAndFloatsSaturate) {
  HostTensor bytes(ElementType::I8, {1});
  bytes.setInt(0, 200);
  EXPECT_EQ(bytes.getInt(0), -56);
  HostTensor wide(ElementType::I64, {1});
  wide.setInt(0, INT64_MIN);
  EXPECT_EQ(wide.getInt(0), INT64_MIN);
  wide.setFloat(0, 1e30);
  EXPECT_EQ(wide.getInt(0), INT64_MAX);
}

TEST(HostTensor, FillsAreReproducible) {
  HostTensor tensor(ElementType::F32, {4});
  tensor.fillRandom(3, /*fanIn=*/4);
  // The first outputs of SplitMix64 for seed 3, scaled; fixed so that no host may differ.
  uint64_t first = 0x1d0b14e4db018fed;
  EXPECT_EQ(tensor.getFloat(0), (static_cast<double>(first >> 39) * 0x1p-24 - 1) / 2);
  for (ElementType type : {ElementType::I1, ElementType::I8, ElementType::F16, ElementType::I64}) {
    HostTensor small(type, {1000});
    small.fillSmallInts(1);
    for (int64_t i = 0; i < 1000; ++i)
      ASSERT_LE(std::abs(small.getFloat(i)), 4);
  }
}

TEST(HostTensor, RefusesHostileShapes) {
  EXPECT_EQ(countElements({-1, 2}, ElementType::I8), std::nullopt);
  EXPECT_EQ(countElements({int64_t(1) << 40, int64_t(1) << 40}, ElementType::I8), std::nullopt);
  EXPECT_EQ(countElements({int64_t(1) << 62}, ElementType::F64), std::nullopt);
  EXPECT_EQ(countElements({int64_t(1) << 40, int64_t(1) << 40, 0}, ElementType::I8), 0);
  EXPECT_EQ(expectError(HostTensor::create(ElementType::F32, {2}, std::vector<uint8_t>(7))),
            "expected 8 bytes of data but found 7");
}

TEST(TensorSpec, ParsesEveryForm) {
  HostTensor splat = expectTensor(parseTensor("4x4xf32=1.5"));
  EXPECT_EQ(splat.getTypeString(), "4x4xf32");
  EXPECT_EQ(splat.getFloat(15), 1.5);
  HostTensor values = expectTensor(parseTensor("2x2xi32=[1 2][-3, 0x10]"));
  EXPECT_EQ(values.getInt(2), -3);
  EXPECT_EQ(values.getInt(3), 16);
  EXPECT_EQ(expectTensor(parseTensor("f32=3")).getShape().size(), 0u);
  EXPECT_EQ(expectTensor(parseTensor("3xi1=true 0 1")).getInt(0), 1);
  EXPECT_EQ(expectTensor(parseTensor("2xi64=-9223372036854775808")).getInt(1), INT64_MIN);
  EXPECT_EQ(expectTensor(parseTensor("2xi8=255")).getInt(0), -1);
  EXPECT_EQ(expectTensor(parseTensor("2xbf16")).getFloat(0), 0);
  EXPECT_EQ(expectTensor(parseTensor("2xui8=200")), expectTensor(parseTensor("2xi8=200")));
  EXPECT_EQ(expectTensor(parseTensor("si64=-1")), expectTensor(parseTensor("i64=-1")));
  HostTensor random(ElementType::F32, {4, 4});
  random.fillRandom(3, 16);
  EXPECT_EQ(expectTensor(parseTensor("4x4xf32=random(3)", {/*fanIn=*/16})), random);
  EXPECT_NE(expectTensor(parseTensor("4x4xi8=smallints(3)")),
            expectTensor(parseTensor("4x4xi8=smallints(4)")));
}

TEST(TensorSpec, ReportsWhatIsWrong) {
  EXPECT_EQ(expectError(parseTensor("4x4f32")),
            "expected a tensor type such as '4x4xf32' but found '4x4f32'");
  EXPECT_EQ(expectError(parseTensor("?x4xf32")),
            "expected an element type (i1, i8, i16, i32, i64, f16, bf16, f32 or f64) but found "
            "'?x4xf32' in '?x4xf32'");
  EXPECT_EQ(expectError(parseTensor("4xi32=1 2")), "expected 1 or 4 values for 4xi32 but found 2");
  EXPECT_EQ(expectError(parseTensor("1xi8=256")), "value 256 does not fit type i8");
  EXPECT_EQ(expectError(parseTensor("1xf32=one")), "expected a value of type f32 but found 'one'");
  EXPECT_EQ(expectError(parseTensor("1xf32=random(x)")),
            "expected 'random(<seed>)' with an unsigned integer seed");
  EXPECT_EQ(expectError(parseTensor("99999999999x9999999999xf32")),
            "tensor '99999999999x9999999999xf32' is too large");
}

TEST(Npy, RoundTripsEveryType) {
  for (const char *type : {"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"})
    for (const char *shape : {"", "0x", "5x", "2x3x4x"}) {
      HostTensor tensor = expectTensor(parseTensor(std::string(shape) + type + "=smallints(1)"));
      std::string file = encodeNpy(tensor);
      EXPECT_EQ(file.find('\n') % 64, 63u);
      EXPECT_EQ(expectTensor(decodeNpy(file)), tensor);
    }
}

std::string makeNpy(const std::string &header, const std::string &data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  return file + header + data;
}

TEST(Npy, ConvertsOrderOfBytesAndDimensions) {
  HostTensor big =
      expectTensor(decodeNpy(makeNpy("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }",
                                     std::string("\x01\x02\xff\xfe", 4))));
  EXPECT_EQ(big.getInt(0), 0x102);
  EXPECT_EQ(big.getInt(1), -2);
  HostTensor fortran = expectTensor(decodeNpy(
      makeNpy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}", "\1\2\3\4\5\6")));
  EXPECT_EQ(fortran.getInt(1), 3);
  EXPECT_EQ(fortran.getInt(3), 2);
}

TEST(Npy, RefusesTruncatedAndHostileFiles) {
  std::string file = encodeNpy(expectTensor(parseTensor("3xf32=1")));
  for (size_t size = 0; size < file.size(); ++size)
    expectError(decodeNpy(StringRef(file).take_front(size)));
  expectError(decodeNpy(file + "x"));
  // Flipping any bit of the header must never crash; many flips are harmless.
  for (size_t bit = 0; bit < 128 * 8; ++bit) {
    std::string copy = file;
    copy[bit / 8] ^= 1 << bit % 8;
    consumeError(decodeNpy(copy).takeError());
  }
  std::string prefix = "{'descr': '<f4', 'fortran_order': False, 'shape': ";
  EXPECT_EQ(expectError(decodeNpy(makeNpy(prefix + "(4294967296, 4294967296)}", ""))),
            "shape of the .npy file is too large");
  EXPECT_EQ(expectError(decodeNpy(makeNpy(prefix + "(1000000000000,)}", "abcd"))),
            "expected 4000000000000 bytes of data in the .npy file but found 4");
  EXPECT_EQ(expectError(decodeNpy(makeNpy(prefix + "(-1,)}", ""))),
            "malformed .npy header: expected a tuple of non-negative integers");
  EXPECT_EQ(expectError(decodeNpy(makeNpy("{'shape': (), 'shape': ()}", ""))),
            "malformed .npy header: repeated key 'shape'");
  EXPECT_EQ(expectError(decodeNpy(makeNpy("{'descr': [('a', '<f4')]}", ""))),
            "malformed .npy header: expected a quoted type (structured types are not supported)");
  EXPECT_EQ(expectError(decodeNpy(makeNpy("{'descr':'<c8','fortran_order':False,'shape':()}", ""))),
            "element type '<c8' of the .npy file is not supported; convert it to bool, an integer, "
            "float16, bfloat16, float32 or float64");
}

} // namespace
