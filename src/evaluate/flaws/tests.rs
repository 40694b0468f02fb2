use super::*;
use crate::base::{Affine, Rgba, Size};
use crate::design::diff::StyleField;
use crate::design::hunk::{Consequences, Field, Hunk, HunkChange, apply_hunks};
use crate::design::{
    AutoLayout, BooleanOp, Direction, EllipseArc, NarrowLetters, Node, NodeId, NodeKind, Paint,
    TextAlign, TextContent, VerticalAlign,
};
use crate::metric::constraint::contrast_ratio;

fn node(id: &str, parent: Option<&str>, [x, y, width, height]: [f64; 4], grey: u8) -> Node {
    let mut node = Node::new(id.into(), id, NodeKind::Rectangle);
    node.parent = parent.map(NodeId::from);
    node.transform = Affine::translate(x, y);
    node.size = Size::new(width, height);
    node.fills = vec![Paint::solid(Rgba::from_u8([grey, grey, grey, 255]))];
    node
}

fn text(id: &str, at: [f64; 4], words: &str, grey: u8) -> Node {
    let content = TextContent { characters: words.to_owned(), ..TextContent::default() };
    Node { kind: NodeKind::Text(Box::new(content)), ..node(id, Some("screen"), at, grey) }
}

fn screen(nodes: impl IntoIterator<Item = Node>) -> Document {
    let mut screen = node("screen", None, [1000.0, 500.0, 400.0, 400.0], 255);
    (screen.kind, screen.clips_content) = (NodeKind::Frame, true);
    Document::from_nodes(std::iter::once(screen).chain(nodes)).unwrap()
}

fn found(document: &Document) -> Vec<(FlawKind, String)> {
    let flaws = find_flaws(document, &NarrowLetters);
    flaws.into_iter().map(|flaw| (flaw.kind, flaw.node.to_string())).collect()
}

/// The document with all flaws mended, one after the other.
fn mended(mut document: Document) -> Document {
    while let Some(flaw) = find_flaws(&document, &NarrowLetters).into_iter().next() {
        let before = find_flaws(&document, &NarrowLetters).len();
        apply_hunks(&mut document, &flaw.hunks, Consequences::Settle, &NarrowLetters).unwrap();
        assert!(find_flaws(&document, &NarrowLetters).len() < before, "{flaw:?}");
    }
    document
}

fn corner(document: &Document, id: &str) -> (f64, f64) {
    let node = document.get(&id.into()).unwrap();
    (node.transform.e, node.transform.f)
}

#[test]
fn a_tidy_design_has_no_flaws() {
    let document = screen([
        node("a", Some("screen"), [20.0, 20.0, 40.0, 40.0], 200),
        node("b", Some("screen"), [80.0, 20.0, 40.0, 40.0], 200),
        node("c", Some("screen"), [140.0, 20.0, 40.0, 40.0], 200),
        text("title", [20.0, 80.0, 160.0, 12.0], "Good morning", 0),
    ]);
    assert_eq!(found(&document), []);
    assert_eq!(find_flaws(&Document::default(), &NarrowLetters), []);
}

#[test]
fn of_a_file_every_frame_of_the_page_is_looked_at_and_without_pages_the_screen_alone() {
    let of_frame = |frame: &str, page: Option<&str>, x: f64| {
        let mut whole = node(frame, page, [x, 0.0, 400.0, 400.0], 255);
        (whole.kind, whole.clips_content) = (NodeKind::Frame, true);
        let clear = node(&format!("{frame} clear"), Some(frame), [20.0, 20.0, 40.0, 40.0], 200);
        [whole, Node { opacity: 0.0, ..clear }]
    };
    let both = |page: Option<&str>| [of_frame("one", page, 0.0), of_frame("two", page, 500.0)];
    let hidden = |id: &str| (FlawKind::Hidden, id.to_owned());
    let bare = Document::from_nodes(both(None).into_iter().flatten()).unwrap();
    assert_eq!(found(&bare), [hidden("one clear")]);
    let page = Node::new("page".into(), "page", NodeKind::Canvas);
    let nodes = std::iter::once(page).chain(both(Some("page")).into_iter().flatten());
    let file = Document::from_nodes(nodes).unwrap();
    assert_eq!(found(&file), [hidden("one clear"), hidden("two clear")]);
    assert_eq!(found(&mended(file)), []);
}

