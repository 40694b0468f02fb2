//! Properties of designs of a few nodes: undone bit by bit, on each of several, refused as a whole.

use proptest::prelude::*;

use super::*;
use crate::base::{Affine, Rect, Size};
use crate::design::{
    AutoLayout, AutoResize, CornerRadii, Direction, Document, Gradient, GradientKind, LineHeight,
    Measure, Node, NodeKind, Sizing, StyleOverride, TextAlign, TextCase, TextContent, TextExtent,
    TextStyle,
};
use crate::editor::{Act, InPlace, SelectAct, TypingAct};

/// Letters of half an em, in lines of one.
struct Half;

impl Measure for Half {
    fn text(&self, content: &TextContent, width: Option<f64>) -> TextExtent {
        let size = content.style.font_size;
        let whole = content.characters.chars().count() as f64 * size / 2.0;
        let lines = width.map_or(1.0, |width| (whole / width.max(1.0)).ceil().max(1.0));
        let size = Size::new(width.unwrap_or(whole).min(whole), lines * size);
        TextExtent { size, baseline: size.height }
    }

    fn combined_box(&self, _document: &Document, _id: &NodeId) -> Option<Rect> {
        None
    }
}

fn node(id: &str, kind: NodeKind, parent: Option<&str>, [x, y, width, height]: [f64; 4]) -> Node {
    let mut node = Node::new(id.into(), id, kind);
    node.parent = parent.map(NodeId::from);
    (node.transform, node.size) = (Affine::translate(x, y), Size::new(width, height));
    node.fills = vec![Paint::solid(Rgba::from_u8([10, 20, 30, 255]))];
    node
}

/// A screen with a group, a turned frame, a row with auto layout and a text with runs.
fn screen() -> Document {
    let mut tilted = node("tilted", NodeKind::Frame, Some("screen"), [0.0, 0.0, 120.0, 80.0]);
    tilted.transform = Affine::translate(200.0, 200.0).after(Affine::rotate(0.5));
    let mut group = node("group", NodeKind::Group, Some("screen"), [40.0, 40.0, 100.0, 40.0]);
    group.fills.clear();
    let mut b = node("b", NodeKind::Rectangle, Some("group"), [60.0, 0.0, 40.0, 40.0]);
    b.fills = vec![Paint::solid(Rgba::WHITE)];
    let mut row = node("row", NodeKind::Frame, Some("screen"), [20.0, 300.0, 200.0, 60.0]);
    let mut layout = AutoLayout::new(Direction::Horizontal);
    (layout.primary_hugs, layout.counter_hugs) = (false, false);
    row.auto_layout = Some(Box::new(layout));
    let mut style = TextStyle { auto_resize: AutoResize::WidthAndHeight, ..TextStyle::default() };
    style.line_height = LineHeight::Pixels(20.0);
    let mut text =
        TextContent { characters: "Words here".to_owned(), style, ..TextContent::default() };
    text.override_ids = vec![0, 0, 2];
    let own = StyleOverride { font_size: Some(30.0), ..StyleOverride::default() };
    text.overrides.insert(2, own);
    let kind = NodeKind::Text(Box::new(text));
    Document::from_nodes([
        node("screen", NodeKind::Frame, None, [10.0, 20.0, 400.0, 400.0]),
        tilted,
        node("in", NodeKind::Rectangle, Some("tilted"), [10.0, 10.0, 30.0, 20.0]),
        group,
        node("a", NodeKind::Rectangle, Some("group"), [0.0, 0.0, 40.0, 40.0]),
        b,
        row,
        node("c", NodeKind::Rectangle, Some("row"), [0.0, 0.0, 50.0, 20.0]),
        node("words", kind, Some("screen"), [250.0, 40.0, 60.0, 12.0]),
        node("line", NodeKind::Line, Some("screen"), [20.0, 380.0, 80.0, 0.0]),
    ])
    .unwrap()
}

