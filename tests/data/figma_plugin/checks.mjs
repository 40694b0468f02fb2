// node checks.mjs: what the plugin does with designs of every kind of node and field, with hostile input, when it is
// stopped and when Figma refuses. Prints what was checked; ends with 1 and the reason where something is wrong.

import assert from 'node:assert/strict';

import { loadPlugin } from './plugin.mjs';

const quiet = () => {};
const never = () => false;

/** The same numbers in every run (mulberry32). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** All that is in one value is in the other; numbers may differ by what arithmetic leaves. */
function holds(wanted, found, path) {
  if (typeof wanted === 'number') {
    assert.ok(Math.abs(wanted - found) <= 1e-6, `${path}: ${found} instead of ${wanted}`);
  } else if (typeof wanted === 'object' && wanted !== null) {
    if (Array.isArray(wanted)) assert.equal(found.length, wanted.length, `${path}: ${JSON.stringify(found)}`);
    for (const key of Object.keys(wanted)) holds(wanted[key], found?.[key], `${path}/${key}`);
  } else {
    assert.equal(found, wanted, path);
  }
}

async function there(design, pictures = [], options = {}) {
  const { figma, plugin } = loadPlugin(options);
  const made = await plugin.importDesign(JSON.stringify(design), pictures, quiet, never);
  return { figma, plugin, made };
}

async function thereAndBack(design, pictures) {
  const { figma, plugin, made } = await there(design, pictures);
  const written = await plugin.exportNodes(figma.currentPage.selection, quiet, never);
  return { figma, notes: made.notes, out: JSON.parse(written.json).document, written };
}

const box = (x, y, width, height) => ({ x, y, width, height });
const red = { type: 'SOLID', blendMode: 'NORMAL', opacity: 0.5, color: { r: 1, g: 0, b: 0.25, a: 1 } };
const node = (type, x, y, width, height, more = {}) =>
  ({ id: `n:${(node.made = (node.made || 0) + 1)}`, name: `${type} ${node.made}`, type, absoluteBoundingBox: box(x, y, width, height), ...more });

function gradientsGoThereAndBack() {
  const { plugin } = loadPlugin();
  const next = random(1);
  let worst = 0;
  for (let round = 0; round < 10000; round += 1) {
    const type = ['GRADIENT_LINEAR', 'GRADIENT_RADIAL', 'GRADIENT_ANGULAR', 'GRADIENT_DIAMOND'][round % 4];
    const handles = [0, 1, 2].map(() => ({ x: next() * 4 - 2, y: next() * 4 - 2 }));
    const [p, q, r] = handles;
    const area = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    if (Math.abs(area) < 1e-3) continue;
    const transform = plugin.gradientTransformOf(type, handles);
    const back = plugin.gradientHandlesOf(type, transform);
    back.forEach((handle, at) => { worst = Math.max(worst, Math.abs(handle.x - handles[at].x), Math.abs(handle.y - handles[at].y)); });
  }
  assert.ok(worst < 1e-9, `a handle is off by ${worst}`);
  // Figma's own new gradients: down a box, and from its middle.
  const down = plugin.gradientTransformOf('GRADIENT_LINEAR', [{ x: 0.5, y: 0 }, { x: 0.5, y: 1 }, { x: 0, y: 0 }]);
  holds([[0, 1, 0], [-1, 0, 1]], down, 'down');
  const round = plugin.gradientTransformOf('GRADIENT_RADIAL', [{ x: 0.5, y: 0.5 }, { x: 0.5, y: 1 }, { x: 0, y: 0.5 }]);
  holds([[0, 1, 0], [-1, 0, 1]], round, 'from the middle');
  assert.equal(plugin.gradientTransformOf('GRADIENT_LINEAR', [{ x: 0, y: 0 }, { x: 1, y: 1 }, { x: 2, y: 2 }]), null);
  return `10000 gradients, ${worst.toExponential(1)} at most`;
}

const shadow = { type: 'DROP_SHADOW', visible: true, color: { r: 0, g: 0, b: 0, a: 0.3 }, blendMode: 'MULTIPLY', offset: { x: 1, y: 2 }, radius: 4, spread: 1, showShadowBehindNode: true };

