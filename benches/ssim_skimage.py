"""Times scikit-image's SSIM with map on the pair that `cargo bench --bench ssim` writes, and OpenCV's
spectral residual on the first of it.

    PENTIMENTO_BENCH_DIR=/tmp/bench python3 benches/ssim_skimage.py [repetitions]

One process, one thread. Needs scikit-image, Pillow and opencv-contrib-python-headless. Prints median
times of the clock and of the processor; the latter is what counts on a busy machine.
"""

import os

for pool in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "BLIS"):
    os.environ[f"{pool}_NUM_THREADS"] = "1"

import statistics
import sys
import time
from pathlib import Path

import cv2
import numpy
from PIL import Image
from skimage.metrics import structural_similarity


def read_rgb(path):
    return numpy.asarray(Image.open(path).convert("RGB"))


def measure(name, repetitions, work):
    work()
    times = []
    for _ in range(repetitions):
        clock, processor = time.perf_counter(), time.thread_time()
        work()
        times.append((time.perf_counter() - clock, time.thread_time() - processor))
    clock, processor = (statistics.median(column) * 1e3 for column in zip(*times))
    print(f"{name}: median of {repetitions}: {clock:.1f} ms, processor {processor:.1f} ms")


def main():
    folder = Path(os.environ["PENTIMENTO_BENCH_DIR"])
    truth, generated = read_rgb(folder / "gt.png"), read_rgb(folder / "gen.png")
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    cv2.setNumThreads(1)

    def ssim(**window):
        score, channel_maps = structural_similarity(
            truth, generated, channel_axis=2, data_range=255, full=True, **window
        )
        channel_maps.mean(axis=2)
        return score

    gaussian = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False}
    print(f"score {ssim():.9f}, Gaussian {ssim(**gaussian):.9f}")
    measure("SSIM, uniform", repetitions, ssim)
    measure("SSIM, Gaussian", repetitions, lambda: ssim(**gaussian))
    saliency = cv2.saliency.StaticSaliencySpectralResidual_create()
    bgr = numpy.ascontiguousarray(truth[..., ::-1])
    measure("spectral residual", repetitions, lambda: saliency.computeSaliency(bgr))


main()
