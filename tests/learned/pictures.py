"""Pictures that every network is tried on: our own samples, and noise, ramps and blocks from a seed."""

import pathlib
import random

from PIL import Image, ImageDraw

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "sample_runs/modification"
#: What CLIP is asked about each pair; long enough in one case to be cut after 77 tokens.
TEXTS = [
    "a settings screen of a phone app in dark colours",
    "Ein Café am Fluß — 3 Bilder, “quoted”!",
    "red",
    "a poster with a heading, three photographs and a price, " * 12,
    "一张海报 🎨 with emoji",
    "noise",
]


def pairs(folder: pathlib.Path) -> list[tuple[pathlib.Path, pathlib.Path]]:
    """Writes the pictures and gives them in pairs: ground truth and what was made."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(20)
    sizes = [((300, 200), (300, 200)), ((97, 331), (120, 260)), ((640, 480), (224, 224))]
    made = []
    for at, (first, second) in enumerate(sizes):
        pair = [folder / f"{at}-{side}.png" for side in "ab"]
        for path, size in zip(pair, (first, second)):
            painted(draw, size).save(path)
        made.append(tuple(pair))
    samples = ["settings-dark", "wallet-colors", "recipe-tip"]
    return made + [(SAMPLES / f"{name}-target.png", SAMPLES / f"{name}-base.png") for name in samples]


def painted(draw: random.Random, size: tuple[int, int]) -> Image.Image:
    """A ramp with blocks and ellipses over it, and a corner of noise."""
    width, height = size
    picture = Image.linear_gradient("L").resize(size).convert("RGB")
    brush = ImageDraw.Draw(picture)
    for at in range(12):
        x, y = draw.randrange(width), draw.randrange(height)
        box = (x, y, x + draw.randrange(4, 90), y + draw.randrange(4, 90))
        colour = tuple(draw.randrange(256) for _ in range(3))
        (brush.ellipse if at % 3 else brush.rectangle)(box, fill=colour)
    for x in range(width // 3):
        for y in range(height // 4):
            picture.putpixel((x, y), tuple(draw.randrange(256) for _ in range(3)))
    return picture
