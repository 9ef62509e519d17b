//===- TensorFiles.cpp - files of tensors, made in tests ------------------===//

#include "TensorFiles.h"

#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <zip.h>

using namespace llvm;

std::string IrpaFile::encode() const {
  std::string table, names, data;
  for (const Entry &entry : entries) {
    table.resize(alignTo(table.size(), 16));
    bool isSplat = entry.type == Entry::Splat;
    table += toBytes<uint64_t>((isSplat ? 85 : entry.type == Entry::Skip ? 60 : 76) + entry.size);
    table += toBytes<uint32_t>(entry.type) + toBytes<uint64_t>(0);
    table += toBytes<uint64_t>(names.size() + entry.nameOffset);
    table += toBytes<uint64_t>(entry.name.size() + entry.nameLength);
    table += std::string(16, '\0') + toBytes<uint64_t>(16);
    names += entry.name;
    if (isSplat) {
      std::string pattern = entry.data.substr(0, 16);
      table += toBytes<uint64_t>(entry.length) + pattern + std::string(16 - pattern.size(), '\0');
      table += static_cast<char>(entry.patternLength < 0 ? pattern.size() : entry.patternLength);
    } else if (entry.type != Entry::Skip) {
      table += toBytes<uint64_t>(data.size() + entry.dataOffset);
      table += toBytes<uint64_t>(entry.data.size() + entry.dataLength);
      data += entry.data;
    }
  }
  std::string file = magic + toBytes(major) + toBytes(minor) + toBytes(headerSize);
  file += toBytes(next) + toBytes<uint64_t>(0) + toBytes<uint64_t>(entries.size() + count);
  uint64_t namesStart = 96 + table.size(), dataStart = alignTo(namesStart + names.size(), 64);
  file += toBytes<uint64_t>(96 + entryOffset) + toBytes<uint64_t>(table.size() + entryLength);
  file += toBytes<uint64_t>(namesStart + nameOffset) + toBytes<uint64_t>(names.size() + nameLength);
  file += toBytes<uint64_t>(dataStart + dataOffset) + toBytes<uint64_t>(data.size() + dataLength);
  file.resize(96);
  file += table + names;
  file.resize(dataStart);
  return file + data;
}

std::string makeSafetensors(StringRef header, StringRef data) {
  return toBytes<uint64_t>(header.size()) + header.str() + data.str();
}

std::string makeNpz(ArrayRef<std::pair<std::string, std::string>> members, bool isCompressed) {
  zip_source_t *file = zip_source_buffer_create(nullptr, 0, 0, nullptr);
  zip_source_keep(file);
  zip_t *archive = zip_open_from_source(file, ZIP_TRUNCATE, nullptr);
  for (const auto &[name, contents] : members) {
    zip_source_t *source = zip_source_buffer(archive, contents.data(), contents.size(), 0);
    zip_int64_t index = zip_file_add(archive, name.c_str(), source, 0);
    zip_set_file_compression(archive, index, isCompressed ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  }
  EXPECT_EQ(zip_close(archive), 0);
  std::string result;
  zip_stat_t info;
  EXPECT_EQ(zip_source_stat(file, &info), 0);
  result.resize(info.size);
  EXPECT_EQ(zip_source_open(file), 0);
  EXPECT_EQ(uint64_t(zip_source_read(file, result.data(), result.size())), info.size);
  zip_source_close(file);
  zip_source_free(file);
  return result;
}
