//===- HostileTensorFilesTest.cpp - files of tensors that lie -------------===//
//
// Every file here is refused with one line that says what was expected and what was found; none may
// crash, hang, or allocate what it claims to hold.
//
//===----------------------------------------------------------------------===//

#include "NPU/Tensor/Parameters.h"
#include "NPU/Tensor/TensorReader.h"
#include "TensorFiles.h"
#include "Unwrap.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <functional>
#include <onnx/onnx_pb.h>

using namespace llvm;
using namespace npu::runtime;
using onnx::TensorProto;

namespace {

using CreateArchive =
    Expected<std::unique_ptr<ParameterArchive>> (*)(std::unique_ptr<MemoryBuffer>);

/// Reads `w` as a 2x2xf32; the error, or nothing if there is none. The buffer is exactly as long as
/// the file, so that sanitizers see any read beyond it.
std::string loadError(CreateArchive create, const std::string &file) {
  auto archive = create(MemoryBuffer::getMemBuffer(file, "", /*RequiresNullTerminator=*/false));
  if (!archive)
    return toString(archive.takeError());
  if (!(*archive)->contains("w"))
    return "missing";
  Expected<HostTensor> tensor = (*archive)->load("w", ElementType::F32, {2, 2});
  return tensor ? "" : toString(tensor.takeError());
}

void expectRefusal(const std::string &what, const std::string &error, const std::string &expected) {
  EXPECT_NE(error.find(expected), std::string::npos) << what << ": '" << error << "'";
  EXPECT_EQ(error.find('\n'), std::string::npos) << what << ": '" << error << "'";
  EXPECT_LT(error.size(), 400u) << what;
}

/// Every truncation of a good file must be refused; every flipped bit must at most be.
void mutate(const std::string &file, const std::function<std::string(const std::string &)> &load) {
  ASSERT_EQ(load(file), "");
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_NE(load(file.substr(0, size)), "") << "truncated to " << size << " bytes";
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    std::string copy = file;
    copy[bit / 8] ^= 1 << bit % 8;
    load(copy);
  }
  uint64_t state = 1;
  for (int round = 0; round < 2000; ++round) {
    std::string copy = file;
    for (int change = 0; change < 4; ++change) {
      state = state * 6364136223846793005 + 1442695040888963407;
      copy[(state >> 40) % copy.size()] = static_cast<char>(state >> 32);
    }
    load(copy);
  }
}