function everyKind() {
  const looks = {
    opacity: 0.5, blendMode: 'MULTIPLY', visible: false, locked: true, fills: [red], strokes: [red], strokeWeight: 3, strokeAlign: 'OUTSIDE',
    strokeJoin: 'ROUND', strokeCap: 'LINE_ARROW', strokeDashes: [4, 2], strokeMiterAngle: 40, cornerRadius: 6, cornerSmoothing: 0.6,
    effects: [shadow, { type: 'LAYER_BLUR', visible: false, radius: 3, blurType: 'NORMAL' }], constraints: { vertical: 'TOP_BOTTOM', horizontal: 'RIGHT' },
  };
  const gradient = { type: 'GRADIENT_RADIAL', gradientHandlePositions: [{ x: 0.5, y: 0.5 }, { x: 1, y: 0.7 }, { x: 0.2, y: 1 }],
    gradientStops: [{ position: 0, color: { r: 1, g: 1, b: 1, a: 0.5 } }, { position: 1, color: { r: 0, g: 0, b: 0, a: 1 } }] };
  const path = [{ path: 'M 0 0 L 40 0 Q 40 30 0 30 Z', windingRule: 'EVENODD' }];
  const [cos, sin] = [Math.cos(0.4), Math.sin(0.4)];
  const turned = (x, y) => [[cos, sin, x], [-sin, cos, y]];
  const children = [
    node('RECTANGLE', 10, 10, 50, 40, looks),
    node('RECTANGLE', 70, 10, 50, 40, { strokes: [red], strokeWeight: 4, individualStrokeWeights: { top: 1, right: 2, bottom: 3, left: 4 }, rectangleCornerRadii: [1, 2, 3, 4], fills: [gradient] }),
    node('ELLIPSE', 130, 10, 50, 40, { isMask: true, maskType: 'LUMINANCE', arcData: { startingAngle: 0.5, endingAngle: 3, innerRadius: 0.4 } }),
    node('LINE', 190, 30, 50, 0, { strokes: [red] }),
    node('REGULAR_POLYGON', 250, 10, 50, 40, { pointCount: 6 }),
    node('STAR', 310, 10, 50, 40, { pointCount: 7, innerRadius: 0.5 }),
    node('VECTOR', 10, 60, 40, 30, { fillGeometry: path, strokeGeometry: [], fills: [red] }),
    node('SLICE', 70, 60, 50, 30),
    node('BOOLEAN_OPERATION', 130, 60, 60, 30, { booleanOperation: 'SUBTRACT', fills: [red], children: [node('RECTANGLE', 130, 60, 40, 30), node('ELLIPSE', 150, 60, 40, 30)] }),
    node('RECTANGLE', 0, 0, 0, 0, { absoluteBoundingBox: undefined, size: { x: 30, y: 20 }, relativeTransform: turned(220, 80) }),
    node('GROUP', 0, 0, 0, 0, { absoluteBoundingBox: undefined, size: { x: 40, y: 20 }, relativeTransform: turned(300, 100), children: [
      node('RECTANGLE', 0, 0, 0, 0, { absoluteBoundingBox: undefined, size: { x: 20, y: 20 }, relativeTransform: turned(300, 100) }),
      node('RECTANGLE', 0, 0, 0, 0, { absoluteBoundingBox: undefined, size: { x: 10, y: 20 }, relativeTransform: turned(300 + 30 * cos, 100 - 30 * sin) }),
    ] }),
    node('FRAME', 0, 0, 0, 0, { absoluteBoundingBox: undefined, size: { x: 80, y: 60 }, relativeTransform: [[-1, 0, 100], [0, 1, 120]], clipsContent: true, children: [
      node('FRAME', 0, 0, 0, 0, { absoluteBoundingBox: undefined, size: { x: 30, y: 20 }, relativeTransform: turned(5, 30) }),
    ] }),
  ];
  return node('FRAME', 0, 0, 400, 200, { clipsContent: false, fills: [red, gradient], children });
}

function withoutPlace(json) {
  const { id, absoluteBoundingBox, children, ...rest } = json;
  return { ...rest, ...(absoluteBoundingBox ? { absoluteBoundingBox } : {}), ...(children ? { children: children.map(withoutPlace) } : {}) };
}

