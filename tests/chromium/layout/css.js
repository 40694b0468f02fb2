"use strict";

/* A tree as HTML elements whose flexbox layout is what Figma's auto layout does. */

const PROPERTY = { x: "width", y: "height" };
const ALIGN = { MIN: "flex-start", CENTER: "center", MAX: "flex-end" };

const limitName = (kind, axis) => (axis === "x" ? `${kind}Width` : `${kind}Height`);

/** The element of `node`; `elements` maps ids to the elements whose boxes count. */
function buildElement(node, parent, elements) {
  const item = document.createElement("div");
  elements.set(node.id, item);
  styleItem(item.style, node, parent);
  if (node.type === "FRAME") {
    const container = containerOf(item, node, parent);
    styleContainer(container.style, node);
    for (const child of node.children) {
      container.append(buildElement(child, node, elements));
    }
  }
  return item;
}

/**
 * The element that holds the children. Mostly the item itself; but CSS shares out space between
 * items that fill *after* giving each its padding, and Figma before it. So such an item has its
 * padding in an element within.
 */
function containerOf(item, node, parent) {
  const isPadded = node.mode !== "NONE" && paddingOf(node, primaryAxis(parent ?? node)) > 0;
  if (!parent || !isPadded || node.sizing[primaryAxis(parent)] !== "FILL") return item;
  item.style.display = "flex";
  item.style.position = "relative";
  const container = document.createElement("div");
  Object.assign(container.style, { flex: "1 1 auto", minWidth: "0" });
  item.append(container);
  return container;
}

function styleItem(style, node, parent) {
  style.flex = "none";
  for (const axis of ["x", "y"]) {
    const { min, max } = { min: node.min[axis], max: node.max[axis] };
    if (min !== undefined) style[limitName("min", axis)] = `${min}px`;
    if (max !== undefined) style[limitName("max", axis)] = `${max}px`;
    if (node.sizing[axis] === "FIXED") style[PROPERTY[axis]] = `${node.extent[axis]}px`;
    if (node.sizing[axis] === "HUG") style[PROPERTY[axis]] = "max-content";
    if (node.sizing[axis] === "FILL") fill(style, node, parent, axis);
  }
  if (node.offset) {
    const { x, y } = node.offset;
    Object.assign(style, { position: "absolute", left: `${x}px`, top: `${y}px` });
  }
}

function fill(style, node, parent, axis) {
  if (axis === primaryAxis(parent)) {
    style.flex = "1 1 0";
    if (node.min[axis] === undefined) style[limitName("min", axis)] = "0";
  } else if (node.max[axis] === undefined) {
    style.alignSelf = "stretch";
  } else {
    // A stretched item that reaches its limit stands at the start in CSS; a percentage is aligned.
    style[PROPERTY[axis]] = "100%";
  }
}

function styleContainer(style, frame) {
  if (style.position !== "absolute") style.position = "relative";
  if (frame.mode === "NONE") return;
  style.display = "flex";
  style.flexDirection = frame.mode === "VERTICAL" ? "column" : "row";
  const [x, y] = [frame.padding.x, frame.padding.y];
  style.padding = `${y[0]}px ${x[1]}px ${y[1]}px ${x[0]}px`;
  const spreads = frame.primary === "SPACE_BETWEEN";
  style.justifyContent = spreads ? "space-between" : ALIGN[frame.primary];
  style.alignItems = ALIGN[frame.counter];
  const gap = `${spreads ? 0 : frame.spacing}px`;
  const crossGap = `${frame.isWrap && !frame.spreadsTracks ? frame.crossSpacing : 0}px`;
  style.gap = frame.mode === "VERTICAL" ? `${gap} ${crossGap}` : `${crossGap} ${gap}`;
  if (frame.isWrap) {
    style.flexWrap = "wrap";
    style.alignContent = frame.spreadsTracks ? "space-between" : ALIGN[frame.counter];
  }
}