#[test]
fn a_text_gets_the_height_that_its_lines_need() {
    // Twenty letters of six pixels in a box of sixty: two lines.
    let document = screen([text("t", [20.0, 20.0, 60.0, 12.0], "abcdefghij klmnopqrs", 0)]);
    assert_eq!(found(&document), [(FlawKind::Overflow, "t".to_owned())]);
    let after = mended(document);
    assert_eq!(after.get(&"t".into()).unwrap().size, Size::new(60.0, 24.0));
}

#[test]
fn a_box_grows_so_that_its_letters_stay_where_they_are() {
    let aligned = |align: TextAlign, vertical_align: VerticalAlign| {
        let mut text = text("t", [20.0, 40.0, 60.0, 12.0], "abcdefghij klmnopqrs", 0);
        let style = &mut text.text_mut().unwrap().style;
        (style.align, style.vertical_align) = (align, vertical_align);
        text
    };
    // Twice as high, and as wide as it was.
    for (vertical_align, y) in
        [(VerticalAlign::Top, 40.0), (VerticalAlign::Center, 34.0), (VerticalAlign::Bottom, 28.0)]
    {
        let after = mended(screen([aligned(TextAlign::Center, vertical_align)]));
        assert_eq!(after.get(&"t".into()).unwrap().size, Size::new(60.0, 24.0));
        assert_eq!(corner(&after, "t"), (20.0, y), "{vertical_align:?}");
    }
    // One letter in less than its width: as wide as that.
    for (align, x) in [(TextAlign::Left, 20.0), (TextAlign::Center, 18.0), (TextAlign::Right, 16.0)]
    {
        let mut thin = text("t", [20.0, 40.0, 2.0, 12.0], "a", 0);
        let content = thin.text_mut().unwrap();
        (content.style.align, content.style.font_size) = (align, 12.0);
        let after = mended(screen([thin]));
        assert_eq!(after.get(&"t".into()).unwrap().size, Size::new(6.0, 12.0));
        assert_eq!(corner(&after, "t"), (x, 40.0), "{align:?}");
    }
    // Turned by a quarter it grows to its own bottom, which is the left.
    let mut turned = aligned(TextAlign::Left, VerticalAlign::Top);
    turned.transform = Affine { a: 0.0, b: 1.0, c: -1.0, d: 0.0, e: 200.0, f: 40.0 };
    assert_eq!(corner(&mended(screen([turned])), "t"), (200.0, 40.0));
    // Auto layout says where it lies.
    let mut column = node("column", Some("screen"), [20.0, 40.0, 60.0, 12.0], 255);
    column.kind = NodeKind::Frame;
    column.auto_layout = Some(Box::new(AutoLayout::new(Direction::Vertical)));
    let mut placed = aligned(TextAlign::Center, VerticalAlign::Bottom);
    placed.parent = Some("column".into());
    placed.transform = Affine::IDENTITY;
    let flaws = find_flaws(&screen([column, placed]), &NarrowLetters);
    let overflow = flaws.iter().find(|flaw| flaw.kind == FlawKind::Overflow).unwrap();
    let fields: Vec<Field> = overflow.hunks.iter().map(Hunk::field).collect();
    assert_eq!(fields, [Field::Size]);
}

#[test]
fn a_text_that_is_cut_goes_back_inside_its_frame() {
    let document = screen([text("t", [370.0, 20.0, 60.0, 12.0], "Sign out", 0)]);
    assert_eq!(found(&document), [(FlawKind::Overflow, "t".to_owned())]);
    assert_eq!(corner(&mended(document), "t"), (340.0, 20.0));
}

#[test]
fn a_faint_text_becomes_as_dark_as_it_has_to_be() {
    let document = screen([text("t", [20.0, 20.0, 90.0, 12.0], "Sign out", 190)]);
    assert_eq!(found(&document), [(FlawKind::Contrast, "t".to_owned())]);
    let after = mended(document);
    let color = after.get(&"t".into()).unwrap().fills[0].solid_color().unwrap();
    let [r, g, b, _] = color.to_u8();
    let ratio = contrast_ratio([r, g, b], [255; 3]);
    // Enough to be read, and not simply black.
    assert!((4.5..6.0).contains(&ratio), "{ratio}");
}