fn with(ids: &[&str]) -> Editor {
    let mut editor = Editor::new(screen());
    let ids = ids.iter().map(|id| NodeId::from(*id)).collect();
    act(&mut editor, Act::Select(SelectAct::Only(ids))).unwrap();
    editor
}

fn act(editor: &mut Editor, act: Act) -> Result<(), EditorError> {
    editor.act(act, &EditorContext { measure: &Half })
}

fn does(editor: &mut Editor, what: PropertyAct) -> Result<(), EditorError> {
    act(editor, Act::Property(what))
}

fn types(editor: &mut Editor, property: NumberProperty, text: &str) -> Result<(), EditorError> {
    let entry = NumberEntry::parse(text, "Mixed").unwrap();
    does(editor, PropertyAct::SetNumber { property, entry, burst: false })
}

fn number(editor: &Editor, id: &str, property: NumberProperty) -> Common<f64> {
    number_of(editor.document(), &[id.into()], property)
}

fn of<'e>(editor: &'e Editor, id: &str) -> &'e Node {
    editor.document().get(&id.into()).unwrap()
}

/// Every number that any node of the screen has.
fn numbers() -> Vec<NumberProperty> {
    use NumberProperty as N;
    let mut all = vec![
        N::X,
        N::Y,
        N::Width,
        N::Height,
        N::Rotation,
        N::Opacity,
        N::CornerRadius,
        N::CornerSmoothing,
        N::PaintOpacity(PaintList::Fills, 0),
        N::StrokeWeight,
        N::MiterAngle,
        N::FontSize,
        N::LineHeight,
        N::LetterSpacing,
        N::ParagraphSpacing,
        N::MaxLines,
        N::Gap,
        N::PaddingAcross,
        N::PaddingDown,
    ];
    all.extend(BoxCorner::ALL.map(N::Corner));
    all.extend(BoxSide::ALL.map(N::StrokeSide));
    all.extend(BoxSide::ALL.map(N::Padding));
    all
}

#[test]
fn what_was_set_can_be_read_and_is_undone_bit_by_bit() {
    let ids = ["screen", "tilted", "in", "group", "a", "row", "c", "words", "line"];
    let mut set = 0;
    for property in numbers() {
        for id in ids {
            let mut editor = with(&[id]);
            let start = editor.document().clone();
            let value = 23.0;
            if types(&mut editor, property, &value.to_string()).is_err() {
                assert_eq!(editor.document(), &start, "{property:?} of {id}");
                continue;
            }
            set += 1;
            let read = number(&editor, id, property).same().unwrap();
            assert!((read - value).abs() < 1e-9, "{property:?} of {id}: {read}");
            act(&mut editor, Act::Undo).unwrap();
            assert_eq!(editor.document(), &start, "{property:?} of {id}");
        }
    }
    assert!(set > 120, "{set}");
}

#[test]
fn setting_what_is_shown_changes_nothing() {
    for property in numbers() {
        for id in ["screen", "tilted", "in", "group", "a", "row", "c", "line"] {
            let mut editor = with(&[id]);
            let Some(value) = number(&editor, id, property).same() else { continue };
            types(&mut editor, property, &value.to_string()).unwrap();
            assert_eq!(editor.steps(), 0, "{property:?} of {id}");
        }
    }
}

#[test]
fn what_is_appended_works_on_each_value() {
    let mut editor = with(&["a", "tilted", "row"]);
    let widths = ["a", "tilted", "row"].map(|id| of(&editor, id).size.width);
    let all: Vec<NodeId> = editor.selection().nodes.clone();
    assert_eq!(number_of(editor.document(), &all, NumberProperty::Width), Common::Mixed);
    types(&mut editor, NumberProperty::Width, "Mixed+10").unwrap();
    for (id, was) in ["a", "tilted", "row"].into_iter().zip(widths) {
        assert_eq!(of(&editor, id).size.width, was + 10.0, "{id}");
    }
    assert_eq!(editor.undoable().0, 1);
    types(&mut editor, NumberProperty::Width, "64").unwrap();
    assert_eq!(number_of(editor.document(), &all, NumberProperty::Width), Common::Same(64.0));
    types(&mut editor, NumberProperty::Width, "50%").unwrap();
    assert_eq!(number_of(editor.document(), &all, NumberProperty::Width), Common::Same(32.0));
}

