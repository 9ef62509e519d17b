"""ONNX models: reading and writing files, and the graph that the other modules change."""

import difflib
import errno
import os
import stat
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, external_data_helper, helper, numpy_helper

# A file of protocol buffers cannot be larger; what is left are the nodes.
MOST_BYTES_IN_FILE = (1 << 31) - (1 << 24)


class BadInput(Exception):
    """What is wrong with a model, a sample or the machine, for the user."""


def show(text):
    """`text` on one line, without anything that a terminal would take for more than text."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))


def suggest(name, names):
    """What may have been meant, as the end of a message."""
    close = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean '{show(close[0])}'?" if close else ""


class Node:
    """A node of the graph: what it reads and writes by name, and where it is in the file."""

    def __init__(self, proto, number):
        self.proto, self.number = proto, number

    op = property(lambda self: self.proto.op_type)
    inputs = property(lambda self: self.proto.input)
    outputs = property(lambda self: self.proto.output)
    # Domains that mean ONNX's own operators are written in two ways.
    is_standard = property(lambda self: self.proto.domain in ("", "ai.onnx"))

    def get(self, name, default=None):
        for attribute in self.proto.attribute:
            if attribute.name == name:
                return helper.get_attribute_value(attribute)
        return default

    def set(self, name, value):
        self.drop(name)
        self.proto.attribute.append(helper.make_attribute(name, value))

    def drop(self, name):
        for index, attribute in enumerate(self.proto.attribute):
            if attribute.name == name:
                del self.proto.attribute[index]
                return

    def name(self):
        return self.proto.name or next(filter(None, self.outputs), "")

    def __str__(self):
        return f"node '{show(self.name())}' ({show(self.op)})"

    def get_subgraph_reads(self):
        """What subgraphs of the node read, of its own graph or of theirs."""
        found = set()

        def visit(graph):
            for node in graph.node:
                found.update(node.input)
                for attribute in node.attribute:
                    for inner in [attribute.g, *attribute.graphs] if attribute.type in (5, 10) else []:
                        visit(inner)
            found.update(output.name for output in graph.output)

        for attribute in self.proto.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                visit(attribute.g)
            for graph in attribute.graphs:
                visit(graph)
        return found

    def get_subgraph_ops(self):
        """The operators in subgraphs of the node."""
        found = []

        def visit(graph):
            for node in graph.node:
                found.append(node.op_type)
                for attribute in node.attribute:
                    if attribute.type == onnx.AttributeProto.GRAPH:
                        visit(attribute.g)

        for attribute in self.proto.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                visit(attribute.g)
        return found


class Graph:
    """The graph of a model, with its constants as arrays."""

    def __init__(self, model, path):
        self.model, self.path = model, path
        graph = model.graph
        self.nodes = [Node(proto, number) for number, proto in enumerate(graph.node, 1)]
        self.constants = {tensor.name: tensor for tensor in graph.initializer}
        # As in the compiler, an initializer that is also an input is a constant.
        self.inputs = [value for value in graph.input if value.name not in self.constants]
        self.outputs = list(graph.output)
        self.names = {name for node in self.nodes for name in [*node.inputs, *node.outputs, *node.get_subgraph_reads()]}
        self.names |= set(self.constants) | {value.name for value in [*graph.input, *graph.output]}
        self.update()

    @property
    def opset(self):
        return next((entry.version for entry in self.model.opset_import if entry.domain in ("", "ai.onnx")), 1)

    def update(self):
        """Finds anew who writes and who reads each value."""
        self.producers = {name: node for node in self.nodes for name in node.outputs if name}
        self.readers = {}
        for node in self.nodes:
            for name in {name for name in node.inputs if name}:
                self.readers.setdefault(name, []).append(node)
        self.output_names = {value.name for value in self.outputs}
        self.subgraph_reads = {name for node in self.nodes for name in node.get_subgraph_reads()}

    def locate(self, node):
        """The place of a node as the compiler writes it."""
        return f"{show(self.path)}:{node.number}:0"

    def get_only_reader(self, name):
        """The node that alone reads a value; None if there are others, or the value leaves the graph."""
        readers = self.readers.get(name, [])
        if len(readers) != 1 or name in self.output_names or name in self.subgraph_reads:
            return None
        return readers[0] if list(readers[0].inputs).count(name) == 1 else None

    def make_name(self, name):
        """A name that nothing has, from one that says what it is of."""
        found, number = name, 1
        while found in self.names:
            number += 1
            found = f"{name}_{number}"
        self.names.add(found)
        return found

    # Constants.

    def is_constant(self, name):
        return name in self.constants

    def get_type(self, name):
        """The element type of a constant as ONNX numbers them."""
        tensor = self.constants[name]
        return tensor.data_type if isinstance(tensor, TensorProto) else helper.np_dtype_to_tensor_dtype(tensor.dtype)

    def is_float(self, name):
        return self.is_constant(name) and self.get_type(name) == TensorProto.FLOAT

    def get_dims(self, name):
        return tuple(self.constants[name].dims)

    def get_array(self, name):
        tensor = self.constants[name]
        try:
            return numpy_helper.to_array(tensor)
        except (ValueError, TypeError, RuntimeError) as error:
            raise BadInput(f"{show(self.path)}: constant '{show(name)}': expected as much data as its shape "
                           f"{list(tensor.dims)} needs, found other data; write the model again ({show(error)})")

    def add_constant(self, name, array):
        name = self.make_name(name)
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(array).reshape(np.shape(array)), name)
        return name

    def add_node(self, op, inputs, outputs, like=None, **attributes):
        """A node that is in the file where `like` is; it still has to be put among the others."""
        name = self.make_name(f"{outputs[0]}_{op}")
        return Node(helper.make_node(op, inputs, outputs, name=name, **attributes), like.number if like else 0)

    # The whole.

    def drop_unused(self):
        """Drops nodes and constants that nothing reads."""
        self.update()
        live = set(self.output_names)
        nodes = []
        for node in reversed(self.nodes):
            if not live.isdisjoint(name for name in node.outputs if name):
                nodes.append(node)
                live.update(name for name in node.inputs if name)
                live |= node.get_subgraph_reads()
        self.nodes = nodes[::-1]
        self.constants = {name: tensor for name, tensor in self.constants.items() if name in live}
        self.update()

    def make_model(self, extra_outputs=()):
        """The model as it is now; `extra_outputs` are values that it gives besides, in order."""
        model = onnx.ModelProto()
        for field, value in self.model.ListFields():
            if field.name != "graph":
                if field.label == field.LABEL_REPEATED:
                    getattr(model, field.name).extend(value)
                elif field.message_type:
                    getattr(model, field.name).CopyFrom(value)
                else:
                    setattr(model, field.name, value)
        graph = model.graph
        graph.name, graph.doc_string = self.model.graph.name, self.model.graph.doc_string
        graph.node.extend(node.proto for node in self.nodes)
        graph.initializer.extend(self.constants.values())
        graph.input.extend(self.inputs)
        graph.output.extend(self.outputs)
        known = {name for node in self.nodes for name in node.outputs} - self.output_names
        graph.value_info.extend(value for value in self.model.graph.value_info if value.name in known)
        for name in extra_outputs:
            graph.output.add().name = name
        return model


# Files.


def check_external_data(model, folder, path):
    """As the compiler does, files are read only beneath the folder of the model."""
    root = os.path.realpath(folder)
    for tensor in external_data_helper._get_all_tensors(model):
        if not external_data_helper.uses_external_data(tensor):
            continue
        info = external_data_helper.ExternalDataInfo(tensor)
        where = f"{show(path)}: constant '{show(tensor.name)}': "
        file = os.path.join(folder, info.location)
        if os.path.isabs(info.location) or not os.path.realpath(file).startswith(root + os.sep) or os.path.islink(file):
            raise BadInput(f"{where}expected external data beneath the folder of the model, found "
                           f"'{show(info.location)}'; move it there")
        try:
            status = os.stat(file)
        except OSError as error:
            raise BadInput(f"{where}cannot read external data '{show(info.location)}': {error.strerror}; put the file "
                           "beside the model")
        end = int(info.offset or 0) + int(info.length or 0)
        if not stat.S_ISREG(status.st_mode) or end > status.st_size:
            raise BadInput(f"{where}expected {end} bytes in a regular file '{show(info.location)}', found "
                           f"{status.st_size}; write the model again")


def check_names(model, path):
    """Names that are not UTF-8 are no text to Python."""
    graph = model.graph
    names = [name for node in graph.node for name in (node.op_type, node.name, node.domain, *node.input, *node.output)]
    names += [value.name for value in (*graph.input, *graph.output, *graph.initializer, *graph.value_info)]
    for name in names:
        if isinstance(name, bytes):
            raise BadInput(f"{show(path)}: expected names in UTF-8, found '{show(repr(name)[2:-1])}'; rename it")


def read_model(path):
    """The model in a file, with its external data."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise BadInput(f"{show(path)}: expected a regular file, found another one; give the name of an ONNX model")
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise BadInput(f"{show(path)}: cannot read it: {error.strerror}")
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except Exception:
        model = None
    if model is None or not model.opset_import or not model.HasField("graph"):
        raise BadInput(f"{show(path)}: expected an ONNX model, found another file; export the model as ONNX")
    check_names(model, path)
    folder = os.path.dirname(os.path.abspath(path))
    check_external_data(model, folder, path)
    try:
        external_data_helper.load_external_data_for_model(model, folder)
    except (OSError, ValueError, TypeError) as error:
        raise BadInput(f"{show(path)}: cannot read its external data: {show(error)}")
    return model


