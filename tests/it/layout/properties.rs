//! What holds of any tree.

use pentimento::base::Limits;
use pentimento::design::edit::Transaction;
use pentimento::design::{AutoLayout, Direction, Document, Node, NodeId};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::sketch::{Blocks, laid_out, lay_out, node, read};

/// A number that a layout may meet: usual, fractional, tiny, or as large as a document takes.
fn number(hostile: bool) -> BoxedStrategy<f64> {
    if hostile {
        prop_oneof![0.0..300.0f64, Just(0.0), Just(1e-9), Just(1e7), Just(9_999_999.999)].boxed()
    } else {
        (0u32..1200).prop_map(|quarter| f64::from(quarter) / 4.0).boxed()
    }
}

fn word(words: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(words)
}

/// What any child may say; `null` for what it does not.
fn item(hostile: bool) -> impl Strategy<Value = Value> {
    let limit = || prop_oneof![4 => Just(Value::Null), 1 => number(hostile).prop_map(|n| json!(n))];
    let sizing = || word(&["FIXED", "HUG", "FILL", "FILL"]);
    (sizing(), sizing(), limit(), limit(), limit(), 0u8..12).prop_map(
        |(horizontal, vertical, min_width, max_width, max_height, odd)| {
            json!({
                "layoutSizingHorizontal": horizontal, "layoutSizingVertical": vertical,
                "minWidth": min_width, "maxWidth": max_width, "maxHeight": max_height,
                "visible": odd != 0,
                "layoutPositioning": if odd == 1 { "ABSOLUTE" } else { "AUTO" },
            })
        },
    )
}

fn frame_fields(hostile: bool) -> impl Strategy<Value = Value> {
    let spacing =
        (number(hostile), any::<bool>()).prop_map(|(n, negative)| if negative { -n } else { n });
    (
        word(&["HORIZONTAL", "VERTICAL", "HORIZONTAL", "VERTICAL", "NONE"]),
        word(&["NO_WRAP", "NO_WRAP", "WRAP"]),
        word(&["MIN", "CENTER", "MAX", "SPACE_BETWEEN"]),
        word(&["MIN", "CENTER", "MAX", "BASELINE"]),
        (spacing, number(hostile), number(hostile), number(hostile)),
    )
        .prop_map(|(mode, wrap, primary, counter, (spacing, lines, left, top))| {
            json!({
                "layoutMode": mode, "layoutWrap": wrap, "primaryAxisAlignItems": primary,
                "counterAxisAlignItems": counter, "itemSpacing": spacing,
                "counterAxisSpacing": lines, "paddingLeft": left, "paddingTop": top,
            })
        })
}

fn fields(node: Value, more: Value) -> Value {
    let (Value::Object(mut node), Value::Object(more)) = (node, more) else { panic!("fields") };
    node.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
    Value::Object(node)
}

fn leaf(hostile: bool) -> impl Strategy<Value = Value> {
    (
        word(&["RECTANGLE", "RECTANGLE", "TEXT", "LINE"]),
        number(hostile),
        number(hostile),
        item(hostile),
        "[a-z ]{0,30}",
    )
        .prop_map(|(kind, width, height, item, characters)| {
            let height = if kind == "LINE" { 0.0 } else { height };
            let leaf = fields(node(kind, "", (width, height), json!({})), item);
            if kind != "TEXT" {
                return leaf;
            }
            let style = json!({"fontSize": 16, "textAutoResize": "HEIGHT"});
            fields(leaf, json!({"characters": characters, "style": style}))
        })
}

fn trees(hostile: bool) -> impl Strategy<Value = Value> {
    let leaf = leaf(hostile).boxed();
    leaf.prop_recursive(4, 24, 5, move |inner| {
        let children = prop::collection::vec(inner, 0..5);
        (number(hostile), number(hostile), item(hostile), frame_fields(hostile), children).prop_map(
            |(width, height, item, layout, children)| {
                let frame = node("FRAME", "", (width, height), json!({"children": children}));
                fields(fields(frame, item), layout)
            },
        )
    })
    .prop_map(|tree| fields(tree, json!({"visible": true})))
    .prop_map(|tree| numbered(tree, &mut 0, &|serial| format!("n{serial:03}")))
}

/// The tree with ids given in depth-first order.
fn numbered(mut tree: Value, serial: &mut usize, id: &dyn Fn(usize) -> String) -> Value {
    tree["id"] = json!(id(*serial));
    *serial += 1;
    if let Some(children) = tree.get_mut("children").and_then(Value::as_array_mut) {
        for child in children {
            *child = numbered(child.take(), serial, id);
        }
    }
    tree
}

/// Boxes in depth-first order.
fn boxes(document: &Document) -> Vec<[f64; 4]> {
    let nodes = document.iter_depth_first();
    nodes
        .map(|node| {
            let at = document.absolute_box(&node.id).unwrap();
            [at.x, at.y, at.width, at.height]
        })
        .collect()
}

fn is_in_range(node: &Node) -> bool {
    let within = |value: f64| value.abs() <= Limits::COORDINATE;
    let (t, size) = (node.transform, node.size);
    [t.e, t.f, size.width, size.height].into_iter().all(within)
        && size.width >= 0.0
        && size.height >= 0.0
}

