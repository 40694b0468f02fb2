//! The icons we use, by what they mean here. Phosphor, regular weight.

use crate::workbench::ChangeKind;

/// Search and the palette.
pub(crate) const SEARCH: &str = "\u{e30c}";
/// Folded.
pub(crate) const FOLDED: &str = "\u{e13a}";
/// Unfolded.
pub(crate) const UNFOLDED: &str = "\u{e136}";
/// One step back.
pub(crate) const STEP_BACK: &str = "\u{e138}";
/// One step forward.
pub(crate) const STEP_FORWARD: &str = "\u{e13a}";
/// To the start.
pub(crate) const FIRST: &str = "\u{e5a4}";
/// To the end.
pub(crate) const LAST: &str = "\u{e5a6}";
/// Play; launch.
pub(crate) const PLAY: &str = "\u{e3d0}";
/// Pause.
pub(crate) const PAUSE: &str = "\u{e39e}";
/// Stop what is at work.
pub(crate) const STOP: &str = "\u{e46c}";
/// The same once more.
pub(crate) const AGAIN: &str = "\u{e036}";
/// To the dark theme.
pub(crate) const MOON: &str = "\u{e330}";
/// To the light theme.
pub(crate) const SUN: &str = "\u{e472}";
/// Close, cancel, clear.
pub(crate) const CLOSE: &str = "\u{e4f6}";
/// Open from disk.
pub(crate) const OPEN: &str = "\u{e256}";
/// Fit the pictures.
pub(crate) const FIT: &str = "\u{e0a2}";
/// Waits for its turn.
pub(crate) const QUEUED: &str = "\u{e19a}";
/// Back to what was before.
pub(crate) const UNDO: &str = "\u{e038}";
/// Put off.
pub(crate) const SKIP: &str = "\u{e5a6}";
/// Something is wrong with it.
pub(crate) const FLAG: &str = "\u{e244}";
/// Changed by hand.
pub(crate) const EDIT: &str = "\u{e3ae}";
/// Nothing was done with it yet.
pub(crate) const OPEN_ITEM: &str = "\u{e18a}";
/// One over the other, with a line between.
pub(crate) const SWIPE: &str = "\u{eb06}";
/// One over the other, half clear.
pub(crate) const ONION_SKIN: &str = "\u{e2d2}";
/// Where two differ.
pub(crate) const DIFFERENCE: &str = "\u{e882}";
/// One above the other, with a line between.
pub(crate) const SWIPE_DOWN: &str = "\u{eb04}";
/// Put something beside.
pub(crate) const ADD: &str = "\u{e3d4}";
/// One in the other's place.
pub(crate) const SWAP: &str = "\u{e0a0}";
/// One after the other.
pub(crate) const BLINK: &str = "\u{e2de}";
/// A place that is shown.
pub(crate) const PIN: &str = "\u{e3e2}";
/// A star.
pub(crate) const STAR: &str = "\u{e46a}";
/// Upwards.
pub(crate) const CARET_UP: &str = "\u{e13c}";
/// A note.
pub(crate) const NOTE: &str = "\u{e348}";
/// A table.
pub(crate) const TABLE: &str = "\u{e476}";
/// Sort and group.
pub(crate) const SORT: &str = "\u{e444}";
/// Filter.
pub(crate) const FILTER: &str = "\u{e268}";
/// Where the score falls.
pub(crate) const LOSS: &str = "\u{e4ac}";
/// Where the score rises.
pub(crate) const GAIN: &str = "\u{e4ae}";
/// The best step.
pub(crate) const BEST: &str = "\u{e67e}";
/// The heat pane.
pub(crate) const HEAT: &str = "\u{e5cc}";
/// The run's pane.
pub(crate) const RUN: &str = "\u{e762}";
/// The ground truth.
pub(crate) const GROUND_TRUTH: &str = "\u{e47c}";
/// A picture.
pub(crate) const PICTURE: &str = "\u{e2ca}";
/// A picture that cannot be had.
pub(crate) const PICTURE_BROKEN: &str = "\u{e7a8}";
/// Something odd.
pub(crate) const WARNING: &str = "\u{e4e0}";
/// Something failed.
pub(crate) const ERROR: &str = "\u{e4e2}";
/// Something went as it should.
pub(crate) const DONE: &str = "\u{e184}";
/// Good to know.
pub(crate) const INFO: &str = "\u{e2ce}";
/// Something is not as it should be.
pub(crate) const NOT_SO: &str = "\u{e4f8}";
/// Nobody can tell.
pub(crate) const UNSURE: &str = "\u{e3e8}";
/// What a design was made from.
pub(crate) const QUERY: &str = "\u{eadc}";
/// Stopped by somebody.
pub(crate) const STOPPED: &str = "\u{e3de}";
/// Copy to the clipboard.
pub(crate) const COPY: &str = "\u{e1ca}";
/// Live.
pub(crate) const LIVE: &str = "\u{e0f2}";
/// A check mark.
pub(crate) const CHECK: &str = "\u{e182}";
/// Some, not all.
pub(crate) const SOME: &str = "\u{e32a}";
/// A script.
pub(crate) const SCRIPT: &str = "\u{e914}";
/// An agent that draws what it sees.
pub(crate) const TRACER: &str = "\u{e220}";
/// A list of tasks.
pub(crate) const TASKS: &str = "\u{eadc}";
/// A folder.
pub(crate) const FOLDER: &str = "\u{e24a}";
/// A command.
pub(crate) const COMMAND: &str = "\u{e1c4}";
/// What the design is made of.
pub(crate) const NODES: &str = "\u{e466}";
/// Boxes around nodes.
pub(crate) const BOXES: &str = "\u{e69a}";
/// Write to a file.
pub(crate) const EXPORT: &str = "\u{eaf0}";
/// Only what differs.
pub(crate) const CHANGED: &str = "\u{e3d8}";
/// Unfold everything.
pub(crate) const UNFOLD_ALL: &str = "\u{e536}";
/// Fold everything.
pub(crate) const FOLD_ALL: &str = "\u{e532}";
/// A hidden node.
pub(crate) const HIDDEN: &str = "\u{e224}";
/// A node that is shown.
pub(crate) const SHOWN: &str = "\u{e220}";
/// A node that is locked.
pub(crate) const LOCKED: &str = "\u{e308}";
/// A node that is not.
pub(crate) const UNLOCKED: &str = "\u{e30a}";
/// The tool that selects and moves.
pub(crate) const TOOL_MOVE: &str = "\u{e1dc}";
/// Once more.
pub(crate) const REDO: &str = "\u{e036}";
/// What is dragged is drawn to others.
pub(crate) const SNAP: &str = "\u{e680}";
/// Shapes that become one.
pub(crate) const UNITE: &str = "\u{e87e}";
/// Something said about a node.
pub(crate) const COMMENT: &str = "\u{e168}";
/// A frame.
pub(crate) const NODE_FRAME: &str = "\u{e626}";
/// A group.
pub(crate) const NODE_GROUP: &str = "\u{e69a}";
/// A section.
pub(crate) const NODE_SECTION: &str = "\u{e8f8}";
/// A rectangle.
pub(crate) const NODE_RECTANGLE: &str = "\u{e3f0}";
/// An ellipse.
pub(crate) const NODE_ELLIPSE: &str = "\u{e18a}";
/// A polygon.
pub(crate) const NODE_POLYGON: &str = "\u{e4b0}";
/// A star.
pub(crate) const NODE_STAR: &str = "\u{e46a}";
/// A line.
pub(crate) const NODE_LINE: &str = "\u{e6d2}";
/// A free form.
pub(crate) const NODE_VECTOR: &str = "\u{e3ac}";
/// Shapes combined.
pub(crate) const NODE_BOOLEAN: &str = "\u{e878}";
/// A component.
pub(crate) const NODE_COMPONENT: &str = "\u{e8f4}";
/// A use of a component.
pub(crate) const NODE_INSTANCE: &str = "\u{e1ec}";
/// A region to export.
pub(crate) const NODE_SLICE: &str = "\u{eae0}";
/// Added.
pub(crate) const ADDED: &str = "\u{e3d4}";
/// Removed.
pub(crate) const REMOVED: &str = "\u{e32a}";
/// Moved.
pub(crate) const MOVED: &str = "\u{e0a4}";
/// Resized.
pub(crate) const RESIZED: &str = "\u{ed6e}";
/// Turned.
pub(crate) const TURNED: &str = "\u{e036}";
/// Restyled.
pub(crate) const RESTYLED: &str = "\u{e6c8}";
/// Rewritten.
pub(crate) const REWRITTEN: &str = "\u{e6ee}";
/// Of another type.
pub(crate) const RETYPED: &str = "\u{e83c}";
/// In another parent.
pub(crate) const REPARENTED: &str = "\u{e67c}";
/// At another place among its siblings.
pub(crate) const REORDERED: &str = "\u{e098}";
/// With another name.
pub(crate) const RENAMED: &str = "\u{e478}";
/// From the old to the new.
pub(crate) const BECOMES: &str = "\u{e06c}";
/// A box on the canvas.
pub(crate) const NODE: &str = "\u{e6ce}";
/// Text on the canvas.
pub(crate) const NODE_TEXT: &str = "\u{e48a}";
/// The document that is worked in.
pub(crate) const FOLLOW: &str = "\u{e1d6}";
/// Several beside each other.
pub(crate) const SIDE_BY_SIDE: &str = "\u{e546}";
/// A menu of what else there is to do.
pub(crate) const MORE: &str = "\u{e1fe}";
/// A range of steps.
pub(crate) const RANGE: &str = "\u{e85e}";
/// Takes away for good, but for undo.
pub(crate) const DELETE: &str = "\u{e4a6}";
/// Background work.
pub(crate) const JOBS: &str = "\u{e000}";

