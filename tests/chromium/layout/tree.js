"use strict";

/*
 * Trees of auto-layout frames, within the part of Figma's model that CSS flexbox shares.
 *
 * A node is { id, type, sizing: {x, y}, extent: {x, y}, min: {}, max: {}, natural: {x, y} }, a frame
 * also { mode, isWrap, spacing, crossSpacing, spreadsTracks, padding: {x: [start, end], y: [...]},
 * primary, counter, children }. `sizing` is FIXED, HUG or FILL, `extent` the size where it is FIXED,
 * `natural` a guess of the size that it wants, `wish` the same without its limits. A node out of the
 * flow has `offset: {x, y}` from its parent's corner.
 */

const MOST_NODES = 25;
const MOST_LEVELS = 4;

const across = (axis) => (axis === "x" ? "y" : "x");
const primaryAxis = (frame) => (frame.mode === "VERTICAL" ? "y" : "x");
const inFlow = (frame) => frame.children.filter((child) => !child.offset);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const paddingOf = (frame, axis) => frame.padding[axis][0] + frame.padding[axis][1];

class TreeGenerator {
  /** Older files know no wrapping, no limits and no absolute children. */
  constructor(random, isOld) {
    this.random = random;
    this.isOld = isOld;
    this.count = 0;
  }

  tree() {
    const nodes = Math.round(2 + (MOST_NODES - 2) * this.random.next() ** 1.4);
    this.spare = MOST_NODES - nodes;
    return this.frame(1, nodes, { x: ["FIXED", "HUG"], y: ["FIXED", "HUG"] });
  }

  /** A node with `budget` nodes in all, itself included. `ways` are the sizings it may have. */
  node(level, budget, ways) {
    const isFrame = budget > 1 ? level <= MOST_LEVELS : this.random.chance(0.02);
    if (!isFrame) return this.rectangle(ways);
    if (budget > 1 && this.random.chance(0.06)) return this.plainFrame(budget, ways);
    return this.frame(level, budget, ways);
  }

  blank(type, sizing) {
    this.count += 1;
    const sizes = { sizing, extent: {}, min: {}, max: {}, natural: {}, wish: {} };
    return { id: `1:${this.count}`, type, ...sizes };
  }

  sizing(ways, weights) {
    const options = ways.flatMap((way) => Array(weights[way] ?? 0).fill(way));
    return this.random.pick(options);
  }

  rectangle(ways) {
    const weights = { FIXED: 1, FILL: 2 };
    const node = this.blank("RECTANGLE", {
      x: this.sizing(ways.x, weights),
      y: this.sizing(ways.y, weights),
    });
    for (const axis of ["x", "y"]) {
      node.natural[axis] = this.random.length(6, this.random.chance(0.2) ? 140 : 56);
      this.settle(node, axis);
    }
    return node;
  }

  /** A frame without auto layout, whose children stay where they are in it. */
  plainFrame(budget, ways) {
    const weights = { FIXED: 3, FILL: 1 };
    const frame = this.blank("FRAME", {
      x: this.sizing(ways.x, weights),
      y: this.sizing(ways.y, weights),
    });
    frame.mode = "NONE";
    frame.children = [];
    for (const axis of ["x", "y"]) {
      frame.natural[axis] = this.random.length(30, 90);
      this.settle(frame, axis);
    }
    for (let i = 1; i < budget; i += 1) frame.children.push(this.placed(frame));
    return frame;
  }

  /** A rectangle at a place of its own; now and then it sticks out of its parent. */
  placed(parent) {
    const node = this.rectangle({ x: ["FIXED"], y: ["FIXED"] });
    const within = (axis) => this.random.length(-8, Math.max(0, parent.natural[axis] - 10));
    node.offset = { x: within("x"), y: within("y") };
    return node;
  }

  frame(level, budget, ways) {
    const { random } = this;
    const frame = this.blank("FRAME", {});
    frame.mode = random.pick(["HORIZONTAL", "VERTICAL"]);
    frame.isWrap = !this.isOld && budget >= 5 && random.chance(0.3);
    frame.padding = { x: this.padding(), y: this.padding() };
    frame.spacing = random.chance(0.15) ? 0 : random.length(1, 20);
    frame.crossSpacing = random.chance(0.15) ? 0 : random.length(1, 16);
    this.chooseSizing(frame, budget, ways);
    this.addChildren(frame, level, budget - 1);
    this.chooseAlignment(frame);
    this.measure(frame);
    this.addPlaced(frame);
    return frame;
  }

  padding() {
    if (this.random.chance(0.2)) return [0, 0];
    const start = this.random.length(1, 24);
    return [start, this.random.chance(0.5) ? start : this.random.length(0, 24)];
  }

  /** A wrapping frame hugs at most the height of its rows. */
  chooseSizing(frame, budget, ways) {
    const weights = { FIXED: 3, HUG: budget > 1 ? 4 : 0, FILL: 6 };
    for (const axis of ["x", "y"]) {
      const mayHug = !frame.isWrap || (axis === "y" && frame.mode === "HORIZONTAL");
      const allowed = ways[axis].filter((way) => mayHug || way !== "HUG");
      frame.sizing[axis] = this.sizing(allowed, weights);
    }
  }

