//===- NpzFormat.cpp - .npz files -----------------------------------------===//
//
// What numpy.savez writes: a ZIP archive with one .npy file per array.
//
//===----------------------------------------------------------------------===//

#include "NPU/Tensor/Parameters.h"

#include <zip.h>

using namespace llvm;
using namespace npu::runtime;

namespace {
class NpzArchive : public ParameterArchive {
public:
  explicit NpzArchive(std::unique_ptr<MemoryBuffer> contents) : contents(std::move(contents)) {}
  ~NpzArchive() override {
    if (archive)
      zip_discard(archive);
  }

  Error open();
  bool contains(StringRef key) const override { return find(key) >= 0; }
  Expected<HostTensor> load(StringRef key, ElementType type,
                            ArrayRef<int64_t> shape) const override;

private:
  /// Number of the archive's entry for `key`; negative if there is none.
  zip_int64_t find(StringRef key) const {
    if (key.contains('\0'))
      return -1;
    zip_int64_t index = zip_name_locate(archive, (key + ".npy").str().c_str(), 0);
    return index >= 0 ? index : zip_name_locate(archive, key.str().c_str(), 0);
  }
  /// All bytes of an entry that says it has `size`.
  Expected<std::string> read(zip_int64_t index, uint64_t size) const;

  std::unique_ptr<MemoryBuffer> contents;
  zip_t *archive = nullptr;
};
} // namespace

Error NpzArchive::open() {
  // The library takes nothing for an archive without members.
  if (contents->getBufferSize() == 0)
    return createStringError("not a .npz file: it is empty");
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *source = zip_source_buffer_create(contents->getBufferStart(),
                                                  contents->getBufferSize(), /*freep=*/0, &error);
  if (source)
    archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
  if (source && !archive)
    zip_source_free(source);
  std::string message = archive ? "" : zip_error_strerror(&error);
  zip_error_fini(&error);
  if (!archive)
    return createStringError("not a .npz file: " + message);
  return Error::success();
}

Expected<std::string> NpzArchive::read(zip_int64_t index, uint64_t size) const {
  zip_file_t *file = zip_fopen_index(archive, index, 0);
  if (!file)
    return createStringError(zip_strerror(archive));
  // One byte more than there should be: the checksum is compared at the end of the data.
  std::string result(size + 1, '\0');
  uint64_t position = 0;
  zip_int64_t count;
  while ((count = zip_fread(file, &result[position], result.size() - position)) > 0)
    position += count;
  std::string message = count < 0 ? zip_file_strerror(file) : "";
  zip_fclose(file);
  if (!message.empty())
    return createStringError(message);
  if (position != size)
    return createStringError("expected " + Twine(size) + " bytes but found " +
                             (position > size ? "more" : Twine(position).str()));
  result.pop_back();
  return result;
}

Expected<HostTensor> NpzArchive::load(StringRef key, ElementType type,
                                      ArrayRef<int64_t> shape) const {
  auto fail = [&](Error error) {
    return createStringError("parameter '" + key + "': " + toString(std::move(error)));
  };
  zip_int64_t index = find(key);
  zip_stat_t info;
  if (zip_stat_index(archive, index, 0, &info) != 0 || !(info.valid & ZIP_STAT_SIZE))
    return fail(createStringError(zip_strerror(archive)));
  // A few compressed bytes may stand for any number of bytes; what is wanted bounds them.
  constexpr uint64_t maxNpyHeaderSize = uint64_t(1) << 17;
  uint64_t bytes = countElements(shape, type).value_or(0) * getElementByteSize(type);
  if (info.size > bytes + maxNpyHeaderSize)
    return fail(createStringError("expected " + Twine(bytes) +
                                  " bytes and the header of a .npy file but found " +
                                  Twine(info.size) + " bytes"));
  Expected<std::string> contents = read(index, info.size);
  if (!contents)
    return fail(contents.takeError());
  Expected<HostTensor> tensor = decodeNpy(*contents);
  if (!tensor)
    return fail(tensor.takeError());
  if (tensor->getElementType() != type || tensor->getShape() != shape)
    return createStringError("parameter '" + key + "' is a " + tensor->getTypeString() + " but a " +
                             getTypeString(type, shape) + " was expected");
  return tensor;
}

Expected<std::unique_ptr<ParameterArchive>>
npu::runtime::createNpzArchive(std::unique_ptr<MemoryBuffer> contents) {
  auto archive = std::make_unique<NpzArchive>(std::move(contents));
  if (Error error = archive->open())
    return std::move(error);
  return archive;
}