/// Where the children of a line lie: counted one by one, fills dealt out pixel by quarter pixel.
fn obvious(
    frame: &Node,
    layout: &AutoLayout,
    children: &[&Node],
    fills: &[bool],
) -> Vec<(f64, f64)> {
    let space = frame.size.width - layout.padding.left - layout.padding.right;
    let mut widths: Vec<f64> = children
        .iter()
        .zip(fills)
        .map(|(node, fills)| if *fills { 0.0 } else { node.size.width })
        .collect();
    let gaps = layout.item_spacing * (children.len() - 1) as f64;
    let left = space - gaps - widths.iter().sum::<f64>();
    let count = fills.iter().filter(|fills| **fills).count() as f64;
    for (width, _) in widths.iter_mut().zip(fills).filter(|(_, fills)| **fills) {
        *width = (left / count).max(0.0);
    }
    let mut at = layout.padding.left;
    widths
        .into_iter()
        .map(|width| {
            let start = at;
            at += width + layout.item_spacing;
            (start, width)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn hostile_numbers_end_in_a_document_that_is_in_range(tree in trees(true)) {
        let document = laid_out(tree);
        for node in document.iter_depth_first() {
            prop_assert!(is_in_range(node), "{} is at {:?} with {:?}", node.id, node.transform, node.size);
        }
    }

    #[test]
    fn what_is_laid_out_is_not_moved_by_laying_it_out_again(tree in trees(false)) {
        let mut document = laid_out(tree);
        let once = boxes(&document);
        lay_out(&mut document);
        let twice = boxes(&document);
        for ((a, b), node) in once.iter().zip(&twice).zip(document.iter_depth_first()) {
            let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            prop_assert!(off < 0.01, "{}: {a:?} became {b:?}", node.id);
        }
    }

    #[test]
    fn ids_have_no_say(tree in trees(false)) {
        let count = read(tree.clone()).len();
        let reversed = numbered(tree.clone(), &mut 0, &|serial| format!("n{:03}", count - serial));
        prop_assert_eq!(boxes(&laid_out(tree)), boxes(&laid_out(reversed)));
    }

    #[test]
    fn an_edit_takes_back_what_followed_from_it(tree in trees(false), number in 0usize..100, width in 0.0..400.0f64) {
        let mut document = laid_out(tree);
        let before = document.clone();
        let ids: Vec<NodeId> = document.iter_depth_first().map(|node| node.id.clone()).collect();
        let id = &ids[number % ids.len()];
        let mut change = Transaction::begin(&mut document);
        change.update(id, |node| node.size.width = width).unwrap();
        let edit = change.commit_with(&Blocks);
        let after = document.clone();
        edit.inverse().apply(&mut document);
        prop_assert_eq!(&document, &before);
        edit.apply(&mut document);
        prop_assert_eq!(&document, &after);
    }

    #[test]
    fn children_lie_within_a_frame_that_hugs_them(tree in trees(false)) {
        let document = laid_out(tree);
        for frame in document.iter_depth_first() {
            let Some(layout) = frame.auto_layout.as_deref() else { continue };
            let hugs = |axis| document.sizing(&frame.id, axis) == pentimento::design::Sizing::Hug;
            let item = &frame.layout_item;
            let is_free = item.max_width.is_none() && item.max_height.is_none();
            if !hugs(Direction::Horizontal) || !hugs(Direction::Vertical) || !is_free || layout.item_spacing < 0.0 {
                continue;
            }
            for child in frame.children.iter().map(|id| document.node(id).unwrap()) {
                let at = child.transform.bounds_of(child.size);
                let flows = child.visible && !child.layout_item.is_absolute;
                prop_assert!(
                    !flows || (at.x > -0.01 && at.y > -0.01
                        && at.right() < frame.size.width + 0.01
                        && at.bottom() < frame.size.height + 0.01),
                    "{} {at:?} leaves {} {:?}", child.id, frame.id, frame.size
                );
            }
        }
    }

    #[test]
    fn one_line_is_what_counting_gives(
        widths in prop::collection::vec((number(false), any::<bool>()), 1..7),
        space in number(false), spacing in -20.0..40.0f64, padding in 0.0..30.0f64,
    ) {
        let children: Vec<Value> = widths.iter().enumerate().map(|(at, (width, fills))| {
            let sizing = if *fills { "FILL" } else { "FIXED" };
            node("RECTANGLE", &format!("c{at}"), (*width, 10.0), json!({"layoutSizingHorizontal": sizing}))
        }).collect();
        let fields = json!({"layoutMode": "HORIZONTAL", "layoutSizingHorizontal": "FIXED",
            "layoutSizingVertical": "FIXED", "itemSpacing": spacing, "paddingLeft": padding,
            "paddingRight": 3, "children": children});
        let document = laid_out(node("FRAME", "f", (space, 20.0), fields));
        let frame = document.node(&"f".into()).unwrap();
        let children: Vec<&Node> =
            frame.children.iter().map(|id| document.node(id).unwrap().as_ref()).collect();
        let fills: Vec<bool> = widths.iter().map(|(_, fills)| *fills).collect();
        let expected = obvious(frame, frame.auto_layout.as_ref().unwrap(), &children, &fills);
        for (child, (start, width)) in children.iter().zip(expected) {
            prop_assert!((child.transform.e - start).abs() < 0.01, "{} {start}", child.transform.e);
            prop_assert!((child.size.width - width).abs() < 0.01, "{} {width}", child.size.width);
        }
    }
}

#[test]
fn frames_nested_as_deep_as_they_may_are_laid_out() {
    let mut tree = node("RECTANGLE", "leaf", (10.0, 10.0), json!({}));
    for level in 1..Limits::NODE_DEPTH {
        let fields = json!({"layoutMode": "VERTICAL", "layoutWrap": "WRAP", "paddingLeft": 1,
            "layoutSizingHorizontal": "HUG", "layoutSizingVertical": "HUG", "children": [tree]});
        tree = node("FRAME", &format!("level {level}"), (5.0, 5.0), fields);
    }
    let document = laid_out(tree);
    assert_eq!(boxes(&document)[0][2], 10.0 + (Limits::NODE_DEPTH - 1) as f64);
}
