// Reads a model, prints where it runs, runs it with all inputs 0.5 and prints the first element of
// the first output.
//
//   main model.mlir

#include "npu-c/npu.h"

#include <stdio.h>
#include <stdlib.h>

// Ends the program if a call has failed.
static void check(NpuStatus status, char **error) {
  if (status == NPU_OK)
    return;
  fprintf(stderr, "main: error: %s\n", *error);
  npuFreeString(*error);
  exit(status);
}

// Gives a tensor of f32 memory, filled with a number.
static void allocate(NpuTensor *tensor, float value) {
  if (tensor->elementType != NPU_F32) {
    fprintf(stderr, "main: error: expected f32, found another type of %s\n", tensor->name);
    exit(NPU_BAD_INPUT);
  }
  float *data = tensor->data = malloc(tensor->numBytes);
  for (size_t i = 0; i < tensor->numBytes / sizeof(float); ++i)
    data[i] = value;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: main <model>\n");
    return NPU_BAD_USAGE;
  }
  if (npuGetAbiVersion() != NPU_ABI_VERSION) {
    fprintf(stderr, "main: error: expected ABI %d of libNPU.so, found %u; build it again\n",
            NPU_ABI_VERSION, npuGetAbiVersion());
    return NPU_BAD_USAGE;
  }
  char *error = NULL;
  NpuOptions *options = npuOptionsCreate();
  check(npuOptionsSet(options, "target", "npu-v1", &error), &error);

  NpuModel *model;
  check(npuModelRead(argv[1], options, &model, &error), &error);
  char *plan;
  check(npuModelPlan(model, options, &plan, &error), &error);
  printf("%s\n", plan);
  npuFreeString(plan);

  NpuProgram *program;
  check(npuModelCompile(model, options, &program, &error), &error);
  size_t numInputs = npuProgramGetNumInputs(program), numOutputs = npuProgramGetNumOutputs(program);
  NpuTensor *inputs = calloc(numInputs, sizeof(NpuTensor)),
            *outputs = calloc(numOutputs, sizeof(NpuTensor));
  for (size_t i = 0; i < numInputs; ++i) {
    check(npuProgramGetInput(program, i, &inputs[i], &error), &error);
    allocate(&inputs[i], 0.5f);
  }
  for (size_t i = 0; i < numOutputs; ++i) {
    check(npuProgramGetOutput(program, i, &outputs[i], &error), &error);
    allocate(&outputs[i], 0.0f);
  }
  check(npuProgramRun(program, options, inputs, numInputs, outputs, numOutputs, NULL, &error),
        &error);
  printf("%s[0] = %g\n", outputs[0].name, *(float *)outputs[0].data);

  for (size_t i = 0; i < numInputs; ++i)
    free(inputs[i].data);
  for (size_t i = 0; i < numOutputs; ++i)
    free(outputs[i].data);
  free(inputs);
  free(outputs);
  npuProgramFree(program);
  npuModelFree(model);
  npuOptionsFree(options);
  return 0;
}
