//===- Precompiled.cpp - owner of the precompiled MLIR header -------------===//
//
// Holds nothing: CMake needs a target with a source to build the precompiled header for.
//
//===----------------------------------------------------------------------===//
