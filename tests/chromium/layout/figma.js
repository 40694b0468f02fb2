"use strict";

/*
 * A tree as Figma's REST interface gives it. Boxes are true only where the document decides them:
 * fixed sizes, and the offset of what is out of the flow. All others are wrong on purpose, so that
 * they have to be laid out.
 */

class FigmaWriter {
  /** A terse writer leaves out what has its default, as the interface does. */
  constructor(random, { isOld, isTerse }) {
    this.random = random;
    this.isOld = isOld;
    this.isTerse = isTerse;
  }

  write(node, parent = null, parentBox = null) {
    const box = this.box(node, parentBox);
    const json = {
      id: node.id,
      name: `${node.type === "FRAME" ? "Frame" : "Rectangle"} ${node.id.slice(2)}`,
      type: node.type,
      absoluteBoundingBox: box,
    };
    if (node.offset) json.constraints = { vertical: "TOP", horizontal: "LEFT" };
    this.writeAsChild(node, parent, json);
    if (node.type === "FRAME") {
      if (node.mode !== "NONE") this.writeAsFrame(node, json);
      json.children = node.children.map((child) => this.write(child, node, box));
    }
    return json;
  }

  box(node, parentBox) {
    const { random } = this;
    const size = (axis) => node.extent[axis] ?? random.length(1, 300);
    const at = (axis) =>
      node.offset ? parentBox[axis] + node.offset[axis] : random.length(-400, 900);
    return { x: at("x"), y: at("y"), width: size("x"), height: size("y") };
  }

  put(json, key, value, usual) {
    if (!this.isTerse || value !== usual) json[key] = value;
  }

  writeAsChild(node, parent, json) {
    const isLaidOut = (frame) => frame !== null && frame.type === "FRAME" && frame.mode !== "NONE";
    const isChild = isLaidOut(parent);
    if (this.isOld) {
      if (isChild) this.writeOldSizing(node, primaryAxis(parent), json);
      return;
    }
    if (node.offset && isChild) json.layoutPositioning = "ABSOLUTE";
    if (isChild || isLaidOut(node)) {
      json.layoutSizingHorizontal = node.sizing.x;
      json.layoutSizingVertical = node.sizing.y;
    }
    const limits = { minWidth: node.min.x, maxWidth: node.max.x };
    Object.assign(limits, { minHeight: node.min.y, maxHeight: node.max.y });
    for (const [key, value] of Object.entries(limits)) {
      if (value !== undefined) json[key] = value;
    }
  }

  writeOldSizing(node, axis, json) {
    this.put(json, "layoutAlign", node.sizing[across(axis)] === "FILL" ? "STRETCH" : "INHERIT", "INHERIT");
    this.put(json, "layoutGrow", node.sizing[axis] === "FILL" ? 1 : 0, 0);
  }

  writeAsFrame(frame, json) {
    json.layoutMode = frame.mode;
    if (this.isOld) {
      const mode = (axis) => (frame.sizing[axis] === "HUG" ? "AUTO" : "FIXED");
      this.put(json, "primaryAxisSizingMode", mode(primaryAxis(frame)), "AUTO");
      this.put(json, "counterAxisSizingMode", mode(across(primaryAxis(frame))), "AUTO");
    } else {
      this.put(json, "layoutWrap", frame.isWrap ? "WRAP" : "NO_WRAP", "NO_WRAP");
    }
    this.put(json, "itemSpacing", frame.spacing, 0);
    if (frame.isWrap) {
      this.put(json, "counterAxisSpacing", frame.crossSpacing, 0);
      const content = frame.spreadsTracks ? "SPACE_BETWEEN" : "AUTO";
      this.put(json, "counterAxisAlignContent", content, "AUTO");
    }
    const { x, y } = frame.padding;
    const paddings = { paddingLeft: x[0], paddingRight: x[1], paddingTop: y[0], paddingBottom: y[1] };
    for (const [key, value] of Object.entries(paddings)) this.put(json, key, value, 0);
    this.put(json, "primaryAxisAlignItems", frame.primary, "MIN");
    this.put(json, "counterAxisAlignItems", frame.counter, "MIN");
  }
}