async function everyKindComesBack() {
  const design = everyKind();
  const { out, notes, figma } = await thereAndBack(design);
  holds(withoutPlace(design), out, 'every kind');
  assert.deepEqual(notes, ['Nodes without absoluteBoundingBox: where they lie is taken from what else is said (6 times)']);
  assert.equal(figma.undoSteps, 1);
  return `${node.made} nodes of every kind`;
}

async function autoLayoutComesBack() {
  const item = { layoutSizingHorizontal: 'FILL', layoutSizingVertical: 'FIXED', layoutGrow: 1, layoutAlign: 'STRETCH', minWidth: 10, maxWidth: 90 };
  const hugging = { layoutMode: 'VERTICAL', primaryAxisSizingMode: 'AUTO', counterAxisSizingMode: 'FIXED', layoutSizingHorizontal: 'FIXED', layoutSizingVertical: 'HUG' };
  const design = node('FRAME', 0, 0, 200, 100, {
    layoutMode: 'HORIZONTAL', layoutWrap: 'WRAP', counterAxisSpacing: 4, counterAxisAlignContent: 'SPACE_BETWEEN', paddingTop: 1, paddingRight: 2,
    paddingBottom: 3, paddingLeft: 4, itemSpacing: -5, primaryAxisAlignItems: 'SPACE_BETWEEN', counterAxisAlignItems: 'BASELINE',
    primaryAxisSizingMode: 'FIXED', counterAxisSizingMode: 'AUTO', strokesIncludedInLayout: true, itemReverseZIndex: true,
    children: [node('RECTANGLE', 4, 1, 50, 40, item), node('FRAME', 60, 1, 40, 40, { ...hugging, children: [node('RECTANGLE', 60, 1, 40, 40)] }),
      node('ELLIPSE', 120, 50, 20, 20, { layoutPositioning: 'ABSOLUTE' })],
  });
  const { out, notes } = await thereAndBack(design);
  assert.deepEqual(notes, []);
  holds(withoutPlace(design), out, 'auto layout');
  return 'auto layout';
}

async function textComesBack() {
  const style = { fontFamily: 'Inter', fontStyle: 'Bold', fontWeight: 700, fontSize: 16, letterSpacing: 0.5, lineHeightPx: 24, lineHeightUnit: 'PIXELS',
    textAlignHorizontal: 'CENTER', textAlignVertical: 'BOTTOM', textCase: 'UPPER', textDecoration: 'NONE', paragraphSpacing: 4, textAutoResize: 'HEIGHT' };
  const over = { fontWeight: 500, fontSize: 20, lineHeightPercentFontSize: 150, lineHeightUnit: 'FONT_SIZE_%', textDecoration: 'UNDERLINE', fills: [red] };
  const design = node('TEXT', 0, 0, 100, 50, {
    characters: 'Héllo 😀\none\ntwo', style, fills: [red], characterStyleOverrides: [0, 0, 0, 0, 0, 0, 3, 3], styleOverrideTable: { 3: over },
    lineTypes: ['NONE', 'ORDERED', 'UNORDERED'], lineIndentations: [0, 1, 2],
  });
  const { out, notes } = await thereAndBack(design);
  assert.deepEqual(notes, []);
  const { styleOverrideTable, ...rest } = withoutPlace(design);
  holds({ ...rest, characterStyleOverrides: [0, 0, 0, 0, 0, 0, 1, 1] }, out, 'text');
  holds({ ...over, fontStyle: 'Medium', fills: undefined }, { ...out.styleOverrideTable[1], fills: undefined }, 'override');
  // The same paint as the rest has is none of its own.
  assert.equal(out.styleOverrideTable[1].fills, undefined);
  const other = node('TEXT', 0, 0, 10, 10, { characters: 'a', style: { fontFamily: 'Nowhere Sans', fontWeight: 650 } });
  const taken = await thereAndBack(other);
  assert.deepEqual(taken.notes, ['The font "Nowhere Sans" is missing; Inter takes its place']);
  assert.equal(taken.out.style.fontStyle, 'Bold');
  const empty = await thereAndBack(node('TEXT', 0, 0, 10, 10, { characters: '' }));
  assert.equal(empty.out.characters, '');
  return 'text';
}

