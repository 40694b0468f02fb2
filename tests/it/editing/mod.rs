//! Whatever is done by hand, a design stays a design, all of it can be taken back, and what is recorded of it is
//! replayed to the same design.
//!
//! 300 sequences of acts of every room are tried, and 60 replayed; `tests/README.md` has the command by which it is more
//! than a hundred thousand acts.

mod acts;

use std::collections::BTreeSet;
use std::sync::Arc;

use pentimento::agent::assistant::recorded_calls;
use pentimento::base::{Affine, Axis, CancelToken, Limits, Point, Rect, Size};
use pentimento::design::gesture::AlignTo;
use pentimento::design::{
    AutoLayout, BooleanOp, Direction, Document, EllipseArc, FigmaPath, Measure, Node, NodeId,
    NodeKind, PathGeometry, TextContent, TextExtent, WindingRule, figma,
};
use pentimento::editor::{
    Act, ArrangeAct, Arrow, ClipboardAct, EditStep, Editor, EditorContext, Fragment, InPlace,
    OrderTo, PastePlace, Pointer, PointerAct, PointerKeys, SelectAct, Tool, selection_corners,
};
use pentimento::environment::canvas::{
    CanvasEnvironment, CanvasSettings, HandTools, Start, apply_edit_call,
};
use pentimento::environment::{Environment as _, ToolCall, ToolOutcome};
use pentimento::render::TextMeasurer;
use proptest::prelude::*;

use acts::{Random, TOOLS};

/// Texts of ten units a letter; combined shapes and outlines are boxes.
struct Boxes;

impl Measure for Boxes {
    fn text(&self, content: &TextContent, _width: Option<f64>) -> TextExtent {
        let letters = content.characters.chars().count();
        TextExtent { size: Size::new(letters as f64 * 10.0, 20.0), baseline: 15.0 }
    }

    fn combined_box(&self, document: &Document, id: &NodeId) -> Option<Rect> {
        let children = document.children_of(Some(id)).iter();
        let boxes = children.filter_map(|id| document.get(id));
        Rect::union_all(boxes.map(|node| node.transform.bounds_of(node.size)))
    }

    fn outline(&self, document: &Document, id: &NodeId) -> Option<PathGeometry> {
        let Size { width, height } = document.get(id)?.size;
        let data = format!("M0 0L{width} 0L{width} {height}L0 {height}Z");
        let fill = vec![FigmaPath::new(data, WindingRule::NonZero)];
        Some(PathGeometry { fill, stroke: Vec::new() })
    }
}

/// A node of a random design: what kind it is, what it lies in, and its box.
type Seed = (u8, usize, [u16; 4]);
/// Something random that is done: what, to which, and two numbers.
type Step = (u8, usize, [i16; 2]);

/// How many kinds of steps there are.
const KINDS: u8 = 160;

/// A screen with nodes in it; containers that hold nothing get a rectangle.
fn design(seeds: &[Seed]) -> Document {
    let mut nodes = vec![node("screen", NodeKind::Frame, None, [0, 0, 400, 300])];
    for (at, (kind, parent, place)) in seeds.iter().enumerate() {
        let containers: Vec<NodeId> =
            nodes.iter().filter(|it| it.kind.is_container()).map(|it| it.id.clone()).collect();
        let parent = containers[parent % containers.len()].clone();
        let kind = match kind % 8 {
            0 | 1 => NodeKind::Frame,
            2 => NodeKind::Group,
            3 => NodeKind::Ellipse(EllipseArc::WHOLE),
            4 => NodeKind::BooleanOperation(BooleanOp::Union),
            5 => NodeKind::Text(Box::new(TextContent {
                characters: "words".to_owned(),
                ..TextContent::default()
            })),
            _ => NodeKind::Rectangle,
        };
        let id = format!("n{at}");
        let mut made = node(&id, kind.clone(), Some(&parent), *place);
        if kind == NodeKind::Frame && place[0] % 2 == 0 {
            let direction =
                if place[1] % 2 == 0 { Direction::Horizontal } else { Direction::Vertical };
            made.auto_layout = Some(Box::new(AutoLayout::new(direction)));
        }
        let is_container = made.kind.is_container();
        nodes.push(made);
        if is_container {
            let inside = node(
                &format!("{id} inside"),
                NodeKind::Rectangle,
                Some(&id.as_str().into()),
                [place[1] % 50, place[0] % 50, 20, 10],
            );
            nodes.push(inside);
        }
    }
    Document::from_nodes(nodes).unwrap()
}

