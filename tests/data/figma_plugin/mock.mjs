// As much of Figma's plugin API as the plugin uses, with the rules that it has to keep: what Figma refuses is refused
// here. Nothing is laid out and no letter is measured. Of our own making, after the API's public description.

import { createHash } from 'node:crypto';

const MIXED = Symbol('mixed');
const FONTS = ['Regular', 'Medium', 'Semi Bold', 'Bold', 'Extra Bold', 'Black', 'Light', 'Italic', 'Bold Italic']
  .map((style) => ({ family: 'Inter', style }))
  .concat([{ family: 'Roboto', style: 'Regular' }, { family: 'Roboto', style: 'Bold' }]);

// ---- Matrices ----

const IDENTITY = [[1, 0, 0], [0, 1, 0]];
const after = ([[a, c, e], [b, d, f]], [[p, r, t], [q, s, u]]) =>
  [[a * p + c * q, a * r + c * s, a * t + c * u + e], [b * p + d * q, b * r + d * s, b * t + d * u + f]];
const inverse = ([[a, c, e], [b, d, f]]) => {
  const det = a * d - b * c;
  return [[d / det, -c / det, (c * f - d * e) / det], [-b / det, a / det, (b * e - a * f) / det]];
};
const linear = ([[a, c], [b, d]]) => [[a, c, 0], [b, d, 0]];
const isUpright = ([[a, c], [b, d]]) => a === 1 && b === 0 && c === 0 && d === 1;
const corners = ([[a, c, e], [b, d, f]], w, h) => [[0, 0], [w, 0], [0, h], [w, h]].map(([x, y]) => [a * x + c * y + e, b * x + d * y + f]);

