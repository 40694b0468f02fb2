// @ts-check

// Figma REST JSON as Pentimento writes it becomes nodes of the current page, and the selection becomes such JSON.
//
// What comes from outside is checked before the first node is made; what Figma refuses is counted and said. Values are
// in Figma's units: pixels, y downwards, colours of 0 to 1. Start with `importDesign` and `exportNodes`.

/**
 * A 2 × 3 matrix in rows, as Figma's: `[[a, c, e], [b, d, f]]` maps (x, y) to (a·x + c·y + e, b·x + d·y + f).
 * @typedef {[[number, number, number], [number, number, number]]} Matrix
 */
/** An object of the file, of which nothing is known yet. @typedef {Record<string, any>} Json */
/** What a node is put into. @typedef {BaseNode & ChildrenMixin} Parent */
/** A picture: the name that paints give it, and its file. @typedef {{ name: string, bytes: Uint8Array }} Picture */
/**
 * Where a node lies on the page; the matrix only turns, flips and skews.
 * @typedef {{ matrix: Matrix, width: number, height: number }} Place
 */
/**
 * From the spaces around a node to the page: its parent's, and that of the nearest that is no group.
 * @typedef {{ parent: Matrix, container: Matrix }} Around
 */

const MOST_NODES = 20000;
const MOST_LEVELS = 200;
const MOST_CHARACTERS = 100 * 1024 * 1024;
/** The largest coordinate, in pixels. */
const FARTHEST = 1e7;
/** Figma makes nothing smaller, but lines. */
const SMALLEST = 0.01;
/** Nodes between two progress messages. */
const AT_A_TIME = 200;
/** Between what is on the page and what is put beside it, in pixels. */
const GAP = 100;

/** @type {Matrix} */
const IDENTITY = [[1, 0, 0], [0, 1, 0]];

/** Something in the file, or a person, ends the import. */
class Refused extends Error {}

// ---- Counted notes ----

/** What was odd, each sentence once with how often. */
class Notes {
  constructor() {
    /** @type {Map<string, number>} */
    this.counts = new Map();
  }

  /** @param {string} sentence */
  add(sentence) {
    this.counts.set(sentence, (this.counts.get(sentence) || 0) + 1);
  }

  /** Does something that Figma may refuse; says whether it was done. @param {string} what @param {() => void} act */
  tried(what, act) {
    try {
      act();
      return true;
    } catch (error) {
      this.add(`Figma refused ${what}: ${messageOf(error)}`);
      return false;
    }
  }

  /** @returns {string[]} */
  list() {
    return Array.from(this.counts, ([sentence, count]) => (count > 1 ? `${sentence} (${count} times)` : sentence));
  }
}

/** @param {unknown} error @returns {string} */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

// ---- Values from outside ----

/** @param {any} value @returns {value is Json} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {any} value @returns {any[]} */
function listOf(value) {
  return Array.isArray(value) ? value : [];
}

/**
 * A finite number within bounds, else the default.
 * @template T
 * @param {any} value
 * @param {T} other
 * @param {number} least
 * @param {number} most
 * @returns {number | T}
 */
function numberOr(value, other, least = -FARTHEST, most = FARTHEST) {
  return typeof value === 'number' && value >= least && value <= most ? value : other;
}

/**
 * One of a closed set of names, else the default.
 * @template {string} T
 * @template {T | null} [D=T]
 * @param {any} value
 * @param {readonly T[]} names
 * @param {D} other
 * @returns {T | D}
 */
function nameOr(value, names, other) {
  return names.indexOf(value) >= 0 ? value : other;
}

/**
 * A name as the other API has it.
 * @template {string} T
 * @param {Record<string, T>} table
 * @param {any} value
 * @param {T} other
 * @returns {T}
 */
function translated(table, value, other) {
  return Object.prototype.hasOwnProperty.call(table, value) ? table[value] : other;
}

/** @template T @param {[string, T][]} entries @returns {Record<string, T>} */
function objectOf(entries) {
  /** @type {Record<string, T>} */
  const object = {};
  for (const [key, value] of entries) object[key] = value;
  return object;
}

/** The table read the other way. @param {Record<string, string>} table @returns {Record<string, string>} */
function turnedRound(table) {
  return objectOf(Object.entries(table).map(([key, value]) => [value, key]));
}

/** @param {any} value @returns {RGBA} black where there is none */
function colorOf(value) {
  const given = isObject(value) ? value : {};
  const [r, g, b] = ['r', 'g', 'b'].map((key) => numberOr(given[key], 0, 0, 1));
  return { r, g, b, a: numberOr(given.a, 1, 0, 1) };
}

/** @param {any} value @returns {Vector | null} */
function pointOf(value) {
  if (!isObject(value)) return null;
  const x = numberOr(value.x, null);
  const y = numberOr(value.y, null);
  return x === null || y === null ? null : { x, y };
}

/** @param {any} value @returns {Matrix | null} */
function matrixOf(value) {
  const rows = listOf(value).map((row) => listOf(row).map((number) => numberOr(number, NaN)));
  const whole = rows.length === 2 && rows.every((row) => row.length === 3 && row.every((number) => number === number));
  return whole ? /** @type {Matrix} */ (rows) : null;
}

/** @param {any} value @returns {Rect | null} */
function boxOf(value) {
  const corner = pointOf(value);
  const width = corner && numberOr(value.width, null, 0);
  const height = corner && numberOr(value.height, null, 0);
  return corner === null || width === null || height === null ? null : { x: corner.x, y: corner.y, width, height };
}

/** A word of the file for people: as much of it as can be read. @param {any} value @returns {string} */
function quoted(value) {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : '(none)';
}

// ---- Matrices ----

/** First `second`, then `first`. @param {Matrix} first @param {Matrix} second @returns {Matrix} */
function after(first, second) {
  const [[a, c, e], [b, d, f]] = first;
  const [[p, r, t], [q, s, u]] = second;
  return [[a * p + c * q, a * r + c * s, a * t + c * u + e], [b * p + d * q, b * r + d * s, b * t + d * u + f]];
}

/** @param {Matrix} matrix @returns {Matrix | null} null where it has none */
function inverse([[a, c, e], [b, d, f]]) {
  // What only moves is turned round without dividing, so that whole pixels stay whole.
  if (a === 1 && b === 0 && c === 0 && d === 1) return [[1, 0, -e], [0, 1, -f]];
  const det = a * d - b * c;
  if (!(Math.abs(det) > 1e-12)) return null;
  return [[d / det, -c / det, (c * f - d * e) / det], [-b / det, a / det, (b * e - a * f) / det]];
}

/** @param {Matrix} matrix @param {number} x @param {number} y @returns {Vector} */
function applied([[a, c, e], [b, d, f]], x, y) {
  return { x: a * x + c * y + e, y: b * x + d * y + f };
}

/** @param {number} x @param {number} y @returns {Matrix} */
function movedBy(x, y) {
  return [[1, 0, x], [0, 1, y]];
}

/** @param {Matrix} matrix @returns {Matrix} the same without moving */
function linear([[a, c], [b, d]]) {
  return [[a, c, 0], [b, d, 0]];
}

/**
 * The box around a rectangle at 0, 0.
 * @param {Matrix} matrix
 * @param {number} width
 * @param {number} height
 * @returns {Rect}
 */