fn node(id: &str, kind: NodeKind, parent: Option<&NodeId>, place: [u16; 4]) -> Node {
    let [x, y, width, height] = place.map(f64::from);
    let mut node = Node::new(id.into(), id, kind);
    node.parent = parent.cloned();
    node.transform = Affine::translate(x, y);
    node.size = Size::new(width, height);
    node
}

/// Who does things: with what texts are measured by, and what was copied.
struct Hands<'a> {
    editor: Editor,
    context: EditorContext<'a>,
    copied: Option<Arc<Fragment>>,
    /// The rooms of all that was done.
    rooms: BTreeSet<&'static str>,
}

impl<'a> Hands<'a> {
    fn new(document: Document, measure: &'a dyn Measure) -> Self {
        let context = EditorContext { measure };
        Self { editor: Editor::new(document), context, copied: None, rooms: BTreeSet::new() }
    }

    /// Does it; what is refused must have changed nothing.
    fn act(&mut self, act: Act) {
        let (before, steps) = (self.editor.document().clone(), self.editor.undoable());
        let was_in_place = self.is_in_place();
        let name = format!("{act:?}");
        self.rooms.insert(room(&act));
        let is_refused = self.editor.act(act.clone(), &self.context).is_err();
        assert_sound(&self.editor, &name);
        if is_refused && was_in_place && !self.is_in_place() {
            // What is written or drawn in place is ended by whatever comes next, refused or not: from there on it is
            // as any other.
            return self.act(act);
        }
        if is_refused {
            assert_eq!(*self.editor.document(), before, "{name} was refused");
            assert_eq!(self.editor.undoable(), steps, "{name} was refused");
        }
    }

    /// Whether something is written or drawn in place.
    fn is_in_place(&self) -> bool {
        matches!(self.editor.in_place(), InPlace::Text(_) | InPlace::Pen(_))
    }

    /// From the press to the release with a tool.
    fn gesture(&mut self, tool: Tool, [from, to]: [Pointer; 2]) {
        self.act(Act::Take(tool));
        // What moves or scales takes hold of a corner of what is selected.
        let corners = selection_corners(self.editor.document(), &self.editor.selection().nodes);
        let at = match (tool, corners) {
            (Tool::Move | Tool::Scale, Some([.., corner, _])) => corner,
            _ => from.at,
        };
        let from = Pointer { at, ..from };
        self.act(Act::Pointer(PointerAct::Press(from)));
        if tool == Tool::Pen {
            self.act(Act::Pointer(PointerAct::Release(from)));
            self.act(Act::Pointer(PointerAct::Press(to)));
        }
        let between = Point::new(f64::midpoint(at.x, to.at.x), to.at.y);
        self.act(Act::Pointer(PointerAct::Move(Pointer { at: between, ..to })));
        self.act(Act::Pointer(PointerAct::Move(to)));
        self.act(Act::Pointer(PointerAct::Release(to)));
    }

    /// Takes a corner of a shape and changes it.
    fn edit_points(&mut self, random: Random, pointer: Pointer) {
        let shape = random
            .layer_that(&self.editor, |node| node.children.is_empty() && node.text().is_none());
        let corner = self.editor.document().absolute_box(&shape).map(Rect::origin);
        self.act(Act::Select(SelectAct::Only(vec![shape])));
        self.act(Act::Select(SelectAct::Children));
        let at = corner.unwrap_or(pointer.at);
        self.act(Act::Pointer(PointerAct::Press(Pointer { at, ..pointer })));
        self.act(Act::Pointer(PointerAct::Release(Pointer { at, ..pointer })));
        self.act(Act::Points(acts::points(random)));
    }