function hull(points) {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

// ---- What may be set ----

function fail(message) {
  throw new Error(message);
}

const need = (good, message) => good || fail(message);
const number = (least = -Infinity, most = Infinity) => (value) =>
  need(typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most, `${value} is no number of ${least} to ${most}`);
const one = (...names) => (value) => need(names.includes(value), `${String(value)} is none of ${names}`);
const flag = (value) => need(typeof value === 'boolean', `${value} is neither true nor false`);
const text = (value) => need(typeof value === 'string', `${value} is no text`);
const only = (object, keys) => {
  const odd = Object.keys(object).filter((key) => !keys.includes(key));
  need(odd.length === 0, `unrecognized keys: ${odd}`);
};
const matrix = (value) => value.flat().forEach(number()) ?? need(value.length === 2 && value.every((row) => row.length === 3), 'no matrix');
const rgb = (value, keys) => {
  only(value, keys);
  keys.forEach((key) => number(0, 1)(value[key]));
};

const BLENDS = ['PASS_THROUGH', 'NORMAL', 'DARKEN', 'MULTIPLY', 'LINEAR_BURN', 'COLOR_BURN', 'LIGHTEN', 'SCREEN', 'LINEAR_DODGE',
  'COLOR_DODGE', 'OVERLAY', 'SOFT_LIGHT', 'HARD_LIGHT', 'DIFFERENCE', 'EXCLUSION', 'HUE', 'SATURATION', 'COLOR', 'LUMINOSITY'];
const COMMON = ['type', 'visible', 'opacity', 'blendMode'];

function paint(figma, value) {
  number(0, 1)(value.opacity ?? 1);
  one(...BLENDS)(value.blendMode ?? 'NORMAL');
  flag(value.visible ?? true);
  if (value.type === 'SOLID') {
    only(value, [...COMMON, 'color']);
    rgb(value.color, ['r', 'g', 'b']);
  } else if (value.type === 'IMAGE') {
    only(value, [...COMMON, 'scaleMode', 'imageHash', 'imageTransform', 'scalingFactor', 'rotation', 'filters']);
    one('FILL', 'FIT', 'CROP', 'TILE')(value.scaleMode);
    need(figma.getImageByHash(value.imageHash), 'no such image');
    need((value.rotation ?? 0) % 90 === 0, 'rotation must be a multiple of 90');
    need(value.imageTransform === undefined || value.scaleMode === 'CROP', 'imageTransform is for CROP');
    if (value.imageTransform) matrix(value.imageTransform);
  } else {
    one('GRADIENT_LINEAR', 'GRADIENT_RADIAL', 'GRADIENT_ANGULAR', 'GRADIENT_DIAMOND')(value.type);
    only(value, [...COMMON, 'gradientTransform', 'gradientStops']);
    matrix(value.gradientTransform);
    need(value.gradientStops.length > 0, 'no stops');
    for (const stop of value.gradientStops) {
      number(0, 1)(stop.position);
      rgb(stop.color, ['r', 'g', 'b', 'a']);
    }
  }
}

function effect(value) {
  number(0)(value.radius);
  flag(value.visible);
  if (value.type === 'LAYER_BLUR' || value.type === 'BACKGROUND_BLUR') return only(value, ['type', 'visible', 'radius', 'blurType']);
  one('DROP_SHADOW', 'INNER_SHADOW')(value.type);
  const more = value.type === 'DROP_SHADOW' ? ['showShadowBehindNode'] : [];
  only(value, ['type', 'visible', 'radius', 'color', 'offset', 'spread', 'blendMode', ...more]);
  rgb(value.color, ['r', 'g', 'b', 'a']);
  one(...BLENDS)(value.blendMode);
}

function exportSetting(value) {
  one('PNG', 'JPG', 'SVG', 'PDF')(value.format);
  only(value, ['format', 'suffix', ...(/PNG|JPG/.test(value.format) ? ['constraint'] : [])]);
  text(value.suffix ?? '');
  if (value.constraint) one('SCALE', 'WIDTH', 'HEIGHT')(value.constraint.type) && number(0.01)(value.constraint.value);
}

// ---- Component properties ----

/** What each type of property sets of a layer. */
const FIELDS = { TEXT: 'characters', BOOLEAN: 'visible', INSTANCE_SWAP: 'mainComponent' };
const inSet = (node) => node.parent?.type === 'COMPONENT_SET';
/** Who defines the properties of a component. */
const holderOf = (component) => (inSet(component) ? component.parent : component);

function propertyValue(figma, type, value) {
  if (type === 'BOOLEAN') return flag(value);
  text(value);
  need(type !== 'INSTANCE_SWAP' || figma.find(value)?.type === 'COMPONENT', `no component ${value}`);
}

function references(value, node) {
  let around = node.parent;
  while (around && around.type !== 'COMPONENT') around = around.parent;
  need(around, 'only layers of components refer to properties');
  for (const [field, name] of Object.entries(value)) {
    const property = holderOf(around).defined[name];
    need(property && FIELDS[property.type] === field, `${name} sets no ${field}`);
    need(field !== 'characters' || node.type === 'TEXT', 'only texts have characters');
    need(field !== 'mainComponent' || node.type === 'INSTANCE', 'only instances are of a component');
  }
}

/** `Size=Large, State=On` as a list of pairs. */
const variantOf = (component) => component.name.split(',').map((part) => part.split('=').map((word) => word.trim()));

function variantDefinitions(set) {
  const definitions = {};
  for (const variant of set.children) {
    for (const [key, value] of variantOf(variant)) {
      const definition = (definitions[key] ??= { type: 'VARIANT', defaultValue: value, variantOptions: [] });
      if (!definition.variantOptions.includes(value)) definition.variantOptions.push(value);
    }
  }
  return definitions;
}

// ---- Paths ----

/** Points of the extremes of a path of absolute M, L, Q, C and Z, every token apart. */
function pathPoints(data) {
  const [points, tokens] = [[], data.split(' ')];
  let from = [0, 0];
  need(tokens[0] === 'M', `a path begins with M: ${data}`);
  for (let at = 0; at < tokens.length; ) {
    const takes = { M: 1, L: 1, Q: 2, C: 3, Z: 0 }[tokens[at]];
    need(takes !== undefined, `invalid command at ${tokens[at]}`);
    const numbers = tokens.slice(at + 1, at + 1 + 2 * takes).map(Number);
    need(numbers.length === 2 * takes && numbers.every(Number.isFinite), `invalid numbers in ${data}`);
    const all = [from];
    for (let i = 0; i < takes; i += 1) all.push([numbers[2 * i], numbers[2 * i + 1]]);
    for (const t of takes > 1 ? [0, 1].flatMap((axis) => extremes(all.map((p) => p[axis]))) : []) points.push(bezier(all, t));
    if (takes > 0) points.push((from = all[takes]));
    at += 1 + 2 * takes;
  }
  return points;
}

function bezier(points, t) {
  if (points.length === 1) return points[0];
  return bezier(points.slice(1).map((p, at) => p.map((value, axis) => points[at][axis] * (1 - t) + value * t)), t);
}

/** Where a Bézier of degree 2 or 3 turns along one axis. */
function extremes(p) {
  if (p.length === 3) return [(p[0] - p[1]) / (p[0] - 2 * p[1] + p[2])].filter((t) => t > 0 && t < 1);
  const [a, b, c] = [-p[0] + 3 * p[1] - 3 * p[2] + p[3], 2 * (p[0] - 2 * p[1] + p[2]), p[1] - p[0]];
  const roots = Math.abs(a) < 1e-12 ? [-c / b] : [1, -1].map((sign) => (-b + sign * Math.sqrt(b * b - 4 * a * c)) / (2 * a));
  return roots.filter((t) => t > 0 && t < 1);
}

const moved = (data, x, y) => {
  let odd = false;
  return data.split(' ').map((token) => (/[A-Z]/.test(token) ? token : ((odd = !odd), String(Number(token) - (odd ? x : y))))).join(' ');
};

// ---- Nodes ----

const LAID_OUT = (node) => 'layoutMode' in node && node.layoutMode !== 'NONE';
const needLayout = (node) => need(LAID_OUT(node), 'the node is no auto-layout frame');
const needAround = (node) => need(LAID_OUT(node) || (node.parent && LAID_OUT(node.parent)), 'neither the node nor its parent has auto layout');

/** Properties by group: their first value, and what may be set. */
const GROUPS = {
  all: {
    name: ['', text], visible: [true, flag], locked: [false, flag], exportSettings: [[], (value) => value.forEach(exportSetting)],
    componentPropertyReferences: [null, references],
  },
  blend: {
    opacity: [1, number(0, 1)], blendMode: ['PASS_THROUGH', one(...BLENDS)], isMask: [false, flag],
    maskType: ['ALPHA', one('ALPHA', 'VECTOR', 'LUMINANCE')], effects: [[], (value) => value.forEach(effect)],
  },
  fills: { fills: [[], (value, node) => value.forEach((each) => paint(node.figma, each))] },
  strokes: {
    strokes: [[], (value, node) => value.forEach((each) => paint(node.figma, each))], strokeAlign: ['INSIDE', one('INSIDE', 'CENTER', 'OUTSIDE')],
    strokeJoin: ['MITER', one('MITER', 'BEVEL', 'ROUND')], strokeMiterLimit: [4, number(0)], dashPattern: [[], (value) => value.forEach(number(0))],
    strokeCap: ['NONE', one('NONE', 'ROUND', 'SQUARE', 'ARROW_LINES', 'ARROW_EQUILATERAL', 'DIAMOND_FILLED', 'TRIANGLE_FILLED', 'CIRCLE_FILLED')],
  },
  corner: { cornerSmoothing: [0, number(0, 1)] },
  clip: { clipsContent: [true, flag] },
  place: {
    constraints: [{ horizontal: 'MIN', vertical: 'MIN' }, (value) => Object.values(value).forEach(one('MIN', 'MAX', 'CENTER', 'STRETCH', 'SCALE'))],
  },
  item: {
    layoutGrow: [0, number(0, 1)], layoutAlign: ['INHERIT', one('INHERIT', 'STRETCH', 'MIN', 'MAX', 'CENTER')],
    layoutPositioning: ['AUTO', (value, node) => {
      one('AUTO', 'ABSOLUTE')(value);
      need(value === 'AUTO' || LAID_OUT(node.parent), 'only children of auto-layout frames can be absolute');
    }],
    layoutSizingHorizontal: ['FIXED', sizing], layoutSizingVertical: ['FIXED', sizing],
    ...Object.fromEntries(['minWidth', 'maxWidth', 'minHeight', 'maxHeight'].map((key) => [key, [null, (value, node) => number(0)(value) && needAround(node)]])),
  },
  layout: {
    layoutMode: ['NONE', one('NONE', 'HORIZONTAL', 'VERTICAL')],
    layoutWrap: ['NO_WRAP', (value, node) => need(value === 'NO_WRAP' || node.layoutMode === 'HORIZONTAL', 'only rows wrap')],
    primaryAxisSizingMode: ['AUTO', (value, node) => one('AUTO', 'FIXED')(value) && needLayout(node)],
    counterAxisSizingMode: ['FIXED', (value, node) => one('AUTO', 'FIXED')(value) && needLayout(node)],
    primaryAxisAlignItems: ['MIN', (value, node) => one('MIN', 'CENTER', 'MAX', 'SPACE_BETWEEN')(value) && needLayout(node)],
    counterAxisAlignItems: ['MIN', (value, node) => one('MIN', 'CENTER', 'MAX', 'BASELINE')(value) && needLayout(node)
      && need(value !== 'BASELINE' || node.layoutMode === 'HORIZONTAL', 'BASELINE is for rows')],
    counterAxisSpacing: [null, (value, node) => number(0)(value) && need(node.layoutWrap === 'WRAP', 'only of what wraps')],
    counterAxisAlignContent: ['AUTO', (value, node) => one('AUTO', 'SPACE_BETWEEN')(value) && need(node.layoutWrap === 'WRAP', 'only of what wraps')],
    ...Object.fromEntries(['paddingTop', 'paddingRight', 'paddingBottom', 'paddingLeft'].map((key) => [key, [0, (value, node) => number(0)(value) && needLayout(node)]])),
    itemSpacing: [0, (value, node) => number()(value) && needLayout(node)],
    strokesIncludedInLayout: [false, flag], itemReverseZIndex: [false, flag],
  },
  ellipse: { arcData: [{ startingAngle: 0, endingAngle: 2 * Math.PI, innerRadius: 0 }, (arc) => Object.values(arc).forEach(number())] },
  points: { pointCount: [3, (value) => need(Number.isInteger(value) && value >= 3, 'at least 3 points')] },
  star: { innerRadius: [0.382, number(0, 1)] },
  box: {
    textAlignHorizontal: ['LEFT', one('LEFT', 'CENTER', 'RIGHT', 'JUSTIFIED')], textAlignVertical: ['TOP', one('TOP', 'CENTER', 'BOTTOM')],
    textAutoResize: ['WIDTH_AND_HEIGHT', one('NONE', 'HEIGHT', 'WIDTH_AND_HEIGHT', 'TRUNCATE')], textTruncation: ['DISABLED', one('DISABLED', 'ENDING')],
    maxLines: [null, (value, node) => number(1)(value) && need(node.textTruncation === 'ENDING', 'maxLines is for what is cut')],
    paragraphSpacing: [0, number(0)], paragraphIndent: [0, number(0)], listSpacing: [0, number(0)],
  },
};

function sizing(value, node) {
  one('FIXED', 'HUG', 'FILL')(value);
  needAround(node);
  need(value !== 'HUG' || LAID_OUT(node) || node.type === 'TEXT', 'HUG is for auto-layout frames and texts');
  need(value !== 'FILL' || LAID_OUT(node.parent), 'FILL is for children of auto-layout frames');
}

const FRAME = ['blend', 'fills', 'strokes', 'corner', 'clip', 'place', 'item', 'layout'];
const SHAPE = ['blend', 'fills', 'strokes', 'place', 'item'];
const TYPES = {
  FRAME, COMPONENT: FRAME, INSTANCE: FRAME, COMPONENT_SET: FRAME, GROUP: ['blend', 'item'],
  BOOLEAN_OPERATION: ['blend', 'fills', 'strokes', 'item'], SECTION: ['fills'], SLICE: ['place', 'item'], RECTANGLE: [...SHAPE, 'corner'],
  ELLIPSE: [...SHAPE, 'ellipse', 'corner'], LINE: SHAPE, POLYGON: [...SHAPE, 'points', 'corner'],
  STAR: [...SHAPE, 'points', 'star', 'corner'], VECTOR: [...SHAPE, 'corner'], TEXT: [...SHAPE, 'box'],
};
const PARENTS = ['FRAME', 'COMPONENT', 'INSTANCE', 'COMPONENT_SET', 'GROUP', 'BOOLEAN_OPERATION', 'SECTION'];
const isGroup = (node) => node.type === 'GROUP' || node.type === 'BOOLEAN_OPERATION';

/** What of the children of an instance is its component's. */
const FIXED = ['componentPropertyReferences', 'constraints', 'isMask', 'maskType', 'clipsContent', 'layoutMode', 'layoutPositioning'];

class MockNode {
  constructor(figma, type) {
    Object.defineProperty(this, 'figma', { value: figma });
    Object.assign(this, { type, id: `${figma.session}:${(figma.made += 1)}`, parent: null, removed: false, values: {} });
    Object.assign(this, { local: IDENTITY, width: 100, height: type === 'LINE' ? 0 : 100, inInstance: false });
    for (const group of ['all', ...TYPES[type]]) for (const [key, [first, check]] of Object.entries(GROUPS[group])) this.define(key, first, check);
    if (PARENTS.includes(type)) this.children = [];
    if (TYPES[type].includes('strokes')) this.defineSeveral('strokeWeight', ['strokeTopWeight', 'strokeRightWeight', 'strokeBottomWeight', 'strokeLeftWeight'], 1, /FRAME|RECT|COMP|INST/);
    if (TYPES[type].includes('corner')) this.defineSeveral('cornerRadius', ['topLeftRadius', 'topRightRadius', 'bottomRightRadius', 'bottomLeftRadius'], 0, /FRAME|RECT|COMP|INST/);
    // What Figma begins with, which is not what an empty file means.
    if (type === 'FRAME') this.values.fills = [{ type: 'SOLID', color: { r: 1, g: 1, b: 1 } }];
    if (/RECT|ELLIPSE|STAR|POLY/.test(type)) this.values.fills = [{ type: 'SOLID', color: { r: 0.85, g: 0.85, b: 0.85 } }];
    if (type !== 'SECTION') Object.defineProperty(this, 'relativeTransform', { enumerable: true, get: () => this.relative(), set: (value) => this.moveTo(value) });
    if (!isGroup(this)) this.resizeWithoutConstraints = (width, height) => this.resize(width, height);
    Object.defineProperty(this, 'x', { get: () => this.relative()[0][2], set: (x) => { this.local = [[...this.local[0].slice(0, 2), x], this.local[1]]; } });
    Object.defineProperty(this, 'y', { get: () => this.relative()[1][2], set: (y) => { this.local = [this.local[0], [...this.local[1].slice(0, 2), y]]; } });
    if (isGroup(this)) for (const key of ['width', 'height']) Object.defineProperty(this, key, { get: () => this.fitted()[key] });
    if (type === 'TEXT') defineText(this);
    if (type === 'VECTOR') this.definePaths();
    if (type === 'COMPONENT' || type === 'COMPONENT_SET') this.defined = {};
    if (type === 'INSTANCE') this.chosen = {};
  }

  define(key, first, check) {
    this.values[key] = first;
    Object.defineProperty(this, key, {
      // Texts have some of these for each letter instead.
      configurable: true,
      enumerable: true,
      get: () => this.values[key],
      set: (value) => {
        check(value, this);
        need(!this.inInstance || !FIXED.includes(key), `${key} cannot be overridden in an instance`);
        this.values[key] = structuredClone(value);
      },
    });
  }

  /** One value for four sides or corners, mixed where they differ. */
  defineSeveral(key, parts, first, has) {
    const apart = has.test(this.type);
    for (const part of apart ? parts : []) this.define(part, first, number(0));
    if (!apart) return this.define(key, first, number(0));
    Object.defineProperty(this, key, {
      get: () => (parts.every((part) => this[part] === this[parts[0]]) ? this[parts[0]] : MIXED),
      set: (value) => parts.forEach((part) => { this[part] = value; }),
    });
  }

  definePaths() {
    this.values.paths = [];
    Object.defineProperty(this, 'vectorPaths', {
      enumerable: true,
      get: () => this.values.paths,
      set: (paths) => {
        const box = hull(paths.flatMap((path) => one('NONZERO', 'EVENODD', 'NONE')(path.windingRule) && pathPoints(path.data)));
        this.local = after(this.local, [[1, 0, box.x], [0, 1, box.y]]);
        [this.width, this.height] = [box.width, box.height];
        this.values.paths = paths.map(({ data, windingRule }) => ({ data: moved(data, box.x, box.y), windingRule }));
      },
    });
    Object.defineProperty(this, 'fillGeometry', { get: () => this.values.paths });
    Object.defineProperty(this, 'strokeGeometry', { get: () => [] });
  }

  // -- Place --

  container() {
    let up = this.parent;
    while (up && isGroup(up)) up = up.parent;
    return up;
  }

  relative() {
    if (!isGroup(this)) return this.local;
    const box = this.fitted();
    return after(this.local, [[1, 0, box.x], [0, 1, box.y]]);
  }

  /** The box around the children, in the group's own directions. */
  fitted() {
    const back = inverse(this.local);
    return hull(this.children.flatMap((child) => corners(isUpright(this.local) ? child.relative() : after(back, child.relative()), child.width, child.height)));
  }

  moveTo(value) {
    this.needFree();
    matrix(value);
    for (const column of [0, 1]) {
      need(Math.abs(Math.hypot(value[0][column], value[1][column]) - 1) < 1e-6, 'relativeTransform must not scale');
    }
    if (!isGroup(this)) {
      this.local = value;
      return;
    }
    this.carry(after(value, inverse(this.relative())));
    this.local = linear(value);
  }

  /** Moves what is in a group along. */
  carry(delta) {
    for (const child of this.children) {
      if (isGroup(child)) {
        child.carry(delta);
        child.local = linear(after(delta, child.local));
      } else {
        const still = isUpright(delta) && delta[0][2] === 0 && delta[1][2] === 0;
        if (!still) child.local = after(delta, child.local);
      }
    }
  }

  get absoluteTransform() {
    const container = this.container();
    if (!container || container.type === 'PAGE') return this.relative();
    return after(container.absoluteTransform, this.relative());
  }

  get absoluteBoundingBox() {
    return hull(corners(this.absoluteTransform, this.width, this.height));
  }

  get absoluteRenderBounds() {
    return this.visible ? this.absoluteBoundingBox : null;
  }

  resize(width, height) {
    if (this.type === 'LINE') need(height === 0, 'the height of a line is 0');
    else number(0.01)(height);
    number(0.01)(width);
    [this.width, this.height] = [width, height];
  }

  // -- Tree --

  needFree() {
    need(!this.inInstance, 'children of an instance stay where they are');
    need(!this.removed, 'the node is gone');
  }

  appendChild(child) {
    need(this.children, `a ${this.type} has no children`);
    need(this.type !== 'INSTANCE' && !this.inInstance, 'the children of an instance are those of its component');
    need(child.type !== 'SECTION' || this.type === 'SECTION', 'sections lie on pages and in sections');
    for (let up = this; up; up = up.parent) {
      need(up !== child, 'a node cannot lie in itself');
      need(!(child.type === 'COMPONENT' && /^(COMPONENT|INSTANCE)$/.test(up.type)), 'a component cannot lie in another');
    }
    this.take(child);
  }

  take(child) {
    child.needFree();
    child.leave();
    child.parent = this;
    this.children.push(child);
  }

  leave() {
    const from = this.parent;
    if (!from) return;
    from.children = from.children.filter((other) => other !== this);
    // A group goes with its last child.
    if (isGroup(from) && from.children.length === 0) from.remove();
  }

  remove() {
    this.needFree();
    this.leave();
    this.parent = null;
    this.bury();
  }

  bury() {
    this.removed = true;
    for (const child of this.children || []) child.bury();
  }

  createInstance() {
    need(this.type === 'COMPONENT', 'only components have instances');
    const instance = this.copy('INSTANCE');
    instance.inInstance = false;
    instance.main = this;
    this.figma.currentPage.take(instance);
    return instance;
  }

  copy(type) {
    const copy = new MockNode(this.figma, type);
    copy.id = `I${copy.id};${this.id}`;
    Object.assign(copy, { local: this.local, inInstance: true, main: this.main });
    if (!isGroup(this)) Object.assign(copy, { width: this.width, height: this.height });
    copy.values = structuredClone(this.values);
    if (this.chosen) copy.chosen = structuredClone(this.chosen);
    if (this.letters) copy.letters = structuredClone(this.letters);
    for (const child of this.children || []) {
      const inner = child.copy(child.type);
      inner.parent = copy;
      copy.children.push(inner);
    }
    return copy;
  }

  /** Of what the instance holds nothing stays, as no override is like another. */
  swapComponent(component) {
    need(this.type === 'INSTANCE', 'only instances are of a component');
    need(component.type === 'COMPONENT' && !component.removed, 'an instance is of a component');
    for (let up = this.parent; up; up = up.parent) need(up !== component, 'a component cannot lie in itself');
    const { values, children, width, height } = component.copy('INSTANCE');
    const { visible, componentPropertyReferences } = this.values;
    Object.assign(this, { values: { ...values, visible, componentPropertyReferences }, children, width, height, main: component });
    for (const child of children) child.parent = this;
  }

  // -- Component properties --

  /** Gives the property's own name: Figma adds an id, which no two have. */
  addComponentProperty(name, type, defaultValue) {
    need(this.defined && !inSet(this), 'only sets and components that are no variants define properties');
    one(...Object.keys(FIELDS))(type);
    propertyValue(this.figma, type, defaultValue);
    const key = `${name}#${this.figma.session}:${(this.figma.made += 1)}`;
    this.defined[key] = { type, defaultValue };
    return key;
  }

  get componentPropertyDefinitions() {
    need(this.defined && !inSet(this), 'only sets and components that are no variants define properties');
    return { ...this.defined, ...(this.type === 'COMPONENT_SET' ? variantDefinitions(this) : {}) };
  }

  get componentProperties() {
    if (this.type !== 'INSTANCE') return undefined;
    const properties = {};
    for (const [key, { type, defaultValue }] of Object.entries(holderOf(this.main).defined)) properties[key] = { type, value: this.chosen[key] ?? defaultValue };
    for (const [key, value] of inSet(this.main) ? variantOf(this.main) : []) properties[key] = { type: 'VARIANT', value };
    return properties;
  }

  setProperties(values) {
    for (const [key, value] of Object.entries(values)) {
      const property = holderOf(this.main).defined[key];
      need(property, `no property ${key}`);
      propertyValue(this.figma, property.type, value);
      this.chosen[key] = value;
      this.follow(FIELDS[property.type], key, value);
    }
  }

  /** Sets what refers to a property. */
  follow(field, key, value) {
    for (const child of this.children ?? []) {
      if (child.componentPropertyReferences?.[field] !== key) child.follow(field, key, value);
      else if (field === 'mainComponent') child.swapComponent(this.figma.find(value));
      else child[field] = value;
    }
  }

  async getMainComponentAsync() {
    return this.main ?? null;
  }
}

// ---- Text ----

const LETTERS = {
  fontSize: [12, number(1)], fontName: [{ family: 'Inter', style: 'Regular' }, (value, node) => node.figma.needFont(value)],
  textCase: ['ORIGINAL', one('ORIGINAL', 'UPPER', 'LOWER', 'TITLE', 'SMALL_CAPS', 'SMALL_CAPS_FORCED')],
  textDecoration: ['NONE', one('NONE', 'UNDERLINE', 'STRIKETHROUGH')],
  letterSpacing: [{ unit: 'PERCENT', value: 0 }, (value) => one('PIXELS', 'PERCENT')(value.unit) && number()(value.value)],
  lineHeight: [{ unit: 'AUTO' }, (value) => one('AUTO', 'PIXELS', 'PERCENT')(value.unit) && (value.unit === 'AUTO' || number(0)(value.value))],
  fills: [[{ type: 'SOLID', color: { r: 0, g: 0, b: 0 } }], (value, node) => value.forEach((each) => paint(node.figma, each))],
  hyperlink: [null, (value) => value === null || text(value.value)],
  listOptions: [{ type: 'NONE' }, (value) => one('NONE', 'ORDERED', 'UNORDERED')(value.type)], indentation: [0, number(0, 5)],
};

/** One style for each UTF-16 unit, and that of what is typed next. */
function defineText(node) {
  const plain = () => Object.fromEntries(Object.entries(LETTERS).map(([key, [first]]) => [key, first]));
  node.letters = { characters: '', next: plain(), styles: [] };
  const needFonts = () => [node.letters.next, ...node.letters.styles].forEach((style) => node.figma.needFont(style.fontName));
  const shown = () => (node.letters.styles.length > 0 ? node.letters.styles : [node.letters.next]);
  Object.defineProperty(node, 'characters', {
    get: () => node.letters.characters,
    set: (value) => {
      text(value);
      needFonts();
      node.letters.next = shown()[0];
      Object.assign(node.letters, { characters: value, styles: Array.from({ length: value.length }, () => ({ ...node.letters.next })) });
    },
  });
  for (const [key, [, check]] of Object.entries(LETTERS)) {
    const setRange = (start, end, value) => {
      need(start >= 0 && start < end && end <= node.letters.characters.length, `no letters ${start} to ${end}`);
      if (key !== 'fills') needFonts();
      check(value, node);
      for (let at = start; at < end; at += 1) node.letters.styles[at] = { ...node.letters.styles[at], [key]: structuredClone(value) };
    };
    node[`setRange${key[0].toUpperCase()}${key.slice(1)}`] = setRange;
    Object.defineProperty(node, key, {
      enumerable: true,
      get: () => (shown().every((style) => JSON.stringify(style[key]) === JSON.stringify(shown()[0][key])) ? shown()[0][key] : MIXED),
      set: (value) => {
        if (key !== 'fills' && key !== 'fontName') needFonts();
        check(value, node);
        node.letters.next = { ...node.letters.next, [key]: structuredClone(value) };
        node.letters.styles = node.letters.styles.map((style) => ({ ...style, [key]: structuredClone(value) }));
      },
    });
  }
  const weight = (name) => (/bold/i.test(name.style) ? (/semi/i.test(name.style) ? 600 : /extra/i.test(name.style) ? 800 : 700)
    : /medium/i.test(name.style) ? 500 : /light/i.test(name.style) ? 300 : /black/i.test(name.style) ? 900 : 400);
  Object.defineProperty(node, 'fontWeight', { get: () => (node.fontName === MIXED ? MIXED : weight(node.fontName)) });
  node.getStyledTextSegments = (fields) => {
    const segments = [];
    node.letters.styles.forEach((style, at) => {
      const picked = Object.fromEntries(fields.map((key) => [key, key === 'fontWeight' ? weight(style.fontName) : style[key]]));
      const last = segments[segments.length - 1];
      if (last && JSON.stringify(last.picked) === JSON.stringify(picked)) last.end = at + 1;
      else segments.push({ picked, start: at, end: at + 1 });
    });
    return segments.map(({ picked, start, end }) => ({ characters: node.letters.characters.slice(start, end), start, end, ...picked }));
  };
}

// ---- The API ----

/** An empty file with one page. `refuses` makes the n-th node fail, to see what is left. */
export function createFigma({ refuses = 0 } = {}) {
  const [images, loaded] = [new Map(), new Set()];
  const page = {
    type: 'PAGE', id: '0:1', children: [], selection: [], parent: null, remove() {},
    take: MockNode.prototype.take,
    appendChild(child) { this.take(child); },
  };
  const figma = { mixed: MIXED, session: 1, made: 1, undoSteps: 0, sent: [], currentPage: page };
  const make = (type) => () => {
    need(figma.made !== refuses, 'no more nodes');
    const node = new MockNode(figma, type);
    page.take(node);
    return node;
  };
  for (const [name, type] of Object.entries({
    createFrame: 'FRAME', createRectangle: 'RECTANGLE', createEllipse: 'ELLIPSE', createLine: 'LINE', createPolygon: 'POLYGON', createStar: 'STAR',
    createVector: 'VECTOR', createText: 'TEXT', createSlice: 'SLICE', createSection: 'SECTION', createComponent: 'COMPONENT',
  })) figma[name] = make(type);
  const gather = (type, extra) => (nodes, parent) => {
    need(nodes.length > 0, `a ${type} has at least one child`);
    const node = make(type)();
    parent.take ? parent.take(node) : parent.appendChild(node);
    for (const child of nodes) node.take(child);
    return Object.assign(node, extra);
  };
  figma.group = gather('GROUP', {});
  for (const operation of ['UNION', 'INTERSECT', 'SUBTRACT', 'EXCLUDE']) {
    figma[operation.toLowerCase()] = gather('BOOLEAN_OPERATION', { booleanOperation: operation });
  }
  figma.combineAsVariants = (nodes, parent) => {
    need(nodes.every((node) => node.type === 'COMPONENT'), 'only components are variants');
    const set = gather('COMPONENT_SET', {})(nodes, parent);
    nodes.forEach((node, at) => { node.local = [[1, 0, 16], [0, 1, 16 + 120 * at]]; });
    return set;
  };
  return Object.assign(figma, {
    listAvailableFontsAsync: async () => FONTS.map((fontName) => ({ fontName })),
    async loadFontAsync(name) {
      need(FONTS.some((font) => font.family === name.family && font.style === name.style), `the font ${name.family} ${name.style} is not there`);
      loaded.add(JSON.stringify([name.family, name.style]));
    },
    needFont: (name) => need(loaded.has(JSON.stringify([name.family, name.style])), `the font ${name.family} ${name.style} is not loaded`),
    createImage(bytes) {
      need(bytes.length > 8 && (bytes[0] === 0x89 || bytes[0] === 0xff), 'the image type is unsupported');
      const hash = createHash('sha1').update(bytes).digest('hex');
      images.set(hash, { hash, getBytesAsync: async () => bytes });
      return images.get(hash);
    },
    find(id, among = page.children) {
      for (const node of among) {
        const found = node.id === id ? node : figma.find(id, node.children ?? []);
        if (found) return found;
      }
      return null;
    },
    getImageByHash: (hash) => images.get(hash) ?? null,
    commitUndo() { figma.undoSteps += 1; },
    viewport: { scrollAndZoomIntoView() {} },
    showUI() {},
    ui: { postMessage: (message) => figma.sent.push(message), onmessage: null },
  });
}