function boundsOf(matrix, width, height) {
  const corners = [[0, 0], [width, 0], [0, height], [width, height]].map(([x, y]) => applied(matrix, x, y));
  const xs = corners.map((corner) => corner.x);
  const ys = corners.map((corner) => corner.y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/**
 * Gradient handles where each kind of gradient has them in its own space: start, end, width.
 * @param {string} type
 * @returns {[number, number][]}
 */
function handleSpots(type) {
  return type === 'GRADIENT_LINEAR' ? [[0, 0.5], [1, 0.5], [0, 1]] : [[0.5, 0.5], [1, 0.5], [0.5, 1]];
}

/**
 * The map from a node's unit square to the space of a gradient: the one affine map that takes the three handles to
 * their spots.
 * @param {string} type @param {any} handles @returns {Matrix | null} null where the handles lie on one line
 */
function gradientTransformOf(type, handles) {
  const [p, q, r] = [0, 1, 2].map((at) => pointOf(listOf(handles)[at]));
  if (!p || !q || !r) return null;
  const [s, t, u] = handleSpots(type);
  const from = inverse([[q.x - p.x, r.x - p.x, p.x], [q.y - p.y, r.y - p.y, p.y]]);
  return from && after([[t[0] - s[0], u[0] - s[0], s[0]], [t[1] - s[1], u[1] - s[1], s[1]]], from);
}

/** The inverse of `gradientTransformOf`. @param {string} type @param {Matrix} transform @returns {Vector[] | null} */
function gradientHandlesOf(type, transform) {
  const back = inverse(transform);
  return back && handleSpots(type).map(([x, y]) => applied(back, x, y));
}

// ---- Where a node lies ----

/** Whether children of the type are relative to what is around it. @param {string} type */
function passesOn(type) {
  return type === 'GROUP' || type === 'BOOLEAN_OPERATION';
}

/**
 * The box decides where a node lies; `relativeTransform`, else `rotation`, how it is turned; `size`, else the box,
 * how large it is.
 * @param {Json} json
 * @param {Around} around
 * @returns {Place}
 */
function placeOf(json, around) {
  const box = boxOf(json.absoluteBoundingBox);
  const given = pointOf(json.size);
  const size = given && given.x >= 0 && given.y >= 0 ? { width: given.x, height: given.y } : null;
  const own = relativeOf(json, around, box, size);
  const turned = own || linear(after(around.parent, turnedBy(json, box)));
  const { width, height } = size || (box ? solvedSize(json.type, box, turned) : { width: 0, height: 0 });
  if (!box) return unscaled(own || around.parent, width, height);
  const at = boundsOf(linear(turned), width, height);
  return unscaled(after(movedBy(box.x - at.x, box.y - at.y), linear(turned)), width, height);
}

/**
 * `relativeTransform` to the page, by way of the container, or of the parent where only that agrees with the box.
 * @param {Json} json
 * @param {Around} around
 * @param {Rect | null} box
 * @param {{ width: number, height: number } | null} size
 * @returns {Matrix | null}
 */
function relativeOf(json, around, box, size) {
  const relative = matrixOf(json.relativeTransform);
  if (!relative || !inverse(relative)) return null;
  const [fromContainer, fromParent] = [around.container, around.parent].map((base) => after(base, relative));
  if (!box || !size) return fromContainer;
  const agrees = (/** @type {Matrix} */ matrix) => {
    const bounds = boundsOf(matrix, size.width, size.height);
    return Math.abs(bounds.x - box.x) < 0.5 && Math.abs(bounds.y - box.y) < 0.5;
  };
  return !agrees(fromContainer) && agrees(fromParent) ? fromParent : fromContainer;
}

/**
 * `rotation` is in radians, against the clock on the screen.
 * @param {Json} json
 * @param {Rect | null} box
 * @returns {Matrix}
 */
function turnedBy(json, box) {
  let radians = numberOr(json.rotation, 0);
  // A line without a direction falls from the left top of its box.
  if (radians === 0 && json.type === 'LINE' && box && box.height > 0) radians = -Math.atan2(box.height, box.width);
  if (radians === 0) return IDENTITY;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return [[cos, sin, 0], [-sin, cos, 0]];
}

/**
 * The rectangle whose image has this box: width = |a|·w + |c|·h, height = |b|·w + |d|·h.
 * @param {string} type
 * @param {Rect} box
 * @param {Matrix} matrix
 */
function solvedSize(type, box, matrix) {
  const [[a, c], [b, d]] = matrix.map((row) => row.map(Math.abs));
  if (type === 'LINE') return { width: a >= b ? box.width / a : box.height / b, height: 0 };
  if (b === 0 && c === 0) return { width: box.width / a, height: box.height / d };
  const det = a * d - b * c;
  // Near 45° both equations say the same; a square is taken.
  if (Math.abs(det) < 1e-3 * (a * d + b * c)) {
    const side = (box.width + box.height) / (a + b + c + d);
    return { width: side, height: side };
  }
  const [width, height] = [(d * box.width - c * box.height) / det, (a * box.height - b * box.width) / det];
  return { width: Math.max(0, width), height: Math.max(0, height) };
}

/**
 * Scales go into the size, as Figma's nodes have none.
 * @param {Matrix} matrix
 * @param {number} width
 * @param {number} height
 * @returns {Place}
 */
function unscaled(matrix, width, height) {
  const [[a, c, e], [b, d, f]] = matrix;
  const [across, down] = [Math.hypot(a, b), Math.hypot(c, d)];
  return { matrix: [[a / across, c / down, e], [b / across, d / down, f]], width: width * across, height: height * down };
}

// ---- Paths ----

/**
 * Path data as Figma takes it: absolute M, L, C, Q and Z, every token apart.
 * @param {string} data @returns {string | null} null for what is none, and for arcs
 */
function pathOf(data) {
  const tokens = data.match(/[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g) || [];
  /** @type {string[]} */
  const out = [];
  let [x, y, startX, startY, controlX, controlY] = [0, 0, 0, 0, 0, 0];
  let command = '';
  let last = '';
  for (let at = 0; at < tokens.length; ) {
    if (/[A-Za-z]/.test(tokens[at])) command = tokens[at++];
    const kind = command.toUpperCase();
    const takes = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, Z: 0 }[kind];
    const numbers = tokens.slice(at, at + (takes || 0)).map(Number);
    // A first command that is no M, numbers after Z, too few of them.
    if (takes === undefined || numbers.length < takes || numbers.some((number) => !isFinite(number))) return null;
    if ((out.length === 0 && kind !== 'M') || (takes === 0 && command === '')) return null;
    at += takes;
    const isRelative = command !== kind;
    const points = kind === 'H' ? [numbers[0], isRelative ? 0 : y] : kind === 'V' ? [isRelative ? 0 : x, numbers[0]] : numbers;
    const ends = isRelative ? points.map((number, index) => number + (index % 2 === 0 ? x : y)) : points;
    // The control point of a smooth curve is the last one mirrored, after a curve of its kind.
    if (kind === 'S' || kind === 'T') {
      const mirrors = kind === 'S' ? 'CS' : 'QT';
      ends.unshift(...(last !== '' && mirrors.indexOf(last) >= 0 ? [2 * x - controlX, 2 * y - controlY] : [x, y]));
    }
    out.push(translated({ H: 'L', V: 'L', S: 'C', T: 'Q' }, kind, kind), ...ends.map(String));
    if (kind === 'Z') {
      [x, y] = [startX, startY];
      command = '';
    } else {
      [x, y] = ends.slice(-2);
      if (ends.length > 2) [controlX, controlY] = ends.slice(-4, -2);
    }
    if (kind === 'M') {
      [startX, startY] = [x, y];
      // Further pairs after a move are lines.
      command = isRelative ? 'l' : 'L';
    }
    last = kind;
  }
  return out.length > 0 ? out.join(' ') : null;
}

// ---- Names of both APIs ----

/** @type {Record<string, StrokeCap>} */
const CAPS = {
  NONE: 'NONE', ROUND: 'ROUND', SQUARE: 'SQUARE', LINE_ARROW: 'ARROW_LINES', TRIANGLE_ARROW: 'ARROW_EQUILATERAL',
  DIAMOND_FILLED: 'DIAMOND_FILLED', TRIANGLE_FILLED: 'TRIANGLE_FILLED', CIRCLE_FILLED: 'CIRCLE_FILLED',
};
/** @type {Record<string, ConstraintType>} */
const ACROSS = { LEFT: 'MIN', RIGHT: 'MAX', CENTER: 'CENTER', LEFT_RIGHT: 'STRETCH', SCALE: 'SCALE' };
/** @type {Record<string, ConstraintType>} */
const DOWN = { TOP: 'MIN', BOTTOM: 'MAX', CENTER: 'CENTER', TOP_BOTTOM: 'STRETCH', SCALE: 'SCALE' };
/** @type {readonly BlendMode[]} */
const BLENDS = [
  'PASS_THROUGH', 'NORMAL', 'DARKEN', 'MULTIPLY', 'LINEAR_BURN', 'COLOR_BURN', 'LIGHTEN', 'SCREEN', 'LINEAR_DODGE',
  'COLOR_DODGE', 'OVERLAY', 'SOFT_LIGHT', 'HARD_LIGHT', 'DIFFERENCE', 'EXCLUSION', 'HUE', 'SATURATION', 'COLOR', 'LUMINOSITY',
];
/** @type {readonly ('GRADIENT_LINEAR' | 'GRADIENT_RADIAL' | 'GRADIENT_ANGULAR' | 'GRADIENT_DIAMOND')[]} */
const GRADIENTS = ['GRADIENT_LINEAR', 'GRADIENT_RADIAL', 'GRADIENT_ANGULAR', 'GRADIENT_DIAMOND'];
/** @type {readonly (keyof ImageFilters)[]} */
const FILTERS = ['exposure', 'contrast', 'saturation', 'temperature', 'tint', 'highlights', 'shadows'];
/** Scale modes of pictures; REST calls a cropped one stretched. @type {Record<string, ImagePaint['scaleMode']>} */
const SCALES = { FILL: 'FILL', FIT: 'FIT', TILE: 'TILE', STRETCH: 'CROP' };
/** @type {readonly ('FIXED' | 'HUG' | 'FILL')[]} */
const SIZINGS = ['FIXED', 'HUG', 'FILL'];
/** @type {readonly TextCase[]} */
const CASES = ['ORIGINAL', 'UPPER', 'LOWER', 'TITLE', 'SMALL_CAPS', 'SMALL_CAPS_FORCED'];
/** @type {readonly TextDecoration[]} */
const DECORATIONS = ['NONE', 'UNDERLINE', 'STRIKETHROUGH'];
/** @type {readonly ('MITER' | 'BEVEL' | 'ROUND')[]} */
const JOINS = ['MITER', 'BEVEL', 'ROUND'];
/** @type {readonly ('PNG' | 'JPG' | 'SVG' | 'PDF')[]} */
const EXPORTS = ['PNG', 'JPG', 'SVG', 'PDF'];
/** @type {readonly ExportSettingsConstraints['type'][]} */
const EXPORT_SIZES = ['SCALE', 'WIDTH', 'HEIGHT'];
/** What of a layer a component property sets. @type {readonly ('visible' | 'characters' | 'mainComponent')[]} */
const REFERENCES = ['visible', 'characters', 'mainComponent'];
/** Types that make no node of their own, with nothing to be said of it. */
const AROUND_PAGES = ['DOCUMENT', 'CANVAS'];
/** Types that are made here. */
const KNOWN = [
  'FRAME', 'GROUP', 'SECTION', 'RECTANGLE', 'ELLIPSE', 'LINE', 'REGULAR_POLYGON', 'STAR', 'VECTOR', 'TEXT',
  'BOOLEAN_OPERATION', 'COMPONENT', 'INSTANCE', 'COMPONENT_SET', 'SLICE',
];

// ---- Fonts ----

/** Words for weights, the longer before those they end with. @type {[RegExp, number][]} */
const WEIGHTS = [
  [/thin|hairline/, 100], [/extralight|ultralight/, 200], [/light/, 300], [/medium/, 500],
  [/semibold|demi/, 600], [/extrabold|ultrabold/, 800], [/bold/, 700], [/black|heavy/, 900],
];

/** @param {string} style @returns {{ weight: number, italic: boolean }} */
function faceOf(style) {
  const words = style.toLowerCase().replace(/[\s_-]/g, '');
  const found = WEIGHTS.find(([pattern]) => pattern.test(words));
  return { weight: found ? found[1] : 400, italic: /italic|oblique/.test(words) };
}

/**
 * The style of a family that is nearest to what is wanted.
 * @param {string[]} styles
 * @param {Json} wanted
 * @returns {string | undefined}
 */
function nearestStyle(styles, wanted) {
  if (typeof wanted.fontStyle === 'string' && styles.indexOf(wanted.fontStyle) >= 0) return wanted.fontStyle;
  const named = faceOf(typeof wanted.fontStyle === 'string' ? wanted.fontStyle : 'Regular');
  const weight = numberOr(wanted.fontWeight, named.weight, 1, 1000);
  const italic = typeof wanted.italic === 'boolean' ? wanted.italic : named.italic;
  const farness = (/** @type {string} */ style) => {
    const face = faceOf(style);
    // The wrong slant is worse than any weight; of equals the plainer name is taken.
    return (face.italic === italic ? 0 : 10000) + Math.abs(face.weight - weight) + style.length / 1000;
  };
  return styles.slice().sort((one, other) => farness(one) - farness(other))[0];
}

/** A text style with an override over it. @param {Json} style @param {Json} over @returns {Json} */
function overridden(style, over) {
  const merged = Object.assign({}, style, over);
  // The style's name is that of the face below, where the override says another without naming it.
  const isOther = ['fontFamily', 'fontWeight', 'italic'].some((key) => over[key] !== undefined);
  if (isOther && over.fontStyle === undefined) delete merged.fontStyle;
  return merged;
}

// ---- In ----

/** Makes nodes of one file. */
class Importer {
  /**
   * @param {Picture[]} pictures
   * @param {(done: number, total: number) => void} progress
   * @param {() => boolean} isStopped
   */
  constructor(pictures, progress, isStopped) {
    this.pictures = new Map(pictures.map((picture) => /** @type {[string, Uint8Array]} */ ([picture.name, picture.bytes])));
    this.progress = progress;
    this.isStopped = isStopped;
    this.notes = new Notes();
    this.total = 0;
    this.done = 0;
    /** @type {Map<Json, Place>} */
    this.places = new Map();
    /** Components of the file by id. @type {Map<string, Json>} */
    this.components = new Map();
    /** Components in components, which Figma does not have. @type {Set<Json>} */
    this.nested = new Set();
    /** What became of components; null while one is made. @type {Map<string, ComponentNode | null>} */
    this.built = new Map();
    /** Wanted text styles by `fontKey`. @type {Map<string, Json>} */
    this.wanted = new Map();
    /** @type {Map<string, FontName>} */
    this.fonts = new Map();
    /** Hashes by name; null for a picture that Figma refused. @type {Map<string, string | null>} */
    this.hashes = new Map();
    /** Nodes in the order in which they were made. @type {SceneNode[]} */
    this.made = [];
    /** What nodes were made of, by their id. @type {Map<string, Json>} */
    this.sources = new Map();
    /** Figma's names of the properties of components and sets, by the node's id and the key in the file. @type {Map<string, Map<string, string>>} */
    this.properties = new Map();
    /** Instances with what they were made of. @type {[InstanceNode, Json][]} */
    this.instances = [];
  }

  /** Takes back all that was made. */
  undo() {
    for (const node of this.made.reverse()) {
      // A group goes with the last of its children.
      if (!node.removed) node.remove();
    }
  }

  // -- Before anything is made --

  /**
   * Counts, places and checks a node and all below it.
   * @param {any} json
   * @param {Around} around
   * @param {number} level
   * @param {boolean} inComponent
   */
  survey(json, around, level, inComponent) {
    if (!isObject(json)) throw new Refused('This is no design: a node must be an object.');
    if (level > MOST_LEVELS) throw new Refused(`The design is too deep: over ${MOST_LEVELS} levels.`);
    this.total += 1;
    if (this.total > MOST_NODES) throw new Refused(`The design is too large: over ${MOST_NODES} nodes.`);
    const place = placeOf(json, around);
    const whole = [...place.matrix[0], ...place.matrix[1], place.width, place.height];
    if (!whole.every((number) => Math.abs(number) <= FARTHEST)) throw new Refused(`${saidOf(json)} has no place that can be read.`);
    if (!boxOf(json.absoluteBoundingBox) && AROUND_PAGES.indexOf(json.type) < 0) this.notes.add('Nodes without absoluteBoundingBox: where they lie is taken from what else is said');
    this.places.set(json, place);
    if (json.type === 'COMPONENT') {
      if (inComponent) this.nested.add(json);
      else if (typeof json.id === 'string') this.components.set(json.id, json);
    }
    if (json.type === 'TEXT') this.surveyText(json);
    const inside = { parent: place.matrix, container: passesOn(json.type) ? around.container : place.matrix };
    const within = inComponent || json.type === 'COMPONENT' || json.type === 'INSTANCE';
    for (const child of listOf(json.children)) this.survey(child, inside, level + 1, within);
  }

  /** @param {Json} json */
  surveyText(json) {
    const style = isObject(json.style) ? json.style : {};
    this.wanted.set(fontKey(style), style);
    for (const over of Object.values(isObject(json.styleOverrideTable) ? json.styleOverrideTable : {})) {
      if (!isObject(over)) continue;
      const merged = overridden(style, over);
      this.wanted.set(fontKey(merged), merged);
    }
  }

  /** Loads the fonts of all texts, Inter for those that are not there. */
  async loadFonts() {
    if (this.wanted.size === 0) return;
    /** @type {Map<string, string[]>} */
    const families = new Map();
    for (const { fontName } of await figma.listAvailableFontsAsync()) {
      families.set(fontName.family, (families.get(fontName.family) || []).concat(fontName.style));
    }
    for (const [key, style] of this.wanted) {
      const family = typeof style.fontFamily === 'string' ? style.fontFamily : 'Inter';
      const found = nearestStyle(families.get(family) || [], style);
      if (found !== undefined && (await this.loadFont(key, { family, style: found }))) continue;
      this.notes.add(`The font ${quoted(family)} is missing; Inter takes its place`);
      const inter = { family: 'Inter', style: nearestStyle(families.get('Inter') || [], style) || 'Regular' };
      if (!(await this.loadFont(key, inter))) throw new Refused(`Neither ${quoted(family)} nor Inter can be loaded.`);
    }
  }

  /** @param {string} key @param {FontName} name @returns {Promise<boolean>} */
  async loadFont(key, name) {
    try {
      await figma.loadFontAsync(name);
    } catch (error) {
      return false;
    }
    this.fonts.set(key, name);
    return true;
  }

  // -- Nodes --

  /** Lets messages through now and then, and ends where a person wants it. */
  async turn() {
    this.done += 1;
    if (this.done % AT_A_TIME === 0) {
      this.progress(this.done, this.total);
      await new Promise((resolve) => setTimeout(() => resolve(undefined), 0));
    }
    if (this.isStopped()) throw new Refused('Stopped; nothing was made.');
  }

  /**
   * Makes a node and all below it, last in its parent. `into` maps the page into the space that places there are in.
   * @param {Json} json
   * @param {Parent} parent
   * @param {Matrix} into
   * @returns {Promise<SceneNode[]>} the node; its children where it has no node of its own
   */
  async build(json, parent, into) {
    await this.turn();
    const type = json.type;
    if (KNOWN.indexOf(type) < 0) {
      if (AROUND_PAGES.indexOf(type) < 0) this.notes.add(`Nodes of the unknown type ${quoted(type)} were left out; what is in them was kept`);
      return this.buildAll(listOf(json.children), parent, into);
    }
    if (passesOn(type)) return [await this.group(json, parent, into)];
    if (type === 'COMPONENT') return [await this.component(json, parent, into)];
    if (type === 'COMPONENT_SET') return [await this.componentSet(json, parent, into)];
    if (type === 'INSTANCE') return [await this.instance(json, parent, into)];
    const node = this.adopt(this.create(json, parent), json, parent);
    await this.furnish(node, json, into);
    return [node];
  }

  /** @param {Json[]} list @param {Parent} parent @param {Matrix} into @returns {Promise<SceneNode[]>} */
  async buildAll(list, parent, into) {
    /** @type {SceneNode[]} */
    const nodes = [];
    for (const json of list) nodes.push(...(await this.build(json, parent, into)));
    return nodes;
  }

  /**
   * Notes a node as made and puts it last in its parent.
   * @template {SceneNode} T
   * @param {T} node
   * @param {Json} json
   * @param {Parent} parent
   * @returns {T}
   */
  adopt(node, json, parent) {
    this.made.push(node);
    this.sources.set(node.id, json);
    parent.appendChild(node);
    return node;
  }

  /** An empty node of the type. @param {Json} json @param {Parent} parent @returns {SceneNode} */
  create(json, parent) {
    switch (json.type) {
      case 'RECTANGLE': return figma.createRectangle();
      case 'ELLIPSE': return figma.createEllipse();
      case 'LINE': return figma.createLine();
      case 'REGULAR_POLYGON': return figma.createPolygon();
      case 'STAR': return figma.createStar();
      case 'VECTOR': return figma.createVector();
      case 'TEXT': return figma.createText();
      case 'SLICE': return figma.createSlice();
      case 'SECTION':
        // Sections lie on pages and in sections only.
        if (parent.type === 'PAGE' || parent.type === 'SECTION') return figma.createSection();
        this.notes.add('Sections inside other nodes became frames');
    }
    return figma.createFrame();
  }

  /**
   * Gives a node its place, its look, its content and its children, in the order that Figma needs.
   * @param {SceneNode} node
   * @param {Json} json
   * @param {Matrix} into
   */
  async furnish(node, json, into) {
    const place = this.placeIn(json);
    let shift = IDENTITY;
    if (node.type === 'VECTOR') shift = this.drawPaths(node, json);
    else if (node.type !== 'TEXT') this.resize(node, place);
    this.shape(node, json);
    this.look(node, json);
    this.hold(node, json);
    if (node.type === 'TEXT') shift = await this.write(node, json, place);
    this.move(node, after(after(into, place.matrix), shift));
    if (isParent(node)) {
      await this.buildAll(listOf(json.children), node, inverse(place.matrix) || IDENTITY);
      this.layOut(node, json);
    }
    node.locked = json.locked === true;
  }

  /** @param {Json} json @returns {Place} */
  placeIn(json) {
    return this.places.get(json) || { matrix: IDENTITY, width: 0, height: 0 };
  }

  /** @param {SceneNode} node @param {Place} place */
  resize(node, place) {
    const width = Math.max(place.width, SMALLEST);
    const height = node.type === 'LINE' ? 0 : Math.max(place.height, SMALLEST);
    this.notes.tried('a size', () => {
      if ('resizeWithoutConstraints' in node) node.resizeWithoutConstraints(width, height);
    });
  }

  /** @param {SceneNode} node @param {Matrix} relative */
  move(node, relative) {
    this.notes.tried('a place', () => {
      if (node.type === 'SECTION') [node.x, node.y] = [relative[0][2], relative[1][2]];
      else if ('relativeTransform' in node) node.relativeTransform = relative;
    });
  }

  /**
   * A group or a boolean operation. A turned one is made upright around children that are turned back, and then
   * turned with them, as that is the only way to have one.
   * @param {Json} json @param {Parent} parent @param {Matrix} into @returns {Promise<SceneNode>}
   */
  async group(json, parent, into) {
    const turned = linear(after(into, this.placeIn(json).matrix));
    const children = await this.buildAll(listOf(json.children), parent, after(inverse(turned) || IDENTITY, into));
    if (children.length === 0) {
      this.notes.add('Groups without children became frames');
      const node = this.adopt(figma.createFrame(), json, parent);
      await this.furnish(node, json, into);
      return node;
    }
    const node = this.adopt(this.grouped(json, children, parent), json, parent);
    this.move(node, after(turned, node.relativeTransform));
    this.look(node, json);
    this.hold(node, json);
    node.locked = json.locked === true;
    return node;
  }

  /**
   * @param {Json} json
   * @param {SceneNode[]} children
   * @param {Parent} parent
   * @returns {GroupNode | BooleanOperationNode}
   */
  grouped(json, children, parent) {
    if (json.type === 'GROUP') return figma.group(children, parent);
    switch (json.booleanOperation) {
      case 'INTERSECT': return figma.intersect(children, parent);
      case 'SUBTRACT': return figma.subtract(children, parent);
      case 'EXCLUDE': return figma.exclude(children, parent);
      default: return figma.union(children, parent);
    }
  }

  /** @param {Json} json @param {Parent} parent @param {Matrix} into @returns {Promise<SceneNode>} */
  async component(json, parent, into) {
    if (this.nested.has(json)) {
      this.notes.add('Components inside components became frames');
      const frame = this.adopt(figma.createFrame(), json, parent);
      await this.furnish(frame, json, into);
      return frame;
    }
    const before = this.built.get(json.id);
    if (before) {
      // An instance needed it earlier; here it finds its place.
      parent.appendChild(before);
      this.move(before, after(into, this.placeIn(json).matrix));
      return before;
    }
    this.built.set(json.id, null);
    const node = this.adopt(figma.createComponent(), json, parent);
    await this.furnish(node, json, into);
    this.built.set(json.id, node);
    await this.define(node, json);
    return node;
  }

  /**
   * A set of variants where the names of all its components say so; else a frame of them.
   * @param {Json} json
   * @param {Parent} parent
   * @param {Matrix} into
   * @returns {Promise<SceneNode>}
   */
  async componentSet(json, parent, into) {
    const list = listOf(json.children);
    const keys = list.map((child) => (child.type === 'COMPONENT' && !this.nested.has(child) ? variantKeys(child.name) : ''));
    if (list.length === 0 || keys[0] === '' || keys.some((key) => key !== keys[0])) {
      this.notes.add('Sets whose components are not named as variants became frames');
      const frame = this.adopt(figma.createFrame(), json, parent);
      await this.furnish(frame, json, into);
      return frame;
    }
    const place = this.placeIn(json);
    const back = inverse(place.matrix) || IDENTITY;
    const variants = /** @type {ComponentNode[]} */ (await this.buildAll(list, parent, into));
    const node = this.adopt(figma.combineAsVariants(variants, parent), json, parent);
    this.resize(node, place);
    this.look(node, json);
    this.hold(node, json);
    this.move(node, after(into, place.matrix));
    // Figma lays variants out anew when it combines them.
    variants.forEach((variant, at) => this.move(variant, after(back, this.placeIn(list[at]).matrix)));
    this.layOut(node, json);
    await this.define(node, json);
    node.locked = json.locked === true;
    return node;
  }

  /** @param {Json} json @param {Parent} parent @param {Matrix} into @returns {Promise<SceneNode>} */
  async instance(json, parent, into) {
    const source = this.components.get(json.componentId);
    const component = source && this.hasLayersOf(source, json) ? await this.componentFor(source) : null;
    if (!source || !component) {
      this.notes.add('Instances whose component is not in the file, or is made otherwise, became frames');
      const frame = this.adopt(figma.createFrame(), json, parent);
      await this.furnish(frame, json, into);
      return frame;
    }
    const node = this.adopt(component.createInstance(), json, parent);
    this.resize(node, this.placeIn(json));
    this.look(node, json);
    this.hold(node, json);
    this.move(node, after(into, this.placeIn(json).matrix));
    if (json.isExposedInstance === true) this.notes.tried('an exposed instance', () => { node.isExposedInstance = true; });
    this.instances.push([node, json]);
    await this.override(node, source, json);
    node.locked = json.locked === true;
    return node;
  }

  /**
   * Whether an instance has the layers of its component, all of types that are made. Where an instance in it is of
   * another component than there, it has those of that one.
   * @param {Json} source
   * @param {Json} json
   * @returns {boolean}
   */
  hasLayersOf(source, json) {
    const [sources, children] = [listOf(source.children), listOf(json.children)];
    return children.length === sources.length && children.every((child, at) => {
      if (KNOWN.indexOf(child.type) < 0 || child.type !== sources[at].type) return false;
      const main = isSwapped(sources[at], child) ? this.components.get(child.componentId) : sources[at];
      return main !== undefined && this.hasLayersOf(main, child);
    });
  }

  /**
   * The component, made on the page if it does not stand yet; null inside itself.
   * @param {Json} source
   * @returns {Promise<ComponentNode | null>}
   */
  async componentFor(source) {
    if (!this.built.has(source.id)) await this.component(source, figma.currentPage, IDENTITY);
    return this.built.get(source.id) || null;
  }

  /**
   * Which components the instances in an instance are of, and the look, the words and the shapes of its layers: what
   * Figma lets one change there.
   * @param {SceneNode & ChildrenMixin} parent
   * @param {Json} source what stands for the parent in the component
   * @param {Json} json
   */
  async override(parent, source, json) {
    const [sources, list] = [listOf(source.children), listOf(json.children)];
    if (parent.children.length !== list.length || sources.length !== list.length) {
      this.notes.add('Instances whose children are others than the component has were left as it is');
      return;
    }
    const isAsLarge = sameSize(this.placeIn(source), this.placeIn(json));
    for (let at = 0; at < list.length; at += 1) {
      await this.turn();
      const [node, own] = [parent.children[at], list[at]];
      const main = isSwapped(sources[at], own) ? await this.swap(node, own) : sources[at];
      if (node.type === 'INSTANCE' && main) this.instances.push([node, own]);
      this.look(node, own);
      if (shapeOf(sources[at]) !== shapeOf(own)) this.notes.tried('another shape in an instance', () => this.shape(node, own));
      // Where what it lies in has another size, so have its outlines, and Figma sees to them.
      if (isAsLarge && outlinesOf(sources[at]) !== outlinesOf(own)) this.notes.add('Outlines that instances have otherwise than their component are as the component has them');
      if (node.type === 'TEXT') await this.writeLetters(node, own);
      if (main && 'children' in node) await this.override(node, main, own);
    }
  }

  /**
   * Makes an instance in an instance one of the component that the file says.
   * @param {SceneNode} node
   * @param {Json} json
   * @returns {Promise<Json | null>} the component; null where it stays as it was
   */
  async swap(node, json) {
    const main = this.components.get(json.componentId);
    const component = main ? await this.componentFor(main) : null;
    // What was to be swapped may have become a frame in the component.
    if (main && component && node.type === 'INSTANCE') {
      return this.notes.tried('another component in an instance', () => node.swapComponent(component)) ? main : null;
    }
    this.notes.add('Instances in instances that are of another component than there were left as they are there');
    return null;
  }

  // -- Component properties --

  /**
   * Gives a component or a set the properties that the file says, and has the layers refer to them. Those of variants
   * are in their names.
   * @param {ComponentNode | ComponentSetNode} node
   * @param {Json} json
   */
  async define(node, json) {
    /** @type {Map<string, string>} */
    const names = new Map();
    for (const [key, given] of propertiesOf(json.componentPropertyDefinitions)) {
      const value = await this.propertyValue(given.type, given.defaultValue);
      if (value === null) {
        this.notes.add('Component properties that Figma does not have, or whose component is not in the file, were left out');
        continue;
      }
      if (listOf(given.preferredValues).length > 0) this.notes.add('What properties prefer to be swapped to was left out');
      // Figma names it with an id of its own.
      this.notes.tried('a component property', () => { names.set(key, node.addComponentProperty(nameOfKey(key), given.type, value)); });
    }
    if (names.size === 0) return;
    this.properties.set(node.id, names);
    this.refer(node.children, names);
  }

  /** @param {readonly SceneNode[]} nodes @param {Map<string, string>} names */
  refer(nodes, names) {
    for (const node of nodes) {
      const json = this.sources.get(node.id);
      const given = json && isObject(json.componentPropertyReferences) ? json.componentPropertyReferences : {};
      /** @type {{ [field in 'visible' | 'characters' | 'mainComponent']?: string }} */
      const references = {};
      for (const field of REFERENCES) {
        const name = names.get(given[field]);
        if (name !== undefined) references[field] = name;
      }
      if (Object.keys(references).length > 0) this.notes.tried('a layer that a property sets', () => { node.componentPropertyReferences = references; });
      // What lies in an instance is set by its own properties.
      if ('children' in node && node.type !== 'INSTANCE') this.refer(node.children, names);
    }
  }

  /**
   * A value as Figma takes it; null where there is none.
   * @param {any} type
   * @param {any} value
   * @returns {Promise<string | boolean | null>}
   */
  async propertyValue(type, value) {
    if (type === 'TEXT') return typeof value === 'string' ? value : null;
    if (type === 'BOOLEAN') return typeof value === 'boolean' ? value : null;
    const source = type === 'INSTANCE_SWAP' ? this.components.get(value) : undefined;
    const component = source ? await this.componentFor(source) : null;
    return component && component.id;
  }

  /** Sets what instances have of their properties, once all components and sets stand. */
  async setProperties() {
    for (const [node, json] of this.instances) {
      const given = propertiesOf(json.componentProperties);
      const main = given.length > 0 ? await node.getMainComponentAsync() : null;
      if (!main) continue;
      const holder = main.parent && main.parent.type === 'COMPONENT_SET' ? main.parent : main;
      /** @type {Record<string, string | boolean>} */
      const values = {};
      for (const [key, property] of given) {
        const name = (this.properties.get(holder.id) || new Map()).get(key);
        const value = name === undefined ? null : await this.propertyValue(property.type, property.value);
        const now = name === undefined ? undefined : node.componentProperties[name];
        if (value === null || !now) this.notes.add('Properties of instances that their components do not have were left out');
        // The layers may have said it already, with styles that are lost where words are set anew.
        else if (now.value !== value) values[name] = value;
      }
      if (Object.keys(values).length > 0) this.notes.tried('a property of an instance', () => node.setProperties(values));
    }
  }

  // -- Shape and look --

  /** What only one type has. @param {SceneNode} node @param {Json} json */
  shape(node, json) {
    if (node.type === 'ELLIPSE' && isObject(json.arcData)) {
      const arc = json.arcData;
      node.arcData = {
        startingAngle: numberOr(arc.startingAngle, 0), endingAngle: numberOr(arc.endingAngle, 2 * Math.PI),
        innerRadius: numberOr(arc.innerRadius, 0, 0, 1),
      };
    }
    if (node.type === 'POLYGON' || node.type === 'STAR') {
      node.pointCount = Math.floor(numberOr(json.pointCount, node.type === 'STAR' ? 5 : 3, 3, 360));
    }
    if (node.type === 'STAR') node.innerRadius = numberOr(json.starInnerRadius, numberOr(json.innerRadius, 0.382, 0, 1), 0, 1);
  }

  /**
   * Draws the outlines, and gives how far from the node's own corner they begin.
   * @param {VectorNode} node
   * @param {Json} json
   * @returns {Matrix}
   */
  drawPaths(node, json) {
    const geometry = listOf(json.fillGeometry).length > 0 ? json.fillGeometry : json.strokeGeometry;
    /** @type {VectorPath[]} */
    const paths = [];
    for (const path of listOf(geometry)) {
      const data = isObject(path) && typeof path.path === 'string' ? pathOf(path.path) : null;
      if (data === null) this.notes.add('Paths that cannot be read, or have arcs, were left out');
      else paths.push({ data, windingRule: nameOr(path.windingRule, ['NONZERO', 'EVENODD'], 'NONZERO') });
    }
    if (paths.length === 0) {
      this.notes.add('Vectors without paths are empty');
      this.resize(node, this.placeIn(json));
      return IDENTITY;
    }
    this.notes.tried('a path', () => { node.vectorPaths = paths; });
    // Where outlines do not begin at 0, 0, Figma moves the node there.
    return movedBy(node.x, node.y);
  }

  /** What is seen of a node, beside its place and content. @param {SceneNode} node @param {Json} json */
  look(node, json) {
    const { notes } = this;
    if (typeof json.name === 'string') node.name = json.name;
    node.visible = json.visible !== false;
    if ('isMask' in node) {
      node.opacity = numberOr(json.opacity, 1, 0, 1);
      notes.tried('a blend mode', () => { node.blendMode = nameOr(json.blendMode, BLENDS, 'PASS_THROUGH'); });
      notes.tried('an effect', () => { node.effects = this.effects(json.effects); });
    }
    if ('fills' in node) notes.tried('a fill', () => { node.fills = this.fillsOf(json); });
    if ('strokes' in node) this.stroke(node, json);
    if ('cornerSmoothing' in node) this.corners(node, json);
    this.exports(node, json);
  }

  /** What a node is exported as. @param {SceneNode} node @param {Json} json */
  exports(node, json) {
    /** @type {ExportSettings[]} */
    const settings = [];
    for (const row of listOf(json.exportSettings)) {
      const setting = exportSettingOf(row);
      if (!setting) this.notes.add('Export settings that Figma does not have were left out');
      else settings.push(setting);
      if (setting && !('constraint' in setting) && !isPlainSize(row.constraint)) this.notes.add('Figma exports SVG and PDF in their own size');
    }
    if (!('exportSettings' in node) || settings.length + node.exportSettings.length === 0) return;
    this.notes.tried('export settings', () => { node.exportSettings = settings; });
  }

  /** What Figma lets nobody change of the children of an instance. @param {SceneNode} node @param {Json} json */
  hold(node, json) {
    const { notes } = this;
    if ('isMask' in node && json.isMask === true) {
      notes.tried('a mask', () => {
        node.isMask = true;
        node.maskType = nameOr(json.maskType, ['ALPHA', 'VECTOR', 'LUMINANCE'], json.isMaskOutline === true ? 'VECTOR' : 'ALPHA');
      });
    }
    if ('clipsContent' in node) node.clipsContent = json.clipsContent === true;
    if ('constraints' in node) {
      const given = isObject(json.constraints) ? json.constraints : {};
      notes.tried('constraints', () => {
        node.constraints = { horizontal: translated(ACROSS, given.horizontal, 'MIN'), vertical: translated(DOWN, given.vertical, 'MIN') };
      });
    }
  }

  /**
   * A vector that is only the outline of a stroke is filled as that stroke is.
   * @param {Json} json
   * @returns {Paint[]}
   */
  fillsOf(json) {
    if (!isOutlinedStroke(json)) return this.paints(json.fills);
    this.notes.add('Strokes without a shape became shapes');
    return this.paints(json.strokes);
  }

  /** @param {Extract<SceneNode, { strokes: any }>} node @param {Json} json */
  stroke(node, json) {
    this.notes.tried('a stroke', () => {
      node.strokes = isOutlinedStroke(json) ? [] : this.paints(json.strokes);
      if ('strokeWeight' in node) node.strokeWeight = numberOr(json.strokeWeight, 1, 0);
      if ('strokeAlign' in node) node.strokeAlign = nameOr(json.strokeAlign, ['INSIDE', 'CENTER', 'OUTSIDE'], 'INSIDE');
      if ('strokeJoin' in node) node.strokeJoin = nameOr(json.strokeJoin, JOINS, 'MITER');
      if ('strokeCap' in node) node.strokeCap = translated(CAPS, json.strokeCap, 'NONE');
      // REST has the angle at which a corner is cut, Figma the ratio that SVG has.
      const angle = numberOr(json.strokeMiterAngle, null, 1, 180);
      if ('strokeMiterLimit' in node && angle !== null) node.strokeMiterLimit = 1 / Math.sin((angle * Math.PI) / 360);
      if ('dashPattern' in node) node.dashPattern = listOf(json.strokeDashes).filter((dash) => numberOr(dash, -1) >= 0);
    });
    const sides = json.individualStrokeWeights;
    if (isObject(sides) && 'strokeTopWeight' in node) {
      const weight = numberOr(json.strokeWeight, 1, 0);
      this.notes.tried('strokes of single sides', () => {
        node.strokeTopWeight = numberOr(sides.top, weight, 0);
        node.strokeRightWeight = numberOr(sides.right, weight, 0);
        node.strokeBottomWeight = numberOr(sides.bottom, weight, 0);
        node.strokeLeftWeight = numberOr(sides.left, weight, 0);
      });
    }
  }

  /** @param {Extract<SceneNode, CornerMixin>} node @param {Json} json */
  corners(node, json) {
    const radii = listOf(json.rectangleCornerRadii).map((radius) => numberOr(radius, 0, 0));
    this.notes.tried('a corner radius', () => {
      if (radii.length === 4 && 'topLeftRadius' in node) {
        [node.topLeftRadius, node.topRightRadius, node.bottomRightRadius, node.bottomLeftRadius] = radii;
      } else {
        node.cornerRadius = numberOr(json.cornerRadius, 0, 0);
      }
      if ('cornerSmoothing' in node) node.cornerSmoothing = numberOr(json.cornerSmoothing, 0, 0, 1);
    });
  }

  // -- Paints and effects --

  /** @param {any} list @returns {Paint[]} */
  paints(list) {
    /** @type {Paint[]} */
    const paints = [];
    for (const json of listOf(list).filter(isObject)) {
      const paint = this.paint(json);
      if (paint) paints.push(paint);
      else this.notes.add(`Paints of the unknown type ${quoted(json.type)} were left out`);
    }
    return paints;
  }

  /** @param {Json} json @returns {Paint | null} */
  paint(json) {
    const common = {
      visible: json.visible !== false, opacity: numberOr(json.opacity, 1, 0, 1), blendMode: nameOr(json.blendMode, BLENDS, 'NORMAL'),
    };
    if (json.type === 'SOLID') return solid(json.color, common);
    if (json.type === 'IMAGE') return this.imagePaint(json, common);
    if (GRADIENTS.indexOf(json.type) < 0) return null;
    const stops = listOf(json.gradientStops).filter((stop) => isObject(stop) && numberOr(stop.position, null, 0, 1) !== null);
    const gradientTransform = gradientTransformOf(json.type, json.gradientHandlePositions);
    if (!gradientTransform || stops.length === 0) {
      this.notes.add('Gradients without a direction or stops became a colour');
      return solid(stops.length > 0 ? stops[stops.length - 1].color : { r: 0.8, g: 0.8, b: 0.8 }, common);
    }
    const gradientStops = stops.map((stop) => ({ position: stop.position, color: colorOf(stop.color) }));
    return Object.assign({ type: json.type, gradientTransform, gradientStops }, common);
  }

  /**
   * A picture; gray where it is not there.
   * @param {Json} json
   * @param {{ visible: boolean, opacity: number, blendMode: BlendMode }} common
   * @returns {Paint}
   */
  imagePaint(json, common) {
    const imageHash = this.hashOf(json.imageRef);
    if (imageHash === null) return solid({ r: 0.8, g: 0.8, b: 0.8 }, common);
    const scaleMode = translated(SCALES, json.scaleMode, 'FILL');
    /** @type {Json} */
    const paint = Object.assign({ type: 'IMAGE', imageHash, scaleMode }, common);
    if (scaleMode === 'CROP') paint.imageTransform = matrixOf(json.imageTransform) || IDENTITY;
    else paint.rotation = 90 * Math.round(numberOr(json.rotation, 0) / 90);
    if (scaleMode === 'TILE') paint.scalingFactor = numberOr(json.scalingFactor, 1, SMALLEST);
    if (isObject(json.filters)) {
      paint.filters = {};
      for (const key of FILTERS) paint.filters[key] = numberOr(json.filters[key], 0, -1, 1);
    }
    return /** @type {ImagePaint} */ (paint);
  }

  /** Figma's name of a picture; null where there is none. @param {any} name @returns {string | null} */
  hashOf(name) {
    const before = this.hashes.get(name);
    if (before !== undefined) return before;
    const bytes = this.pictures.get(name);
    /** @type {string | null} */
    let hash = null;
    if (bytes) this.notes.tried(`the picture ${quoted(name)}`, () => { hash = figma.createImage(bytes).hash; });
    else this.notes.add(`The picture ${quoted(name)} was not chosen; gray takes its place`);
    this.hashes.set(name, hash);
    return hash;
  }

  /** @param {any} list @returns {Effect[]} */
  effects(list) {
    /** @type {Effect[]} */
    const effects = [];
    for (const json of listOf(list).filter(isObject)) {
      const visible = json.visible !== false;
      const radius = numberOr(json.radius, 0, 0);
      if (json.type === 'LAYER_BLUR' || json.type === 'BACKGROUND_BLUR') {
        effects.push({ type: json.type, visible, radius, blurType: 'NORMAL' });
      } else if (json.type === 'DROP_SHADOW' || json.type === 'INNER_SHADOW') {
        const color = isObject(json.color) ? colorOf(json.color) : { r: 0, g: 0, b: 0, a: 0.25 };
        const shadow = {
          visible, radius, color, offset: pointOf(json.offset) || { x: 0, y: 0 }, spread: numberOr(json.spread, 0),
          blendMode: nameOr(json.blendMode, BLENDS, 'NORMAL'),
        };
        if (json.type === 'INNER_SHADOW') effects.push(Object.assign({ type: json.type }, shadow));
        else effects.push(Object.assign({ type: json.type, showShadowBehindNode: json.showShadowBehindNode === true }, shadow));
      } else {
        this.notes.add(`Effects of the unknown type ${quoted(json.type)} were left out`);
      }
    }
    return effects;
  }

  // -- Text --

  /**
   * Words, then the size, then how it follows the words. Gives the move that keeps the edge or the middle to which
   * the text is aligned.
   * @param {TextNode} node
   * @param {Json} json
   * @param {Place} place
   * @returns {Promise<Matrix>}
   */
  async write(node, json, place) {
    await this.writeLetters(node, json);
    this.resize(node, place);
    const style = isObject(json.style) ? json.style : {};
    this.notes.tried('a text box', () => {
      node.textAlignHorizontal = nameOr(style.textAlignHorizontal, ['LEFT', 'CENTER', 'RIGHT', 'JUSTIFIED'], 'LEFT');
      node.textAlignVertical = nameOr(style.textAlignVertical, ['TOP', 'CENTER', 'BOTTOM'], 'TOP');
      const cuts = style.textTruncation === 'ENDING' || style.textAutoResize === 'TRUNCATE';
      node.textTruncation = cuts ? 'ENDING' : 'DISABLED';
      if (cuts && numberOr(style.maxLines, 0) >= 1) node.maxLines = Math.floor(style.maxLines);
      node.textAutoResize = nameOr(style.textAutoResize, ['HEIGHT', 'WIDTH_AND_HEIGHT'], /** @type {any} */ ('NONE'));
    });
    const share = { LEFT: 0, JUSTIFIED: 0, CENTER: 0.5, RIGHT: 1, TOP: 0, BOTTOM: 1 };
    const width = Math.max(place.width, SMALLEST);
    const height = Math.max(place.height, SMALLEST);
    return movedBy((width - node.width) * share[node.textAlignHorizontal], (height - node.height) * share[node.textAlignVertical]);
  }

  /** The font first, as no character can be set without it. @param {TextNode} node @param {Json} json */
  async writeLetters(node, json) {
    const style = isObject(json.style) ? json.style : {};
    const font = this.fonts.get(fontKey(style)) || { family: 'Inter', style: 'Regular' };
    // What an instance holds may be in other fonts than the file says.
    if (node.fontName !== figma.mixed) await figma.loadFontAsync(node.fontName);
    node.fontName = font;
    node.characters = typeof json.characters === 'string' ? json.characters : '';
    const end = node.characters.length;
    this.notes.tried('a paragraph', () => {
      node.paragraphSpacing = numberOr(style.paragraphSpacing, 0, 0);
      node.paragraphIndent = numberOr(style.paragraphIndent, 0, 0);
      node.listSpacing = numberOr(style.listSpacing, 0, 0);
      node.fontSize = numberOr(style.fontSize, 12, 1);
      node.lineHeight = lineHeightOf(style) || { unit: 'AUTO' };
      node.letterSpacing = { unit: 'PIXELS', value: numberOr(style.letterSpacing, 0) };
      node.textCase = nameOr(style.textCase, CASES, 'ORIGINAL');
      node.textDecoration = nameOr(style.textDecoration, DECORATIONS, 'NONE');
    });
    if (isObject(style.opentypeFlags) && Object.keys(style.opentypeFlags).length > 0) this.notes.add('OpenType features cannot be set by a plugin');
    if (end > 0) {
      this.writeRange(node, 0, end, { hyperlink: style.hyperlink }, style);
      this.writeOverrides(node, json, style);
      this.writeLists(node, json);
    }
  }

  /** @param {TextNode} node @param {Json} json @param {Json} style */
  writeOverrides(node, json, style) {
    const table = isObject(json.styleOverrideTable) ? json.styleOverrideTable : {};
    const ids = listOf(json.characterStyleOverrides).slice(0, node.characters.length);
    // Runs of characters with the same override at once.
    for (let start = 0, end = 0; start < ids.length; start = end) {
      while (end < ids.length && ids[end] === ids[start]) end += 1;
      const over = ids[start] ? table[ids[start]] : null;
      if (isObject(over)) this.writeRange(node, start, end, over, style);
    }
  }

  /** @param {TextNode} node @param {number} start @param {number} end @param {Json} over @param {Json} style */
  writeRange(node, start, end, over, style) {
    this.notes.tried('a style of letters', () => {
      const font = this.fonts.get(fontKey(overridden(style, over)));
      if (font) node.setRangeFontName(start, end, font);
      const size = numberOr(over.fontSize, null, 1);
      if (size !== null) node.setRangeFontSize(start, end, size);
      const spacing = numberOr(over.letterSpacing, null);
      if (spacing !== null) node.setRangeLetterSpacing(start, end, { unit: 'PIXELS', value: spacing });
      const height = lineHeightOf(over);
      if (height) node.setRangeLineHeight(start, end, height);
      if (over.textCase) node.setRangeTextCase(start, end, nameOr(over.textCase, CASES, 'ORIGINAL'));
      if (over.textDecoration) node.setRangeTextDecoration(start, end, nameOr(over.textDecoration, DECORATIONS, 'NONE'));
      if (Array.isArray(over.fills)) node.setRangeFills(start, end, this.paints(over.fills));
      const link = over.hyperlink;
      if (isObject(link) && link.type === 'URL' && typeof link.url === 'string') node.setRangeHyperlink(start, end, { type: 'URL', value: link.url });
    });
  }

  /** What each line is in a list. @param {TextNode} node @param {Json} json */
  writeLists(node, json) {
    const [types, indents] = [listOf(json.lineTypes), listOf(json.lineIndentations)];
    let start = 0;
    node.characters.split(/[\n\u2028]/).forEach((line, at) => {
      const end = Math.min(start + line.length + 1, node.characters.length);
      const type = nameOr(types[at], ['NONE', 'ORDERED', 'UNORDERED'], 'NONE');
      const indent = numberOr(indents[at], 0, 0, 5);
      if (start < end && (type !== 'NONE' || indent > 0)) {
        this.notes.tried('a list', () => {
          node.setRangeListOptions(start, end, { type });
          node.setRangeIndentation(start, end, indent);
        });
      }
      start = end;
    });
  }

  // -- Auto layout --

  /**
   * Sets a frame's auto layout when its children stand in it, and then what they say of their own size.
   * @param {Parent} node
   * @param {Json} json
   */
  layOut(node, json) {
    if (!('layoutMode' in node) || node.type === 'INSTANCE') return;
    if (json.layoutMode !== 'HORIZONTAL' && json.layoutMode !== 'VERTICAL') {
      if (json.layoutMode === 'GRID') this.notes.add('Grids were placed, not laid out');
      return;
    }
    const frame = node;
    const place = this.placeIn(json);
    this.notes.tried('an auto layout', () => {
      frame.layoutMode = json.layoutMode;
      if (json.layoutWrap === 'WRAP' && json.layoutMode === 'HORIZONTAL') {
        frame.layoutWrap = 'WRAP';
        frame.counterAxisSpacing = numberOr(json.counterAxisSpacing, 0, 0);
        frame.counterAxisAlignContent = nameOr(json.counterAxisAlignContent, ['AUTO', 'SPACE_BETWEEN'], 'AUTO');
      }
      // Files of 2020 have one number for each axis.
      const [across, down] = [numberOr(json.horizontalPadding, 0, 0), numberOr(json.verticalPadding, 0, 0)];
      frame.paddingTop = numberOr(json.paddingTop, down, 0);
      frame.paddingRight = numberOr(json.paddingRight, across, 0);
      frame.paddingBottom = numberOr(json.paddingBottom, down, 0);
      frame.paddingLeft = numberOr(json.paddingLeft, across, 0);
      frame.itemSpacing = numberOr(json.itemSpacing, 0);
      frame.primaryAxisAlignItems = nameOr(json.primaryAxisAlignItems, ['MIN', 'CENTER', 'MAX', 'SPACE_BETWEEN'], 'MIN');
      frame.counterAxisAlignItems = nameOr(json.counterAxisAlignItems, ['MIN', 'CENTER', 'MAX', 'BASELINE'], 'MIN');
      frame.strokesIncludedInLayout = json.strokesIncludedInLayout === true;
      frame.itemReverseZIndex = json.itemReverseZIndex === true;
      // The size before what makes it hug, as a size that is set ends hugging.
      this.resize(frame, place);
      frame.primaryAxisSizingMode = json.primaryAxisSizingMode === 'FIXED' ? 'FIXED' : 'AUTO';
      frame.counterAxisSizingMode = json.counterAxisSizingMode === 'FIXED' ? 'FIXED' : 'AUTO';
      this.sizing(frame, json);
    });
    for (const child of frame.children) {
      const source = this.sources.get(child.id);
      if (source) this.item(child, source, place);
    }
  }

  /**
   * What a child says of its size and place in auto layout.
   * @param {SceneNode} node
   * @param {Json} json
   * @param {Place} around
   */
  item(node, json, around) {
    if (!('layoutGrow' in node)) return;
    this.notes.tried('a size in auto layout', () => {
      if (json.layoutPositioning === 'ABSOLUTE') {
        node.layoutPositioning = 'ABSOLUTE';
        // Auto layout had it in the row until now.
        if (node.type !== 'VECTOR') this.move(node, after(inverse(around.matrix) || IDENTITY, this.placeIn(json).matrix));
        return;
      }
      if (numberOr(json.layoutGrow, 0) > 0) node.layoutGrow = 1;
      if (json.layoutAlign === 'STRETCH') node.layoutAlign = 'STRETCH';
      this.sizing(node, json);
    });
  }

  /** @param {Extract<SceneNode, LayoutMixin>} node @param {Json} json */
  sizing(node, json) {
    const [across, down] = [json.layoutSizingHorizontal, json.layoutSizingVertical];
    const laidOut = node.parent !== null && 'layoutMode' in node.parent && node.parent.layoutMode !== 'NONE';
    const fits = (/** @type {any} */ sizing) => SIZINGS.indexOf(sizing) >= 0 && (sizing !== 'FILL' || laidOut);
    if (fits(across)) node.layoutSizingHorizontal = across;
    if (fits(down)) node.layoutSizingVertical = down;
    for (const key of /** @type {const} */ (['minWidth', 'maxWidth', 'minHeight', 'maxHeight'])) {
      const limit = numberOr(json[key], null, SMALLEST);
      if (limit !== null) node[key] = limit;
    }
  }
}

/** What a text style says of its font, as a key. @param {Json} style @returns {string} */
function fontKey(style) {
  return JSON.stringify([style.fontFamily, style.fontStyle, style.fontWeight, style.italic]);
}

/** @param {Json} json @returns {string} */
function saidOf(json) {
  return `The node ${quoted(json.name)}`;
}

/**
 * The properties in a variant's name, `Size=Large, State=On`; empty where it is no such name.
 * @param {any} name
 * @returns {string}
 */
function variantKeys(name) {
  const parts = typeof name === 'string' ? name.split(',').map((part) => part.split('=').map((word) => word.trim())) : [];
  const good = parts.every((part) => part.length === 2 && part[0] !== '' && part[1] !== '');
  return good ? parts.map((part) => part[0]).sort().join(',') : '';
}

/**
 * Definitions or values of component properties that are no variants, by their keys.
 * @param {any} given
 * @returns {[string, Json][]}
 */
function propertiesOf(given) {
  return Object.entries(isObject(given) ? given : {}).filter(([, property]) => isObject(property) && property.type !== 'VARIANT');
}

/** What people call a property: its key without `#` and the id. @param {string} key @returns {string} */
function nameOfKey(key) {
  return key.replace(/(.)#[0-9:]+$/, '$1');
}

/** @param {any} row @returns {ExportSettings | null} null for what is none */
function exportSettingOf(row) {
  const format = isObject(row) ? nameOr(row.format, EXPORTS, null) : null;
  if (format === null) return null;
  const suffix = typeof row.suffix === 'string' ? row.suffix : '';
  if (format === 'SVG' || format === 'PDF') return { format, suffix };
  if (row.constraint === undefined || row.constraint === null) return { format, suffix };
  const type = isObject(row.constraint) ? nameOr(row.constraint.type, EXPORT_SIZES, null) : null;
  const value = isObject(row.constraint) ? numberOr(row.constraint.value, null, SMALLEST) : null;
  return type === null || value === null ? null : { format, suffix, constraint: { type, value } };
}

/** Whether it is as large as the node is. @param {any} constraint @returns {boolean} */
function isPlainSize(constraint) {
  return !isObject(constraint) || (constraint.type === 'SCALE' && constraint.value === 1);
}

/**
 * Whether an instance in an instance is of another component than what stands for it in the component around.
 * @param {Json} source
 * @param {Json} json
 * @returns {boolean}
 */
function isSwapped(source, json) {
  return json.type === 'INSTANCE' && json.componentId !== source.componentId;
}

/** @param {Place} one @param {Place} other @returns {boolean} */
function sameSize(one, other) {
  return Math.abs(one.width - other.width) < SMALLEST && Math.abs(one.height - other.height) < SMALLEST;
}

/** What `shape` reads, as a key. @param {Json} json @returns {string} */
function shapeOf(json) {
  return JSON.stringify([json.arcData, json.pointCount, json.starInnerRadius, json.innerRadius]);
}

/** What a vector is drawn by, as a key. @param {Json} json @returns {string} */
function outlinesOf(json) {
  return json.type === 'VECTOR' ? JSON.stringify([json.fillGeometry, isOutlinedStroke(json) && json.strokeGeometry]) : '';
}

/** @param {Json} json @returns {boolean} */
function isOutlinedStroke(json) {
  return json.type === 'VECTOR' && listOf(json.fillGeometry).length === 0 && listOf(json.strokeGeometry).length > 0;
}

/** @param {SceneNode} node @returns {node is FrameNode | ComponentNode | SectionNode} */
function isParent(node) {
  return node.type === 'FRAME' || node.type === 'COMPONENT' || node.type === 'SECTION';
}

/**
 * Alpha is of the paint, not of its colour.
 * @param {any} color
 * @param {{ visible: boolean, opacity: number, blendMode: BlendMode }} common
 * @returns {SolidPaint}
 */
function solid(color, common) {
  const { r, g, b, a } = colorOf(color);
  return Object.assign({}, common, { type: /** @type {const} */ ('SOLID'), color: { r, g, b }, opacity: common.opacity * a });
}

/** @param {Json} style @returns {LineHeight | null} null where nothing is said */
function lineHeightOf(style) {
  const pixels = numberOr(style.lineHeightPx, null, 0);
  const percent = numberOr(style.lineHeightPercentFontSize, null, 0);
  if (style.lineHeightUnit === 'FONT_SIZE_%' && percent !== null) return { unit: 'PERCENT', value: percent };
  if (style.lineHeightUnit === 'INTRINSIC_%') {
    // At 100 % it is the font's own; at another Figma has worked it out in pixels.
    const isOwn = Math.abs(numberOr(style.lineHeightPercent, 100) - 100) <= 0.01;
    return isOwn || pixels === null ? { unit: 'AUTO' } : { unit: 'PIXELS', value: pixels };
  }
  return pixels === null ? null : { unit: 'PIXELS', value: pixels };
}

/** The top nodes of a file, of a `nodes` answer, or the node itself. @param {string} text @returns {Json[]} */
function rootsOf(text) {
  if (text.length > MOST_CHARACTERS) throw new Refused('The file is too large: over 100 MB.');
  /** @type {any} */
  let json;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Refused(`This is no JSON: ${messageOf(error)}`);
  }
  if (isObject(json) && isObject(json.document)) return [json.document];
  if (isObject(json) && isObject(json.nodes)) {
    const roots = Object.values(json.nodes).filter((entry) => isObject(entry) && isObject(entry.document));
    if (roots.length > 0) return roots.map((entry) => entry.document);
  }
  if (isObject(json) && (typeof json.type === 'string' || Array.isArray(json.children))) return [json];
  throw new Refused('There is no Figma node in this JSON: a node, {"document": …} or {"nodes": …} is wanted.');
}

/** The nodes that lie on pages. @param {Json[]} roots @returns {Json[]} */
function topsOf(roots) {
  /** @type {Json[]} */
  const tops = [];
  for (const json of roots) tops.push(...(AROUND_PAGES.indexOf(json.type) < 0 ? [json] : topsOf(listOf(json.children))));
  return tops;
}

/**
 * How far the design is moved: not at all on an empty page, else to the right of what is there.
 * @param {Place[]} places
 * @returns {Matrix}
 */
function besides(places) {
  const boxes = figma.currentPage.children.map((node) => node.absoluteBoundingBox);
  const rights = boxes.map((box) => (box ? box.x + box.width : -Infinity)).filter(isFinite);
  const lefts = places.map((place) => boundsOf(place.matrix, place.width, place.height).x);
  return rights.length === 0 || lefts.length === 0 ? IDENTITY : movedBy(Math.round(Math.max(...rights) + GAP - Math.min(...lefts)), 0);
}

/**
 * Makes nodes of a file in the current page, as one step to be undone. Where it fails or is stopped, nothing is left.
 * @param {string} text @param {Picture[]} pictures @param {(done: number, total: number) => void} progress
 * @param {() => boolean} isStopped @returns {Promise<{ nodes: SceneNode[], count: number, notes: string[] }>}
 */
async function importDesign(text, pictures, progress, isStopped) {
  const roots = rootsOf(text);
  const importer = new Importer(pictures, progress, isStopped);
  for (const root of roots) importer.survey(root, { parent: IDENTITY, container: IDENTITY }, 1, false);
  try {
    await importer.loadFonts();
    const places = topsOf(roots).map((json) => importer.placeIn(json));
    const nodes = await importer.buildAll(roots, figma.currentPage, besides(places));
    await importer.setProperties();
    figma.currentPage.selection = nodes;
    figma.viewport.scrollAndZoomIntoView(nodes);
    figma.commitUndo();
    return { nodes, count: importer.total, notes: importer.notes.list() };
  } catch (error) {
    importer.undo();
    throw error;
  }
}

// ---- Out ----

/** @type {Record<string, string>} */
const CAPS_OUT = turnedRound(CAPS);
const ACROSS_OUT = turnedRound(ACROSS);
const DOWN_OUT = turnedRound(DOWN);
const SCALES_OUT = turnedRound(SCALES);
/** Types of component properties that Pentimento reads. */
const PROPERTIES = ['TEXT', 'BOOLEAN', 'INSTANCE_SWAP', 'VARIANT'];

/** Writes nodes as REST JSON. */
class Exporter {
  /** @param {(done: number, total: number) => void} progress @param {() => boolean} isStopped */
  constructor(progress, isStopped) {
    this.progress = progress;
    this.isStopped = isStopped;
    this.notes = new Notes();
    this.done = 0;
    /** Names of the pictures that are shown. @type {Set<string>} */
    this.hashes = new Set();
  }

  /**
   * A node and all below it; null where REST, as Pentimento reads it, has no such type.
   * @param {SceneNode} node
   * @param {Matrix} container from the container's space to the page
   * @param {number} level
   * @returns {Promise<Json | null>}
   */
  async node(node, container, level) {
    this.done += 1;
    if (level > MOST_LEVELS) throw new Refused(`The selection is too deep: over ${MOST_LEVELS} levels.`);
    if (this.done > MOST_NODES) throw new Refused(`The selection is too large: over ${MOST_NODES} nodes.`);
    if (this.done % AT_A_TIME === 0) {
      this.progress(this.done, 0);
      await new Promise((resolve) => setTimeout(() => resolve(undefined), 0));
    }
    if (this.isStopped()) throw new Refused('Stopped.');
    const type = node.type === 'POLYGON' ? 'REGULAR_POLYGON' : node.type;
    if (KNOWN.indexOf(type) < 0) {
      this.notes.add(`Nodes of the type ${node.type} were left out`);
      return null;
    }
    /** @type {Json} */
    const json = { id: node.id, name: node.name, type };
    if (!node.visible) json.visible = false;
    if (node.locked) json.locked = true;
    this.look(node, json);
    // What REST always says, with nothing to be said of it here.
    json.scrollBehavior = 'SCROLLS';
    if (type === 'GROUP') json.clipsContent = false;
    if (type === 'SECTION') json.sectionContentsHidden = false;
    const absolute = /** @type {Matrix} */ (node.absoluteTransform);
    if ('children' in node) {
      json.children = [];
      const inside = passesOn(type) ? container : absolute;
      for (const child of node.children) {
        const written = await this.node(child, inside, level + 1);
        if (written) json.children.push(written);
      }
    }
    this.place(node, json, after(inverse(container) || IDENTITY, absolute), absolute);
    this.paintsAndShape(node, json);
    this.layout(node, json);
    if (node.type === 'TEXT') this.text(node, json);
    if (node.type === 'INSTANCE') {
      const component = await node.getMainComponentAsync();
      if (component) json.componentId = component.id;
      if (node.isExposedInstance) json.isExposedInstance = true;
    }
    this.properties(node, json);
    this.exports(node, json);
    return json;
  }

  /** What sets and components that are no variants define, instances have, and layers refer to. @param {SceneNode} node @param {Json} json */
  properties(node, json) {
    const isVariant = node.parent !== null && node.parent.type === 'COMPONENT_SET';
    if (node.type === 'COMPONENT_SET' || (node.type === 'COMPONENT' && !isVariant)) {
      // Of a set whose variants contradict one another Figma gives none.
      this.notes.tried('the properties of a component', () => this.property(json, 'componentPropertyDefinitions', node.componentPropertyDefinitions, 'defaultValue'));
    }
    if (node.type === 'INSTANCE') this.notes.tried('the properties of an instance', () => this.property(json, 'componentProperties', node.componentProperties, 'value'));
    const references = Object.assign({}, node.componentPropertyReferences);
    if (Object.keys(references).length > 0) json.componentPropertyReferences = references;
  }

  /** @param {Json} json @param {string} field @param {Json} given @param {string} value */
  property(json, field, given, value) {
    /** @type {Json} */
    const written = {};
    for (const [key, property] of Object.entries(given)) {
      if (PROPERTIES.indexOf(property.type) < 0) {
        this.notes.add(`Component properties of the type ${property.type} were left out`);
        continue;
      }
      written[key] = { type: property.type, [value]: property[value] };
      for (const list of ['variantOptions', 'preferredValues']) if (listOf(property[list]).length > 0) written[key][list] = property[list];
    }
    if (Object.keys(written).length > 0) json[field] = written;
  }

  /** @param {SceneNode} node @param {Json} json */
  exports(node, json) {
    /** @type {Json[]} */
    const rows = [];
    for (const setting of node.exportSettings) {
      const format = nameOr(setting.format, EXPORTS, null);
      if (format === null) this.notes.add(`Export settings of the format ${setting.format} were left out`);
      else rows.push({ suffix: 'suffix' in setting && setting.suffix || '', format, constraint: Object.assign({ type: 'SCALE', value: 1 }, 'constraint' in setting ? setting.constraint : {}) });
    }
    if (rows.length > 0) json.exportSettings = rows;
  }

  /** @param {SceneNode} node @param {Json} json */
  look(node, json) {
    if (!('isMask' in node)) return;
    if (node.opacity !== 1) json.opacity = node.opacity;
    json.blendMode = node.blendMode;
    if (node.isMask) {
      json.isMask = true;
      json.maskType = node.maskType;
    }
  }

  /** @param {SceneNode} node @param {Json} json @param {Matrix} relative @param {Matrix} absolute */
  place(node, json, relative, absolute) {
    const box = node.absoluteBoundingBox || boundsOf(absolute, node.width, node.height);
    json.absoluteBoundingBox = { x: box.x, y: box.y, width: box.width, height: box.height };
    const drawn = 'absoluteRenderBounds' in node ? node.absoluteRenderBounds : null;
    json.absoluteRenderBounds = drawn && { x: drawn.x, y: drawn.y, width: drawn.width, height: drawn.height };
    const radians = Math.atan2(-relative[1][0], relative[0][0]);
    if (Math.abs(radians) > 1e-9) json.rotation = radians;
    json.relativeTransform = relative;
    json.size = { x: node.width, y: node.height };
  }

  /** @param {SceneNode} node @param {Json} json */
  paintsAndShape(node, json) {
    if ('constraints' in node) {
      const { horizontal, vertical } = node.constraints;
      json.constraints = { vertical: translated(DOWN_OUT, vertical, 'TOP'), horizontal: translated(ACROSS_OUT, horizontal, 'LEFT') };
    }
    if ('clipsContent' in node) json.clipsContent = node.clipsContent;
    json.fills = 'fills' in node ? this.paints(this.fillsOf(node)) : [];
    json.strokes = [];
    if ('strokes' in node) this.stroke(node, json);
    if ('cornerSmoothing' in node) this.corners(node, json);
    json.effects = 'effects' in node ? node.effects.map((effect) => Object.assign({}, effect, { boundVariables: undefined })) : [];
    if (node.type === 'ELLIPSE') json.arcData = Object.assign({}, node.arcData);
    if (node.type === 'POLYGON' || node.type === 'STAR') json.pointCount = node.pointCount;
    if (node.type === 'STAR') json.innerRadius = node.innerRadius;
    if (node.type === 'BOOLEAN_OPERATION') json.booleanOperation = node.booleanOperation;
    if (node.type === 'VECTOR') {
      json.fillGeometry = node.fillGeometry.map(geometryOf);
      json.strokeGeometry = node.strokeGeometry.map(geometryOf);
    }
  }

  /**
   * The fills of most letters, where a text has several.
   * @param {Extract<SceneNode, MinimalFillsMixin>} node
   * @returns {readonly Paint[]}
   */
  fillsOf(node) {
    if (node.fills !== figma.mixed) return node.fills;
    return node.type === 'TEXT' ? baseOf(node.getStyledTextSegments(['fills'])).fills : [];
  }

  /** @param {Extract<SceneNode, { strokes: any }>} node @param {Json} json */
  stroke(node, json) {
    json.strokes = this.paints(node.strokes);
    if ('strokeTopWeight' in node && node.strokeWeight === figma.mixed) {
      const [top, right, bottom, left] = [node.strokeTopWeight, node.strokeRightWeight, node.strokeBottomWeight, node.strokeLeftWeight];
      json.strokeWeight = Math.max(top, right, bottom, left);
      json.individualStrokeWeights = { top, right, bottom, left };
    } else {
      json.strokeWeight = numberOr(node.strokeWeight, 1, 0);
    }
    json.strokeAlign = node.strokeAlign;
    if (node.dashPattern.length > 0) json.strokeDashes = node.dashPattern.slice();
    if ('strokeCap' in node) {
      const [cap, join] = [translated(CAPS_OUT, node.strokeCap, 'NONE'), node.strokeJoin];
      if (cap !== 'NONE') json.strokeCap = cap;
      if (join !== figma.mixed && join !== 'MITER') json.strokeJoin = join;
      if ('strokeMiterLimit' in node && numberOr(node.strokeMiterLimit, 4, 1) !== 4) json.strokeMiterAngle = (360 / Math.PI) * Math.asin(1 / node.strokeMiterLimit);
    }
  }

  /** @param {Extract<SceneNode, CornerMixin>} node @param {Json} json */
  corners(node, json) {
    if (node.cornerRadius !== figma.mixed) {
      if (node.cornerRadius > 0) json.cornerRadius = node.cornerRadius;
    } else if ('topLeftRadius' in node) {
      json.rectangleCornerRadii = [node.topLeftRadius, node.topRightRadius, node.bottomRightRadius, node.bottomLeftRadius];
    }
    if (node.cornerSmoothing > 0) json.cornerSmoothing = node.cornerSmoothing;
  }

  /** @param {readonly Paint[]} paints @returns {Json[]} */
  paints(paints) {
    return paints.map((paint) => this.paint(paint)).filter(isObject);
  }

  /** @param {Paint} paint @returns {Json | null} */
  paint(paint) {
    /** @type {Json} */
    const json = { blendMode: paint.blendMode || 'NORMAL', type: paint.type };
    if (paint.visible === false) json.visible = false;
    if (paint.opacity !== undefined && paint.opacity !== 1) json.opacity = paint.opacity;
    if (paint.type === 'SOLID') {
      json.color = Object.assign({}, paint.color, { a: 1 });
    } else if (paint.type === 'IMAGE') {
      json.scaleMode = translated(SCALES_OUT, paint.scaleMode, 'FILL');
      if (paint.imageHash) {
        json.imageRef = paint.imageHash;
        this.hashes.add(paint.imageHash);
      }
      if (paint.scaleMode === 'CROP') json.imageTransform = paint.imageTransform || IDENTITY;
      if (paint.scaleMode === 'TILE') json.scalingFactor = numberOr(paint.scalingFactor, 1, 0);
      if (paint.rotation) json.rotation = paint.rotation;
      if (paint.filters) json.filters = Object.assign({}, paint.filters);
    } else if ('gradientTransform' in paint) {
      const handles = gradientHandlesOf(paint.type, /** @type {Matrix} */ (paint.gradientTransform));
      if (!handles) return null;
      json.gradientHandlePositions = handles;
      json.gradientStops = paint.gradientStops.map(({ position, color }) => ({ color: Object.assign({}, color), position }));
    } else {
      this.notes.add(`Paints of the type ${paint.type} were left out`);
      return null;
    }
    return json;
  }

  /** @param {SceneNode} node @param {Json} json */
  layout(node, json) {
    const isLaidOut = 'layoutMode' in node && node.layoutMode !== 'NONE';
    if ('layoutMode' in node && isLaidOut) {
      json.layoutMode = node.layoutMode;
      for (const key of /** @type {const} */ ([
        'primaryAxisSizingMode', 'counterAxisSizingMode', 'primaryAxisAlignItems', 'counterAxisAlignItems',
        'paddingTop', 'paddingRight', 'paddingBottom', 'paddingLeft', 'itemSpacing',
      ])) json[key] = node[key];
      if (node.layoutWrap === 'WRAP') {
        json.layoutWrap = 'WRAP';
        json.counterAxisAlignContent = node.counterAxisAlignContent;
        json.counterAxisSpacing = numberOr(node.counterAxisSpacing, node.itemSpacing);
      }
      if (node.strokesIncludedInLayout) json.strokesIncludedInLayout = true;
      if (node.itemReverseZIndex) json.itemReverseZIndex = true;
    }
    const parent = node.parent;
    const isItem = parent !== null && 'layoutMode' in parent && parent.layoutMode !== 'NONE';
    if (!('layoutGrow' in node) || !(isLaidOut || isItem)) return;
    json.layoutSizingHorizontal = node.layoutSizingHorizontal;
    json.layoutSizingVertical = node.layoutSizingVertical;
    if (node.layoutGrow > 0) json.layoutGrow = 1;
    if (node.layoutAlign === 'STRETCH') json.layoutAlign = 'STRETCH';
    if (node.layoutPositioning === 'ABSOLUTE') json.layoutPositioning = 'ABSOLUTE';
    for (const key of /** @type {const} */ (['minWidth', 'maxWidth', 'minHeight', 'maxHeight'])) {
      if (node[key] !== null) json[key] = node[key];
    }
  }

  /**
   * The style of most letters as the text's own, and what differs from it as overrides.
   * @param {TextNode} node
   * @param {Json} json
   */
  text(node, json) {
    const segments = node.getStyledTextSegments(['fontName', 'fontSize', 'fontWeight', 'textCase', 'textDecoration', 'letterSpacing', 'lineHeight', 'fills', 'hyperlink']);
    const styles = segments.map((segment) => Object.assign(styleOf(segment), { fills: this.paints(segment.fills) }));
    // Of an empty text there are no segments; its own values are then of one kind.
    const own = segments.length > 0 ? styles[segments.indexOf(baseOf(segments))] : styleOf(/** @type {any} */ (node));
    const base = Object.assign({}, own);
    delete base.fills;
    json.characters = node.characters;
    json.style = Object.assign(base, boxStyleOf(node));
    /** @type {Json[]} */
    const table = [];
    /** @type {number[]} */
    const ids = [];
    styles.forEach((style, at) => {
      const over = differing(style, own);
      const words = JSON.stringify(over);
      let id = words === '{}' ? 0 : table.findIndex((entry) => JSON.stringify(entry) === words) + 1;
      if (words !== '{}' && id === 0) id = table.push(over);
      for (let unit = segments[at].start; unit < segments[at].end; unit += 1) ids.push(id);
    });
    while (ids.length > 0 && ids[ids.length - 1] === 0) ids.pop();
    json.characterStyleOverrides = ids;
    json.styleOverrideTable = objectOf(table.map((over, at) => [String(at + 1), over]));
    this.lists(node, json);
  }

  /** @param {TextNode} node @param {Json} json */
  lists(node, json) {
    const segments = node.getStyledTextSegments(['listOptions', 'indentation']);
    /** @type {string[]} */
    json.lineTypes = [];
    json.lineIndentations = [];
    let start = 0;
    for (const line of node.characters.split(/[\n\u2028]/)) {
      const at = start;
      const segment = segments.find((each) => each.start <= at && at < each.end);
      json.lineTypes.push(segment ? segment.listOptions.type : 'NONE');
      json.lineIndentations.push(segment ? segment.indentation : 0);
      start += line.length + 1;
    }
  }
}

/** @param {{ data: string, windingRule: string }} path @returns {Json} */
function geometryOf(path) {
  return { path: path.data, windingRule: path.windingRule === 'EVENODD' ? 'EVENODD' : 'NONZERO' };
}

/**
 * The segment that has most letters of all alike.
 * @template {{ start: number, end: number }} T
 * @param {T[]} segments
 * @returns {T}
 */
function baseOf(segments) {
  /** @type {Map<string, { first: T, letters: number }>} */
  const kinds = new Map();
  for (const segment of segments) {
    const key = JSON.stringify(Object.assign({}, segment, { start: 0, end: 0, characters: '' }));
    const kind = kinds.get(key) || { first: segment, letters: 0 };
    kind.letters += segment.end - segment.start;
    kinds.set(key, kind);
  }
  return Array.from(kinds.values()).reduce((most, kind) => (kind.letters > most.letters ? kind : most)).first;
}

/**
 * What REST says of letters.
 * @param {Pick<StyledTextSegment, 'fontName' | 'fontSize' | 'fontWeight' | 'textCase' | 'textDecoration' | 'letterSpacing' | 'lineHeight' | 'hyperlink'>} letters
 * @returns {Json}
 */
function styleOf(letters) {
  const { fontName, fontSize, letterSpacing, lineHeight } = letters;
  /** @type {Json} */
  const style = {
    fontFamily: fontName.family, fontStyle: fontName.style, italic: faceOf(fontName.style).italic,
    fontWeight: numberOr(letters.fontWeight, faceOf(fontName.style).weight, 1, 1000), fontSize,
    letterSpacing: letterSpacing.unit === 'PERCENT' ? (fontSize * letterSpacing.value) / 100 : letterSpacing.value,
    textCase: letters.textCase, textDecoration: letters.textDecoration,
  };
  if (lineHeight.unit === 'AUTO') Object.assign(style, { lineHeightPercent: 100, lineHeightUnit: 'INTRINSIC_%' });
  else if (lineHeight.unit === 'PIXELS') Object.assign(style, { lineHeightPx: lineHeight.value, lineHeightUnit: 'PIXELS' });
  else Object.assign(style, { lineHeightPx: (fontSize * lineHeight.value) / 100, lineHeightPercentFontSize: lineHeight.value, lineHeightUnit: 'FONT_SIZE_%' });
  const link = letters.hyperlink;
  if (link && link.type === 'URL') style.hyperlink = { type: 'URL', url: link.value };
  return style;
}

/** What REST says of a text as a whole. @param {TextNode} node @returns {Json} */
function boxStyleOf(node) {
  /** @type {Json} */
  const style = { textAlignHorizontal: node.textAlignHorizontal, textAlignVertical: node.textAlignVertical };
  if (node.textAutoResize !== 'NONE') style.textAutoResize = node.textAutoResize;
  if (node.textTruncation === 'ENDING') style.textTruncation = 'ENDING';
  if (node.maxLines !== null) style.maxLines = node.maxLines;
  for (const key of /** @type {const} */ (['paragraphSpacing', 'paragraphIndent', 'listSpacing'])) {
    const value = numberOr(node[key], 0);
    if (value !== 0) style[key] = value;
  }
  return style;
}

/** The values of one object that are others than in the other. @param {Json} one @param {Json} other @returns {Json} */
function differing(one, other) {
  /** @type {Json} */
  const over = {};
  for (const key of Object.keys(one)) if (JSON.stringify(one[key]) !== JSON.stringify(other[key])) over[key] = one[key];
  // Size and unit of a line height only mean something together.
  if (Object.keys(over).some((key) => key.startsWith('lineHeight'))) {
    for (const key of Object.keys(one)) if (key.startsWith('lineHeight')) over[key] = one[key];
  }
  return over;
}

/**
 * @param {Uint8Array} bytes
 * @returns {string | null} the ending of a picture's file; null where Pentimento reads no such picture
 */
function endingOf(bytes) {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return 'png';
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'jpg' : null;
}

/**
 * Writes nodes as REST JSON: `{"document": …}` of one, `{"nodes": …}` of several; and the pictures that they show,
 * each to lie in `images/` beside the file.
 * @param {readonly SceneNode[]} nodes @param {(done: number, total: number) => void} progress @param {() => boolean} isStopped
 * @returns {Promise<{ json: string, name: string, pictures: Picture[], count: number, notes: string[] }>}
 */
async function exportNodes(nodes, progress, isStopped) {
  if (nodes.length === 0) throw new Refused('Nothing is selected.');
  const exporter = new Exporter(progress, isStopped);
  /** @type {Json[]} */
  const written = [];
  for (const node of nodes) {
    const json = await exporter.node(node, IDENTITY, 1);
    if (json) written.push(json);
  }
  if (written.length === 0) throw new Refused('Nothing of the selection can be written.');
  /** @type {Picture[]} */
  const pictures = [];
  for (const hash of exporter.hashes) {
    const image = figma.getImageByHash(hash);
    const bytes = image ? await image.getBytesAsync() : new Uint8Array();
    const ending = endingOf(bytes);
    if (ending) pictures.push({ name: `${hash}.${ending}`, bytes });
    else exporter.notes.add('Pictures that are neither PNG nor JPEG were left out');
  }
  const entries = written.map((document) => /** @type {[string, Json]} */ ([document.id, { document }]));
  const all = written.length === 1 ? { document: written[0] } : { nodes: objectOf(entries) };
  return { json: JSON.stringify(all, null, 1), name: `${nodes[0].name}.json`, pictures, count: exporter.done, notes: exporter.notes.list() };
}

// ---- The window ----

/** Whether something runs, and whether it is to end. */
const work = { runs: false, stops: false };

/** @param {any} message */
async function answer(message) {
  if (!isObject(message)) return;
  if (message.type === 'stop') work.stops = true;
  if ((message.type !== 'import' && message.type !== 'export') || work.runs) return;
  [work.runs, work.stops] = [true, false];
  const progress = (/** @type {number} */ done, /** @type {number} */ total) => figma.ui.postMessage({ type: 'progress', done, total });
  const isStopped = () => work.stops;
  try {
    if (message.type === 'import') {
      const pictures = listOf(message.pictures).filter((picture) => isObject(picture) && picture.bytes instanceof Uint8Array);
      const { count, notes } = await importDesign(String(message.text), pictures, progress, isStopped);
      figma.ui.postMessage({ type: 'imported', count, notes });
    } else {
      figma.ui.postMessage(Object.assign({ type: 'exported' }, await exportNodes(figma.currentPage.selection, progress, isStopped)));
    }
  } catch (error) {
    figma.ui.postMessage({ type: 'failed', message: messageOf(error) });
  }
  work.runs = false;
}

figma.showUI(__html__, { width: 360, height: 520, themeColors: true });
figma.ui.onmessage = answer;