async function picturesComeBack() {
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2, 3]);
  const image = (imageRef, more) => ({ type: 'IMAGE', blendMode: 'NORMAL', imageRef, ...more });
  const crop = { scaleMode: 'STRETCH', imageTransform: [[0.5, 0, 0.25], [0, 0.5, 0.1]], filters: { exposure: 0.5 } };
  const design = node('RECTANGLE', 0, 0, 10, 10, { fills: [image('here', crop), image('gone', { scaleMode: 'FIT' }), image('here', { scaleMode: 'TILE', scalingFactor: 0.5, rotation: 90 })] });
  const { out, notes, written } = await thereAndBack(design, [{ name: 'here', bytes }]);
  assert.deepEqual(notes, ['The picture "gone" was not chosen; gray takes its place']);
  assert.equal(written.pictures.length, 1);
  assert.deepEqual(written.pictures[0].bytes, bytes);
  assert.equal(written.pictures[0].name, `${out.fills[0].imageRef}.png`);
  holds({ ...crop, type: 'IMAGE' }, out.fills[0], 'crop');
  holds({ scaleMode: 'TILE', scalingFactor: 0.5, rotation: 90 }, out.fills[2], 'tile');
  assert.equal(out.fills[1].type, 'SOLID');
  return 'pictures';
}

async function componentsComeBack() {
  const label = (words) => node('TEXT', 10, 10, 20, 10, { characters: words, style: { fontFamily: 'Inter', fontWeight: 400 } });
  const component = node('COMPONENT', 0, 0, 40, 30, { children: [label('one')] });
  // The instance comes first: its component is made when it is needed.
  const instance = node('INSTANCE', 100, 0, 40, 30, { componentId: component.id, children: [label('two')] });
  const stranger = node('INSTANCE', 200, 0, 40, 30, { componentId: 'elsewhere', children: [label('three')] });
  const variant = (state, y) => node('COMPONENT', 310, y, 40, 30, { name: `State=${state}`, children: [] });
  const set = node('COMPONENT_SET', 300, 0, 80, 90, { children: [variant('On', 10), variant('Off', 50)] });
  const { out, notes } = await thereAndBack(node('FRAME', 0, 0, 400, 100, { children: [instance, component, stranger, set] }));
  assert.deepEqual(out.children.map((child) => child.type), ['INSTANCE', 'COMPONENT', 'FRAME', 'COMPONENT_SET']);
  assert.equal(out.children[0].componentId, out.children[1].id);
  assert.deepEqual(out.children.slice(0, 3).map((child) => child.children[0].characters), ['two', 'one', 'three']);
  holds(box(100, 0, 40, 30), out.children[0].absoluteBoundingBox, 'instance');
  holds([box(310, 10, 40, 30), box(310, 50, 40, 30)], out.children[3].children.map((child) => child.absoluteBoundingBox), 'variants');
  assert.equal(notes.length, 1);
  return 'components';
}

async function instancesInInstancesAreSwapped() {
  const outline = (width) => [{ path: `M 0 0 L ${width} 0 L ${width} 10 Z`, windingRule: 'NONZERO' }];
  const ring = (x, y, startingAngle) => node('ELLIPSE', x, y, 10, 10, { arcData: { startingAngle, endingAngle: 3, innerRadius: 0.5 } });
  const plus = node('COMPONENT', 0, 100, 10, 10, { children: [node('RECTANGLE', 4, 100, 2, 10)] });
  const cross = node('COMPONENT', 20, 100, 10, 10, { children: [node('STAR', 20, 100, 5, 5), node('STAR', 25, 105, 5, 5)] });
  const icon = (x, main, more = {}) => node('INSTANCE', x, 5, 10, 10, { componentId: main.id, children: main.children.map((child) => ({ ...child, id: `${x}:${child.id}`, ...more })) });
  const vector = (x, width) => node('VECTOR', x, 5, width, 10, { fillGeometry: outline(width), strokeGeometry: [] });
  const button = node('COMPONENT', 0, 0, 60, 20, { children: [icon(5, plus), ring(20, 5, 0), vector(40, 10)] });
  const same = node('INSTANCE', 100, 0, 60, 20, { componentId: button.id, children: [icon(105, plus), ring(120, 5, 0), vector(140, 10)] });
  const swapped = node('INSTANCE', 200, 0, 60, 20, { componentId: button.id, children: [icon(205, cross, { pointCount: 8 }), ring(220, 5, 1), vector(240, 5)] });
  const stranger = node('INSTANCE', 300, 0, 60, 20, { componentId: button.id, children: [icon(305, { ...plus, id: 'elsewhere' }), ring(320, 5, 0), vector(340, 10)] });
  // The components of icons come last: they are made when they are needed.
  const { out, notes } = await thereAndBack(node('FRAME', 0, 0, 400, 200, { children: [swapped, same, stranger, button, plus, cross] }));
  const [swappedOut, sameOut, strangerOut, buttonOut, plusOut, crossOut] = out.children;
  assert.deepEqual(out.children.map((child) => child.type), ['INSTANCE', 'INSTANCE', 'FRAME', 'COMPONENT', 'COMPONENT', 'COMPONENT']);
  assert.deepEqual([swappedOut, sameOut, buttonOut].map((child) => child.children[0].componentId), [crossOut.id, plusOut.id, plusOut.id]);
  assert.deepEqual(swappedOut.children[0].children.map((child) => [child.type, child.pointCount]), [['STAR', 8], ['STAR', 8]]);
  assert.deepEqual([swappedOut, sameOut].map((child) => child.children[1].arcData.startingAngle), [1, 0]);
  assert.equal(strangerOut.children[0].type, 'FRAME');
  assert.deepEqual(notes.sort(), [
    'Instances whose component is not in the file, or is made otherwise, became frames (2 times)',
    'Outlines that instances have otherwise than their component are as the component has them',
  ]);
  return 'instances in instances';
}

