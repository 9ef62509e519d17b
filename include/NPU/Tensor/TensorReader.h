//===- TensorReader.h - tensors as iree-run-module's options give them ----===//
//
// What may stand behind `--input=` and `--expected_output=`. Independent of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TENSOR_TENSORREADER_H
#define NPU_TENSOR_TENSORREADER_H

#include "NPU/Tensor/HostTensor.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

namespace npu::runtime {

/// Reads tensor specifications one after the other; positions in files are kept between them.
class TensorReader {
public:
  /// What a tensor must be, for specifications without a type of their own.
  struct Type {
    ElementType elementType;
    llvm::ArrayRef<int64_t> shape;
  };

  /// The tensors that `specification` stands for; one, except for `*`. Beyond what `parseTensor`
  /// knows:
  ///   @f.npy             the first array of a file
  ///   +f.npy             the array after the one that was read last from that file
  ///   *f.npy             all arrays that are left in it, one or more
  ///   2x2xf32=+f.bin     likewise, raw bytes; with @ those at the start of the file
  ///   @f.pb, @f.npz[key] an ONNX TensorProto; an array of a NumPy archive, of type `type`
  ///   3.14, random(3), smallints(3)
  ///                      a value for every element, or random ones, of type `type`
  llvm::Expected<llvm::SmallVector<HostTensor>> read(llvm::StringRef specification,
                                                     const Type *type);

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> contents;
    size_t position = 0;
  };

  llvm::Expected<File *> open(llvm::StringRef path, bool isContinued);
  llvm::Expected<HostTensor> readFile(llvm::StringRef path, bool isContinued, const Type *type);
  llvm::Expected<HostTensor> readArray(llvm::StringRef path, File &file);
  llvm::Expected<HostTensor> readRaw(llvm::StringRef path, bool isContinued, const Type &type);

  llvm::StringMap<File> files;
};

/// Whether a file of this name has the bytes of tensors and nothing else: .bin, .raw or .dat, or a
/// name without an ending, as pipes have.
bool isRawFileName(llvm::StringRef path);

/// Decodes an ONNX TensorProto of numbers with its data inside.
llvm::Expected<HostTensor> decodeOnnxTensor(llvm::StringRef contents);

} // namespace npu::runtime

#endif // NPU_TENSOR_TENSORREADER_H
