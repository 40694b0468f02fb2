//! What a change moves, and what it leaves.

use pentimento::design::edit::{Edit, Transaction};
use pentimento::design::{AutoResize, Document, Node, NodeId, NodeKind, Sizing, figma};
use serde_json::json;

use super::sketch::{Blocks, column, frame, hug, node, place, places, read, rect, row, text};

fn change(document: &mut Document, id: &str, update: impl FnOnce(&mut Node)) -> Edit {
    let mut change = Transaction::begin(document);
    change.update(&id.into(), update).unwrap();
    change.commit_with(&Blocks)
}

fn touched(edit: &Edit) -> Vec<&str> {
    edit.touched().map(NodeId::as_str).collect()
}

/// A row of two columns whose children lie where no layout would put them, and a text.
fn odd() -> Document {
    let shifted = |id: &str| {
        let mut rect = rect(id, (10.0, 10.0), json!({}));
        rect["absoluteBoundingBox"]["x"] = json!(33.3);
        rect
    };
    let label = text("t", "word", (77.0, 33.0), "WIDTH_AND_HEIGHT", json!({}));
    let left = column("left", (50.0, 50.0), hug(), vec![shifted("a"), label]);
    let right = column("right", (50.0, 50.0), hug(), vec![shifted("b"), shifted("c")]);
    read(row("f", (300.0, 300.0), json!({}), vec![left, right]))
}

#[test]
fn a_change_of_colour_or_name_moves_nothing() {
    let mut document = odd();
    let edit = change(&mut document, "a", |node| node.opacity = 0.5);
    assert_eq!(touched(&edit), ["a"]);
    let edit = change(&mut document, "t", |node| node.name = "label".to_owned());
    assert_eq!(touched(&edit), ["t"]);
    let edit = change(&mut document, "left", |node| node.fills.clear());
    assert_eq!(touched(&edit), Vec::<&str>::new());
}

#[test]
fn only_frames_that_a_change_reaches_are_laid_out_again() {
    let mut document = odd();
    let edit = change(&mut document, "a", |node| node.size.height = 20.0);
    assert_eq!(place(&document, "a")[0], 0.0);
    // The text keeps the size it came with: its words are the same.
    assert_eq!(place(&document, "left"), [0.0, 0.0, 77.0, 53.0]);
    assert_eq!(place(&document, "right")[0], 77.0);
    let inside_right = touched(&edit).iter().any(|id| ["b", "c"].contains(id));
    assert!(!inside_right, "{:?}", touched(&edit));
}

#[test]
fn a_change_that_alters_no_size_stops_there() {
    let mut document = odd();
    let edit = change(&mut document, "right", |node| node.layout_item.min_width = Some(5.0));
    let mut expected = vec!["b", "c", "f", "left", "right"];
    expected.retain(|id| touched(&edit).contains(id));
    assert_eq!(touched(&edit), expected);
    assert!(!touched(&edit).contains(&"a"));
}

#[test]
fn an_edit_undoes_what_followed_from_it() {
    let mut document = odd();
    let before = document.clone();
    let json = figma::to_json(&document);
    let edit = change(&mut document, "t", |node| {
        node.text_mut().unwrap().characters = "many more letters".to_owned();
    });
    assert!(touched(&edit).contains(&"right"));
    let after = document.clone();
    edit.inverse().apply(&mut document);
    assert_eq!(document, before);
    assert_eq!(figma::to_json(&document), json);
    edit.apply(&mut document);
    assert_eq!(document, after);
}

#[test]
fn another_word_pushes_the_siblings_of_every_frame_that_hugs() {
    let mut document = odd();
    change(&mut document, "t", |node| {
        node.text_mut().unwrap().characters = "ten chars.".to_owned();
    });
    assert_eq!(place(&document, "t"), [0.0, 10.0, 100.0, 20.0]);
    assert_eq!(
        places(&document, ["left", "right"]).map(|at| (at[0], at[2])),
        [(0.0, 100.0), (100.0, 50.0)]
    );
    let json = figma::to_json(&document);
    assert_eq!(json["children"][0]["absoluteBoundingBox"]["width"].as_f64(), Some(100.0));
    assert_eq!(json["children"][0]["layoutSizingHorizontal"], json!("HUG"));
}

