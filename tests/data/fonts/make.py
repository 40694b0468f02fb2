#!/usr/bin/env python3
"""Makes the fonts of coloured glyphs that tests draw: gradients.ttf, pictures-cbdt.ttf, pictures-sbix.ttf.

    pip install fonttools
    python3 tests/data/fonts/make.py

All have 1000 units an em. In gradients.ttf the letters are
  A  a linear gradient that is reflected, in a slanted map
  B  a radial gradient between two circles
  C  a sweep from 45 to 315 degrees
  D  a square cut by a diamond, at half opacity (SRC_IN)
  E  two squares that multiply
In the others A is a picture of 8 x 8 pixels at 10 pixels an em whose left top quarter is red, right top
green, left bottom blue and right bottom half transparent black.
"""

import struct
import zlib
from pathlib import Path

from fontTools.colorLib.builder import buildCOLR, buildCPAL
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import newTable
from fontTools.ttLib.tables import otTables as ot
from fontTools.ttLib.tables.BitmapGlyphMetrics import SmallGlyphMetrics
from fontTools.ttLib.tables.C_B_D_T_ import cbdt_bitmap_format_17
from fontTools.ttLib.tables.E_B_L_C_ import SbitLineMetrics, Strike, eblc_index_sub_table_1
from fontTools.ttLib.tables.sbixGlyph import Glyph as SbixGlyph
from fontTools.ttLib.tables.sbixStrike import Strike as SbixStrike

HERE = Path(__file__).parent


def outline(points):
    pen = TTGlyphPen(None)
    if points:
        pen.moveTo(points[0])
        for point in points[1:]:
            pen.lineTo(point)
        pen.closePath()
    return pen.glyph()


def builder(name, shapes, letters):
    order = [".notdef"] + list(shapes)
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder(order)
    font.setupCharacterMap({ord(letter): letter for letter in letters})
    glyphs = {".notdef": outline([]), **{key: outline(points) for key, points in shapes.items()}}
    font.setupGlyf(glyphs)
    font.setupHorizontalMetrics({key: (1000, 0) for key in order})
    for key in shapes:
        if shapes[key]:
            font.font["hmtx"][key] = (1000, min(x for x, _ in shapes[key]))
    font.setupHorizontalHeader(ascent=900, descent=-100)
    font.setupOS2(sTypoAscender=900, sTypoDescender=-100, usWinAscent=900, usWinDescent=100)
    font.setupNameTable({"familyName": name, "styleName": "Regular", "psName": name.replace(" ", "")})
    font.setupPost()
    font.font["head"].created = font.font["head"].modified = 0
    font.font.recalcTimestamp = False
    return font.font


def square(left, bottom, right, top):
    return [(left, bottom), (left, top), (right, top), (right, bottom)]


def gradients():
    shapes = {letter: square(0, -100, 1000, 900) for letter in "ABCDE"}
    shapes["box"] = square(100, 0, 900, 800)
    shapes["low"] = square(100, 0, 600, 500)
    shapes["high"] = square(400, 300, 900, 800)
    shapes["diamond"] = [(500, 0), (100, 400), (500, 800), (900, 400)]
    font = builder("Pentimento Gradients", shapes, "ABCDE")

    def line(*stops, extend="pad"):
        stops = [{"StopOffset": at, "PaletteIndex": index, "Alpha": alpha} for at, index, alpha in stops]
        return {"Extend": extend, "ColorStop": stops}

    def glyph(name, paint):
        return {"Format": ot.PaintFormat.PaintGlyph, "Glyph": name, "Paint": paint}

    def solid(index, alpha=1.0):
        return {"Format": ot.PaintFormat.PaintSolid, "PaletteIndex": index, "Alpha": alpha}

    def composite(mode, source, backdrop):
        paint = {"Format": ot.PaintFormat.PaintComposite, "CompositeMode": mode}
        return {**paint, "SourcePaint": source, "BackdropPaint": backdrop}

    linear = {
        "Format": ot.PaintFormat.PaintLinearGradient,
        "ColorLine": line((0, 0, 1), (1, 1, 1), extend="reflect"),
        "x0": 300, "y0": 0, "x1": 500, "y1": 0, "x2": 300, "y2": 200,
    }
    slanted = {
        "Format": ot.PaintFormat.PaintTransform,
        "Transform": (1, 0, 0.5, 1, 0, 0),
        "Paint": linear,
    }
    radial = {
        "Format": ot.PaintFormat.PaintRadialGradient,
        "ColorLine": line((0, 0, 1), (0.5, 2, 1), (1, 1, 0.5)),
        "x0": 350, "y0": 500, "r0": 50, "x1": 500, "y1": 400, "r1": 400,
    }
    sweep = {
        "Format": ot.PaintFormat.PaintSweepGradient,
        "ColorLine": line((0, 0, 1), (0.5, 2, 1), (1, 1, 1)),
        "centerX": 500, "centerY": 400, "startAngle": 45, "endAngle": 315,
    }
    cut = glyph("diamond", glyph("box", solid(0)))
    layers = {
        "A": glyph("box", slanted),
        "B": glyph("box", radial),
        "C": glyph("box", sweep),
        "D": composite("src_in", cut, solid(2, 0.5)),
        "E": composite("multiply", glyph("high", solid(3)), glyph("low", solid(4))),
    }
    boxes = {"D": (0, -100, 1000, 900), "E": (100, 0, 900, 800)}
    glyph_map = font.getReverseGlyphMap()
    font["COLR"] = buildCOLR(layers, version=1, glyphMap=glyph_map, clipBoxes=boxes)
    palette = [(1, 0, 0, 1), (0, 0, 1, 1), (0, 1, 0, 1), (1, 1, 0, 1), (0, 1, 1, 1)]
    font["CPAL"] = buildCPAL([palette])
    font.save(HERE / "gradients.ttf")


