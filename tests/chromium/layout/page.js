"use strict";

/* Makes the trees, lays them out and writes the result into the page. */

const TREES = 300;
/** Trees in fifteen that are written with the fields of older files. */
const OLD_IN_FIFTEEN = 2;
const MOST_ATTEMPTS = 500;
/** No screen is longer, in pixels. */
const LONGEST = 2000;

const round = (value) => Math.round(value * 1000) / 1000 + 0;

/** Boxes relative to the root's corner. */
function layOut(root) {
  const elements = new Map();
  const stage = document.getElementById("stage");
  stage.replaceChildren(buildElement(root, null, elements));
  const origin = elements.get(root.id).getBoundingClientRect();
  const relative = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x - origin.x, y: y - origin.y, width, height };
  };
  return new Map([...elements].map(([id, element]) => [id, relative(element)]));
}

/** The first tree after `number` that Figma and CSS agree on. */
function sharedTree(number, rejected) {
  const isOld = number % 15 < OLD_IN_FIFTEEN;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const random = new Random(number * 1000 + attempt);
    const root = new TreeGenerator(random, isOld).tree();
    const boxes = layOut(root);
    const { width, height } = boxes.get(root.id);
    const isLong = Math.max(width, height) > LONGEST;
    const reason = isLong ? "too long" : reasonNotShared(root, boxes);
    if (!reason) return { isOld, random, root, boxes };
    rejected[reason] = (rejected[reason] ?? 0) + 1;
  }
  throw new Error(`tree ${number}: no attempt is shared`);
}

function record(number, rejected) {
  const { isOld, random, root, boxes } = sharedTree(number, rejected);
  const isTerse = number % 4 !== 0;
  const flat = ({ x, y, width, height }) => [x, y, width, height].map(round);
  return {
    name: `tree-${String(number).padStart(3, "0")}`,
    root: new FigmaWriter(random, { isOld, isTerse }).write(root),
    boxes: Object.fromEntries([...boxes].map(([id, box]) => [id, flat(box)])),
  };
}

function all() {
  const rejected = {};
  const records = Array.from({ length: TREES }, (_, number) => record(number, rejected));
  return { records, rejected };
}

/** `layout.html#12` shows a tree instead. */
function show(number) {
  const { root } = sharedTree(number, {});
  layOut(root);
  document.body.classList.add("shown");
}

if (location.hash) {
  show(Number(location.hash.slice(1)));
} else {
  let result;
  try {
    result = all();
  } catch (error) {
    result = { error: String(error.stack) };
  }
  document.getElementById("stage").remove();
  document.getElementById("result").textContent = JSON.stringify(result);
}