#[test]
fn a_large_text_needs_less_contrast_and_a_picture_below_says_nothing() {
    let mut large = text("t", [20.0, 20.0, 200.0, 20.0], "Sign out", 140);
    large.text_mut().unwrap().style.font_size = 20.0;
    assert_eq!(found(&screen([large.clone()])), []);
    large.text_mut().unwrap().style.font_size = 12.0;
    assert_eq!(found(&screen([large.clone()])), [(FlawKind::Contrast, "t".to_owned())]);
    let mut picture = node("picture", Some("screen"), [0.0, 0.0, 400.0, 100.0], 255);
    picture.fills[0].kind = crate::design::PaintKind::Image(crate::design::ImagePaint::default());
    assert_eq!(found(&screen([picture, large])), []);
}

#[test]
fn what_nobody_sees_comes_to_sight() {
    let mut clear = node("clear", Some("screen"), [20.0, 300.0, 40.0, 40.0], 10);
    clear.opacity = 0.0;
    let document = screen([
        node("below", Some("screen"), [30.0, 30.0, 20.0, 20.0], 10),
        node("outside", Some("screen"), [900.0, 150.0, 40.0, 40.0], 10),
        clear,
        node("cover", Some("screen"), [20.0, 20.0, 200.0, 100.0], 240),
    ]);
    let expected = ["below", "outside", "clear"].map(|id| (FlawKind::Hidden, id.to_owned()));
    assert_eq!(found(&document), expected);
    let order = find_flaws(&document, &NarrowLetters);
    assert!(matches!(order[0].hunks[0].change, HunkChange::Reorder { index: 3 }));
    let after = mended(document);
    assert_eq!(corner(&after, "outside"), (360.0, 150.0));
    assert_eq!(after.get(&"clear".into()).unwrap().opacity, 1.0);
    assert_eq!(after.children_of(Some(&"screen".into())).last(), Some(&"below".into()));
}

#[test]
fn what_is_hidden_on_purpose_or_below_glass_is_none_of_it() {
    let mut off = node("off", Some("screen"), [30.0, 30.0, 20.0, 20.0], 10);
    off.visible = false;
    let mut glass = node("glass", Some("screen"), [20.0, 20.0, 200.0, 100.0], 240);
    glass.opacity = 0.5;
    let below = node("below", Some("screen"), [40.0, 40.0, 20.0, 20.0], 10);
    assert_eq!(found(&screen([off, below, glass])), []);
}

#[test]
fn what_a_mask_leaves_little_of_covers_nothing() {
    let mut mask = node("mask", Some("screen"), [100.0, 100.0, 40.0, 40.0], 10);
    mask.kind = NodeKind::Ellipse(EllipseArc::WHOLE);
    mask.is_mask = true;
    let masked = [
        node("below", Some("screen"), [30.0, 30.0, 20.0, 20.0], 10),
        node("within", Some("screen"), [105.0, 112.0, 16.0, 16.0], 10),
        mask.clone(),
        node("masked", Some("screen"), [0.0, 0.0, 400.0, 400.0], 240),
        // Outside the mask, and half of it: it was masked so.
        node("nowhere", Some("screen"), [300.0, 102.0, 20.0, 20.0], 240),
        text("half", [120.0, 110.0, 60.0, 12.0], "Sign out", 0),
    ];
    assert_eq!(found(&screen(masked.clone())), []);
    // A mask that is hidden masks nothing, and what lies in another parent is not masked.
    let mut open = masked.clone();
    open[2].visible = false;
    assert!(found(&screen(open)).contains(&(FlawKind::Hidden, "below".to_owned())));
    let mut group = node("group", Some("screen"), [100.0, 100.0, 40.0, 40.0], 10);
    (group.kind, group.fills) = (NodeKind::Group, Vec::new());
    mask.parent = Some("group".into());
    mask.transform = Affine::IDENTITY;
    let [below, _, _, cover, ..] = masked;
    let hidden = (FlawKind::Hidden, "below".to_owned());
    assert_eq!(found(&screen([below, group, mask, cover])), [hidden]);
}