    fn step(&mut self, (what, which, [x, y]): Step) {
        let act = match what {
            0..20 => {
                let ids = acts::layers(&self.editor);
                if ids.is_empty() {
                    return;
                }
                // Often one, sometimes several, in any order.
                let count = if what < 10 { 1 } else { usize::from(what % 4) + 1 };
                let nodes = (0..count).map(|nth| ids[(which + nth * 3) % ids.len()].clone());
                Act::Select(SelectAct::Only(nodes.collect()))
            }
            20 => Act::Select(SelectAct::Children),
            21 => Act::Select(SelectAct::Parent),
            22 => Act::Select(SelectAct::SiblingBy(i32::from(x))),
            23 => Act::Select(SelectAct::Siblings),
            24 => Act::Select(SelectAct::Inverse),
            25 | 26 => Act::Undo,
            27 => Act::Redo,
            28 => {
                self.copied = self.editor.copied().ok().map(Arc::new).or(self.copied.take());
                return;
            }
            29 => {
                // As the window does it, so that components come back as what they were.
                self.copied = self.editor.copied().ok().map(Arc::new).or(self.copied.take());
                Act::Clipboard(ClipboardAct::Cut)
            }
            30..33 => {
                let Some(fragment) = self.copied.clone() else { return };
                let place = [PastePlace::Beside, PastePlace::OverSelection][which % 2];
                let visible = Some(Rect::new(f64::from(x), f64::from(y), 200.0, 100.0));
                Act::Clipboard(ClipboardAct::Paste { fragment, place, visible })
            }
            33 => {
                let document = self.editor.document();
                let Some(from) = document.get(&"screen".into()).cloned() else { return };
                Act::Clipboard(ClipboardAct::PasteProperties(from))
            }
            34..40 => Act::Pointer(pointing(what, pointer(x, y))),
            40..100 => Act::Arrange(arranging(what, which, x)),
            _ => return self.step_of_rooms((what, which, [x, y])),
        };
        self.act(act);
    }

    /// Something with a tool, or of the rooms that have acts of many kinds.
    fn step_of_rooms(&mut self, (what, which, [x, y]): Step) {
        let random = Random { which, numbers: [x, y] };
        let editor = &self.editor;
        let act = match what {
            100..103 => Act::Take(TOOLS[which % TOOLS.len()]),
            103 => Act::Pointer(PointerAct::PressGradient(pointer(x, y), which % 3)),
            104..116 => {
                let way = i16::try_from(which * 3).unwrap() - 60;
                let ends = [pointer(x, y), pointer(x + way, y + 90 - way)];
                return self.gesture(TOOLS[which % TOOLS.len()], ends);
            }
            116..119 => return self.edit_points(random, pointer(x, y)),
            119 => Act::Points(acts::points(random)),
            120..127 => Act::Typing(acts::typing(editor, random)),
            127..133 => Act::Layer(acts::layer(editor, random)),
            133..135 => Act::Page(acts::page(editor, random)),
            135..138 => Act::Picture(acts::picture(editor, random)),
            138..145 => Act::Component(acts::component(editor, random)),
            145..148 => Act::Style(acts::style(editor, random)),
            _ => Act::Property(acts::property(editor, random)),
        };
        self.act(act);
    }
}

