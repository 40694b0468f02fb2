"""Serves BLIP-2 to Pentimento as a captioner: the part of OpenAI's chat completions that it asks for.

    pip install torch transformers pillow
    python blip2_server.py Salesforce/blip2-opt-2.7b        (or the folder of a model)

and in the file of models: "captioner": {"base_url": "http://127.0.0.1:8765/v1", "model": "blip2-opt-2.7b"}.
Then `pentimento metric captions RUNS --models FILE --out captions.json` writes the captions of a folder
of runs in the published shape.

A picture is captioned as CANVAS has it: no prompt (the text that is sent along is not read), greedily,
at most 50 new tokens; cut of blanks and in lower case. Source: kixlab/canvas,
evaluation/semantic/precompute_blip.py.
"""

import argparse
import base64
import http.server
import io
import json
import threading

import torch
from PIL import Image
from transformers import Blip2ForConditionalGeneration, Blip2Processor

#: Largest request read, in bytes.
MOST_BYTES = 64 << 20


class Captioner:
    """BLIP-2, one picture at a time."""

    def __init__(self, model: str) -> None:
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        # Half precision as published; a processor has it in software only, and slowly.
        kind = torch.float16 if self.device == "cuda" else torch.float32
        self.processor = Blip2Processor.from_pretrained(model)
        self.model = Blip2ForConditionalGeneration.from_pretrained(model, torch_dtype=kind).to(self.device).eval()
        self.turn = threading.Lock()

    def caption(self, picture: Image.Image) -> str:
        inputs = self.processor(images=picture.convert("RGB"), return_tensors="pt")
        with self.turn, torch.no_grad():
            made = self.model.generate(**inputs.to(self.device, self.model.dtype), max_new_tokens=50,
                                       num_beams=1, do_sample=False)
        return self.processor.batch_decode(made, skip_special_tokens=True)[0].strip().lower()


def picture_of(request: dict) -> Image.Image:
    """The one picture of a request: the last part that is one."""
    for part in reversed(request["messages"][-1]["content"]):
        if part.get("type") == "image_url":
            head, _, data = part["image_url"]["url"].partition(",")
            if not head.startswith("data:image/"):
                raise ValueError("the picture is not sent along")
            return Image.open(io.BytesIO(base64.b64decode(data)))
    raise ValueError("no picture is sent along")


class Handler(http.server.BaseHTTPRequestHandler):
    captioner: Captioner
    name: str

    def do_POST(self) -> None:
        try:
            length = int(self.headers.get("Content-Length", 0))
            if not 0 < length <= MOST_BYTES:
                raise ValueError(f"a request has 1 to {MOST_BYTES} bytes")
            text = self.captioner.caption(picture_of(json.loads(self.rfile.read(length))))
            message = {"role": "assistant", "content": text}
            self.answer(200, {"object": "chat.completion", "model": self.name,
                              "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, OSError) as error:
            self.answer(400, {"error": {"message": str(error), "type": "invalid_request_error"}})

    def answer(self, status: int, body: dict) -> None:
        sent = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)


def main() -> None:
    arguments = argparse.ArgumentParser(description="Serves BLIP-2 as a captioner.")
    arguments.add_argument("model", help="its name on the hub, or a folder")
    arguments.add_argument("--port", type=int, default=8765)
    given = arguments.parse_args()
    Handler.captioner, Handler.name = Captioner(given.model), given.model
    server = http.server.ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
    print(f"captions at http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
