//===- PrepareModel.cpp - what is changed in a model before it is used ----===//

#include "PrepareModel.h"

#include "SeedWeights.h"

void npu::prepareModel(onnx::ModelProto &model, const ONNXImportOptions &options) {
  if (options.seed)
    seedWeights(model, *options.seed);
  if (options.outputs.empty())
    return;
  // Types are inferred; a name alone is a graph output.
  model.mutable_graph()->clear_output();
  for (const std::string &name : options.outputs)
    model.mutable_graph()->add_output()->set_name(name);
}