/// Left edges in line.
pub(crate) const ALIGN_LEFT: &str = "\u{e50e}";
/// Middles in line, across.
pub(crate) const ALIGN_CENTERS: &str = "\u{e50a}";
/// Right edges in line.
pub(crate) const ALIGN_RIGHT: &str = "\u{e510}";
/// Top edges in line.
pub(crate) const ALIGN_TOP: &str = "\u{e512}";
/// Middles in line, down.
pub(crate) const ALIGN_MIDDLES: &str = "\u{e50c}";
/// Bottom edges in line.
pub(crate) const ALIGN_BOTTOM: &str = "\u{e506}";
/// Takes one away, of a list.
pub(crate) const MINUS: &str = "\u{e32a}";
/// Moves the view.
pub(crate) const TOOL_HAND: &str = "\u{e298}";
/// Takes a colour from the picture.
pub(crate) const EYEDROPPER: &str = "\u{e568}";
/// An angle.
pub(crate) const ANGLE: &str = "\u{e7bc}";
/// Rounded corners.
pub(crate) const CORNERS: &str = "\u{e1d0}";
/// Each side or corner by itself.
pub(crate) const EACH_SIDE: &str = "\u{e602}";
/// From left to right.
pub(crate) const ACROSS: &str = "\u{e06c}";
/// From top to bottom.
pub(crate) const DOWN: &str = "\u{e03e}";
/// Goes on in a new line.
pub(crate) const WRAPS: &str = "\u{e044}";
/// Room between things side by side.
pub(crate) const GAP_ACROSS: &str = "\u{e534}";
/// Room between things above one another.
pub(crate) const GAP_DOWN: &str = "\u{e536}";
/// An extent across.
pub(crate) const EXTENT_ACROSS: &str = "\u{eb06}";
/// An extent down.
pub(crate) const EXTENT_DOWN: &str = "\u{eb04}";
/// One colour.
pub(crate) const PAINT_SOLID: &str = "\u{e45e}";
/// Colours along a line.
pub(crate) const PAINT_LINEAR: &str = "\u{eb42}";
/// Colours from a middle.
pub(crate) const PAINT_RADIAL: &str = "\u{e18c}";
/// Colours around a middle.
pub(crate) const PAINT_ANGULAR: &str = "\u{e036}";
/// Colours from a middle in squares.
pub(crate) const PAINT_DIAMOND: &str = "\u{e1ec}";
/// Words at the left.
pub(crate) const TEXT_LEFT: &str = "\u{e484}";
/// Words in the middle.
pub(crate) const TEXT_CENTER: &str = "\u{e480}";
/// Words at the right.
pub(crate) const TEXT_RIGHT: &str = "\u{e486}";
/// Words at both edges.
pub(crate) const TEXT_JUSTIFIED: &str = "\u{e482}";
/// Slanted letters.
pub(crate) const ITALIC: &str = "\u{e5c0}";
/// At the top.
pub(crate) const AT_TOP: &str = "\u{eb14}";
/// In the middle, from top to bottom.
pub(crate) const AT_MIDDLE: &str = "\u{eb10}";
/// At the bottom.
pub(crate) const AT_BOTTOM: &str = "\u{eb0c}";
/// Height of lines.
pub(crate) const LINE_HEIGHT: &str = "\u{eb04}";
/// Room between letters.
pub(crate) const LETTER_SPACING: &str = "\u{e6ee}";
/// Paragraphs.
pub(crate) const PARAGRAPH: &str = "\u{e960}";
/// How thick a line is.
pub(crate) const WEIGHT: &str = "\u{e6d2}";
/// How far something is blurred.
pub(crate) const BLUR: &str = "\u{e210}";

