"""Asks the program for the same scores, and says how far each is from what was expected."""

import json
import pathlib
import subprocess
import sys

import pictures

#: The farthest that a score may be from the library's.
WITHIN = 1e-3


def measured(program: str, models: pathlib.Path, pair, text: str) -> dict[str, float]:
    """Every score of a pair that the program has by these models."""
    command = [program, "metric", "--gt", str(pair[0]), "--gen", str(pair[1]), "--instruction", text,
               "--models", str(models), "--json"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return {metric["id"]: metric.get("value") for metric in answer["metrics"]}


def main(out: pathlib.Path, program: str) -> int:
    models = out / "models.json"
    models.write_text(json.dumps({
        "clip": {"name": "seeded", "picture": "clip/model.onnx", "text": "clip/model.onnx",
                 "tokenizer": "clip/tokenizer.json"},
        "lpips": {"name": "alex", "network": "lpips-alex.onnx"},
        "saliency": {"name": "umsi++", "network": "umsi.onnx"},
    }))
    expected = {}
    for file in ("torch.json", "keras.json"):
        expected |= json.loads((out / file).read_text())
    cases = [measured(program, models, *case) for case in zip(pictures.pairs(out / "pictures"), pictures.TEXTS)]
    failed = 0
    for name, values in expected.items():
        got = [case.get(name) for case in cases]
        off = [abs(a - b) if b is not None else float("inf") for a, b in zip(values, got, strict=True)]
        wrong = max(off) > WITHIN
        failed += wrong
        spread = max(values) - min(values)
        print(f"{'FAILED' if wrong else 'ok':6}  {name:24} {len(values)} pairs, farthest {max(off):.2e}, "
              f"spread {spread:.3f}")
        # A metric whose scores hardly differ would pass whatever the program did.
        failed += spread < 10 * WITHIN
    print(f"{len(expected) - failed} passed, {failed} failed")
    return failed


sys.exit(min(main(pathlib.Path(sys.argv[1]), sys.argv[2]), 1))
