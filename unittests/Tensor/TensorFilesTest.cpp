//===- TensorFilesTest.cpp - what is read from files of tensors -----------===//

#include "TensorFiles.h"
#include "NPU/Tensor/Parameters.h"
#include "NPU/Tensor/TensorReader.h"
#include "Unwrap.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <onnx/onnx_pb.h>

using namespace llvm;
using namespace npu::runtime;

namespace {

constexpr const char *typeNames[] = {"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"};

HostTensor tensor(const std::string &specification) { return unwrap(parseTensor(specification)); }

std::string getData(const HostTensor &value) {
  return std::string(value.getBytes().begin(), value.getBytes().end());
}

/// A file that is gone at the end of the test.
class TemporaryFile {
public:
  TemporaryFile(StringRef extension, StringRef contents) {
    EXPECT_FALSE(sys::fs::createTemporaryFile("tensors", extension, path));
    std::error_code error;
    raw_fd_ostream(path, error) << contents;
  }
  ~TemporaryFile() { sys::fs::remove(path); }

  std::string getPath() const { return path.str().str(); }

private:
  SmallString<128> path;
};

std::string toString(SmallVector<HostTensor> tensors) {
  std::string result;
  for (const HostTensor &value : tensors)
    result += value.getTypeString() + "=" + std::to_string(value.getInt(0)) + " ";
  return result;
}

TEST(Parameters, EveryFormatHoldsEveryType) {
  for (const char *type : typeNames)
    for (const char *shape : {"", "0x", "5x", "2x3x4x"}) {
      HostTensor value = tensor(std::string(shape) + type + "=smallints(1)");
      IrpaFile irpa;
      irpa.entries = {{IrpaFile::Entry::Skip, "w"},
                      {IrpaFile::Entry::Data, "v", "?"},
                      {IrpaFile::Entry::Data, "w", getData(value)}};
      std::string safetensorsType =
          value.getElementType() == ElementType::I1 ? "BOOL" : StringRef(type).upper();
      std::string dims;
      for (int64_t extent : value.getShape())
        dims += (dims.empty() ? "" : ",") + std::to_string(extent);
      std::string data = getData(value);
      std::string safetensors =
          makeSafetensors("{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"" +
                              safetensorsType + "\",\"shape\":[" + dims + "],\"data_offsets\":[0," +
                              std::to_string(data.size()) + "]}}   ",
                          data);
      std::pair<std::string, std::string> files[] = {
          {"irpa", irpa.encode()},
          {"safetensors", safetensors},
          {"npz", makeNpz({{"v.npy", ""}, {"w.npy", encodeNpy(value)}}, false)},
          {"npz", makeNpz({{"w.npy", encodeNpy(value)}}, true)}};
      for (const auto &[extension, contents] : files) {
        TemporaryFile file(extension, contents);
        ParameterSet parameters;
        ASSERT_FALSE(errorToBool(parameters.add("model=" + file.getPath())));
        EXPECT_EQ(unwrap(parameters.load("model", "w", value.getElementType(), value.getShape())),
                  value)
            << extension << " " << value.getTypeString();
      }
    }
}

TEST(Parameters, IrpaSplatsAndLinkedHeaders) {
  IrpaFile first, second;
  first.entries = {{IrpaFile::Entry::Splat, "half", "\x3c\x01", 8}};
  second.entries = {{IrpaFile::Entry::Splat, "byte", "\x07", 3}};
  std::string head = first.encode();
  head.resize(alignTo(head.size(), 16));
  first.next = head.size();
  head = first.encode();
  head.resize(alignTo(head.size(), 16));
  TemporaryFile file("irpa", head + second.encode());
  ParameterSet parameters;
  ASSERT_FALSE(errorToBool(parameters.add(file.getPath())));
  EXPECT_EQ(unwrap(parameters.load("", "half", ElementType::I16, {2, 2})), tensor("2x2xi16=316"));
  EXPECT_EQ(unwrap(parameters.load("", "byte", ElementType::I8, {3})), tensor("3xi8=7"));
}

TEST(Parameters, RandomOnesDependOnSeedAndNameOnly) {
  ParameterSet first, second;
  ASSERT_FALSE(errorToBool(first.add("model=random(7)")));
  ASSERT_FALSE(errorToBool(second.add("other=random(1)")));
  ASSERT_FALSE(errorToBool(second.add("model=random(7)")));
  HostTensor weights = unwrap(first.load("model", "w0", ElementType::F32, {64, 32}));
  unwrap(second.load("other", "w0", ElementType::F32, {64, 32}));
  EXPECT_EQ(unwrap(second.load("model", "w0", ElementType::F32, {64, 32})), weights);
  EXPECT_NE(unwrap(first.load("model", "w1", ElementType::F32, {64, 32})), weights);
  double largest = 0;
  for (int64_t i = 0; i < weights.getNumElements(); ++i)
    largest = std::max(largest, std::abs(weights.getFloat(i)));
  EXPECT_LE(largest, 0.125); // 1 / sqrt(64)
  EXPECT_GE(largest, 0.12);
}

TEST(Parameters, FanInIsThatOfTheWeights) {
  EXPECT_EQ(estimateFanIn({}), 1);
  EXPECT_EQ(estimateFanIn({512}), 1);
  EXPECT_EQ(estimateFanIn({256, 1000}), 256);
  EXPECT_EQ(estimateFanIn({7, 7, 3, 64}), 147);   // channels last
  EXPECT_EQ(estimateFanIn({128, 64, 3, 3}), 576); // channels first
  EXPECT_EQ(estimateFanIn({0, 0, 0}), 1);
}

TEST(Parameters, SayWhatIsMissing) {
  IrpaFile irpa;
  TemporaryFile file("irpa", irpa.encode());
  ParameterSet parameters;
  auto load = [&](StringRef scope, StringRef key) {
    Expected<HostTensor> result = parameters.load(scope, key, ElementType::F32, {4});
    return result ? "" : llvm::toString(result.takeError());
  };
  EXPECT_EQ(load("model", "w"), "no parameters were given for scope 'model'; use "
                                "--parameters=model=<file> or --parameters=model=random(<seed>)");
  EXPECT_EQ(load("", "w"), "no parameters were given for the scope without a name; use "
                           "--parameters=<file> or --parameters=random(<seed>)");
  ASSERT_FALSE(errorToBool(parameters.add("model=" + file.getPath())));
  EXPECT_EQ(load("model", "w"), "");
  EXPECT_EQ(load("model", "v"), "'" + file.getPath() + "' has no parameter 'v'");
  ASSERT_FALSE(errorToBool(parameters.add("model=random(1)")));
  EXPECT_EQ(load("model", "v"), "");

  EXPECT_EQ(llvm::toString(parameters.add("model=weights.bin")),
            "expected a .irpa, .safetensors or .npz file with parameters but found 'weights.bin'");
  EXPECT_EQ(llvm::toString(parameters.add("/nonexistent/w.irpa")),
            "cannot read '/nonexistent/w.irpa': No such file or directory");
  EXPECT_EQ(llvm::toString(parameters.add("model=random(-1)")),
            "expected random(<seed>) with an unsigned integer seed but found 'random(-1)'");
}

TEST(OnnxTensor, RoundTripsEveryType) {
  using onnx::TensorProto;
  std::pair<const char *, TensorProto::DataType> types[] = {
      {"i1", TensorProto::BOOL},     {"i8", TensorProto::INT8},       {"i8", TensorProto::UINT8},
      {"i16", TensorProto::INT16},   {"i16", TensorProto::UINT16},    {"i32", TensorProto::INT32},
      {"i32", TensorProto::UINT32},  {"i64", TensorProto::INT64},     {"i64", TensorProto::UINT64},
      {"f16", TensorProto::FLOAT16}, {"bf16", TensorProto::BFLOAT16}, {"f32", TensorProto::FLOAT},
      {"f64", TensorProto::DOUBLE}};
  for (auto [name, type] : types) {
    HostTensor value = tensor(std::string("3x2x") + name + "=smallints(2)");
    TensorProto raw, typed;
    for (TensorProto *proto : {&raw, &typed}) {
      proto->set_data_type(type);
      proto->add_dims(3);
      proto->add_dims(2);
    }
    raw.set_raw_data(getData(value));
    for (int64_t i = 0; i < value.getNumElements(); ++i) {
      if (type == TensorProto::FLOAT)
        typed.add_float_data(value.getFloat(i));
      else if (type == TensorProto::DOUBLE)
        typed.add_double_data(value.getFloat(i));
      else if (type == TensorProto::INT64)
        typed.add_int64_data(value.getInt(i));
      else if (type == TensorProto::UINT32 || type == TensorProto::UINT64)
        typed.add_uint64_data(value.getInt(i));
      else if (type == TensorProto::FLOAT16 || type == TensorProto::BFLOAT16)
        typed.add_int32_data(value.bitcast(ElementType::I16, {6}).getInt(i) & 0xffff);
      else
        typed.add_int32_data(value.getInt(i));
    }
    EXPECT_EQ(unwrap(decodeOnnxTensor(raw.SerializeAsString())), value) << name;
    EXPECT_EQ(unwrap(decodeOnnxTensor(typed.SerializeAsString())), value) << name;
  }
}

TEST(TensorReader, ContinuesInFiles) {
  TemporaryFile arrays("npy", encodeNpy(tensor("2xi32=1")) + encodeNpy(tensor("3xi32=2")) +
                                  encodeNpy(tensor("4xi32=3")));
  TemporaryFile bytes("bin", std::string("\1\0\2\0\3\0", 6));
  TensorReader reader;
  auto read = [&](std::string specification) {
    Expected<SmallVector<HostTensor>> result = reader.read(specification, nullptr);
    return result ? toString(*result) : llvm::toString(result.takeError());
  };
  EXPECT_EQ(read("@" + arrays.getPath()), "2xi32=1 ");
  EXPECT_EQ(read("+" + arrays.getPath()), "3xi32=2 ");
  EXPECT_EQ(read("*" + arrays.getPath()), "4xi32=3 ");
  EXPECT_EQ(read("+" + arrays.getPath()), "'" + arrays.getPath() + "' has no more arrays");
  EXPECT_EQ(read("@" + arrays.getPath()), "2xi32=1 ");
  EXPECT_EQ(read("*" + arrays.getPath()), "3xi32=2 4xi32=3 ");
  EXPECT_EQ(read("i16=@" + bytes.getPath()), "i16=1 ");
  EXPECT_EQ(read("i16=+" + bytes.getPath()), "i16=2 ");
  EXPECT_EQ(read("i8=+" + bytes.getPath()), "i8=3 ");
  EXPECT_EQ(read("i32=+" + bytes.getPath()),
            "'" + bytes.getPath() + "': expected 4 bytes of data but found 1");
  EXPECT_EQ(read("i16=@" + bytes.getPath()), "i16=1 ");
}

TEST(TensorReader, TakesTheTypeOfTheInput) {
  TensorReader reader;
  constexpr int64_t shape[] = {2, 2};
  TensorReader::Type type{ElementType::F32, shape};
  auto read = [&](std::string specification) {
    Expected<SmallVector<HostTensor>> result = reader.read(specification, &type);
    return result ? toString(*result) : llvm::toString(result.takeError());
  };
  EXPECT_EQ(read("3.14"), "2x2xf32=3 ");
  EXPECT_EQ(read("1 2 3 4"), "2x2xf32=1 ");
  EXPECT_EQ(read("+7"), "2x2xf32=7 ");
  EXPECT_EQ(read("2x2xf32=+.5e1"), "2x2xf32=5 ");
  EXPECT_EQ(unwrap(reader.read("random(3)", &type)).front(),
            unwrap(parseTensor("2x2xf32=random(3)", {/*fanIn=*/2})));
  EXPECT_EQ(read("1 2"), "expected 1 or 4 values for 2x2xf32 but found 2");
  EXPECT_EQ(read("(null)"),
            "expected a tensor but found '(null)': models take and return tensors only");
  EXPECT_EQ(read("&4xf32"),
            "expected a tensor but found '&4xf32': models take and return tensors only");
  EXPECT_EQ(read("*weights.bin"), "expected a .npy file after '*' but found 'weights.bin'");
  EXPECT_EQ(read("+tensor.pb"), "'tensor.pb' holds one tensor only; write '@tensor.pb'");
  EXPECT_EQ(read("@weights.bin"),
            "the type of 'weights.bin' is unknown; write '<shape>x<type>=@weights.bin'");
  TemporaryFile npy("npy", encodeNpy(tensor("2x3xf32=1")));
  EXPECT_EQ(read("2x2xf32=@" + npy.getPath()),
            "'" + npy.getPath() + "': expected a 2x2xf32 but found a 2x3xf32");
  EXPECT_EQ(read("2x3xf32=@" + npy.getPath()), "expected a 2x2xf32 but found a 2x3xf32");
  EXPECT_EQ(read("@/nonexistent/x.npy"),
            "cannot read '/nonexistent/x.npy': No such file or directory");
  TemporaryFile npz("npz", makeNpz({{"x.npy", encodeNpy(tensor("2x2xf32=9"))}}, true));
  EXPECT_EQ(read("@" + npz.getPath() + "[x]"), "2x2xf32=9 ");
  EXPECT_EQ(read("@" + npz.getPath() + "[y]"), "'" + npz.getPath() + "' has no array 'y'");
}

} // namespace