/// The room of an act. A new one is to be drawn by [`Hands::step`], too.
fn room(act: &Act) -> &'static str {
    match act {
        Act::Take(_) => "take",
        Act::Pointer(_) => "pointer",
        Act::Select(_) => "select",
        Act::Arrange(_) => "arrange",
        Act::Clipboard(_) => "clipboard",
        Act::Property(_) => "property",
        Act::Layer(_) => "layer",
        Act::Page(_) => "page",
        Act::Picture(_) => "picture",
        Act::Component(_) => "component",
        Act::Style(_) => "style",
        Act::Typing(_) => "typing",
        Act::Points(_) => "points",
        Act::Undo => "undo",
        Act::Redo => "redo",
    }
}

fn pointer(x: i16, y: i16) -> Pointer {
    let keys =
        PointerKeys { shift: x % 5 == 0, alt: y % 4 == 0, command: x % 3 == 0, space: false };
    let at = Point::new(f64::from(x), f64::from(y));
    Pointer { at, zoom: 1.0, visible: Rect::new(0.0, 0.0, 400.0, 300.0), keys }
}

fn pointing(what: u8, pointer: Pointer) -> PointerAct {
    match what {
        34 | 35 => PointerAct::Press(pointer),
        36 => PointerAct::Move(pointer),
        37 => PointerAct::Release(pointer),
        38 => PointerAct::DoubleClick(pointer),
        _ => PointerAct::Cancel,
    }
}

fn arranging(what: u8, which: usize, x: i16) -> ArrangeAct {
    let arrow = [Arrow::Left, Arrow::Right, Arrow::Up, Arrow::Down][which % 4];
    let axis = Axis::ALL[which % 2];
    let operations =
        [BooleanOp::Union, BooleanOp::Subtract, BooleanOp::Intersect, BooleanOp::Exclude];
    let orders = [OrderTo::Front, OrderTo::Back, OrderTo::Forward, OrderTo::Backward];
    let aligns = [
        AlignTo::Left,
        AlignTo::HorizontalCenter,
        AlignTo::Right,
        AlignTo::Top,
        AlignTo::VerticalCenter,
        AlignTo::Bottom,
    ];
    match what % 20 {
        0 => ArrangeAct::Delete,
        1 => ArrangeAct::Duplicate,
        2 | 3 => ArrangeAct::Group,
        4 => ArrangeAct::Ungroup,
        5 => ArrangeAct::Frame,
        6 => ArrangeAct::Mask,
        7 => ArrangeAct::Combine(operations[which % 4]),
        8 => ArrangeAct::Flatten,
        9 => ArrangeAct::Order(orders[which % 4]),
        10 => ArrangeAct::Align(aligns[which % 6]),
        11 => ArrangeAct::Distribute(axis),
        12 => ArrangeAct::TidyUp,
        13 => ArrangeAct::Flip(axis),
        14 => ArrangeAct::Nudge(arrow, x.unsigned_abs().max(1)),
        15 => ArrangeAct::Resize(arrow, x.unsigned_abs().max(1)),
        16 => ArrangeAct::AddAutoLayout,
        17 => ArrangeAct::RemoveAutoLayout,
        18 => {
            let percent = u8::try_from(x.unsigned_abs() % 101).unwrap();
            ArrangeAct::Opacity { percent, goes_on: x % 2 == 0 }
        }
        _ if which.is_multiple_of(2) => ArrangeAct::ToggleVisible,
        _ => ArrangeAct::ToggleLocked,
    }
}

fn assert_sound(editor: &Editor, name: &str) {
    for document in [editor.document(), editor.shown()] {
        assert_whole(document, name);
        for node in document.iter_depth_first() {
            assert_in_range(node, name);
            if node.kind == NodeKind::Group {
                assert_fits(document, node, name);
            }
        }
    }
    for id in &editor.selection().nodes {
        assert!(editor.document().get(id).is_some(), "{name}: {id} is selected and not there");
    }
}

