//===- Interpreter.cpp - executes tensor form and tile form ---------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace npu;
using namespace npu::test;

View View::allocate(ArrayRef<int64_t> shape, double value) {
  View view;
  view.shape.assign(shape.begin(), shape.end());
  view.strides.assign(shape.size(), 1);
  int64_t size = 1;
  for (int64_t i = shape.size() - 1; i >= 0; --i) {
    view.strides[i] = size;
    size *= shape[i];
  }
  view.data = std::make_shared<std::vector<double>>(size, value);
  return view;
}

double *View::at(ArrayRef<int64_t> index) const {
  int64_t position = offset;
  for (auto [i, size, stride] : llvm::zip_equal(index, shape, strides)) {
    if (i < 0 || i >= size)
      return nullptr;
    position += i * stride;
  }
  return &(*data)[position];
}

static int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = evaluate(binary.getLHS(), dims), right = evaluate(binary.getRHS(), dims);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(left, right);
  case AffineExprKind::Mod:
    return llvm::mod(left, right);
  default:
    llvm_unreachable("no other expressions in maps");
  }
}

static SmallVector<int64_t> evaluate(AffineMap map, ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(map.getResults(),
                             [&](AffineExpr expr) { return evaluate(expr, dims); });
}

/// Calls `body` with every index below `extents`, the last one fastest.
static void forEachIndex(ArrayRef<int64_t> extents, function_ref<void(ArrayRef<int64_t>)> body) {
  if (llvm::any_of(extents, [](int64_t extent) { return extent <= 0; }))
    return;
  SmallVector<int64_t> index(extents.size(), 0);
  while (true) {
    body(index);
    int64_t dim = extents.size() - 1;
    for (; dim >= 0; --dim) {
      if (++index[dim] < extents[dim])
        break;
      index[dim] = 0;
    }
    if (dim < 0)
      return;
  }
}

static double toDouble(Attribute attr) {
  if (auto value = dyn_cast_or_null<FloatAttr>(attr))
    return value.getValueAsDouble();
  if (auto value = dyn_cast_or_null<IntegerAttr>(attr))
    return value.getInt();
  return 0;
}

namespace {
class Interpreter {
public:
  explicit Interpreter(std::string &error) : error(error) {}

