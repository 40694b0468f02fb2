"""A small BLIP-2 with seeded random weights, served by assets/models/blip2_server.py, captions our runs.

What the program writes is held to what transformers itself says of the same pictures, and what `score`
reads from that file to what the file says.
"""

import json
import pathlib
import subprocess
import sys

import torch
from PIL import Image
from tokenizers import ByteLevelBPETokenizer
from transformers import (Blip2Config, Blip2ForConditionalGeneration, Blip2Processor, BlipImageProcessor,
                          GPT2TokenizerFast)

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "sample_runs"
WORDS = ["a screen of a phone app with a button", "the poster shows a mountain and a tent at night",
         "two cards, a list and a chart in blue", "login form with fields for name and password"]


def small_blip2(folder: pathlib.Path) -> None:
    """Blip-2 with OPT as blip2-opt-2.7b is built, each part two layers deep."""
    folder.mkdir(parents=True, exist_ok=True)
    bytes_of = ByteLevelBPETokenizer()
    bytes_of.train_from_iterator(WORDS * 4, vocab_size=400, special_tokens=["<pad>", "</s>", "<unk>", "<image>"])
    bytes_of.save_model(str(folder))
    words = GPT2TokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt"), pad_token="<pad>",
                              bos_token="</s>", eos_token="</s>", unk_token="<unk>")
    words.add_special_tokens({"additional_special_tokens": ["<image>"]})
    deep = {"num_hidden_layers": 2, "num_attention_heads": 4}
    config = Blip2Config(
        vision_config={**deep, "hidden_size": 64, "intermediate_size": 128, "image_size": 224},
        qformer_config={**deep, "hidden_size": 64, "intermediate_size": 128, "encoder_hidden_size": 64,
                        "cross_attention_frequency": 1, "vocab_size": len(words)},
        text_config={**deep, "model_type": "opt", "hidden_size": 64, "ffn_dim": 128, "vocab_size": len(words),
                     "word_embed_proj_dim": 64, "pad_token_id": words.pad_token_id,
                     "bos_token_id": words.bos_token_id, "eos_token_id": words.eos_token_id},
        num_query_tokens=8, image_token_index=words.convert_tokens_to_ids("<image>"))
    torch.manual_seed(4)
    model = Blip2ForConditionalGeneration(config).eval()
    # As drawn, every picture gets the same caption; what carries the picture is made louder.
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() > 1:
                weight.mul_(8.0)
        model.vision_model.embeddings.patch_embedding.weight.mul_(30.0)
        for name, weight in model.qformer.named_parameters():
            if "crossattention" in name and weight.dim() > 1:
                weight.mul_(5.0)
        model.language_projection.weight.mul_(3.0)
        model.query_tokens.normal_()
    model.save_pretrained(folder)
    Blip2Processor(BlipImageProcessor(size={"height": 224, "width": 224}), words,
                   num_query_tokens=8).save_pretrained(folder)


def captioned(folder: pathlib.Path, picture: pathlib.Path, model={}) -> str:
    """What transformers says, by itself."""
    if not model:
        model["processor"] = Blip2Processor.from_pretrained(folder)
        model["network"] = Blip2ForConditionalGeneration.from_pretrained(folder).eval()
    inputs = model["processor"](images=Image.open(picture).convert("RGB"), return_tensors="pt")
    made = model["network"].generate(**inputs, max_new_tokens=50, num_beams=1, do_sample=False)
    return model["processor"].batch_decode(made, skip_special_tokens=True)[0].strip().lower()


def main(out: pathlib.Path, program: str) -> int:
    weights = out / "blip2-weights"
    small_blip2(weights)
    server = subprocess.Popen([sys.executable, ROOT / "assets/models/blip2_server.py", weights, "--port", "0"],
                              stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().rpartition(" ")[2].strip()
        assert address.startswith("http://127.0.0.1:"), "the server did not start"
        models = out / "blip2.json"
        models.write_text(json.dumps({"captioner": {"base_url": address, "model": "blip2-small"}}))
        file = out / "captions.json"
        subprocess.run([program, "metric", "captions", str(SAMPLES), "--models", str(models), "--out", str(file)],
                       check=True)
    finally:
        server.kill()
    cases = {case["case_id"]: case for case in json.loads(file.read_text())}
    scored = subprocess.run([program, "score", str(SAMPLES), "--captions", str(file), "--no-cache", "--json"],
                            check=True, capture_output=True).stdout
    failed, captions = 0, set()
    for run in json.loads(scored)["runs"]:
        case = cases[json.loads((pathlib.Path(run["dir"]) / "run.json").read_text())["id"]]
        truth = case.get("gt_caption", case.get("gt_caption_target"))
        targets = list(SAMPLES.glob(f"*/{run['task']}-target.png")) + list(SAMPLES.glob(f"*/{run['task']}.png"))
        if targets:
            captions.add(truth)
            alone = captioned(weights, targets[0])
            same = alone == truth
            failed += not same
            print(f"{'ok' if same else 'FAILED':6}  the caption of {targets[0].name}: {truth[:40]!r}"
                  + ("" if same else f", transformers {alone[:40]!r}"))
        written = case.get("blip_score", case.get("blip_score_gen_target"))
        read = {score["id"]: score.get("value") for score in run["scores"]}
        ours = next(value for name, value in read.items() if name.startswith("caption_similarity"))
        # The published file has four decimals.
        close = ours is not None and abs(ours - written) <= 1e-3
        failed += not close
        if not close:
            print(f"FAILED  {run['dir']}: the file says {written}, score {ours}")
    assert len(captions) > 1, "all pictures have one caption: nothing was compared"
    print(f"{len(cases)} runs captioned, {failed} failed")
    return failed


sys.exit(min(main(pathlib.Path(sys.argv[1]), sys.argv[2]), 1))