TEST(HostileIrpa, IsRefused) {
  using Entry = IrpaFile::Entry;
  constexpr int64_t huge = int64_t(1) << 62, minusTwo = -2;
  struct Case {
    const char *name;
    std::function<void(IrpaFile &)> edit;
    const char *error;
  };
  const Case cases[] = {
      {"magic", [](IrpaFile &f) { f.magic = "IRPB"; }, "the magic number 'IRPA' is missing"},
      {"major version", [](IrpaFile &f) { f.major = 1; }, "expected version 0 but found version 1"},
      {"minor version", [](IrpaFile &f) { f.minor = 7; }, "found version 0.7"},
      {"small header", [](IrpaFile &f) { f.headerSize = 0; }, "expected a header of 88 bytes"},
      {"large header", [](IrpaFile &f) { f.headerSize = ~uint64_t(0); },
       "found 18446744073709551615"},
      {"many entries", [](IrpaFile &f) { f.count = huge; }, "expected at most 1048576 entries"},
      {"one entry too many", [](IrpaFile &f) { f.count = 1; }, "entry 1 of 2 says it has 0 bytes"},
      {"table behind the file", [](IrpaFile &f) { f.entryOffset = 1 << 20; },
       "the table of entries has 76 bytes at offset 1048672, outside of the"},
      {"table wraps around", [](IrpaFile &f) { f.entryOffset = minusTwo - 96; },
       "the table of entries has 76 bytes at offset 18446744073709551614, outside"},
      {"table too long", [](IrpaFile &f) { f.entryLength = huge; }, "the table of entries has"},
      {"table too short", [](IrpaFile &f) { f.entryLength = -1; },
       "entry 0 of 1 says it has 76 bytes, expected 60 to the 75"},
      {"names behind the file", [](IrpaFile &f) { f.nameOffset = huge; }, "the segment of names"},
      {"names too long", [](IrpaFile &f) { f.nameLength = huge; }, "the segment of names"},
      {"data behind the file", [](IrpaFile &f) { f.dataOffset = huge; }, "the segment of data"},
      {"data too long", [](IrpaFile &f) { f.dataLength = 1; }, "the segment of data has 17 bytes"},
      {"empty entry", [](IrpaFile &f) { f.entries[0].size = -76; }, "entry 0 of 1 says it has 0"},
      {"entry below its header", [](IrpaFile &f) { f.entries[0].size = -17; }, "it has 59 bytes"},
      {"entry beyond the table", [](IrpaFile &f) { f.entries[0].size = 1; }, "it has 77 bytes"},
      {"endless entry", [](IrpaFile &f) { f.entries[0].size = huge; }, "entry 0 of 1 says"},
      {"entry without data", [](IrpaFile &f) { f.entries[0].size = -16; },
       "expected an entry of 76 bytes for parameter 'w' but found 60"},
      {"external file", [](IrpaFile &f) { f.entries[0].type = Entry::External; },
       "parameter 'w' is in another file, which is not supported"},
      {"unknown type", [](IrpaFile &f) { f.entries[0].type = 99; }, "found type 99"},
      {"name outside", [](IrpaFile &f) { f.entries[0].nameOffset = 1; }, "the name of an entry"},
      {"long name", [](IrpaFile &f) { f.entries[0].nameLength = huge; }, "the name of an entry"},
      {"data outside", [](IrpaFile &f) { f.entries[0].dataOffset = 1; },
       "the data of parameter 'w' has 16 bytes at offset 1, outside of the 16"},
      {"data wraps around", [](IrpaFile &f) { f.entries[0].dataOffset = minusTwo; },
       "the data of parameter 'w'"},
      {"long data", [](IrpaFile &f) { f.entries[0].dataLength = huge; }, "the data of parameter"},
      {"short data", [](IrpaFile &f) { f.entries[0].dataLength = -4; },
       "expected 16 bytes for parameter 'w' but found 12"},
      {"twice", [](IrpaFile &f) { f.entries.push_back(f.entries[0]); }, "'w' occurs twice"},
      {"splat of 3 bytes", [](IrpaFile &f) { f.entries[0] = {Entry::Splat, "w", "abc", 12}; },
       "expected a pattern of 1, 2, 4, 8 or 16 bytes"},
      {"splat of nothing", [](IrpaFile &f) { f.entries[0] = {Entry::Splat, "w", ""}; },
       "but found one of 0"},
      {"splat of 200 bytes",
       [](IrpaFile &f) {
         f.entries[0] = {Entry::Splat, "w", "abcd"};
         f.entries[0].patternLength = 200;
       },
       "but found one of 200"},
      {"splat that does not divide",
       [](IrpaFile &f) { f.entries[0] = {Entry::Splat, "w", "abcd", 17}; }, "divides the 17 bytes"},
      {"endless splat",
       [](IrpaFile &f) { f.entries[0] = {Entry::Splat, "w", "abcd", uint64_t(1) << 63}; },
       "expected 16 bytes for parameter 'w' but found 9223372036854775808"},
      {"short splat entry",
       [](IrpaFile &f) {
         f.entries[0] = {Entry::Splat, "w", "abcd"};
         f.entries[0].size = -1;
       },
       "expected an entry of 85 bytes for parameter 'w' but found 84"},
      {"next header inside of the first", [](IrpaFile &f) { f.next = 1; },
       "the next header is at offset 1, expected 88 to"},
      {"next header behind the file", [](IrpaFile &f) { f.next = huge; }, "the next header is at"},
      {"next header wraps around", [](IrpaFile &f) { f.next = ~uint64_t(0); }, "the next header"},
      {"next header is none", [](IrpaFile &f) { f.next = 96; }, "the magic number"},
  };
  for (const Case &test : cases) {
    IrpaFile file;
    test.edit(file);
    expectRefusal(test.name, loadError(createIrpaArchive, file.encode()), test.error);
  }
  expectRefusal("empty", loadError(createIrpaArchive, ""), "truncated parameter archive");
  mutate(IrpaFile().encode(),
         [](const std::string &file) { return loadError(createIrpaArchive, file); });
}

