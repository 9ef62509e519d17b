//===- InitAll.cpp - registration of everything the tools offer -----------===//

#include "NPU/InitAll/InitAll.h"

#include "NPU/ABI/Passes.h"
#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/IREE/Encoding/IR/EncodingOps.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.h"
#include "NPU/Dialect/IREE/Util/IR/ForeignDialects.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"
#include "NPU/Dialect/IREE/Util/Transforms/Passes.h"
#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/Dialect/NPUISA/Transforms/Passes.h"
#include "NPU/Dialect/ONNX/IR/ONNXOps.h"
#include "NPU/Dialect/ONNX/Transforms/Passes.h"
#include "NPU/DispatchCreation/Passes.h"
#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Hook/Passes.h"
#include "NPU/HostLowering/HostPipeline.h"
#include "NPU/InputConversion/Passes.h"
#include "NPU/Partition/Passes.h"
#include "NPU/Pipelines/Passes.h"
#include "NPU/Pipelines/Pipelines.h"
#include "NPU/Preparation/Passes.h"
#include "NPU/Report/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/TransformOps/FuncTransformOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/Linalg/Transforms/AllInterfaces.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/TensorTilingInterfaceImpl.h"
#include "mlir/Dialect/Tensor/TransformOps/TensorTransformOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

void npu::registerAllDialects(mlir::DialectRegistry &registry) {
  registry
      .insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
              mlir::func::FuncDialect, mlir::linalg::LinalgDialect, mlir::math::MathDialect,
              mlir::memref::MemRefDialect, mlir::ml_program::MLProgramDialect,
              mlir::scf::SCFDialect, mlir::tensor::TensorDialect, mlir::tosa::TosaDialect>();
  // Upstream's patterns for reshapes ask for the shapes of their results.
  mlir::tensor::registerInferTypeOpInterfaceExternalModels(registry);
  // Transform scripts may run before dispatches are formed.
  registry.insert<mlir::transform::TransformDialect>();
  mlir::func::registerTransformDialectExtension(registry);
  mlir::linalg::registerAllDialectInterfaceImplementations(registry);
  mlir::linalg::registerTransformDialectExtension(registry);
  mlir::scf::registerTransformDialectExtension(registry);
  mlir::tensor::registerTilingInterfaceExternalModels(registry);
  mlir::tensor::registerTransformDialectExtension(registry);
  registry.insert<NPUDialect>();
  registry.insert<isa::NPUISADialect>();
  registry.insert<onnx_ir::ONNXDialect>();
  registry.insert<encoding::EncodingDialect, flow::FlowDialect, hal::HALDialect,
                  linalg_ext::LinalgExtDialect, tensor_ext::TensorExtDialect, util::UtilDialect>();
  registerForeignDialects(registry);
  // What the lowering for the host needs beyond that.
  host::registerHostDialects(registry);
}

void npu::registerCompilerPasses() {
  abi::registerABIPasses();
  dispatch_creation::registerDispatchCreationPasses();
  flow::registerFlowTransformsPasses();
  global_opt::registerGlobalOptimizationPasses();
  input::registerInputConversionPasses();
  linalg_ext::registerLinalgExtTransformsPasses();
  onnx_ir::registerONNXTransformsPasses();
  registerConversionPasses();
  registerPartitionPasses();
  registerPreparationPasses();
  registerTransformsPasses();
  isa::registerISATransformsPasses();
  util::registerUtilTransformsPasses();
  registerPipelinesPasses();
}

void npu::registerAllPasses() {
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerInlinerPass();
  mlir::registerPrintOpStatsPass();
  mlir::registerSymbolDCEPass();
  // Steps of the front half that are upstream's.
  mlir::registerConvertElementwiseToLinalgPass();
  mlir::registerLinalgDetensorizePass();
  mlir::registerLinalgFoldUnitExtentDimsPass();
  mlir::registerSimplifyDepthwiseConvPass();
  mlir::memref::registerResolveShapedTypeResultDimsPass();
  mlir::transform::registerInterpreterPass();
  mlir::transform::registerPreloadLibraryPass();
  registerCompilerPasses();
  hook::registerHookPasses();
  hook::registerPreprocessExecutablesWith();
  host::registerHostPipeline();
  report::registerReportPasses();
  registerPipelines();
}

void npu::registerContextOptions() {
  mlir::registerMLIRContextCLOptions();
  auto &options = llvm::cl::getRegisteredOptions();
  static_cast<llvm::cl::opt<bool> *>(options.lookup("mlir-print-op-on-diagnostic"))
      ->setInitialValue(false);
}