#[test]
fn children_put_in_taken_out_hidden_and_reordered_are_made_room_for() {
    let children = ["a", "b", "c"].map(|id| rect(id, (10.0, 10.0), json!({}))).to_vec();
    let mut document = read(row("f", (30.0, 10.0), hug(), children));
    change(&mut document, "b", |node| node.visible = false);
    assert_eq!((place(&document, "f")[2], place(&document, "c")[0]), (20.0, 10.0));
    change(&mut document, "b", |node| node.visible = true);
    assert_eq!((place(&document, "f")[2], place(&document, "c")[0]), (30.0, 20.0));
    let mut transaction = Transaction::begin(&mut document);
    transaction.reparent(&"c".into(), Some(&"f".into()), Some(0)).unwrap();
    transaction.remove(&"b".into()).unwrap();
    let mut new = Node::new("new".into(), "new", NodeKind::Rectangle);
    new.size.width = 50.0;
    transaction.insert(new, Some(&"f".into()), None).unwrap();
    transaction.commit_with(&Blocks);
    assert_eq!(places(&document, ["c", "a", "new"]).map(|at| at[0]), [0.0, 10.0, 20.0]);
    assert_eq!(place(&document, "f")[2], 70.0);
}

#[test]
fn a_child_moved_by_hand_goes_back_unless_it_is_absolute() {
    let mut document =
        read(row("f", (90.0, 90.0), json!({}), vec![rect("a", (10.0, 10.0), json!({}))]));
    change(&mut document, "a", |node| node.transform.e = 40.0);
    assert_eq!(place(&document, "a")[0], 0.0);
    change(&mut document, "a", |node| {
        node.layout_item.is_absolute = true;
        node.transform.e = 40.0;
    });
    assert_eq!(place(&document, "a")[0], 40.0);
}

#[test]
fn a_group_between_two_frames_passes_a_change_up() {
    let label = text("t", "word", (40.0, 20.0), "WIDTH_AND_HEIGHT", json!({}));
    let inner = row("inner", (40.0, 20.0), hug(), vec![label]);
    let group = node("GROUP", "g", (40.0, 20.0), json!({"children": [inner]}));
    let last = rect("last", (10.0, 10.0), json!({}));
    let mut document = read(row("f", (50.0, 20.0), hug(), vec![group, last]));
    change(&mut document, "t", |node| node.text_mut().unwrap().characters = "longer".to_owned());
    assert_eq!(
        places(&document, ["f", "g", "last"]).map(|at| (at[0], at[2])),
        [(0.0, 70.0), (0.0, 60.0), (60.0, 10.0)]
    );
}

#[test]
fn the_box_of_a_combined_shape_follows_its_parts_and_they_keep_their_place() {
    let parts = vec![rect("a", (10.0, 10.0), json!({})), rect("b", (30.0, 20.0), json!({}))];
    let shape = node(
        "BOOLEAN_OPERATION",
        "u",
        (30.0, 20.0),
        json!({"booleanOperation": "UNION", "children": parts}),
    );
    let mut document = read(frame("f", (90.0, 90.0), json!({}), vec![shape]));
    change(&mut document, "a", |node| node.transform.e = -15.0);
    assert_eq!(place(&document, "u"), [-15.0, 0.0, 45.0, 20.0]);
    assert_eq!(places(&document, ["a", "b"]).map(|at| at[0]), [-15.0, 0.0]);
    let edit = change(&mut document, "a", |node| node.name = "same shape".to_owned());
    assert_eq!(touched(&edit), ["a"]);
}