// Headers may overlap; a chain of them that all share a long table must not take quadratic time.
TEST(HostileIrpa, SharedTablesAreBounded) {
  IrpaFile table;
  table.entries.assign(20000, {IrpaFile::Entry::Skip, ""});
  std::string body = table.encode().substr(96), file;
  constexpr size_t headers = 200;
  for (size_t i = 0; i < headers; ++i) {
    IrpaFile header;
    header.entries.clear();
    header.next = i + 1 < headers ? 96 : 0;
    header.count = table.entries.size();
    header.entryOffset = (headers - 1 - i) * 96;
    header.entryLength = body.size();
    file += header.encode().substr(0, 96);
  }
  expectRefusal("shared tables", loadError(createIrpaArchive, file + body), "entries but found");
}

TEST(HostileSafetensors, IsRefused) {
  auto tensor = [](StringRef type, StringRef shape, StringRef offsets) {
    return ("{\"w\":{\"dtype\":" + type + ",\"shape\":" + shape + ",\"data_offsets\":" + offsets +
            "}}")
        .str();
  };
  const std::string data(16, '\1');
  const std::string good = tensor("\"F32\"", "[2,2]", "[0,16]");
  const std::pair<std::string, const char *> headers[] = {
      {"", "malformed header"},
      {"[]", "expected a JSON object"},
      {"7", "expected a JSON object"},
      {"{", "malformed header"},
      {good + "}", "malformed header"},
      {"{\"w\":\"\xff\"}", "malformed header"},
      {std::string(100000, '['), "at most 8 levels of brackets"},
      {"{\"w\":" + std::string(100000, '{'), "at most 8 levels of brackets"},
      {"{\"w\":7}", "tensor 'w': expected an object"},
      {"{\"w\":{}}", "tensor 'w': expected an object"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2,2]}}", "two numbers 'data_offsets'"},
      {tensor("7", "[2,2]", "[0,16]"), "the string 'dtype'"},
      {tensor("\"F32\"", "4", "[0,16]"), "the array 'shape'"},
      {tensor("\"F32\"", "{}", "[0,16]"), "the array 'shape'"},
      {tensor("\"F32\"", "[2,-2]", "[0,16]"), "expected non-negative integers"},
      {tensor("\"F32\"", "[2,2.5]", "[0,16]"), "expected non-negative integers"},
      {tensor("\"F32\"", "[2,\"2\"]", "[0,16]"), "expected non-negative integers"},
      {tensor("\"F32\"", "[2,1e300]", "[0,16]"), "expected non-negative integers"},
      {tensor("\"F32\"", "[4294967296,4294967296]", "[0,16]"), "the shape is too large"},
      {tensor("\"F32\"", "[2,2]", "[0]"), "two numbers 'data_offsets'"},
      {tensor("\"F32\"", "[2,2]", "[0,16,32]"), "two numbers 'data_offsets'"},
      {tensor("\"F32\"", "[2,2]", "[-16,0]"), "expected non-negative integers"},
      {tensor("\"F32\"", "[2,2]", "[16,0]"), "its data_offsets are 16 and 0"},
      {tensor("\"F32\"", "[2,2]", "[0,15]"), "expected 16 bytes but its data_offsets are 0 and 15"},
      {tensor("\"F32\"", "[2,2]", "[4,20]"), "expected data at offset 0, after the previous"},
      {tensor("\"F32\"", "[8,2]", "[0,64]"), "its data ends at offset 64 but the file has 16"},
      {tensor("\"F32\"", "[2]", "[0,8]"), "expected 8 bytes of data but found 16"},
      {tensor("\"F8_E4M3\"", "[16]", "[0,16]"), "is a tensor of F8_E4M3 but a 2x2xf32"},
      {tensor("\"F4\"", "[2,2]", "[9223372036854775807,1]"), "expected data at offset 0"},
      {tensor("\"I32\"", "[2,2]", "[0,16]"), "parameter 'w' is a 2x2xi32 but a 2x2xf32"},
      {tensor("\"F32\"", "[4]", "[0,16]"), "parameter 'w' is a 4xf32 but a 2x2xf32"},
      {"{\"v\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}," + good.substr(1),
       "expected data at offset 16, after the previous tensor, but found 0"},
      {"{\"v\":{\"dtype\":\"I8\",\"shape\":[0],\"data_offsets\":[7,7]}," + good.substr(1),
       "expected data at offset 16"},
  };
  for (const auto &[header, error] : headers)
    expectRefusal(header.substr(0, 100),
                  loadError(createSafetensorsArchive, makeSafetensors(header, data)), error);
  expectRefusal("size behind the file",
                loadError(createSafetensorsArchive, toBytes<uint64_t>(1000) + good),
                "but found one of 1000");
  expectRefusal("endless size",
                loadError(createSafetensorsArchive, toBytes<uint64_t>(~uint64_t(0)) + good),
                "but found one of 18446744073709551615");
  mutate(makeSafetensors(good, data),
         [](const std::string &file) { return loadError(createSafetensorsArchive, file); });
}