#[test]
fn what_is_appended_works_on_each_corner_side_and_run_of_one_node() {
    let mut editor = with(&["a"]);
    let start = editor.document().clone();
    for corner in [BoxCorner::TopLeft, BoxCorner::TopRight] {
        types(&mut editor, NumberProperty::Corner(corner), "16").unwrap();
    }
    types(&mut editor, NumberProperty::CornerRadius, "Mixed+8").unwrap();
    let radii = |editor: &Editor| {
        let CornerRadii { top_left, top_right, bottom_right, bottom_left } =
            of(editor, "a").corner_radii;
        [top_left, top_right, bottom_right, bottom_left]
    };
    assert_eq!(radii(&editor), [24.0, 24.0, 8.0, 8.0]);
    // One that would be out of range keeps all as they are.
    assert!(types(&mut editor, NumberProperty::CornerRadius, "Mixed-10").is_err());
    assert_eq!(radii(&editor), [24.0, 24.0, 8.0, 8.0]);
    types(&mut editor, NumberProperty::StrokeSide(BoxSide::Top), "4").unwrap();
    types(&mut editor, NumberProperty::StrokeWeight, "Mixed*2").unwrap();
    let sides = of(&editor, "a").stroke.sides.unwrap();
    assert_eq!((sides.top, sides.right, sides.left), (8.0, 2.0, 2.0));
    // A number by itself is for all of them, as it was.
    types(&mut editor, NumberProperty::CornerRadius, "5").unwrap();
    assert_eq!(radii(&editor), [5.0; 4]);
    while editor.undoable().0 > 0 {
        act(&mut editor, Act::Undo).unwrap();
    }
    assert_eq!(editor.document(), &start);

    let mut editor = with(&["row"]);
    types(&mut editor, NumberProperty::Padding(BoxSide::Left), "8").unwrap();
    types(&mut editor, NumberProperty::Padding(BoxSide::Right), "24").unwrap();
    // An arrow key, twice.
    let property = NumberProperty::PaddingAcross;
    for _ in 0..2 {
        let entry = NumberEntry::parse("Mixed+1", "Mixed").unwrap();
        does(&mut editor, PropertyAct::SetNumber { property, entry, burst: true }).unwrap();
    }
    let padding = of(&editor, "row").auto_layout.as_ref().unwrap().padding;
    assert_eq!((padding.left, padding.right), (10.0, 26.0));
    assert_eq!(editor.undoable().0, 3);
}

#[test]
fn arrow_keys_keep_the_sizes_and_lines_of_runs_apart() {
    let mut editor = with(&["words"]);
    let start = editor.document().clone();
    let runs = |editor: &Editor| {
        let text = of(editor, "words").text().unwrap();
        (text.style.font_size, text.overrides[&2].font_size)
    };
    let base = of(&editor, "words").text().unwrap().style.font_size;
    types(&mut editor, NumberProperty::FontSize, "Mixed+1").unwrap();
    assert_eq!(runs(&editor), (base + 1.0, Some(31.0)));
    act(&mut editor, Act::Undo).unwrap();
    assert_eq!(editor.document(), &start);
    // Each in its unit; what is automatic stays so, and a run that no letter is in counts for nothing.
    let own = |line_height| StyleOverride { line_height, ..StyleOverride::default() };
    editor
        .edit("Lines", &["words".into()], &EditorContext { measure: &Half }, |change| {
            change.update(&"words".into(), |node| {
                let text = node.text_mut().unwrap();
                text.override_ids = vec![2, 3, 0];
                text.overrides.insert(2, own(Some(LineHeight::Percent(150.0))));
                text.overrides.insert(3, own(Some(LineHeight::Auto)));
                text.overrides.insert(4, own(Some(LineHeight::Pixels(1.0))));
            })
        })
        .unwrap();
    types(&mut editor, NumberProperty::LineHeight, "Mixed-5").unwrap();
    let text = of(&editor, "words").text().unwrap();
    assert_eq!(text.style.line_height, LineHeight::Pixels(15.0));
    let heights = [2, 3, 4].map(|key| text.overrides[&key].line_height.unwrap());
    let expected = [LineHeight::Percent(145.0), LineHeight::Auto, LineHeight::Pixels(1.0)];
    assert_eq!(heights, expected);
    types(&mut editor, NumberProperty::LineHeight, "18").unwrap();
    let text = of(&editor, "words").text().unwrap();
    assert_eq!(text.style.line_height, LineHeight::Pixels(18.0));
    assert!(text.overrides.values().all(|own| own.line_height.is_none()));
}

