"""Times scikit-image's SSIM with map on the pair that `cargo bench --bench ssim` writes.

    PENTIMENTO_BENCH_DIR=/tmp/bench python3 benches/ssim_skimage.py [repetitions]

One process, one thread. Needs scikit-image and Pillow. Prints the score and the median time.
"""

import os

for pool in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "BLIS"):
    os.environ[f"{pool}_NUM_THREADS"] = "1"

import statistics
import sys
import time
from pathlib import Path

import numpy
from PIL import Image
from skimage.metrics import structural_similarity


def read_rgb(path):
    return numpy.asarray(Image.open(path).convert("RGB"))


def main():
    folder = Path(os.environ["PENTIMENTO_BENCH_DIR"])
    truth, generated = read_rgb(folder / "gt.png"), read_rgb(folder / "gen.png")
    times = []
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 7):
        start = time.perf_counter()
        score, channel_maps = structural_similarity(
            truth, generated, channel_axis=2, data_range=255, full=True
        )
        channel_maps.mean(axis=2)
        times.append(time.perf_counter() - start)
    print(f"score {score:.9f}, median of {len(times)}: {statistics.median(times) * 1e3:.1f} ms")


main()
