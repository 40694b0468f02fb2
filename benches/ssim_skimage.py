"""Times scikit-image's SSIM with map on the pair that `cargo bench --bench ssim` writes, and OpenCV's
spectral residual on the first of it.

    PENTIMENTO_BENCH_DIR=/tmp/bench python3 benches/ssim_skimage.py [repetitions]

One process, one thread. Needs scikit-image, Pillow and opencv-contrib-python-headless. Prints median
times of the clock and of the processor; the latter is what counts on a busy machine. Then a table beside
ours, as the bench wrote them to the folder.
"""

import json
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
    return clock


def processor_name():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return "unknown"
    return next((line.split(": ", 1)[1] for line in lines if line.startswith("model name")), "unknown")


def print_beside_ours(folder, score, theirs):
    file = folder / "ours.json"
    if not file.exists():
        print(f"ours are not in {file}: run cargo bench --bench ssim with the same folder first")
        return
    ours = json.loads(file.read_text())
    print(f"processor: {processor_name()}; scores {abs(score - ours['uniform']):.1e} apart")
    print("| what | ours | peer | ratio |")
    print("|---|---|---|---|")
    for name, peer in theirs.items():
        print(f"| {name} | {ours[name]:.1f} ms | {peer:.1f} ms | {peer / ours[name]:.1f} |")


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
    score = ssim()
    print(f"score {score:.9f}, Gaussian {ssim(**gaussian):.9f}")
    uniform = measure("SSIM, uniform", repetitions, ssim)
    saliency = cv2.saliency.StaticSaliencySpectralResidual_create()
    bgr = numpy.ascontiguousarray(truth[..., ::-1])
    theirs = {
        "SSIM, uniform, score and map": uniform,
        # scikit-image makes the map in any case.
        "SSIM, uniform, score alone": uniform,
        "SSIM, Gaussian, score and map": measure(
            "SSIM, Gaussian", repetitions, lambda: ssim(**gaussian)
        ),
        "spectral residual": measure(
            "spectral residual", repetitions, lambda: saliency.computeSaliency(bgr)
        ),
    }
    print_beside_ours(folder, score, theirs)


main()