#[test]
fn one_value_out_of_range_changes_none_and_is_named() {
    let mut editor = with(&["a", "tilted"]);
    let start = editor.document().clone();
    for (property, text, named) in [
        (NumberProperty::Width, "Mixed-60", "Width"),
        (NumberProperty::Opacity, "120", "Opacity"),
        (NumberProperty::CornerRadius, "0-1", "Corner radius"),
        (NumberProperty::FontSize, "12", "Font size"),
        (NumberProperty::Gap, "4", "Gap"),
        (NumberProperty::StrokeWeight, "1/0", "Stroke weight"),
    ] {
        let why = types(&mut editor, property, text).unwrap_err().to_string();
        assert!(why.contains(named), "{why}");
        assert_eq!(editor.document(), &start);
    }
    // What auto layout places is not moved, and says so.
    let mut editor = with(&["c"]);
    let why = types(&mut editor, NumberProperty::X, "4").unwrap_err().to_string();
    assert!(why.contains("auto layout"), "{why}");
}

#[test]
fn a_place_is_that_in_the_frame_through_groups_and_turns() {
    let mut editor = with(&["a"]);
    assert_eq!(number(&editor, "a", NumberProperty::X), Common::Same(40.0));
    types(&mut editor, NumberProperty::X, "55.5").unwrap();
    assert_eq!(number(&editor, "a", NumberProperty::X), Common::Same(55.5));
    let at = editor.document().absolute_box(&"a".into()).unwrap();
    assert_eq!((at.x, at.y), (65.5, 60.0));
    // The group follows.
    assert_eq!(of(&editor, "group").size.width, 84.5);
    // Within a turned frame along its own axes.
    let mut editor = with(&["in"]);
    types(&mut editor, NumberProperty::Y, "33").unwrap();
    assert_eq!((of(&editor, "in").transform.e, of(&editor, "in").transform.f), (10.0, 33.0));
}

#[test]
fn an_angle_is_set_about_the_middle() {
    let mut editor = with(&["tilted"]);
    let middle =
        |editor: &Editor| editor.document().absolute_box(&"tilted".into()).unwrap().center();
    let before = middle(&editor);
    types(&mut editor, NumberProperty::Rotation, "0").unwrap();
    let t = of(&editor, "tilted").transform;
    assert_eq!((t.a, t.b, t.c, t.d), (1.0, 0.0, 0.0, 1.0));
    let off = middle(&editor).since(before);
    assert!(off.x.abs() < 1e-9 && off.y.abs() < 1e-9);
}

#[test]
fn a_text_that_gets_a_width_goes_on_following_its_lines() {
    let mut editor = with(&["words"]);
    types(&mut editor, NumberProperty::Width, "20").unwrap();
    let words = of(&editor, "words");
    assert_eq!(words.text().unwrap().style.auto_resize, AutoResize::Height);
    assert_eq!((words.size.width, words.size.height), (20.0, 36.0));
    types(&mut editor, NumberProperty::Height, "50").unwrap();
    let words = of(&editor, "words");
    assert_eq!(words.text().unwrap().style.auto_resize, AutoResize::None);
    assert_eq!((words.size.width, words.size.height), (20.0, 50.0));
}