/// Parents and children know each other, and all are reached from the top, each once.
fn assert_whole(document: &Document, name: &str) {
    let reached: Vec<&NodeId> = document.iter_depth_first().map(|node| &node.id).collect();
    assert_eq!(reached.len(), document.len(), "{name}: not all nodes are reached once");
    for root in document.roots() {
        assert_eq!(document.get(root).unwrap().parent, None, "{name}: {root}");
    }
    for node in document.iter_depth_first() {
        for child in &node.children {
            let child = document.get(child).unwrap();
            assert_eq!(child.parent.as_ref(), Some(&node.id), "{name}: {}", child.id);
        }
        let holds = node.kind.is_container() || node.kind.is_file_or_page();
        assert!(node.children.is_empty() || holds, "{name}: {}", node.id);
    }
}

fn assert_in_range(node: &Node, name: &str) {
    let t = node.transform;
    for value in [t.a, t.b, t.c, t.d, t.e, t.f, node.size.width, node.size.height] {
        assert!(value.abs() <= Limits::COORDINATE, "{name}: {} has {value}", node.id);
    }
    assert!(node.size.width >= 0.0 && node.size.height >= 0.0, "{name}: {}", node.id);
    assert!((0.0..=1.0).contains(&node.opacity), "{name}: {}", node.id);
    assert!(t.determinant() != 0.0, "{name}: {} is flat", node.id);
}

fn assert_fits(document: &Document, group: &Node, name: &str) {
    let children = group.children.iter().map(|id| document.get(id).unwrap());
    let around = Rect::union_all(children.map(|child| child.transform.bounds_of(child.size)));
    let around = around.unwrap_or_else(|| panic!("{name}: {} is an empty group", group.id));
    let own = Rect::new(0.0, 0.0, group.size.width, group.size.height);
    let off =
        [around.x - own.x, around.y - own.y, around.width - own.width, around.height - own.height];
    assert!(off.iter().all(|by| by.abs() < 0.01), "{name}: {} is not around {around:?}", group.id);
}

#[test]
fn acts_of_every_room_are_among_what_is_done() {
    let seeds: Vec<Seed> = (0..8).map(|kind| (kind, 0, [40, 31, 60, 50])).collect();
    let mut rooms = BTreeSet::new();
    for what in 0..KINDS {
        let mut hands = Hands::new(design(&seeds), &Boxes);
        hands.step((what, usize::from(what) % 60, [i16::from(what), 40]));
        rooms.append(&mut hands.rooms);
    }
    assert_eq!(rooms.len(), 15, "{rooms:?}");
}

#[test]
fn every_tool_that_draws_draws() {
    let ends = [pointer(202, 31), pointer(301, 141)];
    for tool in TOOLS {
        let mut hands = Hands::new(design(&[]), &Boxes);
        hands.gesture(tool, ends);
        // The pen is put away.
        hands.act(Act::Select(SelectAct::None));
        let draws = !matches!(
            tool,
            Tool::Move | Tool::Scale | Tool::Hand | Tool::Eyedropper | Tool::Comment | Tool::Text
        );
        assert_eq!(hands.editor.undoable().0, usize::from(draws), "{tool:?}");
    }
}

fn bytes(editor: &Editor) -> String {
    figma::to_json(editor.document()).to_string()
}

/// So many, unless a number is asked for.
fn cases(few: u32) -> ProptestConfig {
    let chosen = std::env::var("PROPTEST_CASES").ok();
    let cases = chosen.and_then(|cases| cases.parse().ok()).unwrap_or(few);
    ProptestConfig { cases, ..ProptestConfig::default() }
}

/// A canvas for hands.
fn canvas(design: Document, settings: &CanvasSettings) -> CanvasEnvironment {
    CanvasEnvironment::new(Start::Design(design), settings.clone()).unwrap()
}

