import os
import platform
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config

config.name = "NPU"
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.suffixes = [".mlir", ".test", ".td", ".npuasm"]
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.npu_binary_root, "test")

# Real inputs (dumps of IREE, networks, reproducers) lie beside the repository. Tests on them require `corpus`, so
# that the others run without. Where NPU_REQUIRE_CORPUS=1, as in continuous integration, nothing may be left out.
shared = os.path.normpath(os.path.join(config.npu_source_root, "..", "shared"))
corpus = os.path.join(shared, "corpus")
if os.path.isdir(corpus):
    config.available_features.add("corpus")
elif os.environ.get("NPU_REQUIRE_CORPUS") == "1":
    lit_config.fatal(f"the corpus is missing: expected it at {corpus}, or NPU_REQUIRE_CORPUS unset to skip its tests")
else:
    lit_config.note(f"no corpus at {corpus}: the tests that require it are not run")
config.substitutions.append(("%corpus", corpus))
config.substitutions.append(("%shared", shared))
# Debian's libonnx-testdata, and ONNX models written as text. They are required.
onnx_tests = "/usr/share/libonnx-testdata/data"
if not os.path.isdir(onnx_tests):
    lit_config.fatal(f"ONNX's tests are missing: install libonnx-testdata, expected them at {onnx_tests}")
config.substitutions.append(("%onnx_tests", onnx_tests))
config.substitutions.append(
    ("%make_onnx", "protoc --proto_path=/usr/include/onnx --encode=onnx.ModelProto /usr/include/onnx/onnx.proto")
)
config.substitutions.append(
    ("%make_tensor", "protoc --proto_path=/usr/include/onnx --encode=onnx.TensorProto /usr/include/onnx/onnx.proto")
)
config.substitutions.append(("%source_root", config.npu_source_root))
config.substitutions.append(("%binary_root", config.npu_binary_root))
config.substitutions.append(("%python", config.python))
# Debian's, which has python3-numpy, with the package npu of the build tree.
config.substitutions.append(("%numpy_python", f"env PYTHONPATH={config.npu_binary_root}/python /usr/bin/python3 -B"))

if platform.machine() == "x86_64":
    config.available_features.add("x86_64")

if shutil.which("node"):
    config.available_features.add("node")

# The scripts build there; in another tree they would build all of it.
if os.path.realpath(config.npu_binary_root) == os.path.realpath(os.path.join(config.npu_source_root, "build")):
    config.available_features.add("default-build")

# Hosts that a test makes for itself; only root may, and not in every container.
if os.geteuid() == 0 and subprocess.run(["unshare", "--net", "--mount", "--pid", "--fork", "true"], stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("network-namespaces")

llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
# What makes random tests longer or shorter.
llvm_config.with_system_environment(["NPU_HOSTILE_NAMES", "NPU_ODD_TYPE_ROUNDS"])
llvm_config.add_tool_substitutions(
    ["npu-opt", "npu-compile", "npu-translate", "npu-run", "npu-reduce", "npu-lsp-server", "npu-tblgen", "npu-simulator-benchmark", "npu-cycles"]
    + ["npu-function-accuracy", "FileCheck", "not", "count", "split-file"],
    [config.npu_tools_dir, config.llvm_tools_dir],
)