#[test]
fn what_is_set_of_a_text_holds_for_all_its_runs() {
    let mut editor = with(&["words"]);
    assert_eq!(number(&editor, "words", NumberProperty::FontSize), Common::Mixed);
    types(&mut editor, NumberProperty::FontSize, "18").unwrap();
    assert_eq!(number(&editor, "words", NumberProperty::FontSize), Common::Same(18.0));
    assert_eq!(of(&editor, "words").text().unwrap().overrides[&2].font_size, None);
    does(&mut editor, PropertyAct::Set(Setting::FontFace { weight: 600.0, italic: true })).unwrap();
    let style = &of(&editor, "words").text().unwrap().style;
    assert_eq!(style.font_style.as_deref(), Some("Semi Bold Italic"));
}

#[test]
fn what_is_set_while_letters_are_selected_holds_for_those() {
    let mut editor = with(&["words"]);
    act(&mut editor, Act::Typing(TypingAct::Begin("words".into()))).unwrap();
    act(&mut editor, Act::Typing(TypingAct::Select(0..5))).unwrap();
    let size = |editor: &Editor| {
        number_of(&editor.inspected(), &["words".into()], NumberProperty::FontSize)
    };
    assert_eq!(size(&editor), Common::Mixed);
    types(&mut editor, NumberProperty::FontSize, "18").unwrap();
    assert_eq!(size(&editor), Common::Same(18.0));
    assert_eq!(number(&editor, "words", NumberProperty::FontSize), Common::Mixed);
    types(&mut editor, NumberProperty::FontSize, "+2").unwrap();
    assert_eq!(size(&editor), Common::Same(20.0), "worked out from what is shown");
    let on = |setting| PropertyAct::On {
        nodes: vec!["words".into()],
        act: Box::new(PropertyAct::Set(setting)),
    };
    does(&mut editor, on(Setting::TextCase(TextCase::Upper))).unwrap();
    does(&mut editor, on(Setting::TextAlign(TextAlign::Right))).unwrap();
    let text = of(&editor, "words").text().unwrap();
    assert_eq!((text.style.case, text.style.align), (TextCase::Original, TextAlign::Right));
    let own = &text.overrides[&text.override_ids[4]];
    assert_eq!((own.case, own.font_size), (Some(TextCase::Upper), Some(20.0)));
    assert_eq!(text.override_ids.len(), 5, "the others are as they were");
    assert!(matches!(editor.in_place(), InPlace::Text(_)), "typing goes on");
}

#[test]
fn a_burst_is_one_step_until_it_ends() {
    let mut editor = with(&["a"]);
    let start = editor.document().clone();
    let property = NumberProperty::Width;
    for value in [41, 42, 43] {
        let entry = NumberEntry::parse(&value.to_string(), "").unwrap();
        does(&mut editor, PropertyAct::SetNumber { property, entry, burst: true }).unwrap();
    }
    does(&mut editor, PropertyAct::EndBurst).unwrap();
    let entry = NumberEntry::parse("50", "").unwrap();
    does(&mut editor, PropertyAct::SetNumber { property, entry, burst: true }).unwrap();
    assert_eq!(editor.undoable().0, 2);
    act(&mut editor, Act::Undo).unwrap();
    assert_eq!(of(&editor, "a").size.width, 43.0);
    act(&mut editor, Act::Undo).unwrap();
    assert_eq!(editor.document(), &start);
}

