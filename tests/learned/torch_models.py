"""CLIP ViT-B/16 and LPIPS alex at full size with seeded random weights: files and expected scores."""

import gzip
import importlib.util
import json
import pathlib
import subprocess
import sys

import lpips
import numpy
import torch
from torchmetrics.functional.multimodal import clip_score
from PIL import Image
from transformers import CLIPConfig, CLIPImageProcessor, CLIPModel, CLIPProcessor, CLIPTokenizerFast

import pictures
import readme


def clip(folder: pathlib.Path) -> CLIPModel:
    """CLIP as openai/clip-vit-base-patch16 is built, its weights random, its tokenizer the real one."""
    torch.manual_seed(1)
    shape = {"hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12,
             "num_attention_heads": 12, "patch_size": 16, "image_size": 224}
    model = CLIPModel(CLIPConfig(vision_config=shape, text_config={"eos_token_id": 2}, projection_dim=512)).eval()
    # As drawn, all pictures lie within 1e-4 of each other; wider weights set them apart, so that a
    # picture prepared wrongly is seen in the score.
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() > 1:
                weight.mul_(3.0)
            elif name.endswith("bias"):
                weight.normal_(0.0, 0.3)
    model.save_pretrained(folder)
    processor = CLIPProcessor(CLIPImageProcessor(), tokenizer(folder))
    processor.save_pretrained(folder)
    return model


def tokenizer(folder: pathlib.Path) -> CLIPTokenizerFast:
    """CLIP's tokenizer, from the merges that open_clip brings along."""
    packed = importlib.util.find_spec("open_clip").submodule_search_locations[0]
    packed = pathlib.Path(packed) / "bpe_simple_vocab_16e6.txt.gz"
    merges = gzip.open(packed, "rt", encoding="utf-8").read().split("\n")[1 : 49152 - 256 - 2 + 1]
    letters = list(range(ord("!"), ord("~") + 1)) + list(range(161, 173)) + list(range(174, 256))
    letters = [chr(letter) for letter in letters]
    letters += [chr(256 + at) for at in range(256 - len(letters))]
    words = letters + [letter + "</w>" for letter in letters]
    words += ["".join(merge.split()) for merge in merges] + ["<|startoftext|>", "<|endoftext|>"]
    (folder / "vocab.json").write_text(json.dumps({word: at for at, word in enumerate(words)}))
    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(merges) + "\n")
    return CLIPTokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt"),
                             model_max_length=77)


def clip_scores(folder: pathlib.Path, cases) -> dict[str, list[float]]:
    """The score of each case's second picture: by torchmetrics, and with the text cut by transformers."""
    model, processor = CLIPModel.from_pretrained(folder), CLIPProcessor.from_pretrained(folder)
    published, end_kept = [], []
    for (_, made), text in zip(cases, pictures.TEXTS):
        picture = Image.open(made).convert("RGB")
        pixels = torch.from_numpy(numpy.array(picture)).permute(2, 0, 1)
        published.append(float(clip_score(pixels, text, lambda: (model, processor))))
        inputs = processor(text=text, images=picture, return_tensors="pt", truncation=True, max_length=77)
        with torch.no_grad():
            seen, read = (torch.nn.functional.normalize(vector, dim=-1) for vector in
                          (model.get_image_features(inputs["pixel_values"]),
                           model.get_text_features(inputs["input_ids"], inputs["attention_mask"])))
        end_kept.append(max(100 * float((seen * read).sum()), 0.0))
    return {"clip_score/seeded": published, "clip_score/seeded/end_mark": end_kept}


def lpips_distances(network: lpips.LPIPS, cases) -> list[float]:
    """The distance of each pair as CANVAS takes it: both brought to the smaller width and height."""
    distances = []
    for pair in cases:
        opened = [Image.open(path).convert("RGB") for path in pair]
        size = tuple(min(picture.size[axis] for picture in opened) for axis in range(2))
        if opened[0].size != opened[1].size:
            opened = [picture.resize(size) for picture in opened]
        tensors = [torch.from_numpy(numpy.array(picture)).permute(2, 0, 1)[None].float() / 127.5 - 1
                   for picture in opened]
        with torch.no_grad():
            distances.append(float(network(*tensors)))
    return distances


def main(out: pathlib.Path) -> None:
    cases = pictures.pairs(out / "pictures")
    clip_folder = out / "clip-weights"
    clip_folder.mkdir(parents=True, exist_ok=True)
    clip(clip_folder)
    export = readme.command("CLIP, for CLIPScore", "optimum-cli export onnx",
                            ("openai/clip-vit-base-patch16", str(clip_folder)), (" clip/", f" {out}/clip/"))
    cli = pathlib.Path(sys.executable).parent / "optimum-cli"
    subprocess.run([str(cli), *export.split()[1:]], check=True)

    torch.manual_seed(2)
    program = readme.program("LPIPS", ('net="alex"', 'net="alex", pnet_rand=True'),
                             ("lpips-alex.onnx", str(out / "lpips-alex.onnx")))
    names = {}
    exec(compile(program, "the program for LPIPS", "exec"), names)

    expected = clip_scores(clip_folder, cases)
    expected["lpips/alex"] = lpips_distances(names["network"], cases)
    (out / "torch.json").write_text(json.dumps(expected, indent=1))


main(pathlib.Path(sys.argv[1]))