def save_beside(model, path):
    """Writes a model for npu-run, with its weights in a file of their own, so that any size fits."""
    onnx.save_model(model, path, save_as_external_data=True, all_tensors_to_one_file=True,
                    location=os.path.basename(path) + ".data", size_threshold=1 << 16)


def write_model(model, path):
    """Writes the whole file or nothing. Large weights lie beside it in <path>.data. Links lead to the file, and devices and
    pipes are written to."""
    try:
        status = find_status(path)
        if not status or stat.S_ISREG(status.st_mode):
            write_file(model, os.path.realpath(path))
            return
        if model.ByteSize() > MOST_BYTES_IN_FILE:
            raise BadInput(f"{show(path)}: expected a regular file for more than {MOST_BYTES_IN_FILE} bytes, found another one; give "
                           "the name of a file")
        with open(path, "wb") as stream:
            stream.write(model.SerializeToString())
    except OSError as error:
        raise BadInput(f"{show(path)}: cannot write it: {error.strerror}")


def write_file(model, path):
    folder, final = os.path.dirname(path), os.path.basename(path) + ".data"
    with tempfile.TemporaryDirectory(prefix=".npu-quantize-", dir=folder) as scratch:
        file = os.path.join(scratch, "model")
        if model.ByteSize() <= MOST_BYTES_IN_FILE:
            with open(file, "wb") as stream:
                stream.write(model.SerializeToString())
        else:
            onnx.save_model(model, file, save_as_external_data=True, all_tensors_to_one_file=True, location=final)
            replace(os.path.join(scratch, final), os.path.join(folder, final))
        replace(file, path)


def find_status(path):
    """What is at a path; None if nothing is."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def replace(file, path):
    """Puts a file in the place of another one, whose permissions stay."""
    if status := find_status(path):
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        os.chmod(file, stat.S_IMODE(status.st_mode))
    os.replace(file, path)
