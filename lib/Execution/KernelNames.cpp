//===- KernelNames.cpp - what kernels are called --------------------------===//

#include "NPU/Execution/KernelNames.h"

#include "NPU/Support/SourceNames.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static bool isQuantization(const Layer &layer) {
  // Without the operator, the name is all that there is: exporters name nodes by what they are.
  StringRef what = layer.op.empty() ? layer.name : layer.op;
  return what.contains("QuantizeLinear") || what.contains("DequantizeLinear") ||
         what.contains("DynamicQuantize");
}

/// Whether an operator of ONNX multiplies, so that an op without products is only a part of it.
static bool isProduct(StringRef op) {
  return op.contains("Conv") || op.contains("MatMul") || op.contains("Gemm");
}

/// The nodes that `loc` is made of. The importer says what they are beside their file.
static void collectLayers(LocationAttr loc, SmallVectorImpl<Layer> &layers) {
  if (auto name = dyn_cast<NameLoc>(loc)) {
    Layer layer{name.getName().getValue().str(), ""};
    if (auto fused = dyn_cast<FusedLoc>(name.getChildLoc()))
      if (auto op = dyn_cast_or_null<StringAttr>(fused.getMetadata()))
        layer.op = op.getValue().str();
    layers.push_back(std::move(layer));
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      collectLayers(part, layers);
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    collectLayers(call.getCallee(), layers);
  } else {
    for (std::string &place : getSourceNames(loc, /*withDirectory=*/false))
      layers.push_back({std::move(place), ""});
  }
}

Layer npu::runtime::findLayer(Operation *root, LocationAttr sources) {
  SmallVector<Layer> layers;
  collectLayers(sources, layers);
  if (layers.empty() && root)
    collectLayers(root->getLoc(), layers);
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(root);
  bool hasProducts = linalgOp && (linalg::isaContractionOpInterface(linalgOp) ||
                                  linalg::isaConvolutionOpInterface(linalgOp));
  auto found = layers.end();
  if (hasProducts)
    found = llvm::find_if(layers, [](const Layer &layer) {
      return isProduct(layer.op) || StringRef(layer.op).contains("Pool");
    });
  if (found == layers.end())
    found = llvm::find_if_not(layers, isQuantization);
  Layer layer = layers.empty() ? Layer() : found != layers.end() ? *found : layers.front();
  if (layer.op.empty() && isa_and_nonnull<linalg::GenericOp>(root) &&
      linalgOp.getNumReductionLoops() > 0)
    layer.op = "Reduce";
  return layer;
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

/// `log_softmax` as `LogSoftmax`.
static std::string toCamelCase(StringRef name) {
  return llvm::convertToCamelFromSnakeCase(name, /*capitalizeFirst=*/true);
}

/// ` s2` of `2x2`, ` s1x2` of `1x2`, nothing of `1x1`.
static std::string describeSteps(StringRef prefix, StringRef sizes) {
  SmallVector<StringRef> parts;
  sizes.split(parts, 'x');
  if (!llvm::all_equal(parts))
    return (" " + prefix + sizes).str();
  return parts.front() == "1" || parts.front().empty() ? "" : (" " + prefix + parts.front()).str();
}

std::string npu::runtime::getKernelKind(StringRef description, StringRef op) {
  description.consume_front("op: ");
  auto [root, rest] = description.split(' ');
  llvm::StringMap<StringRef> sizes;
  for (StringRef part : llvm::split(rest, ' ')) {
    auto [key, value] = part.split('=');
    sizes[key] = value;
  }
  bool isConvolution = op.contains("Conv");
  if (sizes.contains("kernel") && sizes.contains("NC")) {
    std::string name = op.contains("Pool")     ? op.str()
                       : root.contains("_max") ? "MaxPool"
                       : root.contains("_sum") ? "AveragePool"
                       : root.contains("_min") ? "MinPool"
                                               : "Pool";
    return name + " " + sizes["kernel"].str() + describeSteps("s", sizes["stride"]) +
           describeSteps("d", sizes["dilation"]);
  }
  if (sizes.contains("kernel")) {
    std::string kind = (op.contains("ConvTranspose") ? "ConvTranspose " : "Conv ") +
                       sizes["kernel"].str() + describeSteps("s", sizes["stride"]) +
                       describeSteps("d", sizes["dilation"]);
    StringRef groups = sizes["groups"];
    if (groups.empty() || groups == "1")
      return kind;
    bool isDepthwise = groups == sizes["C"];
    return isDepthwise ? kind + " depthwise" : kind + " g" + groups.str();
  }
  if (sizes.contains("M") && sizes.contains("N") && sizes.contains("K")) {
    // A filter of one element is a product of matrices.
    if (isConvolution)
      return op.contains("ConvTranspose") ? "ConvTranspose 1x1" : "Conv 1x1";
    std::string kind =
        llvm::formatv("MatMul {0}x{1}x{2}", sizes["M"], sizes["N"], sizes["K"]).str();
    return sizes.contains("B") ? kind + " b" + sizes["B"].str() : kind;
  }
  auto [dialect, name] = root.split('.');
  if (name.empty())
    return dialect == "copy" ? "Copy" : dialect == "external" ? "External" : root.str();
  if (name != "generic")
    return toCamelCase(name);
  return op.empty() || isProduct(op) ? "Element-wise" : op.str();
}

std::string npu::runtime::getKernelName(ArrayRef<NamedDispatch> dispatches) {
  if (dispatches.empty())
    return "";
  const NamedDispatch *main = nullptr;
  for (const NamedDispatch &dispatch : dispatches) {
    // Among dispatches with equally many MACs, one that does more than quantize is better.
    bool isBetter = !main || dispatch.macs > main->macs ||
                    (main->macs == dispatch.macs && isQuantization(main->layer) &&
                     !isQuantization(dispatch.layer));
    if (isBetter)
      main = &dispatch;
  }
  std::string layer =
      main->layer.name.empty() ? "#" + std::to_string(main->index) : main->layer.name;
  return layer + ": " + getKernelKind(main->description, main->layer.op);
}