#[test]
fn a_text_and_its_sizing_say_the_same() {
    let label = text(
        "t",
        "twelve words",
        (50.0, 60.0),
        "HEIGHT",
        json!({"layoutSizingHorizontal": "FIXED", "layoutSizingVertical": "HUG"}),
    );
    let mut document = read(row("f", (90.0, 90.0), json!({}), vec![label]));
    let resize =
        |document: &Document| document.node(&"t".into()).unwrap().text().unwrap().style.auto_resize;
    change(&mut document, "t", |node| node.layout_item.horizontal = Some(Sizing::Hug));
    assert_eq!(
        (resize(&document), place(&document, "t")),
        (AutoResize::WidthAndHeight, [0.0, 0.0, 120.0, 20.0])
    );
    change(&mut document, "t", |node| {
        node.text_mut().unwrap().style.auto_resize = AutoResize::None;
    });
    let item = document.node(&"t".into()).unwrap().layout_item;
    assert_eq!((item.horizontal, item.vertical), (Some(Sizing::Fixed), Some(Sizing::Fixed)));
    change(&mut document, "t", |node| node.layout_item.vertical = Some(Sizing::Hug));
    assert_eq!((resize(&document), place(&document, "t")[3]), (AutoResize::Height, 20.0));
    change(&mut document, "t", |node| node.layout_item.max_width = Some(5.0));
    assert_eq!(place(&document, "t")[2], 5.0);
}

#[test]
fn the_edge_a_text_is_aligned_to_stays() {
    for (align, left) in [("LEFT", 0.0), ("CENTER", -30.0), ("RIGHT", -60.0)] {
        let mut label = text("t", "word", (40.0, 20.0), "WIDTH_AND_HEIGHT", json!({}));
        label["style"]["textAlignHorizontal"] = json!(align);
        let mut document = read(frame("f", (90.0, 90.0), json!({}), vec![label]));
        change(&mut document, "t", |node| {
            node.text_mut().unwrap().characters = "ten chars.".to_owned();
        });
        assert_eq!(place(&document, "t"), [left, 0.0, 100.0, 20.0], "{align}");
    }
}

#[test]
fn children_of_a_resized_frame_fill_it_anew_and_what_is_absolute_follows_once() {
    let pinned = json!({"layoutPositioning": "ABSOLUTE", "constraints": {"horizontal": "RIGHT", "vertical": "TOP"}});
    let children = vec![
        rect("a", (50.0, 10.0), json!({"layoutSizingHorizontal": "FILL"})),
        rect("p", (50.0, 10.0), pinned),
    ];
    let mut document = read(row("f", (50.0, 10.0), json!({}), children));
    let mut transaction = Transaction::begin(&mut document);
    transaction.resize(&"f".into(), pentimento::base::Size::new(80.0, 10.0)).unwrap();
    transaction.commit_with(&Blocks);
    assert_eq!(places(&document, ["a", "p"]), [[0.0, 0.0, 80.0, 10.0], [30.0, 0.0, 50.0, 10.0]]);
}

#[test]
fn what_comes_from_a_file_is_not_laid_out_by_being_copied() {
    let mut document = odd();
    let before = place(&document, "a");
    let mut transaction = Transaction::begin(&mut document);
    let copy = transaction.duplicate(&"left".into()).unwrap();
    transaction.commit_with(&Blocks);
    let first = document.children_of(Some(&copy))[0].clone();
    let offset = document.node(&first).unwrap().transform.e;
    assert_eq!(offset, document.node(&"a".into()).unwrap().transform.e);
    assert_eq!(place(&document, "a"), before);
}

#[test]
fn numbers_of_layouts_out_of_range_are_refused_by_name() {
    let mut document = odd();
    let mut transaction = Transaction::begin(&mut document);
    let mut refused =
        |update: fn(&mut Node)| transaction.update(&"left".into(), update).unwrap_err().to_string();
    assert!(
        refused(|node| node.auto_layout.as_mut().unwrap().padding.left = -1.0)
            .starts_with("padding must be")
    );
    assert!(
        refused(|node| node.auto_layout.as_mut().unwrap().item_spacing = f64::NAN)
            .starts_with("item spacing must be")
    );
    assert!(
        refused(|node| node.layout_item.min_width = Some(f64::INFINITY))
            .starts_with("least width must be")
    );
}
