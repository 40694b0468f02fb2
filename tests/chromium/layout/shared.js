"use strict";

/*
 * Says whether a laid-out tree stays within what Figma and CSS share. `boxes` maps ids to
 * {x, y, width, height}.
 */

const CLOSE = 1 / 32;
const LEAST_FILL = 2;
/** A track that fits or not by less than this might break elsewhere for rounding's sake. */
const CLEAR_OF_BREAK = 0.3;

const start = (box, axis) => box[axis];
const length = (box, axis) => (axis === "x" ? box.width : box.height);
const end = (box, axis) => start(box, axis) + length(box, axis);

/** Why this tree is not shared, or null. */
function reasonNotShared(node, boxes) {
  if (node.type !== "FRAME") return null;
  const frameReason = node.mode === "NONE" ? null : frameReasonNotShared(node, boxes);
  if (frameReason) return frameReason;
  for (const child of node.children) {
    const reason = reasonNotShared(child, boxes);
    if (reason) return reason;
  }
  return null;
}

function frameReasonNotShared(frame, boxes) {
  for (const axis of ["x", "y"]) {
    // CSS grows a frame that is smaller than its padding.
    const padding = paddingOf(frame, axis);
    if (padding > 0 && padding > length(boxes.get(frame.id), axis) - CLOSE) return "padding";
    for (const child of inFlow(frame)) {
      const size = length(boxes.get(child.id), axis);
      if (child.sizing[axis] === "FILL" && size < LEAST_FILL) return "nothing left to fill";
      if (overflows(frame, child, axis, boxes)) return "overflow that is not at the end";
    }
  }
  return frame.isWrap ? wrapReasonNotShared(frame, boxes) : null;
}

/** Past the padding, in a frame that does not pack from the start. */
function overflows(frame, child, axis, boxes) {
  const isPrimary = axis === primaryAxis(frame);
  const packsFromStart = (isPrimary ? frame.primary : frame.counter) === "MIN";
  const spreadsTracks = !isPrimary && frame.spreadsTracks;
  if (packsFromStart && !spreadsTracks) return false;
  const [outer, inner] = [boxes.get(frame.id), boxes.get(child.id)];
  const [before, after] = frame.padding[axis];
  return (
    start(inner, axis) < start(outer, axis) + before - CLOSE ||
    end(inner, axis) > end(outer, axis) - after + CLOSE
  );
}

/** The children of each track. */
function tracksOf(frame, boxes) {
  const axis = primaryAxis(frame);
  const tracks = [];
  let last = Infinity;
  for (const child of inFlow(frame)) {
    const box = boxes.get(child.id);
    if (start(box, axis) < last - CLOSE) tracks.push([]);
    tracks.at(-1).push(child);
    last = end(box, axis);
  }
  return tracks;
}

function wrapReasonNotShared(frame, boxes) {
  const axis = primaryAxis(frame);
  const tracks = tracksOf(frame, boxes);
  if (tracks.length < 2) return "one track";
  const isLone = tracks.some((track) => track.length === 1);
  if (frame.primary === "SPACE_BETWEEN" && isLone) return "one child to spread";
  const room = length(boxes.get(frame.id), axis) - paddingOf(frame, axis);
  const used = (children) =>
    sum(children.map((child) => length(boxes.get(child.id), axis))) +
    frame.spacing * (children.length - 1);
  const isExact = frame.sizing[axis] === "FIXED";
  const isUnclear = (slack) =>
    Math.abs(slack) < CLEAR_OF_BREAK && !(isExact && Number.isInteger(slack * 4));
  const unclear = tracks.some((track, i) => {
    const next = tracks[i + 1]?.[0];
    return isUnclear(room - used(track)) || (next && isUnclear(room - used([...track, next])));
  });
  return unclear ? "a track that only just fits" : null;
}