/// The icon of a Figma type.
pub(crate) fn of_node_kind(kind: &str) -> &'static str {
    match kind {
        "FRAME" => NODE_FRAME,
        "GROUP" => NODE_GROUP,
        "SECTION" => NODE_SECTION,
        "RECTANGLE" => NODE_RECTANGLE,
        "ELLIPSE" => NODE_ELLIPSE,
        "REGULAR_POLYGON" => NODE_POLYGON,
        "STAR" => NODE_STAR,
        "LINE" => NODE_LINE,
        "VECTOR" => NODE_VECTOR,
        "TEXT" => NODE_TEXT,
        "BOOLEAN_OPERATION" => NODE_BOOLEAN,
        "COMPONENT" | "COMPONENT_SET" => NODE_COMPONENT,
        "INSTANCE" => NODE_INSTANCE,
        "SLICE" => NODE_SLICE,
        _ => NODE,
    }
}

/// The icon of a kind of difference.
pub(crate) fn of_change_kind(mark: ChangeKind) -> &'static str {
    match mark {
        ChangeKind::Added => ADDED,
        ChangeKind::Removed => REMOVED,
        ChangeKind::Moved => MOVED,
        ChangeKind::Resized => RESIZED,
        ChangeKind::Turned => TURNED,
        ChangeKind::Restyled => RESTYLED,
        ChangeKind::Rewritten => REWRITTEN,
        ChangeKind::Retyped => RETYPED,
        ChangeKind::Reparented => REPARENTED,
        ChangeKind::Reordered => REORDERED,
        ChangeKind::Renamed => RENAMED,
    }
}
