// A target that lacks a parameter, or sets one outside its range, is an error at its record.

// RUN: split-file --leading-lines %s %t
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/unset.td 2>&1 | FileCheck %s --check-prefix=UNSET
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/range.td 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/twice.td 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/parameter.td 2>&1 | FileCheck %s --check-prefix=PARAMETER

//--- unset.td
include "NPU/Target/Desc/TargetBase.td"
// UNSET: unset.td:[[@LINE+1]]:5: error: target 'x' does not set 'clusters'
def X : Target<"x", "">;
//--- range.td
include "NPU/Target/Desc/Targets.td"
// RANGE: range.td:[[@LINE+1]]:5: error: 'clusters' of target 'x' is 9, outside 1..8
def X : ReferenceArray<"x", ""> { let clusters = 9; }
//--- twice.td
include "NPU/Target/Desc/Targets.td"
// TWICE: twice.td:[[@LINE+1]]:5: error: target 'npu-v1' exists
def X : ReferenceArray<"npu-v1", ""> { let clusters = 1; }
//--- parameter.td
include "NPU/Target/Desc/Targets.td"
// PARAMETER: parameter.td:[[@LINE+1]]:5: error: parameter 'color' is not a field of class Target
def P : Parameter<"color", "", 0, 1, "">;
