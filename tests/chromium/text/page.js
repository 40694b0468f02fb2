"use strict";

/* Waits for the fonts, sets the paragraphs and writes the result into the page. */

const round = (value) => Math.round(value * 1000) / 1000 + 0;

/** Loads both fonts and makes sure that text is set in them. */
async function loadFonts() {
  for (const font of ["16px Inter", "italic 16px Inter"]) {
    const faces = await document.fonts.load(font);
    if (faces.length !== 1 || faces[0].status !== "loaded") throw new Error(`${font} is missing`);
  }
  await document.fonts.ready;
  const sample = "Hamburgefonstiv 0123456789";
  const widthIn = (family, style) => {
    const element = set(sample, { ...PLAIN, ...style, size: 100 }, null);
    element.style.fontFamily = family;
    const { width } = element.getBoundingClientRect();
    element.remove();
    return width;
  };
  const styles = [{}, { italic: true }, { weight: 900 }, { weight: 100 }];
  const widths = styles.map((style) => widthIn("Inter", style));
  const fallbacks = ["serif", "sans-serif", "monospace"].map((family) => widthIn(family, {}));
  if (new Set([...widths, ...fallbacks]).size < styles.length + 1 || fallbacks.includes(widths[0])) {
    throw new Error(`text is not set in Inter: ${widths}, fallbacks ${fallbacks}`);
  }
  return { sampleWidths: widths.map(round), fallbackWidths: fallbacks.map(round) };
}

/** What Chromium makes of `line-height: normal`, for the record. */
function normalHeights() {
  const heightOf = (size) => {
    const element = set("x", { ...PLAIN, size }, null);
    element.style.lineHeight = "normal";
    const { height } = element.getBoundingClientRect();
    element.remove();
    return [size, height, round(size * FONT_LINE_HEIGHT)];
  };
  return [9, 12, 12.5, 14, 15, 16, 17, 24, 40, 48].map(heightOf);
}

async function all() {
  const fonts = await loadFonts();
  return { records: PARAGRAPHS.map(record), ...fonts, normalHeights: normalHeights() };
}

all()
  .catch((error) => ({ error: String(error.stack) }))
  .then((result) => {
    if (!location.hash) document.getElementById("stage").remove();
    document.getElementById("result").textContent = JSON.stringify(result);
  });