async function propertiesAndExportsComeBack() {
  const label = (x, words, key) => node('TEXT', x, 5, 20, 10, { characters: words, style: { fontFamily: 'Inter', fontWeight: 400 }, componentPropertyReferences: { characters: key } });
  const dot = (x, visible) => node('RECTANGLE', x, 5, 5, 5, { visible, componentPropertyReferences: { visible: 'Dot#1:2' } });
  const [plus, cross] = [0, 20].map((x) => node('COMPONENT', x, 100, 10, 10, { children: [node('RECTANGLE', x + 4, 100, 2, 10)] }));
  const icon = (x, main) => node('INSTANCE', x, 5, 10, 10, { isExposedInstance: x < 100, componentId: main.id, componentPropertyReferences: { mainComponent: 'Icon #2#1:3' }, children: [node('RECTANGLE', x + 4, 5, 2, 10)] });
  const layers = (x, words, visible, main) => [label(x + 5, words, 'Label#1:1'), dot(x + 30, visible), icon(x + 40, main)];
  const rows = [
    { suffix: '@2x', format: 'PNG', constraint: { type: 'SCALE', value: 2 } }, { suffix: '', format: 'JPG', constraint: { type: 'WIDTH', value: 200 } },
    { suffix: '', format: 'SVG', constraint: { type: 'SCALE', value: 1 } },
  ];
  const values = (words, visible, main, value = 'value') => ({
    'Label#1:1': { type: 'TEXT', [value]: words }, 'Dot#1:2': { type: 'BOOLEAN', [value]: visible }, 'Icon #2#1:3': { type: 'INSTANCE_SWAP', [value]: main.id },
  });
  const button = node('COMPONENT', 0, 0, 60, 20, { exportSettings: rows, componentPropertyDefinitions: values('one', true, plus, 'defaultValue'), children: layers(0, 'one', true, plus) });
  const instance = node('INSTANCE', 100, 0, 60, 20, { componentId: button.id, componentProperties: values('two', false, cross), children: layers(100, 'two', false, cross) });
  // A variant is made before its set is, which defines the properties.
  const variant = (state, y) => node('COMPONENT', 310, y, 40, 30, { name: `State=${state}`, children: [label(310, 'a', 'Words#1:4')] });
  const set = node('COMPONENT_SET', 300, 0, 80, 90, { children: [variant('On', 10), variant('Off', 50)],
    componentPropertyDefinitions: { State: { type: 'VARIANT', defaultValue: 'On', variantOptions: ['On', 'Off'] }, 'Words#1:4': { type: 'TEXT', defaultValue: 'a' } } });
  const off = node('INSTANCE', 200, 0, 40, 30, { componentId: set.children[1].id, children: [label(200, 'b', 'Words#1:4')],
    componentProperties: { State: { type: 'VARIANT', value: 'Off' }, 'Words#1:4': { type: 'TEXT', value: 'b' } } });
  const design = node('FRAME', 0, 0, 400, 200, { children: [instance, off, button, plus, cross, set] });
  // The second time with the names that Figma gave.
  let given = design;
  for (const time of ['first', 'second']) {
    const { out, notes } = await thereAndBack(given);
    const [instanceOut, offOut, buttonOut, plusOut, crossOut, setOut] = out.children;
    assert.deepEqual(notes, [], time);
    assert.deepEqual(buttonOut.exportSettings, rows);
    assert.equal(buttonOut.children[2].isExposedInstance, true);
    const defined = Object.entries(buttonOut.componentPropertyDefinitions);
    assert.deepEqual(defined.map(([key]) => key.replace(/#[0-9:]+$/, '')), ['Label', 'Dot', 'Icon #2']);
    assert.deepEqual(defined.map(([, property]) => property.defaultValue), ['one', true, plusOut.id]);
    const references = defined.map(([key], at) => ({ [['characters', 'visible', 'mainComponent'][at]]: key }));
    for (const { children } of [buttonOut, instanceOut]) assert.deepEqual(children.map((child) => child.componentPropertyReferences), references);
    assert.deepEqual(defined.map(([key]) => instanceOut.componentProperties[key].value), ['two', false, crossOut.id]);
    const [text, rectangle, icon] = instanceOut.children;
    assert.deepEqual([text.characters, rectangle.visible, icon.componentId], ['two', false, crossOut.id]);
    const words = Object.keys(setOut.componentPropertyDefinitions).find((key) => key.startsWith('Words#'));
    assert.deepEqual(setOut.componentPropertyDefinitions[words], { type: 'TEXT', defaultValue: 'a' });
    assert.deepEqual(setOut.componentPropertyDefinitions.State, { type: 'VARIANT', defaultValue: 'On', variantOptions: ['On', 'Off'] });
    assert.deepEqual(offOut.componentProperties, { [words]: { type: 'TEXT', value: 'b' }, State: { type: 'VARIANT', value: 'Off' } });
    assert.deepEqual(setOut.children.map((child) => child.children[0].componentPropertyReferences), [{ characters: words }, { characters: words }]);
    given = out;
  }
  const odd = node('COMPONENT', 0, 0, 9, 9, {
    exportSettings: [{ format: 'WEBP' }, { format: 'PDF', constraint: { type: 'SCALE', value: 2 } }],
    componentPropertyDefinitions: { 'Slot#1:5': { type: 'SLOT', defaultValue: '' }, 'Icon#1:6': { type: 'INSTANCE_SWAP', defaultValue: 'elsewhere' } },
  });
  const said = await thereAndBack(odd);
  assert.deepEqual(said.notes, [
    'Export settings that Figma does not have were left out', 'Figma exports SVG and PDF in their own size',
    'Component properties that Figma does not have, or whose component is not in the file, were left out (2 times)',
  ]);
  assert.deepEqual(said.out.exportSettings, [{ suffix: '', format: 'PDF', constraint: { type: 'SCALE', value: 1 } }]);
  return `4 properties, ${rows.length} exports, twice`;
}

async function whatIsUnknownIsSaidAndItsChildrenKept() {
  const design = node('FRAME', 0, 0, 100, 100, { effects: [{ type: 'SPARKLE' }], fills: [{ type: 'PATTERN' }], children: [
    node('HOLOGRAM', 10, 10, 50, 50, { children: [node('RECTANGLE', 12, 13, 5, 5)] }), node('HOLOGRAM', 0, 0, 1, 1),
    node('SECTION', 20, 20, 10, 10), node('GROUP', 50, 50, 10, 10, { children: [] }),
  ] });
  const { out, notes } = await thereAndBack(design);
  assert.deepEqual(out.children.map((child) => child.type), ['RECTANGLE', 'FRAME', 'FRAME']);
  holds(box(12, 13, 5, 5), out.children[0].absoluteBoundingBox, 'kept');
  assert.deepEqual(notes, [
    'Effects of the unknown type "SPARKLE" were left out', 'Paints of the unknown type "PATTERN" were left out',
    'Nodes of the unknown type "HOLOGRAM" were left out; what is in them was kept (2 times)', 'Sections inside other nodes became frames',
    'Groups without children became frames',
  ]);
  return 'unknown types';
}

async function nothingIsLeftOfWhatFails() {
  const many = (count) => node('FRAME', 0, 0, 10, 10, { children: Array.from({ length: count }, () => node('RECTANGLE', 0, 0, 1, 1)) });
  let deep = node('RECTANGLE', 0, 0, 1, 1);
  for (let level = 0; level < 200; level += 1) deep = node('FRAME', 0, 0, 1, 1, { children: [deep] });
  const bad = [
    ['', 'no JSON'], ['[1]', 'no Figma node'], ['null', 'no Figma node'], ['{"a": 1}', 'no Figma node'], ['{"nodes": {}}', 'no Figma node'],
    [`${'{"children":['.repeat(20000)}${']}'.repeat(20000)}`, ''], ['{"type": "FRAME", "children": [7]}', 'a node must be an object'],
    [JSON.stringify(many(20000)), 'over 20000 nodes'], [JSON.stringify(deep), 'over 200 levels'],
    [JSON.stringify(node('RECTANGLE', 0, 0, 1, 1, { rotation: Math.PI / 4, absoluteBoundingBox: box(9e6, 9e6, 9e6, 9e6) })), 'no place'],
  ];
  for (const [text, reason] of bad) {
    const { figma, plugin } = loadPlugin();
    await assert.rejects(plugin.importDesign(text, [], quiet, never), (error) => error.message.includes(reason) || assert.fail(error.message));
    assert.equal(figma.currentPage.children.length, 0, text.slice(0, 80));
  }
  const design = everyKind();
  for (const refuses of [1, 2, 5, 12, 17, 18]) {
    const { figma, plugin } = loadPlugin({ refuses });
    await assert.rejects(plugin.importDesign(JSON.stringify(design), [], quiet, never), /no more nodes/);
    assert.deepEqual([figma.currentPage.children.length, figma.undoSteps], [0, 0], `after ${refuses}`);
  }
  return `${bad.length} bad files, 6 refusals`;
}

/** Every value of a tree with the object or list that holds it. */
function places(value, found = []) {
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    if (typeof value[key] === 'object' && value[key] !== null) places(value[key], found);
  }
  return found;
}

async function oddValuesCostNoMoreThanThemselves() {
  const next = random(2);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const odd = [null, undefined, true, '', 'x', '__proto__', 'constructor', -1, 0, 1e-9, 0.5, 7, 1e6, 1e300, NaN, [], [[]], [1, 2, 3], {}, { x: 1 }, { type: 'SOLID' }, 'TEXT', 'GROUP', 'INSTANCE', 'COMPONENT', 'VECTOR'];
  let refused = 0;
  for (let round = 0; round < 500; round += 1) {
    const design = everyKind();
    design.children.push(node('TEXT', 0, 0, 9, 9, { characters: 'a\nb', style: { fontFamily: 'Inter', fontSize: 9, lineHeightPx: 9 }, characterStyleOverrides: [1], styleOverrideTable: { 1: { fontSize: 20 } }, lineTypes: ['ORDERED', 'NONE'] }));
    design.children.push(node('COMPONENT_SET', 0, 0, 9, 9, { children: [node('COMPONENT', 0, 0, 4, 4, { name: 'A=1', id: 'c', children: [node('TEXT', 0, 0, 4, 4)] })] }), node('INSTANCE', 0, 0, 4, 4, { componentId: 'c', children: [node('TEXT', 0, 0, 4, 4)] }));
    const words = { componentPropertyReferences: { characters: 'A#1:1' } };
    const exportSettings = [{ suffix: '', format: 'PNG', constraint: { type: 'SCALE', value: 2 } }];
    design.children.push(
      node('COMPONENT', 0, 0, 9, 9, { id: 'p', exportSettings, componentPropertyDefinitions: { 'A#1:1': { type: 'TEXT', defaultValue: 'x' } }, children: [node('TEXT', 0, 0, 4, 4, words)] }),
      node('INSTANCE', 0, 0, 9, 9, { componentId: 'p', componentProperties: { 'A#1:1': { type: 'TEXT', value: 'y' } }, children: [node('TEXT', 0, 0, 4, 4, words)] }),
    );
    Object.assign(design, { layoutMode: pick(['NONE', 'HORIZONTAL', 'VERTICAL']), layoutWrap: 'WRAP' });
    for (let change = 0; change < 1 + round % 8; change += 1) {
      const [holder, key] = pick(places(design));
      holder[key] = structuredClone(pick(odd));
    }
    const { figma, plugin } = loadPlugin();
    try {
      await plugin.importDesign(JSON.stringify(design), [], quiet, never);
      const { json } = await plugin.exportNodes(figma.currentPage.selection, quiet, never);
      assert.ok(!/null,"(y|height)"|\bNaN\b/.test(json));
    } catch (error) {
      const said = ['There is no Figma node', 'no place that can be read', 'a node must be an object', 'Nothing is selected'];
      assert.ok(said.some((words) => error.message.includes(words)), `${error.stack} of ${JSON.stringify(design)}`);
      assert.equal(figma.currentPage.children.length, 0, error.message);
      refused += 1;
    }
  }
  assert.ok(refused < 250, `${refused} of 500 were refused: most have to be tried to their end`);
  return `500 designs with odd values, ${refused} refused`;
}

async function aPersonCanStopIt() {
  const design = node('FRAME', 0, 0, 10, 10, { children: Array.from({ length: 999 }, () => node('RECTANGLE', 0, 0, 1, 1)) });
  const { figma } = loadPlugin();
  figma.ui.postMessage = (message) => {
    figma.sent.push(message);
    if (message.type === 'progress' && message.done === 400) figma.ui.onmessage({ type: 'stop' });
  };
  await figma.ui.onmessage({ type: 'import', text: JSON.stringify(design), pictures: [] });
  assert.deepEqual(figma.sent.map((message) => message.type), ['progress', 'progress', 'failed']);
  assert.equal(figma.currentPage.children.length, 0);
  // And then it goes to its end, beside nothing, and a second time beside the first.
  figma.ui.postMessage = (message) => figma.sent.push(message);
  for (const x of [0, 110]) {
    await figma.ui.onmessage({ type: 'import', text: JSON.stringify(design), pictures: [] });
    assert.equal(figma.sent.at(-1).type, 'imported');
    assert.equal(figma.currentPage.selection[0].absoluteBoundingBox.x, x);
  }
  figma.currentPage.selection = figma.currentPage.children;
  await figma.ui.onmessage({ type: 'export' });
  const exported = figma.sent.at(-1);
  assert.deepEqual([exported.type, exported.count, Object.keys(JSON.parse(exported.json).nodes).length], ['exported', 2000, 2]);
  figma.currentPage.selection = [];
  await figma.ui.onmessage({ type: 'export' });
  assert.equal(figma.sent.at(-1).message, 'Nothing is selected.');
  await figma.ui.onmessage({ type: 'something else' });
  await figma.ui.onmessage(null);
  return 'stopping, a second import beside the first, writing both';
}

function pathsBecomeAbsolute() {
  const { plugin } = loadPlugin();
  const same = [
    ['M0 0L10-5.5.5 3z', 'M 0 0 L 10 -5.5 L 0.5 3 Z'], ['m1 1 2 0h3v4H0V1z m1 1l1 1', 'M 1 1 L 3 1 L 6 1 L 6 5 L 0 5 L 0 1 Z M 2 2 L 3 3'],
    ['M0 0C1 1 2 1 3 0S5-1 6 0', 'M 0 0 C 1 1 2 1 3 0 C 4 -1 5 -1 6 0'], ['M0,0q1,1 2,0t2,0', 'M 0 0 Q 1 1 2 0 Q 3 -1 4 0'], ['M1e1 0L0 1', 'M 10 0 L 0 1'],
  ];
  for (const [from, to] of same) assert.equal(plugin.pathOf(from), to);
  for (const bad of ['', 'L 1 1', 'M 1', 'M 0 0 A 1 1 0 0 0 2 2', 'M 0 0 L 1', 'M 0 0 Z 3', 'hello']) assert.equal(plugin.pathOf(bad), null, bad);
  return `${same.length} paths`;
}

const checks = [
  gradientsGoThereAndBack, pathsBecomeAbsolute, everyKindComesBack, autoLayoutComesBack, textComesBack, picturesComeBack, componentsComeBack, instancesInInstancesAreSwapped, propertiesAndExportsComeBack,
  whatIsUnknownIsSaidAndItsChildrenKept, nothingIsLeftOfWhatFails, oddValuesCostNoMoreThanThemselves, aPersonCanStopIt,
];
for (const check of checks) console.log(`${check.name}: ${await check()}`);