TEST(HostileNpz, IsRefused) {
  const std::string npy = encodeNpy(unwrap(parseTensor("2x2xf32=random(1)")));
  auto load = [](const std::string &file) { return loadError(createNpzArchive, file); };
  auto single = [&](const std::string &contents, bool isCompressed = true) {
    return load(makeNpz({{"w.npy", contents}}, isCompressed));
  };
  expectRefusal("empty", load(""), "not a .npz file");
  expectRefusal("text", load("PK is not enough"), "not a .npz file");
  expectRefusal("not an array", single("text"), "parameter 'w': not a .npy file");
  expectRefusal("truncated array", single(npy.substr(0, npy.size() - 1)),
                "parameter 'w': expected 16 bytes of data in the .npy file but found 15");
  expectRefusal("two arrays", single(npy + npy), "expected one array in the .npy file");
  expectRefusal("other shape", single(encodeNpy(unwrap(parseTensor("4xf32")))),
                "parameter 'w' is a 4xf32 but a 2x2xf32 was expected");
  expectRefusal("other type", single(encodeNpy(unwrap(parseTensor("2x2xi32")))),
                "parameter 'w' is a 2x2xi32 but a 2x2xf32 was expected");
  expectRefusal("another name", load(makeNpz({{"v.npy", npy}}, true)), "missing");
  // 64 MiB of zeros take 64 KiB.
  expectRefusal("bomb", single(npy + std::string(size_t(64) << 20, '\0')),
                "expected 16 bytes and the header of a .npy file but found 67109008 bytes");

  const std::string good = makeNpz({{"w.npy", npy}}, false);
  std::string checksum = good;
  checksum[good.find(npy) + npy.size() - 1] ^= 1;
  expectRefusal("checksum", load(checksum), "parameter 'w': CRC error");
  // The central directory is what counts; it repeats the method and the sizes of the local header.
  const size_t entry = good.find("PK\1\2");
  ASSERT_NE(entry, std::string::npos);
  auto patched = [&](size_t offset, const std::string &bytes) {
    std::string file = good;
    file.replace(entry + offset, bytes.size(), bytes);
    return load(file);
  };
  EXPECT_NE(patched(10, toBytes<uint16_t>(77)), "") << "unknown compression";
  EXPECT_NE(patched(8, toBytes<uint16_t>(1)), "") << "encrypted";
  EXPECT_NE(patched(24, toBytes<uint32_t>(0xfffffff0)), "") << "4 GiB";
  EXPECT_NE(patched(24, toBytes<uint32_t>(0xffffffff)), "") << "64-bit size that is not there";
  EXPECT_NE(patched(42, toBytes<uint32_t>(0x7fffffff)), "") << "local header behind the file";
  for (bool isCompressed : {false, true}) {
    std::string file = makeNpz({{"w.npy", npy}}, isCompressed);
    for (size_t size = 0; size < file.size(); ++size)
      EXPECT_NE(load(file.substr(0, size)), "") << size;
    for (size_t bit = 0; bit < file.size() * 8; ++bit) {
      std::string copy = file;
      copy[bit / 8] ^= 1 << bit % 8;
      load(copy);
    }
  }
}

