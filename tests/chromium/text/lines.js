"use strict";

/* Sets paragraphs and reads their lines back. */

/** Ascent and descent of Inter in its `hhea` table, over the em. Its line gap is 0. */
const FONT_LINE_HEIGHT = (1984 + 494) / 2048;
/** Lines must be the same with this much more and less room, in pixels. */
const LEEWAY = 0.25;

function lineHeightPixels({ size, lineHeight }) {
  if (lineHeight === "auto") return size * FONT_LINE_HEIGHT;
  if (typeof lineHeight === "number") return lineHeight;
  return (size * Number.parseFloat(lineHeight)) / 100;
}

function cssOf(style, width) {
  return {
    fontFamily: "Inter",
    fontWeight: style.weight,
    fontSize: `${style.size}px`,
    fontStyle: style.italic ? "italic" : "normal",
    letterSpacing: `${style.spacing}px`,
    lineHeight: `${lineHeightPixels(style)}px`,
    textAlign: style.align === "JUSTIFIED" ? "justify" : style.align.toLowerCase(),
    width: width === null ? "max-content" : `${width}px`,
    whiteSpace: width === null ? "pre" : "pre-wrap",
  };
}

/** The style as Figma's REST interface gives it. */
function figmaStyle(style, width) {
  const json = {
    fontFamily: "Inter",
    fontWeight: style.weight,
    fontSize: style.size,
    italic: style.italic,
    letterSpacing: style.spacing,
    textAlignHorizontal: style.align,
    textAutoResize: width === null ? "WIDTH_AND_HEIGHT" : "HEIGHT",
    lineHeightPx: round(lineHeightPixels(style)),
  };
  if (style.lineHeight === "auto") {
    return { ...json, lineHeightPercent: 100, lineHeightUnit: "INTRINSIC_%" };
  }
  if (typeof style.lineHeight === "number") return { ...json, lineHeightUnit: "PIXELS" };
  const lineHeightPercentFontSize = Number.parseFloat(style.lineHeight);
  return { ...json, lineHeightPercentFontSize, lineHeightUnit: "FONT_SIZE_%" };
}

/** The lines of an element, without the spaces and the newline at their ends. */
function linesOf(element) {
  const node = element.firstChild;
  const range = document.createRange();
  const lines = [""];
  let top = null;
  for (let i = 0; i < node.length; i += 1) {
    const character = node.data[i];
    if (character === "\n") {
      lines.push("");
      top = null;
      continue;
    }
    range.setStart(node, i);
    range.setEnd(node, i + 1);
    const rect = [...range.getClientRects()].at(-1);
    if (rect && top !== null && Math.abs(rect.top - top) > 1) lines.push("");
    if (rect) top = rect.top;
    lines[lines.length - 1] += character;
  }
  return lines.map((line) => line.replace(/ +$/, ""));
}

function set(characters, style, width) {
  const element = document.createElement("p");
  Object.assign(element.style, cssOf(style, width));
  element.textContent = characters;
  document.getElementById("stage").append(element);
  return element;
}

function setLines(characters, style, width) {
  const element = set(characters, style, width);
  const lines = linesOf(element);
  element.remove();
  return lines;
}

/** The first width from the wanted one on at which no line breaks only just as it does. */
function clearWidth(characters, style, wanted) {
  for (let width = wanted; width < wanted + 20; width += 1) {
    const [narrow, exact, wide] = [width - LEEWAY, width, width + LEEWAY].map((room) =>
      JSON.stringify(setLines(characters, style, room)),
    );
    if (narrow === exact && exact === wide) return width;
  }
  throw new Error(`no clear width near ${wanted} for ${characters}`);
}

function record([name, characters, wanted, given]) {
  const style = { ...PLAIN, ...given };
  const width = wanted === null ? null : clearWidth(characters, style, wanted);
  const element = set(characters, style, width);
  const lines = linesOf(element);
  const { height } = element.getBoundingClientRect();
  const wants = lines.length * lineHeightPixels(style);
  if (Math.abs(height - wants) > 0.5) {
    throw new Error(`${name}: ${lines.length} lines, but ${height} px and not ${wants}`);
  }
  return { name, characters, style: figmaStyle(style, width), width, lines, height: round(height) };
}