/// What a run has of a step, as its file has it: calls of tools where they lead to the very same design, else the
/// change itself. They are made on the canvas.
fn record(
    step: &EditStep,
    canvas: &mut CanvasEnvironment,
    settings: &CanvasSettings,
) -> Vec<ToolCall> {
    let snapshot = canvas.snapshot();
    // As it is there: without the pictures that came with the step.
    let before = canvas.document().clone();
    let calls = written(&recorded_calls(&before, &step.after, &step.nodes, settings));
    if !calls.is_empty() {
        // Tools know no more than one page, and one may refuse what another design would take.
        let outcomes: Vec<ToolOutcome> =
            calls.iter().map(|call| canvas.call(call, &CancelToken::default())).collect();
        let is_done = !outcomes.iter().any(ToolOutcome::is_error);
        if is_done && *canvas.document() == step.after {
            return calls;
        }
        canvas.restore(&snapshot);
    }
    let edit = apply_edit_call(&before, &step.after, "edit".to_owned()).unwrap();
    let calls = written(&[edit]);
    play(&calls, canvas);
    calls
}

/// Out to a file and in again.
fn written(calls: &[ToolCall]) -> Vec<ToolCall> {
    serde_json::from_str(&serde_json::to_string(calls).unwrap()).unwrap()
}

fn play(calls: &[ToolCall], canvas: &mut CanvasEnvironment) {
    for call in calls {
        let outcome = canvas.call(call, &CancelToken::default());
        assert!(!outcome.is_error(), "{}: {}", call.name, outcome.text);
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn whatever_is_done_the_design_is_sound_and_all_of_it_is_undone_and_done_again(
        seeds in prop::collection::vec((0..8_u8, 0..9_usize, [0..350_u16, 0..250_u16, 1..90_u16, 1..90_u16]), 1..9),
        steps in prop::collection::vec((0..KINDS, 0..60_usize, [-60..450_i16, -60..350_i16]), 1..30),
    ) {
        let mut hands = Hands::new(design(&seeds), &Boxes);
        let start = bytes(&hands.editor);
        for step in steps {
            hands.step(step);
        }
        hands.act(Act::Pointer(PointerAct::Cancel));
        // What is written or drawn in place is ended.
        hands.act(Act::Select(SelectAct::None));
        while hands.editor.undoable().1 > 0 {
            hands.act(Act::Redo);
        }
        let (end, selected) = (bytes(&hands.editor), hands.editor.undoable().0);
        while hands.editor.undoable().0 > 0 {
            hands.act(Act::Undo);
        }
        prop_assert_eq!(bytes(&hands.editor), start);
        prop_assert_eq!(hands.editor.undoable(), (0, selected));
        while hands.editor.undoable().1 > 0 {
            hands.act(Act::Redo);
        }
        prop_assert_eq!(bytes(&hands.editor), end);
    }
}

proptest! {
    #![proptest_config(cases(60))]

    /// What was taken back and done again is recorded too.
    #[test]
    fn whatever_is_done_what_is_recorded_of_it_is_replayed_to_the_same_design(
        seeds in prop::collection::vec((0..8_u8, 0..9_usize, [0..350_u16, 0..250_u16, 1..90_u16, 1..90_u16]), 1..9),
        steps in prop::collection::vec((0..KINDS, 0..60_usize, [-60..450_i16, -60..350_i16]), 1..30),
    ) {
        let render = crate::render::sketch::context();
        let settings =
            CanvasSettings { render, hands: HandTools::Allowed, ..CanvasSettings::default() };
        let measure = TextMeasurer(&settings.render);
        let start = design(&seeds);
        let mut recording = canvas(start.clone(), &settings);
        let mut hands = Hands::new(recording.document().clone(), &measure);
        let mut recorded = Vec::new();
        for step in steps {
            hands.step(step);
            for made in hands.editor.take_steps() {
                prop_assert_eq!(recording.document(), &made.before);
                recorded.extend(record(&made, &mut recording, &settings));
                prop_assert_eq!(recording.document(), &made.after, "{}", made.label);
            }
        }
        let mut replay = canvas(start, &settings);
        play(&recorded, &mut replay);
        prop_assert_eq!(replay.document(), hands.editor.document());
        prop_assert_eq!(figma::to_json(replay.document()).to_string(), bytes(&hands.editor));
    }
}
