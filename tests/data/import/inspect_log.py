"""Makes a log of Inspect by a model that answers from a list.

python inspect_log.py LOG_DIR eval|json
"""

import base64
import struct
import sys
import zlib


from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ContentImage, ContentText, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import ToolError, tool


def png(width, height, rgb):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(rgb) * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@tool
def draw():
    async def execute(color: str):
        """Draw a square.

        Args:
            color: Its colour.
        """
        if color == "none":
            raise ToolError("there is no such colour")
        uri = "data:image/png;base64," + base64.b64encode(png(4, 3, (255, 0, 0))).decode()
        return [ContentText(text="drawn " + color), ContentImage(image=uri)]

    return execute


def answers():
    for _ in range(2):
        call = ModelOutput.for_tool_call
        yield call("mockllm/model", "draw", {"color": "red"}, content="I draw it.")
        yield call("mockllm/model", "draw", {"color": "none"}, content="And nothing.")
        yield ModelOutput.from_content("mockllm/model", "done")


outputs = list(answers())
for output in outputs:
    # Without it the program would fetch a tokenizer to count.
    output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
task = Task(
    name="square",
    dataset=[
        Sample(id="red", input="Draw a red square.", target="done"),
        Sample(id="two/x", input="Draw.", target="nothing"),
    ],
    solver=[use_tools(draw()), generate()],
    scorer=includes(),
)
model = get_model("mockllm/model", custom_outputs=outputs)
[log] = eval(task, model=model, log_dir=sys.argv[1], log_format=sys.argv[2], display="none", max_samples=1)
sys.exit(0 if log.status == "success" else 1)