#[test]
fn paints_are_added_changed_moved_and_taken_away_on_all() {
    let list = PaintList::Fills;
    let mut editor = with(&["a", "tilted"]);
    let ids = editor.selection().nodes.clone();
    does(&mut editor, PropertyAct::AddPaint(list)).unwrap();
    assert_eq!(of(&editor, "a").fills.len(), 2);
    let down = Affine::from_rows([[0.0, 1.0, 0.0], [-1.0, 0.0, 1.0]]);
    let gradient = Gradient::from_transform(GradientKind::Linear, down, Vec::new()).unwrap();
    let paint = Paint {
        kind: crate::design::PaintKind::Gradient(gradient),
        ..of(&editor, "a").fills[1].clone()
    };
    let paint = Box::new(paint);
    does(&mut editor, PropertyAct::SetPaint { list, at: 1, paint: paint.clone(), burst: false })
        .unwrap();
    does(&mut editor, PropertyAct::MovePaint { list, from: 1, to: 0 }).unwrap();
    assert_eq!(of(&editor, "tilted").fills[0], *paint);
    assert!(matches!(paints_of(editor.document(), &ids, list), Common::Same(_)));
    does(&mut editor, PropertyAct::RemovePaint { list, at: 0 }).unwrap();
    assert_eq!(of(&editor, "tilted").fills.len(), 1);
    // A place that is not there is none, and a group has no fill.
    does(&mut editor, PropertyAct::RemovePaint { list, at: 7 }).unwrap();
    assert_eq!(of(&editor, "a").fills.len(), 1);
    let mut editor = with(&["group"]);
    assert!(does(&mut editor, PropertyAct::AddPaint(list)).is_err());
}

#[test]
fn different_paints_are_replaced_by_one() {
    let mut editor = with(&["a", "b"]);
    let ids = editor.selection().nodes.clone();
    assert_eq!(paints_of(editor.document(), &ids, PaintList::Fills), Common::Mixed);
    does(&mut editor, PropertyAct::AddPaint(PaintList::Fills)).unwrap();
    let fills = paints_of(editor.document(), &ids, PaintList::Fills).same().unwrap();
    assert_eq!(fills, [Paint::solid(Rgba::DEFAULT_SHAPE)]);
}

#[test]
fn a_picked_color_becomes_the_topmost_solid_fill() {
    let color = Rgba::from_u8([200, 100, 50, 255]);
    let mut editor = with(&["a"]);
    does(&mut editor, PropertyAct::PickColor(color)).unwrap();
    assert_eq!(of(&editor, "a").fills, [Paint::solid(color)]);
    let mut editor = with(&[]);
    assert!(does(&mut editor, PropertyAct::PickColor(color)).is_err());
    assert_eq!(editor.steps(), 0);
}

#[test]
fn a_color_inside_is_changed_wherever_it_is_and_nowhere_else() {
    let mut editor = with(&["screen"]);
    let colors = colors_inside(editor.document(), &["screen".into()]);
    let dark = colors.iter().find(|it| it.color.to_u8() == [10, 20, 30, 255]).unwrap().clone();
    assert_eq!(colors.len(), 2);
    let color = Rgba::from_u8([1, 2, 3, 255]);
    let act = PropertyAct::Recolor { places: dark.places.clone(), color, burst: false };
    does(&mut editor, act).unwrap();
    assert_eq!(of(&editor, "a").fills, [Paint::solid(color)]);
    assert_eq!(of(&editor, "b").fills, [Paint::solid(Rgba::WHITE)]);
    // The container itself is not inside.
    assert_eq!(of(&editor, "screen").fills, [Paint::solid(Rgba::from_u8([10, 20, 30, 255]))]);
    assert_eq!(editor.undoable().0, 1);
}

#[test]
fn effects_have_their_numbers() {
    let mut editor = with(&["a"]);
    does(&mut editor, PropertyAct::AddEffect).unwrap();
    types(&mut editor, NumberProperty::Effect(0, EffectNumber::Blur), "12").unwrap();
    types(&mut editor, NumberProperty::Effect(0, EffectNumber::OffsetX), "0-3").unwrap();
    let blur = NumberProperty::Effect(0, EffectNumber::Blur);
    assert_eq!(number(&editor, "a", blur), Common::Same(12.0));
    assert!(types(&mut editor, blur, "0-1").is_err());
    does(&mut editor, PropertyAct::RemoveEffect(0)).unwrap();
    assert_eq!(number(&editor, "a", blur), Common::Nothing);
}

