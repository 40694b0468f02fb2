//! Whatever is done by hand, a design stays a design, all of it can be taken back, and what is recorded of it is
//! replayed to the same design.
//!
//! 300 sequences of acts are tried, and 60 replayed. A hundred thousand take some minutes in the release profile:
//! `PROPTEST_CASES=100000 cargo test --release --test it editing`.

use std::sync::Arc;

use pentimento::agent::assistant::recorded_calls;
use pentimento::base::{Affine, Axis, CancelToken, Limits, Point, Rect, Size};
use pentimento::design::gesture::AlignTo;
use pentimento::design::{
    AutoLayout, BooleanOp, Direction, Document, EllipseArc, FigmaPath, Measure, Node, NodeId,
    NodeKind, PathGeometry, TextContent, TextExtent, WindingRule, figma,
};
use pentimento::editor::{
    Act, ArrangeAct, Arrow, ClipboardAct, EditStep, Editor, EditorContext, Fragment, OrderTo,
    PastePlace, Pointer, PointerAct, PointerKeys, SelectAct,
};
use pentimento::environment::canvas::{
    CanvasEnvironment, CanvasSettings, HandTools, Start, apply_edit_call,
};
use pentimento::environment::{Environment as _, ToolCall};
use pentimento::render::TextMeasurer;
use proptest::prelude::*;

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
}

impl<'a> Hands<'a> {
    fn new(document: Document, measure: &'a dyn Measure) -> Self {
        let context = EditorContext { measure };
        Self { editor: Editor::new(document), context, copied: None }
    }

    /// Does it; what is refused must have changed nothing.
    fn act(&mut self, act: Act) {
        let (before, steps) = (self.editor.document().clone(), self.editor.undoable());
        let name = format!("{act:?}");
        if self.editor.act(act, &self.context).is_err() {
            assert_eq!(*self.editor.document(), before, "{name} was refused");
            assert_eq!(self.editor.undoable(), steps, "{name} was refused");
        }
        assert_sound(&self.editor, &name);
    }

    fn step(&mut self, (what, which, [x, y]): Step) {
        let act = match what {
            0..20 => {
                let ids: Vec<NodeId> =
                    self.editor.document().iter_depth_first().map(|it| it.id.clone()).collect();
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
            29 => Act::Clipboard(ClipboardAct::Cut),
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
            34..40 => Act::Pointer(pointer(what, x, y)),
            _ => Act::Arrange(arranging(what, which, x)),
        };
        self.act(act);
    }
}

fn pointer(what: u8, x: i16, y: i16) -> PointerAct {
    let keys =
        PointerKeys { shift: x % 5 == 0, alt: y % 4 == 0, command: x % 3 == 0, space: false };
    let at = Point::new(f64::from(x), f64::from(y));
    let pointer = Pointer { at, zoom: 1.0, visible: Rect::new(0.0, 0.0, 400.0, 300.0), keys };
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
        assert!(node.children.is_empty() || node.kind.is_container(), "{name}: {}", node.id);
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
    let calls = written(&recorded_calls(&step.before, &step.after, &step.nodes, settings));
    if !calls.is_empty() {
        play(&calls, canvas);
        if *canvas.document() == step.after {
            return calls;
        }
        canvas.restore(&snapshot);
    }
    let edit = apply_edit_call(&step.before, &step.after, "edit".to_owned()).unwrap();
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
        steps in prop::collection::vec((0..100_u8, 0..60_usize, [-60..450_i16, -60..350_i16]), 1..40),
    ) {
        let mut hands = Hands::new(design(&seeds), &Boxes);
        let start = bytes(&hands.editor);
        for step in steps {
            hands.step(step);
        }
        hands.act(Act::Pointer(PointerAct::Cancel));
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
        steps in prop::collection::vec((0..100_u8, 0..60_usize, [-60..450_i16, -60..350_i16]), 1..40),
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
