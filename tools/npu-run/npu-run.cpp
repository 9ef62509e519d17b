//===- npu-run.cpp - runs models and programs on the simulated NPU --------===//

#include "RunMain.h"

int main(int argc, char **argv) { return npu::runtime::runMain(argc, argv); }