#[test]
fn a_layout_that_is_turned_keeps_its_content_at_its_edge() {
    let mut editor = with(&["row"]);
    does(&mut editor, PropertyAct::Set(Setting::AlignContent(Third::End, Third::Middle))).unwrap();
    let content = Third::of_content(of(&editor, "row"));
    assert_eq!(content, Some([Third::End, Third::Middle]));
    does(&mut editor, PropertyAct::Set(Setting::Direction(Direction::Vertical))).unwrap();
    assert_eq!(Third::of_content(of(&editor, "row")), content);
    assert_eq!(of(&editor, "row").size, Size::new(200.0, 60.0));
    does(&mut editor, PropertyAct::Set(Setting::SpreadGap(true))).unwrap();
    assert_eq!(number(&editor, "row", NumberProperty::Gap), Common::Nothing);
    // A gap that is typed is one.
    types(&mut editor, NumberProperty::Gap, "8").unwrap();
    assert_eq!(number(&editor, "row", NumberProperty::Gap), Common::Same(8.0));
    let mut editor = with(&["a"]);
    assert!(does(&mut editor, PropertyAct::Set(Setting::Direction(Direction::Vertical))).is_err());
}

#[test]
fn what_hugs_is_not_filled_and_what_fills_is_in_a_layout() {
    let mut editor = with(&["c"]);
    let fill = Setting::Sizing(Direction::Horizontal, Sizing::Fill);
    does(&mut editor, PropertyAct::Set(fill.clone())).unwrap();
    assert_eq!(of(&editor, "c").size.width, 200.0);
    // A width that is typed is fixed.
    types(&mut editor, NumberProperty::Width, "80").unwrap();
    assert_eq!(editor.document().sizing(&"c".into(), Direction::Horizontal), Sizing::Fixed);
    assert_eq!(of(&editor, "c").size.width, 80.0);
    let mut editor = with(&["a"]);
    assert!(does(&mut editor, PropertyAct::Set(fill)).is_err());
    let mut editor = with(&["row"]);
    let hug = Setting::Sizing(Direction::Horizontal, Sizing::Hug);
    does(&mut editor, PropertyAct::Set(hug)).unwrap();
    assert_eq!(of(&editor, "row").size.width, 50.0);
}

#[test]
fn an_act_on_nodes_is_not_about_what_is_selected_by_then() {
    let mut editor = with(&["b"]);
    let hide = PropertyAct::Set(Setting::Visible(false));
    let nodes = vec!["a".into(), "gone".into()];
    does(&mut editor, PropertyAct::On { nodes, act: Box::new(hide) }).unwrap();
    assert!(!of(&editor, "a").visible && of(&editor, "b").visible);
}

#[test]
fn where_nothing_is_selected_it_is_the_screen() {
    let mut editor = with(&[]);
    types(&mut editor, NumberProperty::Width, "390").unwrap();
    assert_eq!(of(&editor, "screen").size.width, 390.0);
}

proptest! {
    /// Whatever is typed, for whatever: one step that is undone bit by bit, or no change at all.
    #[test]
    fn any_number_of_any_property_is_undone_or_refused(
        which in 0..27_usize, value in -500.0..500.0f64, ids in 1..64_u8,
    ) {
        let property = numbers()[which % numbers().len()];
        let names = ["a", "b", "tilted", "row", "words", "line"];
        let chosen: Vec<&str> =
            names.iter().enumerate().filter(|(at, _)| ids >> at & 1 == 1).map(|(_, id)| *id).collect();
        let mut editor = with(&chosen);
        let start = editor.document().clone();
        let done = types(&mut editor, property, &format!("Mixed{value:+}"));
        if done.is_err() || editor.undoable().0 == 0 {
            prop_assert_eq!(editor.document(), &start);
        } else {
            prop_assert_eq!(editor.undoable().0, 1);
            act(&mut editor, Act::Undo).unwrap();
            prop_assert_eq!(editor.document(), &start);
        }
    }
}