  addChildren(frame, level, budget) {
    frame.children = [];
    const ways = { x: ["FIXED", "HUG"], y: ["FIXED", "HUG"] };
    for (const axis of ["x", "y"]) {
      if (!frame.isWrap && frame.sizing[axis] !== "HUG") ways[axis].push("FILL");
    }
    let left = budget;
    while (left > 0) {
      const most = level === MOST_LEVELS || frame.isWrap ? 1 : left;
      const share = this.random.chance(0.5) ? 1 : this.random.integer(1, most);
      frame.children.push(this.node(level + 1, share, ways));
      left -= share;
    }
  }

  chooseAlignment(frame) {
    const { random } = this;
    const axis = primaryAxis(frame);
    const fills = frame.children.some((child) => child.sizing[axis] === "FILL");
    const spreads = frame.children.length > 1 && !fills && frame.sizing[axis] !== "HUG";
    const ways = ["MIN", "MIN", "CENTER", "MAX"];
    frame.primary = random.pick(spreads ? [...ways, ...Array(6).fill("SPACE_BETWEEN")] : ways);
    frame.counter = random.pick(["MIN", "MIN", "CENTER", "MAX"]);
    frame.spreadsTracks =
      frame.isWrap && frame.sizing[across(axis)] !== "HUG" && random.chance(0.3);
    // What Figma breaks lines by if it spreads them is not documented.
    if (frame.isWrap && frame.primary === "SPACE_BETWEEN") frame.spacing = 0;
  }

  measure(frame) {
    const axis = primaryAxis(frame);
    if (frame.isWrap) {
      this.measureWrap(frame, axis);
    } else {
      const naturals = frame.children.map((child) => child.natural[axis]);
      const filling = frame.children.filter((child) => child.sizing[axis] === "FILL");
      const wishes = filling.map((child) => child.wish[axis]);
      const unequal = sum(wishes.map((wish) => Math.max(...wishes) - wish));
      const gaps = frame.spacing * Math.max(0, frame.children.length - 1);
      frame.natural[axis] = sum(naturals) + unequal + gaps + paddingOf(frame, axis);
      const other = across(axis);
      const thickest = Math.max(0, ...frame.children.map((child) => child.natural[other]));
      frame.natural[other] = thickest + paddingOf(frame, other);
    }
    this.settle(frame, "x");
    this.settle(frame, "y");
  }

  /** Long enough for two to four tracks. */
  measureWrap(frame, axis) {
    const lengths = frame.children.map((child) => child.natural[axis] + frame.spacing);
    const share = this.random.pick([0.3, 0.4, 0.55, 0.7]);
    const inner = Math.ceil(Math.max(...lengths, sum(lengths) * share));
    frame.natural[axis] = inner + paddingOf(frame, axis);
    const other = across(axis);
    const thickest = Math.max(...frame.children.map((child) => child.natural[other]));
    const tracks = Math.ceil(sum(lengths) / inner) + 1;
    const gaps = frame.crossSpacing * (tracks - 1);
    frame.natural[other] = tracks * thickest + gaps + paddingOf(frame, other);
  }

  /** The size along `axis` if it is fixed, its limits if it is not. */
  settle(node, axis) {
    const { random } = this;
    const way = node.sizing[axis];
    const natural = node.natural[axis];
    node.wish[axis] = natural;
    if (way === "FIXED") {
      const isTracks = node.isWrap && axis === primaryAxis(node);
      node.extent[axis] = isTracks || node.type !== "FRAME" ? natural : this.roomFor(natural);
      node.natural[axis] = node.extent[axis];
    } else if (!this.isOld && random.chance(way === "FILL" ? 0.4 : 0.15)) {
      this.limit(node, axis, natural);
    }
  }

  roomFor(natural) {
    const { random } = this;
    const factor = random.chance(0.2) ? 0.7 + random.next() * 0.25 : 1 + random.next() * 0.7;
    return Math.max(8, Math.ceil(natural * factor * 4) / 4 + random.pick([0, 0, 0, 0.25, 0.5]));
  }

  limit(node, axis, natural) {
    const { random } = this;
    const kind = random.pick(["min", "max", "both"]);
    // Often more than an equal share for what fills, but not level upon level.
    const most = node.sizing[axis] === "FILL" && node.type === "RECTANGLE" ? 5 : 1.5;
    const low = random.length(4 + natural * 0.6, 4 + natural * most);
    const high = random.length(4 + natural * 0.8, 4 + natural * 2.2);
    if (kind !== "max") node.min[axis] = low;
    if (kind !== "min") node.max[axis] = kind === "both" ? Math.max(low, high) : high;
    const clamped = Math.min(natural, node.max[axis] ?? Infinity);
    node.natural[axis] = Math.max(clamped, node.min[axis] ?? 0);
  }

  addPlaced(frame) {
    if (this.isOld || this.spare === 0 || !this.random.chance(0.12)) return;
    this.spare -= 1;
    const index = this.random.integer(0, frame.children.length);
    frame.children.splice(index, 0, this.placed(frame));
  }
}
