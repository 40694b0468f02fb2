"""UMSI++ as its Keras layers with seeded random weights: the file and the expected scores.

Source of the layers: Jiang et al., UEyes (CHI 2023), YueJiang-nj/UEyes-CHI2023,
saliency_models/UMSI++/src; of what is done with the map: kixlab/canvas, evaluation/visual_saliency.
"""

import json
import pathlib
import sys

import cv2
import numpy
import tensorflow as tf
from tensorflow.keras import Input, Model
from tensorflow.keras.layers import (Activation, Add, BatchNormalization, Concatenate, Conv2D, Dense,
                                     DepthwiseConv2D, Dropout, GlobalAveragePooling2D, Lambda,
                                     MaxPooling2D, SeparableConv2D, UpSampling2D)

import pictures
import readme

MEANS = numpy.array([103.939, 116.779, 123.68], numpy.float32)


def convolved(x, width, name, size=1, **more):
    """A convolution with its normalisation and activation."""
    x = Conv2D(width, size, use_bias=False, name=name, **more)(x)
    return Activation("relu")(BatchNormalization(name=f"{name}_bn")(x))


def separable(x, width, name, before=True):
    """Xception's unit: activation, separable convolution, normalisation."""
    x = Activation("relu")(x) if before else x
    x = SeparableConv2D(width, 3, padding="same", use_bias=False, name=name)(x)
    return BatchNormalization(name=f"{name}_bn")(x)


def entry(x, widths, block, stride, before=True):
    """A block of Xception that changes the width, with its shortcut. UMSI takes the last strides out."""
    shortcut = Conv2D(widths[-1], 1, strides=stride, padding="same", use_bias=False,
                      name=f"block{block}_shortcut")(x)
    shortcut = BatchNormalization(name=f"block{block}_shortcut_bn")(shortcut)
    for at, width in enumerate(widths):
        x = separable(x, width, f"block{block}_sepconv{at + 1}", before or at > 0)
    x = MaxPooling2D(3, strides=stride, padding="same")(x)
    return Add()([x, shortcut])


def xception(x):
    """Xception without its head, at a stride of 8 instead of 32."""
    x = convolved(x, 32, "block1_conv1", 3, strides=2)
    x = convolved(x, 64, "block1_conv2", 3)
    x = entry(x, [128, 128], 2, 2, before=False)
    x = entry(x, [256, 256], 3, 2)
    x = entry(x, [728, 728], 4, 1)
    for block in range(5, 13):
        shortcut = x
        for at in range(3):
            x = separable(x, 728, f"block{block}_sepconv{at + 1}")
        x = Add()([x, shortcut])
    x = entry(x, [728, 1024], 13, 1)
    for at, width in enumerate([1536, 2048]):
        x = Activation("relu")(separable(x, width, f"block14_sepconv{at + 1}", before=False))
    return x


def spread(x):
    """One vector at each of 32 × 32 places."""
    return tf.tile(tf.reshape(x, (-1, 1, 1, 256)), (1, 32, 32, 1))


def build_umsi():
    """UMSI: Xception, a pyramid of dilated convolutions, the kind of design beside it, a decoder."""
    picture = Input((256, 256, 3))
    features = xception(picture)
    pyramid = [convolved(features, 256, "aspp_csep0")]
    for rate in (6, 12, 18):
        x = DepthwiseConv2D(3, dilation_rate=rate, padding="same", use_bias=False,
                            name=f"aspp_csepd{rate}_depthwise")(features)
        x = Activation("relu")(BatchNormalization(name=f"aspp_csepd{rate}_depthwise_BN")(x))
        pyramid.append(convolved(x, 256, f"aspp_csepd{rate}_pointwise"))
    kind = convolved(features, 256, "global_conv", 3, strides=3, padding="same")
    kind = GlobalAveragePooling2D()(Dropout(0.3)(kind))
    kind = Dropout(0.3)(Dense(256, name="global_dense")(kind))
    kinds = Dense(6, activation="softmax", name="out_classif")(kind)
    fused = Lambda(spread, output_shape=(32, 32, 256))(Dense(256, name="dense_fusion")(kind))
    x = convolved(Concatenate()([Concatenate()(pyramid), fused]), 256, "concat_projection")
    for at, (widths, grown) in enumerate([((256, 256), 2), ((128, 128), 2), ((64,), 4)]):
        for each, width in enumerate(widths):
            x = Conv2D(width, 3, padding="same", use_bias=False, name=f"dec_{at}_{each}")(x)
        x = UpSampling2D(grown, interpolation="bilinear")(Dropout(0.3)(x))
    heat = Conv2D(1, 1, padding="same", use_bias=False, name="dec_c_cout")(x)
    return Model(picture, [heat, kinds])


def with_random_statistics(model):
    """Moves the normalisations off zero and one, where a mistake in their order would not be seen."""
    draw = numpy.random.default_rng(5)
    for layer in model.layers:
        if isinstance(layer, BatchNormalization):
            layer.set_weights([draw.uniform(low, high, weight.shape).astype(numpy.float32)
                               for weight, (low, high) in
                               zip(layer.get_weights(), [(0.8, 1.6), (-0.3, 0.3), (-0.1, 0.1), (0.5, 1.2)])])
    return model


def heat_map(model, path):
    """The map that CANVAS compares: 320 × 240, from 0 to 1."""
    picture = cv2.resize(cv2.imread(str(path), cv2.IMREAD_COLOR), (256, 256), interpolation=cv2.INTER_LINEAR)
    heat = model.predict((picture.astype(numpy.float32) - MEANS)[None], verbose=0)[0][0, :, :, 0]
    return unit(cv2.resize(heat, (320, 240), interpolation=cv2.INTER_LINEAR))


def unit(heat):
    low, high = heat.min(), heat.max()
    return (heat - low) / (high - low) if high - low > 1e-8 else numpy.zeros_like(heat)


def scores(truth, made):
    """Pearson's correlation, histogram intersection, Kullback–Leibler divergence, as CANVAS writes them."""
    standard = [(heat - heat.mean()) / (heat.std() + 1e-8) for heat in (unit(truth), unit(made))]
    shares = [heat / heat.sum() if heat.sum() > 0 else heat for heat in (truth, made)]
    p, q = shares[0] + 1e-8, shares[1] + 1e-8
    return {"cc": float((standard[0] * standard[1]).mean()),
            "sim": float(numpy.minimum(*shares).sum()), "kl": float((p * numpy.log(p / q)).sum())}


def main(out):
    tf.keras.utils.set_random_seed(3)
    weights = out / "umsi.weights.h5"
    with_random_statistics(build_umsi()).save_weights(weights)
    program = readme.program("A saliency network: UMSI++", ("umsi.onnx", str(out / "umsi.onnx")),
                             ('"umsi++.hdf5", by_name=True', repr(str(weights))))
    names = {"build_umsi": build_umsi}
    exec(compile(program, "the program for UMSI++", "exec"), names)
    cases = pictures.pairs(out / "pictures")
    measured = [scores(*(heat_map(names["model"], path) for path in pair)) for pair in cases]
    expected = {f"saliency_{name}/umsi++": [case[name] for case in measured] for name in measured[0]}
    (out / "keras.json").write_text(json.dumps(expected, indent=1))


main(pathlib.Path(sys.argv[1]))