def png():
    red, green, blue, black = b"\xff\0\0\xff", b"\0\xff\0\xff", b"\0\0\xff\xff", b"\0\0\0\x80"
    rows = b"".join(b"\0" + red * 4 + green * 4 for _ in range(4))
    rows += b"".join(b"\0" + blue * 4 + black * 4 for _ in range(4))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 8, 8, 8, 6, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def cbdt():
    font = builder("Pentimento Pictures CBDT", {"A": []}, "A")
    metrics = SmallGlyphMetrics()
    metrics.height, metrics.width = 8, 8
    # A pixel in from the origin, two pixels of its eight below the baseline.
    metrics.BearingX, metrics.BearingY, metrics.Advance = 1, 6, 10
    glyph = cbdt_bitmap_format_17(b"", font)
    glyph.metrics, glyph.imageData = metrics, png()
    data = newTable("CBDT")
    data.version = 3.0
    data.strikeData = [{"A": glyph}]

    strike = Strike()
    size = strike.bitmapSizeTable
    size.startGlyphIndex = size.endGlyphIndex = 1
    size.ppemX = size.ppemY = 10
    size.bitDepth, size.flags, size.colorRef = 32, 1, 0
    size.hori, size.vert = SbitLineMetrics(), SbitLineMetrics()
    for line in (size.hori, size.vert):
        line.ascender, line.descender, line.widthMax = 9, -1, 10
        for field in (
            "caretSlopeNumerator", "caretSlopeDenominator", "caretOffset", "minOriginSB",
            "minAdvanceSB", "maxBeforeBL", "minAfterBL", "pad1", "pad2",
        ):
            setattr(line, field, 0)
    index = eblc_index_sub_table_1(b"", font)
    index.names = ["A"]
    index.indexFormat, index.imageFormat = 1, 17
    index.firstGlyphIndex = index.lastGlyphIndex = 1
    index.locations = [(0, 0)]
    strike.indexSubTables = [index]
    location = newTable("CBLC")
    location.version = 3.0
    location.strikes = [strike]
    font["CBLC"], font["CBDT"] = location, data
    del font["glyf"], font["loca"]
    font["maxp"].numGlyphs = 2
    font.save(HERE / "pictures-cbdt.ttf")


def sbix():
    font = builder("Pentimento Pictures sbix", {"A": []}, "A")
    strike = SbixStrike(ppem=10, resolution=72)
    # A pixel in from the origin, two pixels below the baseline.
    picture = SbixGlyph(glyphName="A", graphicType="png ", originOffsetX=1, originOffsetY=-2)
    picture.imageData = png()
    strike.glyphs = {"A": picture, ".notdef": SbixGlyph(glyphName=".notdef")}
    table = newTable("sbix")
    table.version, table.flags, table.strikes = 1, 1, {10: strike}
    font["sbix"] = table
    font.save(HERE / "pictures-sbix.ttf")


gradients()
cbdt()
sbix()