#[test]
fn parts_of_a_combined_shape_are_no_layers() {
    let mut icon = node("icon", Some("screen"), [20.0, 20.0, 93.0, 120.0], 0);
    icon.kind = NodeKind::BooleanOperation(BooleanOp::Union);
    let parts = [
        // Nearly in line, and one below the other.
        node("a", Some("icon"), [0.0, 0.0, 40.0, 40.0], 0),
        node("b", Some("icon"), [3.0, 80.0, 90.0, 40.0], 0),
        node("c", Some("icon"), [10.0, 90.0, 20.0, 20.0], 0),
        node("d", Some("icon"), [5.0, 82.0, 80.0, 36.0], 0),
    ];
    let with = |icon: &Node| screen(std::iter::once(icon.clone()).chain(parts.clone()));
    assert_eq!(found(&with(&icon)), []);
    // The shape itself is one.
    icon.opacity = 0.0;
    assert_eq!(found(&with(&icon)), [(FlawKind::Hidden, "icon".to_owned())]);
}

#[test]
fn the_one_that_lies_off_in_a_row_goes_back_between_the_others() {
    let row = [20.0, 80.0, 143.0, 200.0, 260.0].into_iter().enumerate();
    let row = row.map(|(n, x)| node(&n.to_string(), Some("screen"), [x, 20.0, 40.0, 40.0], 200));
    let document = screen(row);
    assert_eq!(found(&document), [(FlawKind::Gap, "2".to_owned())]);
    assert_eq!(corner(&mended(document), "2"), (140.0, 20.0));
}

#[test]
fn behind_an_odd_gap_all_of_a_column_move() {
    let column = [20.0, 80.0, 146.0, 206.0].into_iter().enumerate();
    let column =
        column.map(|(n, y)| node(&n.to_string(), Some("screen"), [20.0, y, 40.0, 40.0], 200));
    let document = screen(column);
    assert_eq!(found(&document), [(FlawKind::Gap, "2".to_owned())]);
    let after = mended(document);
    let places = ["0", "1", "2", "3"].map(|id| corner(&after, id).1);
    assert_eq!(places, [20.0, 80.0, 140.0, 200.0]);
}

#[test]
fn an_edge_that_is_nearly_in_line_is_put_in_line() {
    let document = screen([
        node("a", Some("screen"), [20.0, 20.0, 40.0, 40.0], 200),
        node("b", Some("screen"), [23.0, 100.0, 90.0, 40.0], 200),
        // Too far off to be meant as in line.
        node("c", Some("screen"), [31.0, 200.0, 57.0, 40.0], 200),
    ]);
    assert_eq!(found(&document), [(FlawKind::Alignment, "b".to_owned())]);
    let flaw = &find_flaws(&document, &NarrowLetters)[0];
    assert!(flaw.found.contains("left edge") && flaw.found.contains("3 px"), "{}", flaw.found);
    assert_eq!(corner(&mended(document), "b"), (20.0, 100.0));
}

#[test]
fn what_auto_layout_places_is_left_to_it() {
    let mut frame = node("frame", Some("screen"), [0.0, 0.0, 300.0, 60.0], 255);
    frame.kind = NodeKind::Frame;
    let layout = crate::design::AutoLayout::new(crate::design::Direction::Horizontal);
    frame.auto_layout = Some(Box::new(layout));
    let row = [20.0, 80.0, 143.0, 200.0, 260.0].into_iter().enumerate();
    let row = row.map(|(n, x)| node(&n.to_string(), Some("frame"), [x, 20.0, 20.0, 20.0], 200));
    assert_eq!(found(&screen(std::iter::once(frame).chain(row))), []);
}

#[test]
fn flaws_say_which_style_they_change() {
    let document = screen([text("t", [20.0, 20.0, 90.0, 12.0], "Sign out", 190)]);
    let flaw = &find_flaws(&document, &NarrowLetters)[0];
    assert_eq!(flaw.hunks[0].field(), Field::Style(StyleField::Fills));
}
