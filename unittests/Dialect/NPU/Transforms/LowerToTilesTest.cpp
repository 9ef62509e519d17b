//===- LowerToTilesTest.cpp - tile form computes what tensor form says ----===//

#include "Interpreter.h"

#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace npu;
using namespace npu::test;
using llvm::formatv;

namespace {

class LowerToTilesTest : public ::testing::Test {
protected:
  LowerToTilesTest() {
    context.loadDialect<NPUDialect, affine::AffineDialect, arith::ArithDialect,
                        memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect>();
  }

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  template <typename T>
  T oneOf(std::initializer_list<T> choices) {
    return *(choices.begin() + pick(0, choices.size() - 1));
  }

  /// A chip so small that small shapes need many tiles.
  std::string getTarget() {
    int64_t rows = oneOf({2, 4, 8}), cols = oneOf({2, 4, 8}), cells = rows * cols;
    return formatv("npu-v1:sramBytes={0},accBytes={1},macRows={2},macCols={3},macsPerCycleI8={4},"
                   "macsPerCycleF16={4},macsPerCycleI16I8={4},macsPerCycleF32={4},clusters={5}",
                   oneOf({1024, 2048, 4096, 16384}), oneOf({256, 512, 2048}), rows, cols, cells,
                   oneOf({1, 1, 1, 2, 4}));
  }

  View randomView(ArrayRef<int64_t> shape) {
    View view = View::allocate(shape, 0);
    for (double &element : *view.data)
      element = pick(-4, 4);
    return view;
  }

  /// Interprets the kernel before and after lowering and compares.
  void check(const std::string &source) {
    SCOPED_TRACE(source);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module);
    auto kernel = *module->getOps<KernelOp>().begin();
    std::vector<View> arguments;
    for (Type type : kernel.getArgumentTypes())
      arguments.push_back(randomView(cast<ShapedType>(type).getShape()));
    std::string error;
    std::vector<View> expected = interpret(kernel, arguments, error);
    ASSERT_EQ(error, "");

    PassManager passes(&context);
    passes.addPass(createNPUChooseTiles());
    passes.nest<KernelOp>().addPass(createNPULowerToTiles());
    passes.nest<KernelOp>().addPass(createNPUVerifyTileForm());
    ASSERT_TRUE(succeeded(passes.run(*module)));
    kernel = *module->getOps<KernelOp>().begin(); // may be another one

    for (const View &result : expected)
      arguments.push_back(View::allocate(result.shape, std::nan("")));
    interpret(kernel, arguments, error);
    std::string text;
    llvm::raw_string_ostream(text) << kernel;
    SCOPED_TRACE(text);
    ASSERT_EQ(error, "");
    size_t numInputs = arguments.size() - expected.size();
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(*expected[i].data, *arguments[numInputs + i].data) << "result " << i;
  }

  std::string tensorType(StringRef layout, const std::map<char, int64_t> &sizes, StringRef type) {
    std::string text = "tensor<";
    for (char letter : layout)
      text += std::to_string(sizes.at(letter)) + "x";
    return text + type.str() + ">";
  }

  std::mt19937 random{7};
  MLIRContext context;
};

/// `d0, d1, ...` up to `rank`.
std::string dimList(unsigned rank) {
  std::string text;
  for (unsigned d = 0; d < rank; ++d)
    text += (d ? ", d" : "d") + std::to_string(d);
  return text;
}