TEST(HostileOnnxTensor, IsRefused) {
  auto load = [](const std::string &file) {
    Expected<HostTensor> tensor = decodeOnnxTensor(file);
    return tensor ? std::string() : toString(tensor.takeError());
  };
  struct Case {
    const char *name;
    std::function<void(TensorProto &)> edit;
    const char *error;
  };
  const Case cases[] = {
      {"no type", [](TensorProto &t) { t.clear_data_type(); }, "found data type UNDEFINED"},
      {"strings", [](TensorProto &t) { t.set_data_type(TensorProto::STRING); }, "type STRING"},
      {"complex", [](TensorProto &t) { t.set_data_type(TensorProto::COMPLEX64); }, "COMPLEX64"},
      {"unknown type", [](TensorProto &t) { t.set_data_type(99); }, "found data type 99"},
      {"negative type", [](TensorProto &t) { t.set_data_type(-1); }, "found data type -1"},
      {"negative dimension", [](TensorProto &t) { t.set_dims(0, -2); }, "non-negative dimensions"},
      {"large shape",
       [](TensorProto &t) {
         t.set_dims(0, int64_t(1) << 40);
         t.set_dims(1, int64_t(1) << 40);
       },
       "2^63 - 1 bytes"},
      {"many dimensions",
       [](TensorProto &t) {
         for (int i = 0; i < 31; ++i)
           t.add_dims(1);
       },
       "expected at most 32"},
      {"large but possible shape", [](TensorProto &t) { t.set_dims(0, int64_t(1) << 40); },
       "expected 8796093022208 bytes of data in the ONNX TensorProto but found 16"},
      {"short data", [](TensorProto &t) { t.mutable_raw_data()->pop_back(); }, "but found 15"},
      {"long data", [](TensorProto &t) { t.mutable_raw_data()->push_back(0); }, "but found 17"},
      {"no data", [](TensorProto &t) { t.clear_raw_data(); },
       "expected 4 elements in the ONNX TensorProto but found 0"},
      {"data of another type",
       [](TensorProto &t) {
         t.clear_raw_data();
         for (int i = 0; i < 4; ++i)
           t.add_double_data(i);
       },
       "expected 4 elements in the ONNX TensorProto but found 0"},
      {"too many elements",
       [](TensorProto &t) {
         t.clear_raw_data();
         for (int i = 0; i < 5; ++i)
           t.add_float_data(i);
       },
       "expected 4 elements in the ONNX TensorProto but found 5"},
      {"external data",
       [](TensorProto &t) {
         auto *entry = t.add_external_data();
         entry->set_key("location");
         entry->set_value("/etc/passwd");
       },
       "is in another file or in segments"},
      {"external location", [](TensorProto &t) { t.set_data_location(TensorProto::EXTERNAL); },
       "is in another file or in segments"},
      {"segment", [](TensorProto &t) { t.mutable_segment()->set_begin(0); }, "or in segments"},
  };
  TensorProto good;
  good.set_data_type(TensorProto::FLOAT);
  good.add_dims(2);
  good.add_dims(2);
  good.set_raw_data(std::string(16, '\1'));
  for (const Case &test : cases) {
    TensorProto tensor = good;
    test.edit(tensor);
    expectRefusal(test.name, load(tensor.SerializeAsString()), test.error);
  }
  expectRefusal("empty", load(""), "found data type UNDEFINED");
  expectRefusal("text", load("this is no protocol buffer"), "not an ONNX TensorProto");
  mutate(good.SerializeAsString(), load);
}

TEST(HostileNpy, ContinuedFilesAreRefused) {
  auto load = [](StringRef file) {
    while (true) {
      Expected<HostTensor> tensor = decodeNextNpy(file);
      if (!tensor)
        return toString(tensor.takeError());
      if (file.empty())
        return std::string();
    }
  };
  const std::string npy = encodeNpy(unwrap(parseTensor("2x2xf32=1")));
  EXPECT_EQ(load(npy + npy), "");
  expectRefusal("trailing byte", load(npy + "x"), "expected 16 bytes of data in the .npy file");
  expectRefusal("half of a second one", load(npy + npy.substr(0, 10)), "truncated .npy file");
  expectRefusal("second without data", load(npy + npy.substr(0, npy.size() - 16)),
                "expected 16 bytes of data in the .npy file but found 0");
  for (auto [what, with, error] :
       {std::tuple("(2, 2)", "(2,-2)", "a tuple of non-negative integers"),
        std::tuple("(2, 2)", "(9, 9)", "expected 324 bytes of data in the .npy file but found 16"),
        std::tuple("(2, 2)", "2, 2  ", "a tuple of non-negative integers"),
        std::tuple("<f4", "<c8", "element type '<c8'"), std::tuple("<f4", "O|8", "element type"),
        std::tuple("False", "Maybe", "expected True or False"),
        std::tuple("descr", "shape", "expected a tuple"),
        std::tuple("descr", "other", "unknown key 'other'"),
        std::tuple("}", " ", "malformed .npy header"),
        std::tuple("NUMPY\x01", "NUMPY\x09", "version 1, 2 or 3 but found 9"),
        std::tuple("NUMPY", "NUMPX", "the magic number is missing")}) {
    std::string file = npy;
    file.replace(file.find(what), StringRef(what).size(), with);
    expectRefusal(with, load(file), error);
  }
}

} // namespace
