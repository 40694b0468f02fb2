"use strict";

/* Waits for the fonts, sets the paragraphs, and writes where each character stands into the page. */

/** Lines must be the same with this much more and less room, in pixels. */
const LEEWAY = 0.25;
const LINE_HEIGHT = 2;

const round = (value) => Math.round(value * 100) / 100 + 0;

async function loadFonts() {
  for (const family of ["Inter", "Pentimento Hebrew", "Pentimento Arabic"]) {
    const faces = await document.fonts.load(`16px "${family}"`, "aשس");
    if (faces.length !== 1 || faces[0].status !== "loaded") throw new Error(`${family} is missing`);
  }
  await document.fonts.ready;
}

function set(language, characters, width, size) {
  const element = document.createElement("p");
  Object.assign(element.style, {
    fontFamily: `"Pentimento ${language}", Inter`,
    fontSize: `${size}px`,
    lineHeight: `${LINE_HEIGHT * size}px`,
    width: width === null ? "max-content" : `${width}px`,
  });
  element.textContent = characters;
  document.getElementById("stage").append(element);
  return element;
}

/** Lines from the top: their characters in the order of the text, with left and right end of each. */
function linesOf(element, size) {
  const box = element.getBoundingClientRect();
  const node = element.firstChild;
  const range = document.createRange();
  const lines = [];
  for (let i = 0; i < node.length; i += 1) {
    if (node.data[i] === "\n") continue;
    range.setStart(node, i);
    range.setEnd(node, i + 1);
    const rect = [...range.getClientRects()].at(-1);
    if (!rect) throw new Error(`no box for ${node.data[i]}`);
    const row = Math.floor((rect.top + rect.height / 2 - box.top) / (LINE_HEIGHT * size));
    lines[row] ??= { text: "", ends: [] };
    lines[row].text += node.data[i];
    lines[row].ends.push([round(rect.left - box.left), round(rect.right - box.left)]);
  }
  return lines;
}

function linesAt(language, characters, width, size) {
  const element = set(language, characters, width, size);
  const lines = linesOf(element, size).map((line) => line.text);
  element.remove();
  return JSON.stringify(lines);
}

function clearWidth(language, characters, wanted, size) {
  for (let width = wanted; width < wanted + 20; width += 1) {
    const at = (room) => linesAt(language, characters, room, size);
    if (at(width - LEEWAY) === at(width) && at(width) === at(width + LEEWAY)) return width;
  }
  throw new Error(`no clear width near ${wanted} for ${characters}`);
}

function record([name, language, characters, wanted, size]) {
  const width = wanted === null ? null : clearWidth(language, characters, wanted, size);
  const element = set(language, characters, width, size);
  const lines = linesOf(element, size);
  return { name, family: `Pentimento ${language}`, characters, width, size, lines };
}

loadFonts()
  .then(() => ({ records: PARAGRAPHS.map(record) }))
  .catch((error) => ({ error: String(error.stack) }))
  .then((result) => {
    if (!location.hash) document.getElementById("stage").remove();
    document.getElementById("result").textContent = JSON.stringify(result);
  });