TEST_F(LowerToTilesTest, RandomMatmulsWithTails) {
  struct Layouts {
    const char *a, *b, *c;
  };
  for (int i = 0; i < 150; ++i) {
    auto layouts = oneOf<Layouts>({{"mk", "kn", "mn"},
                                   {"mk", "nk", "mn"},
                                   {"km", "kn", "nm"},
                                   {"bmk", "bkn", "bmn"},
                                   {"mk", "k", "m"},
                                   {"k", "nk", "n"},
                                   {"bmk", "kn", "bmn"},
                                   {"k", "k", ""},
                                   {"bmk", "nbk", "mbn"}});
    std::map<char, int64_t> sizes = {
        {'b', pick(1, 4)}, {'m', pick(1, 40)}, {'n', pick(1, 40)}, {'k', pick(1, 50)}};
    std::string a = tensorType(layouts.a, sizes, "i8"), b = tensorType(layouts.b, sizes, "i8");
    std::string c = tensorType(layouts.c, sizes, "i32");
    unsigned rank = strlen(layouts.c);
    bool hasTail = rank > 0 && pick(0, 3) > 0, returnsBoth = hasTail && pick(0, 3) == 0;
    bool accumulates = pick(0, 3) == 0;
    unsigned biasDim = hasTail ? pick(0, rank - 1) : 0;
    std::string bias =
        hasTail ? "tensor<" + std::to_string(sizes[layouts.c[biasDim]]) + "xi32>" : c;
    std::string results = returnsBoth ? c + ", " + c : c;
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "npu.kernel @k(%a: " << a << ", %b: " << b << ", %bias: " << bias << ", %r: " << c
       << ") -> (" << results << ") attributes {target = #npu.target<\"" << getTarget()
       << "\">} {\n"
       << "  %e = tensor.empty() : " << c << "\n  %0 = npu.matmul %a, %b -> "
       << (accumulates ? "%r" : "%e") << " {" << (accumulates ? "accumulate, " : "")
       << "layout_a = #npu.layout<" << layouts.a << ">, layout_b = #npu.layout<" << layouts.b
       << ">, layout_c = #npu.layout<" << layouts.c << ">";
    if (StringRef(layouts.c).contains('m') && pick(0, 2) == 0)
      os << ", tile_m = " << pick(1, 3);
    if (StringRef(layouts.c).contains('n') && pick(0, 2) == 0)
      os << ", tile_n = " << pick(1, 5);
    os << "} : " << a << ", " << b << " -> " << c << "\n";
    if (hasTail) {
      std::string identity = "affine_map<(" + dimList(rank) + ") -> (" + dimList(rank) + ")>";
      os << "  %1 = npu.binary add %0, %bias -> %e {indexing_maps = [" << identity
         << ", affine_map<(" << dimList(rank) << ") -> (d" << biasDim << ")>, " << identity
         << "]} : " << c << ", " << bias << " -> " << c << "\n"
         << "  %2 = npu.binary sub %1, %r -> %e : " << c << ", " << c << " -> " << c << "\n"
         << "  %3 = npu.binary max %2 -> %e {imm = 0 : i32} : " << c << " -> " << c << "\n";
    }
    os << "  npu.return "
       << (returnsBoth ? "%3, %1"
           : hasTail   ? "%3"
                       : "%0")
       << " : " << results << "\n}\n";
    check(text);
    if (HasFatalFailure())
      return;
  }
}