  std::vector<View> run(KernelOp kernel, ArrayRef<View> arguments) {
    for (auto [value, view] : llvm::zip_equal(kernel.getArguments(), arguments))
      views[value] = view;
    run(kernel.getBody().front());
    std::vector<View> results;
    for (Value operand : kernel.getBody().front().getTerminator()->getOperands())
      results.push_back(views.lookup(operand));
    return results;
  }

private:
  SmallVector<int64_t> getIndices(ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) { return indices.lookup(value); });
  }

  /// Trips of a loop, including those that the last cluster takes past the end.
  int64_t getTrips(scf::ForOp loop) {
    int64_t trips = indices.lookup(loop.getUpperBound());
    auto clusters = loop->getAttrOfType<IntegerAttr>(kClustersAttrName);
    return clusters ? llvm::alignTo(trips, clusters.getInt()) : trips;
  }

  double *access(const View &view, ArrayRef<int64_t> index) {
    double *element = view.at(index);
    if (!element)
      error = "access out of bounds";
    static double sink;
    return element ? element : &sink;
  }

  void run(Block &block) {
    for (Operation &op : block)
      llvm::TypeSwitch<Operation *>(&op)
          .Case([&](scf::ForOp loop) {
            for (int64_t i = 0, e = getTrips(loop); i < e; ++i) {
              indices[loop.getInductionVar()] = i;
              run(*loop.getBody());
            }
          })
          .Case([&](arith::ConstantIndexOp constant) { indices[constant] = constant.value(); })
          .Case([&](affine::AffineApplyOp apply) {
            indices[apply] =
                evaluate(apply.getAffineMap(), getIndices(apply.getMapOperands())).front();
          })
          .Case([&](affine::AffineMinOp min) {
            indices[min] =
                *llvm::min_element(evaluate(min.getAffineMap(), getIndices(min.getMapOperands())));
          })
          .Case<memref::AllocOp, tensor::EmptyOp>([&](auto alloc) {
            previous[alloc] = views.lookup(alloc);
            views[alloc] = View::allocate(alloc.getType().getShape(),
                                          std::numeric_limits<double>::quiet_NaN());
          })
          .Case([&](PreviousOp op) {
            // In the first iteration there is none: it must not be touched.
            View view = previous.lookup(op.getBuffer());
            views[op] = view.data ? view
                                  : View::allocate(op.getType().getShape(),
                                                   std::numeric_limits<double>::quiet_NaN());
          })
          .Case([&](FillOp fill) {
            View view = views.lookup(fill.getDst());
            forEachIndex(view.shape, [&](ArrayRef<int64_t> index) {
              *access(view, index) = toDouble(fill.getValue());
            });
          })
          .Case([&](memref::SubViewOp subview) { runSubView(subview); })
          .Case([&](DmaLoadOp load) {
            runDma(views.lookup(load.getDst()), views.lookup(load.getSrc()), load.getOrigin(),
                   load.getExtents(), load.getEffectiveMap(), [&](double &chip, double *dram) {
                     chip = dram ? *dram : toDouble(load.getFillAttr());
                   });
          })
          .Case([&](DmaStoreOp store) {
            runDma(views.lookup(store.getSrc()), views.lookup(store.getDst()), store.getOrigin(),
                   store.getExtents(), store.getEffectiveMap(), [&](double &chip, double *dram) {
                     if (dram)
                       *dram = chip;
                     else
                       error = "store out of bounds";
                   });
          })
          .Case([&](NPUComputeOpInterface compute) { runCompute(compute); });
  }

  void runSubView(memref::SubViewOp subview) {
    View view = views.lookup(subview.getSource());
    SmallVector<int64_t> dynamic = getIndices(subview.getOffsets());
    ArrayRef<int64_t> offsets = subview.getStaticOffsets(), sizes = subview.getStaticSizes();
    const int64_t *next = dynamic.begin();
    bool isInside = true;
    for (unsigned dim = 0; dim < offsets.size(); ++dim) {
      int64_t offset = ShapedType::isDynamic(offsets[dim]) ? *next++ : offsets[dim];
      // It must not be touched then.
      isInside &= offset >= 0 && offset + sizes[dim] <= view.shape[dim];
      view.offset += offset * view.strides[dim];
      view.shape[dim] = sizes[dim];
    }
    if (!isInside)
      view.shape.assign(view.shape.size(), 0);
    views[subview] = view;
  }

  void runDma(const View &chip, const View &dram, ValueRange origins, ValueRange extentValues,
              AffineMap map, function_ref<void(double &, double *)> move) {
    SmallVector<int64_t> origin = getIndices(origins);
    SmallVector<int64_t> extents = extentValues.empty() ? chip.shape : getIndices(extentValues);
    forEachIndex(extents, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> coordinate = evaluate(map, index);
      for (auto [c, o] : llvm::zip_equal(coordinate, origin))
        c += o;
      move(*access(chip, index), dram.at(coordinate));
    });
  }

  double compute(Operation *op, ArrayRef<double> in) {
    return llvm::TypeSwitch<Operation *, double>(op)
        .Case([&](BinaryOp binary) {
          double right = binary.getRhs() ? in[1] : toDouble(*binary.getImm());
          switch (binary.getKind()) {
          case BinaryKind::Add:
            return in[0] + right;
          case BinaryKind::Sub:
            return in[0] - right;
          case BinaryKind::Mul:
            return in[0] * right;
          case BinaryKind::Max:
            return std::isnan(in[0]) ? in[0] : std::max(in[0], right);
          default:
            error = "unknown kind";
            return 0.0;
          }
        })
        .Case([&](UnaryOp unary) { return -in[0]; })
        .Case<CastOp, CopyOp>([&](auto) { return in[0]; })
        .Default([&](Operation *) {
          error = "unknown op";
          return 0.0;
        });
  }

  void runCompute(NPUComputeOpInterface op) {
    SmallVector<OpOperand *> operands = op.getDataOperands();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<View> data;
    for (OpOperand *operand : operands)
      data.push_back(views.lookup(operand->get()));
    bool isContraction = isa<MatmulOp, ConvOp>(*op);
    if (!op.hasBufferForm()) {
      View result = View::allocate(data.back().shape, 0);
      if (op.readsDestination())
        *result.data = *data.back().data;
      views[op->getResult(0)] = data.back() = result;
    }
    SmallVector<int64_t> extents =
        op.getTileExtents().empty() ? op.getStaticLoopRanges() : getIndices(op.getTileExtents());
    double pad = 0;
    if (auto conv = dyn_cast<ConvOp>(*op); conv && conv.getPadValue())
      pad = toDouble(*conv.getPadValue());
    bool hasBias = isContraction && data.size() > 3;
    if (op.hasBufferForm() ? isContraction && !accumulates(op) : hasBias)
      forEachIndex(extents, [&](ArrayRef<int64_t> index) {
        *access(data.back(), evaluate(maps.back(), index)) =
            hasBias ? *data[2].at(evaluate(maps[2], index)) : 0;
      });
    forEachIndex(extents, [&](ArrayRef<int64_t> index) {
      SmallVector<double> in;
      for (auto [view, map] : llvm::zip(ArrayRef(data).drop_back(), maps)) {
        const double *element = view.at(evaluate(map, index));
        if (!element && (op.hasBufferForm() || !isContraction))
          error = "operand out of bounds";
        in.push_back(element ? *element : pad);
      }
      double &out = *access(data.back(), evaluate(maps.back(), index));
      out = isContraction ? out + in[0] * in[1] : compute(op, in);
    });
  }

  bool accumulates(Operation *op) {
    auto decide = [&](auto contraction) {
      if (contraction.getInit().empty())
        return contraction.getAccumulate();
      return llvm::any_of(getIndices(contraction.getInit()), [](int64_t i) { return i != 0; });
    };
    if (auto conv = dyn_cast<ConvOp>(op))
      return decide(conv);
    return decide(cast<MatmulOp>(op));
  }

  std::string &error;
  DenseMap<Value, View> views;
  DenseMap<Value, View> previous; ///< what an allocation gave when it was last executed
  DenseMap<Value, int64_t> indices;
};
} // namespace

std::vector<View> npu::test::interpret(KernelOp kernel, ArrayRef<View> arguments,
                                       std::string &error) {
  return Interpreter(error).run(kernel, arguments);
}