TEST_F(LowerToTilesTest, RandomConvolutions) {
  struct Layouts {
    const char *input, *filter, *output;
  };
  for (int i = 0; i < 150; ++i) {
    auto layouts = oneOf<Layouts>({{"nhwc", "yxcf", "nhwf"},
                                   {"nchw", "fcyx", "nfhw"},
                                   {"nhwg", "yxg", "nhwg"},
                                   {"ngwh", "gxy", "nghw"},
                                   {"nhwgc", "gfyxc", "nhwgf"},
                                   {"ngchw", "gfcyx", "ngfhw"},
                                   {"nch", "fcy", "nfh"},
                                   {"hwc", "fyxc", "hwf"},
                                   {"nhg", "yg", "nhg"}});
    bool is2D = StringRef(layouts.output).contains('w');
    std::map<char, int64_t> sizes = {{'n', pick(1, 3)}, {'h', pick(1, 11)}, {'w', pick(1, 11)},
                                     {'c', pick(1, 9)}, {'f', pick(1, 12)}, {'g', pick(1, 9)},
                                     {'y', pick(1, 4)}, {'x', pick(1, 4)}};
    std::map<char, int64_t> inputSizes = sizes;
    SmallVector<int64_t> stride, dilation, padLow, padHigh;
    for (auto [space, tap] : {std::make_pair('h', 'y'), std::make_pair('w', 'x')}) {
      if (space == 'w' && !is2D)
        continue;
      stride.push_back(pick(1, 3));
      dilation.push_back(pick(1, 2));
      int64_t needed = (sizes[space] - 1) * stride.back() + (sizes[tap] - 1) * dilation.back() + 1;
      padLow.push_back(pick(0, 2));
      padHigh.push_back(pick(0, 2));
      inputSizes[space] =
          std::max<int64_t>(1, needed - padLow.back() - padHigh.back() + pick(0, 1));
    }
    std::string input = tensorType(layouts.input, inputSizes, "i8"),
                filter = tensorType(layouts.filter, sizes, "i8"),
                output = tensorType(layouts.output, sizes, "i32");
    std::string text;
    llvm::raw_string_ostream os(text);
    auto printArray = [&](StringRef name, ArrayRef<int64_t> values) {
      os << ", " << name << " = array<i64: ";
      llvm::interleave(values, os, ", ");
      os << ">";
    };
    os << "npu.kernel @k(%i: " << input << ", %f: " << filter << ") -> " << output
       << " attributes {target = #npu.target<\"" << getTarget() << "\">} {\n"
       << "  %e = tensor.empty() : " << output
       << "\n  %0 = npu.conv %i, %f -> %e {layout_input = #npu.layout<" << layouts.input
       << ">, layout_filter = #npu.layout<" << layouts.filter << ">, layout_output = #npu.layout<"
       << layouts.output << ">, pad_value = " << pick(-2, 2) << " : i8";
    printArray("stride", stride);
    printArray("dilation", dilation);
    printArray("pad_low", padLow);
    printArray("pad_high", padHigh);
    for (const char *name : {"tile_h", "tile_y", "tile_c"})
      if (StringRef(layouts.filter).contains('c') && pick(0, 3) == 0)
        os << ", " << name << " = " << pick(1, 3);
    os << "} : " << input << ", " << filter << " -> " << output
       << "\n  %1 = npu.unary neg %0 -> %e : " << output << " -> " << output
       << "\n  npu.return %1 : " << output << "\n}\n";
    check(text);
    if (HasFatalFailure())
      return;
  }
}

TEST_F(LowerToTilesTest, RandomElementwise) {
  for (int i = 0; i < 60; ++i) {
    unsigned rank = pick(1, 6);
    std::map<char, int64_t> sizes;
    std::string letters, reversed, reversedDims;
    for (unsigned d = 0; d < rank; ++d) {
      sizes['a' + d] = pick(1, rank > 4 ? 5 : 12);
      letters.push_back('a' + d);
      reversed.insert(reversed.begin(), 'a' + d);
      reversedDims += (d ? ", d" : "d") + std::to_string(rank - 1 - d);
    }
    std::string x = tensorType(letters, sizes, "i32"), y = tensorType(reversed, sizes, "i32");
    unsigned last = rank - 1;
    std::string row = tensorType(letters.substr(last), sizes, "i32");
    std::string identity = "affine_map<(" + dimList(rank) + ") -> (" + dimList(rank) + ")>";
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "npu.kernel @k(%x: " << x << ", %y: " << y << ", %row: " << row << ") -> (" << x << ", "
       << x << ") attributes {target = #npu.target<\"" << getTarget() << "\">} {\n"
       << "  %e = tensor.empty() : " << x << "\n  %er = tensor.empty() : " << row
       << "\n  %0 = npu.unary neg %row -> %er : " << row << " -> " << row
       << "\n  %1 = npu.binary add %x, %y -> %e {indexing_maps = [" << identity << ", affine_map<("
       << dimList(rank) << ") -> (" << reversedDims << ")>, " << identity << "]} : " << x << ", "
       << y << " -> " << x << "\n  %2 = npu.binary mul %1, %0 -> %e {indexing_maps = [" << identity
       << ", affine_map<(" << dimList(rank) << ") -> (d" << last << ")>, " << identity
       << "]} : " << x << ", " << row << " -> " << x << "\n  npu.return %2, %1 : " << x << ", " << x
       << "\n}\n";
    check(text);
    if (HasFatalFailure())
      return;
  }
}

} // namespace
