//! Figma's rules, above all where CSS has others (`tests/chromium/README.md` numbers those).

use pentimento::design::{Direction, Sizing};
use pentimento::render::{RenderOptions, render_node};
use serde_json::json;

use super::sketch::{
    column, frame, hug, laid_out, lay_out, node, place, places, read, rect, row, text,
};
use crate::render::sketch::context;

const NONE: [(&str, (f64, f64)); 0] = [];

fn rects<const N: usize>(rects: [(&str, (f64, f64)); N]) -> Vec<serde_json::Value> {
    rects.into_iter().map(|(id, size)| rect(id, size, json!({}))).collect()
}

fn fill_across(id: &str, size: (f64, f64)) -> serde_json::Value {
    rect(id, size, json!({"layoutSizingHorizontal": "FILL"}))
}

#[test]
fn a_frame_hugs_its_children_with_padding_and_spacing() {
    let more = json!({"layoutSizingHorizontal": "HUG", "layoutSizingVertical": "HUG", "itemSpacing": 5,
        "paddingLeft": 1, "paddingTop": 2, "paddingRight": 3, "paddingBottom": 4});
    let document =
        laid_out(row("f", (9.0, 9.0), more, rects([("a", (10.0, 20.0)), ("b", (30.0, 10.0))])));
    assert_eq!(place(&document, "f"), [0.0, 0.0, 49.0, 26.0]);
    assert_eq!(places(&document, ["a", "b"]), [[1.0, 2.0, 10.0, 20.0], [16.0, 2.0, 30.0, 10.0]]);
}

#[test]
fn children_that_fill_get_equal_sizes_whatever_their_padding_1() {
    let fill = |id: &str, padding: f64| {
        let more = json!({"layoutSizingHorizontal": "FILL", "paddingLeft": padding});
        row(id, (1.0, 10.0), more, vec![])
    };
    let children = vec![fill("a", 0.0), fill("b", 40.0)];
    let document = laid_out(row("f", (100.0, 10.0), json!({}), children));
    assert_eq!(places(&document, ["a", "b"]).map(|at| at[2]), [50.0, 50.0]);
}

#[test]
fn what_fills_may_be_smaller_than_its_content_2() {
    let more = json!({"layoutSizingHorizontal": "FILL"});
    let inner = row("inner", (1.0, 10.0), more, rects([("wide", (80.0, 5.0))]));
    let children = vec![inner, rect("a", (70.0, 5.0), json!({}))];
    let document = laid_out(row("f", (100.0, 10.0), json!({}), children));
    assert_eq!(place(&document, "inner"), [0.0, 0.0, 30.0, 10.0]);
}

#[test]
fn fixed_and_hugging_children_never_shrink_3() {
    let inner = row("hugs", (1.0, 1.0), hug(), rects([("c", (80.0, 5.0))]));
    let children = vec![inner, rect("a", (70.0, 5.0), json!({})), fill_across("none", (9.0, 5.0))];
    let document = laid_out(row("f", (100.0, 10.0), json!({}), children));
    assert_eq!(places(&document, ["hugs", "a", "none"]).map(|at| at[2]), [80.0, 70.0, 0.0]);
}

#[test]
fn padding_larger_than_a_frame_leaves_its_size_and_nothing_to_fill_4() {
    let more = json!({"paddingLeft": 30, "paddingRight": 40});
    let document = laid_out(row("f", (50.0, 10.0), more, vec![fill_across("a", (9.0, 9.0))]));
    assert_eq!(places(&document, ["f", "a"]), [[0.0, 0.0, 50.0, 10.0], [30.0, 0.0, 0.0, 9.0]]);
}

#[test]
fn what_fills_across_and_is_held_by_its_limit_is_aligned_5() {
    let more = json!({"layoutSizingVertical": "FILL", "maxHeight": 40});
    let end = json!({"counterAxisAlignItems": "MAX"});
    let document = laid_out(row("f", (100.0, 100.0), end, vec![rect("a", (10.0, 1.0), more)]));
    assert_eq!(place(&document, "a"), [0.0, 60.0, 10.0, 40.0]);
}

#[test]
fn in_a_frame_that_hugs_what_fills_counts_and_is_stretched_to_the_largest_6() {
    let more = json!({"layoutSizingHorizontal": "FILL"});
    let inner = row("inner", (500.0, 10.0), more, rects([("c", (30.0, 5.0))]));
    let children = vec![inner, rect("a", (80.0, 10.0), json!({})), fill_across("b", (60.0, 10.0))];
    let document = laid_out(column("f", (1.0, 1.0), hug(), children));
    assert_eq!(place(&document, "f"), [0.0, 0.0, 80.0, 30.0]);
    assert_eq!(places(&document, ["inner", "a", "b"]).map(|at| at[2]), [80.0; 3]);
}

#[test]
fn the_older_fields_fill_whatever_the_child_says_of_itself_7() {
    let child = json!({"id": "c", "name": "c", "type": "FRAME", "layoutMode": "VERTICAL",
        "primaryAxisSizingMode": "AUTO", "counterAxisSizingMode": "FIXED",
        "layoutGrow": 1, "layoutAlign": "STRETCH", "children": [],
        "absoluteBoundingBox": {"x": 7, "y": 7, "width": 5, "height": 5}});
    let root = json!({"id": "f", "name": "f", "type": "FRAME", "layoutMode": "HORIZONTAL",
        "primaryAxisSizingMode": "FIXED", "counterAxisSizingMode": "FIXED", "children": [child],
        "absoluteBoundingBox": {"x": 0, "y": 0, "width": 50, "height": 40}});
    let document = laid_out(root);
    assert_eq!(place(&document, "c"), [0.0, 0.0, 50.0, 40.0]);
    for axis in [Direction::Horizontal, Direction::Vertical] {
        assert_eq!(document.sizing(&"c".into(), axis), Sizing::Fill);
        assert_eq!(document.sizing(&"f".into(), axis), Sizing::Fixed);
    }
}

#[test]
fn a_frame_that_hugs_nothing_keeps_its_size_8() {
    let hidden = rect("h", (70.0, 70.0), json!({"visible": false}));
    let absolute = rect("a", (80.0, 80.0), json!({"layoutPositioning": "ABSOLUTE"}));
    for children in [vec![], vec![hidden], vec![absolute]] {
        let document = laid_out(row("f", (33.0, 44.0), hug(), children));
        assert_eq!(place(&document, "f"), [0.0, 0.0, 33.0, 44.0]);
    }
}

#[test]
fn the_least_size_wins_over_the_greatest_9() {
    let more = json!({"layoutSizingHorizontal": "FILL", "minWidth": 60, "maxWidth": 20});
    let document = laid_out(row("f", (50.0, 10.0), json!({}), vec![rect("a", (1.0, 1.0), more)]));
    assert_eq!(place(&document, "a")[2], 60.0);
}

#[test]
fn limits_hold_frames_that_hug() {
    let mut more = hug();
    (more["maxWidth"], more["minHeight"]) = (json!(40), json!(30));
    let document = laid_out(row("f", (1.0, 1.0), more, rects([("a", (80.0, 10.0))])));
    assert_eq!(place(&document, "f"), [0.0, 0.0, 40.0, 30.0]);
}

#[test]
fn strokes_take_room_only_where_the_frame_says_so_10() {
    let stroke = |align: &str| {
        json!({"strokes": [{"type": "SOLID", "color": {"r": 0, "g": 0, "b": 0, "a": 1}}],
            "strokeWeight": 10, "strokeAlign": align})
    };
    let boxes = |counts: bool| {
        let mut more = stroke("INSIDE");
        more.as_object_mut().unwrap().extend(hug().as_object().unwrap().clone());
        more["strokesIncludedInLayout"] = json!(counts);
        let children = vec![
            rect("a", (20.0, 20.0), stroke("OUTSIDE")),
            rect("b", (20.0, 20.0), stroke("CENTER")),
        ];
        let document = laid_out(row("f", (1.0, 1.0), more, children));
        places(&document, ["f", "a", "b"])
    };
    let [f, a, b] = boxes(false);
    assert_eq!((f[2], f[3], a[0], b[0]), (40.0, 20.0, 0.0, 20.0));
    let [f, a, b] = boxes(true);
    assert_eq!((f[2], f[3]), (20.0 + 40.0 + 30.0, 20.0 + 40.0));
    assert_eq!((a[0], a[1], b[0], b[1]), (20.0, 20.0, 55.0, 15.0));
}

#[test]
fn turned_children_take_the_room_of_their_box_and_cannot_fill_11() {
    let more = json!({"size": {"x": 40, "y": 10}, "layoutSizingHorizontal": "FILL",
        "relativeTransform": [[0, 1, 0], [-1, 0, 40]]});
    let children = vec![rect("turned", (10.0, 40.0), more), rect("b", (20.0, 20.0), json!({}))];
    let document = laid_out(row("f", (1.0, 1.0), hug(), children));
    assert_eq!(place(&document, "f"), [0.0, 0.0, 30.0, 40.0]);
    let [turned, b] = places(&document, ["turned", "b"]);
    assert!(turned.iter().zip([0.0, 0.0, 10.0, 40.0]).all(|(a, b)| (a - b).abs() < 1e-9));
    assert_eq!(b, [10.0, 0.0, 20.0, 20.0]);
}

#[test]
fn a_group_is_one_child_that_cannot_fill_12() {
    let inside =
        json!({"children": rects([("a", (30.0, 10.0))]), "layoutSizingHorizontal": "FILL"});
    let children =
        vec![rect("first", (20.0, 20.0), json!({})), node("GROUP", "g", (30.0, 10.0), inside)];
    let center = json!({"counterAxisAlignItems": "CENTER"});
    let document = laid_out(row("f", (100.0, 20.0), center, children));
    assert_eq!(places(&document, ["g", "a"]), [[20.0, 5.0, 30.0, 10.0]; 2]);
}

#[test]
fn negative_spacing_overlaps_children_and_takes_no_frame_below_nothing_13() {
    let mut more = hug();
    more["itemSpacing"] = json!(-8);
    let children = rects([("a", (10.0, 10.0)), ("b", (10.0, 10.0))]);
    let document = laid_out(row("f", (1.0, 1.0), more.clone(), children.clone()));
    assert_eq!((place(&document, "f")[2], place(&document, "b")[0]), (12.0, 2.0));
    more["itemSpacing"] = json!(-300);
    let document = laid_out(row("f", (1.0, 1.0), more, children));
    assert_eq!(place(&document, "f")[2], 0.0);
}

#[test]
fn spreading_ignores_the_spacing_14_15_16() {
    let spread = |width: f64, children: Vec<serde_json::Value>| {
        let more = json!({"primaryAxisAlignItems": "SPACE_BETWEEN", "itemSpacing": 50});
        laid_out(row("f", (width, 10.0), more, children))
    };
    let two = || rects([("a", (10.0, 5.0)), ("b", (20.0, 5.0))]);
    assert_eq!(place(&spread(100.0, two()), "b")[0], 80.0);
    assert_eq!(place(&spread(20.0, two()), "b")[0], 10.0);
    assert_eq!(place(&spread(100.0, rects([("a", (10.0, 5.0))])), "a")[0], 0.0);
}

#[test]
fn where_one_fills_nothing_is_left_to_spread_unless_a_limit_leaves_it_17() {
    let spread = |fill: serde_json::Value| {
        let more = json!({"primaryAxisAlignItems": "SPACE_BETWEEN", "itemSpacing": 50});
        let children = vec![rect("a", (10.0, 5.0), json!({})), rect("b", (1.0, 5.0), fill)];
        place(&laid_out(row("f", (100.0, 10.0), more, children)), "b")
    };
    assert_eq!(spread(json!({"layoutSizingHorizontal": "FILL"}))[0], 10.0);
    let held = spread(json!({"layoutSizingHorizontal": "FILL", "maxWidth": 30}));
    assert_eq!((held[0], held[2]), (70.0, 30.0));
}

#[test]
fn on_an_axis_that_hugs_the_spacing_counts_even_where_children_are_spread_18() {
    let mut more = hug();
    (more["primaryAxisAlignItems"], more["itemSpacing"]) = (json!("SPACE_BETWEEN"), json!(7));
    let document =
        laid_out(row("f", (1.0, 1.0), more, rects([("a", (10.0, 5.0)), ("b", (20.0, 5.0))])));
    assert_eq!((place(&document, "f")[2], place(&document, "b")[0]), (37.0, 17.0));
}

#[test]
fn texts_stand_on_one_line_and_the_rest_by_its_lower_edge_19() {
    let mut more = hug();
    more["counterAxisAlignItems"] = json!("BASELINE");
    let label = text("t", "word", (40.0, 20.0), "WIDTH_AND_HEIGHT", json!({}));
    let inner = text("u", "word", (40.0, 20.0), "WIDTH_AND_HEIGHT", json!({}));
    let padded = json!({"layoutSizingHorizontal": "HUG", "layoutSizingVertical": "HUG",
        "paddingTop": 8, "paddingBottom": 8});
    let button = row("button", (1.0, 1.0), padded, vec![inner]);
    let children = vec![label, button, rect("r", (10.0, 30.0), json!({}))];
    let document = laid_out(row("f", (1.0, 1.0), more, children));
    // The rectangle reaches 30 above the line; the button 23 above it and 13 below.
    let tops = places(&document, ["t", "button", "r"]).map(|at| at[1]);
    assert_eq!(tops, [15.0, 7.0, 0.0]);
    assert_eq!(place(&document, "f")[3], 43.0);
}

#[test]
fn a_column_knows_no_baseline_19() {
    let more = json!({"counterAxisAlignItems": "BASELINE"});
    let document = laid_out(column(
        "f",
        (90.0, 90.0),
        more,
        rects([("a", (10.0, 10.0)), ("b", (20.0, 20.0))]),
    ));
    assert_eq!(places(&document, ["a", "b"]).map(|at| at[0]), [0.0, 0.0]);
}

#[test]
fn lines_stretch_only_if_every_child_fills_across_21() {
    let tops = |last: &str| {
        let child = |id: &str, sizing: &str| {
            let more = json!({"layoutSizingVertical": sizing, "layoutSizingHorizontal": "FIXED"});
            rect(id, (40.0, 10.0), more)
        };
        let children = vec![child("a", "FILL"), child("b", "FILL"), child("c", last)];
        let more = json!({"layoutWrap": "WRAP", "counterAxisSpacing": 10});
        let document = laid_out(row("f", (90.0, 100.0), more, children));
        places(&document, ["a", "c"]).map(|at| (at[1], at[3]))
    };
    assert_eq!(tops("FILL"), [(0.0, 45.0), (55.0, 45.0)]);
    assert_eq!(tops("FIXED"), [(0.0, 10.0), (20.0, 10.0)]);
}

#[test]
fn what_fills_along_a_line_that_wraps_takes_what_is_left_of_it_23() {
    let fill = |id: &str| {
        rect(id, (999.0, 10.0), json!({"layoutSizingHorizontal": "FILL", "minWidth": 30}))
    };
    let children = vec![rect("a", (60.0, 10.0), json!({})), fill("b"), fill("c")];
    let more = json!({"layoutWrap": "WRAP", "itemSpacing": 5, "layoutSizingVertical": "HUG"});
    let document = laid_out(row("f", (100.0, 1.0), more, children));
    assert_eq!(
        places(&document, ["b", "c", "f"]),
        [[65.0, 0.0, 35.0, 10.0], [0.0, 10.0, 100.0, 10.0], [0.0, 0.0, 100.0, 20.0]]
    );
}

#[test]
fn a_frame_that_hugs_along_its_lines_has_one_24() {
    let mut more = hug();
    more["layoutWrap"] = json!("WRAP");
    let children = || rects([("a", (60.0, 10.0)), ("b", (60.0, 10.0))]);
    let document = laid_out(row("f", (50.0, 1.0), more.clone(), children()));
    assert_eq!(place(&document, "f"), [0.0, 0.0, 120.0, 10.0]);
    more["maxWidth"] = json!(100);
    let document = laid_out(row("f", (50.0, 1.0), more, children()));
    assert_eq!(place(&document, "f"), [0.0, 0.0, 100.0, 20.0]);
}

#[test]
fn absolute_children_follow_their_constraints_and_take_no_room_25() {
    let pinned = json!({"layoutPositioning": "ABSOLUTE",
        "constraints": {"horizontal": "RIGHT", "vertical": "TOP"}});
    let mut pinned = rect("p", (10.0, 10.0), pinned);
    pinned["absoluteBoundingBox"]["x"] = json!(40);
    let children = vec![rect("a", (80.0, 10.0), json!({})), pinned];
    let document = laid_out(row("f", (50.0, 10.0), hug(), children));
    assert_eq!(places(&document, ["f", "p"]), [[0.0, 0.0, 80.0, 10.0], [70.0, 0.0, 10.0, 10.0]]);
}

#[test]
fn hidden_children_take_no_room_26() {
    let children = vec![
        rect("a", (10.0, 10.0), json!({})),
        rect("h", (20.0, 20.0), json!({"visible": false})),
        rect("clear", (30.0, 10.0), json!({"opacity": 0})),
    ];
    let document = laid_out(row("f", (1.0, 1.0), hug(), children));
    assert_eq!((place(&document, "f")[2], place(&document, "clear")[0]), (40.0, 10.0));
}

#[test]
fn the_order_of_painting_moves_no_box_27() {
    let children = || rects([("a", (10.0, 10.0)), ("b", (20.0, 20.0))]);
    let reversed = laid_out(row("f", (90.0, 90.0), json!({"itemReverseZIndex": true}), children()));
    let document = laid_out(row("f", (90.0, 90.0), json!({}), children()));
    assert_eq!(places(&reversed, ["a", "b"]), places(&document, ["a", "b"]));
}

#[test]
fn the_first_child_is_painted_on_top_where_the_order_is_reversed_27() {
    let seen = |reversed: bool| {
        let fill = |rgb: [f64; 3]| {
            let [r, g, b] = rgb;
            json!({"fills": [{"type": "SOLID", "color": {"r": r, "g": g, "b": b, "a": 1}}]})
        };
        let children = vec![
            rect("red", (10.0, 10.0), fill([1.0, 0.0, 0.0])),
            rect("blue", (10.0, 10.0), fill([0.0, 0.0, 1.0])),
        ];
        let more = json!({"itemReverseZIndex": reversed, "itemSpacing": -10});
        let document = laid_out(row("f", (10.0, 10.0), more, children));
        let picture =
            render_node(&context(), &document, &"f".into(), RenderOptions::default()).unwrap();
        picture.pixels.get(5, 5).unwrap()
    };
    assert_eq!(seen(false), [0, 0, 255, 255]);
    assert_eq!(seen(true), [255, 0, 0, 255]);
}

#[test]
fn a_grid_is_left_as_it_is_28() {
    let children = rects([("a", (10.0, 10.0)), ("b", (20.0, 20.0))]);
    let root = frame("f", (90.0, 90.0), json!({"layoutMode": "GRID"}), children);
    assert_eq!(laid_out(root.clone()), read(root));
}

#[test]
fn what_runs_over_does_so_to_both_ends_from_the_middle_30() {
    let over = |align: &str| {
        let more = json!({"primaryAxisAlignItems": align, "counterAxisAlignItems": align});
        place(&laid_out(row("f", (10.0, 10.0), more, rects([("a", (30.0, 20.0))]))), "a")
    };
    assert_eq!(over("CENTER"), [-10.0, -5.0, 30.0, 20.0]);
    assert_eq!(over("MAX"), [-20.0, -10.0, 30.0, 20.0]);
}

#[test]
fn a_paragraph_that_fills_gives_its_column_the_height_of_its_lines() {
    let words = text(
        "t",
        "twelve words",
        (120.0, 20.0),
        "HEIGHT",
        json!({"layoutSizingHorizontal": "FILL",
        "layoutSizingVertical": "HUG"}),
    );
    let card =
        json!({"layoutSizingHorizontal": "FILL", "layoutSizingVertical": "HUG", "paddingTop": 10});
    let inner = column("card", (1.0, 1.0), card, vec![words]);
    let document = laid_out(column("f", (50.0, 300.0), json!({}), vec![inner]));
    assert_eq!(places(&document, ["t", "card"]), [[0.0, 10.0, 50.0, 60.0], [0.0, 0.0, 50.0, 70.0]]);
}

#[test]
fn a_text_that_makes_its_own_width_breaks_its_lines_once_it_fills() {
    let words = text(
        "t",
        "twelve words",
        (120.0, 20.0),
        "WIDTH_AND_HEIGHT",
        json!({"layoutSizingHorizontal": "FILL"}),
    );
    let document = laid_out(column("f", (60.0, 300.0), json!({}), vec![words]));
    assert_eq!(place(&document, "t"), [0.0, 0.0, 60.0, 40.0]);
    let node = document.node(&"t".into()).unwrap();
    assert_eq!(node.text().unwrap().style.auto_resize, pentimento::design::AutoResize::Height);
}

#[test]
fn plain_frames_pass_a_new_size_to_their_children() {
    let side =
        |constraint: &str| json!({"constraints": {"horizontal": constraint, "vertical": "TOP"}});
    let mut right = rect("r", (10.0, 10.0), side("RIGHT"));
    right["absoluteBoundingBox"]["x"] = json!(40);
    let nested =
        row("n", (50.0, 10.0), side("LEFT_RIGHT"), vec![fill_across("deep", (50.0, 10.0))]);
    let plain =
        frame("p", (50.0, 10.0), json!({"layoutSizingHorizontal": "FILL"}), vec![right, nested]);
    let document = laid_out(row("f", (200.0, 10.0), json!({}), vec![plain]));
    assert_eq!(place(&document, "r")[0], 190.0);
    assert_eq!(places(&document, ["n", "deep"]), [[0.0, 0.0, 200.0, 10.0]; 2]);
}

#[test]
fn a_text_in_a_plain_frame_that_fills_breaks_its_lines_at_its_new_width() {
    let wide = json!({"constraints": {"horizontal": "LEFT_RIGHT", "vertical": "TOP"}});
    for (width, height) in [(180.0, 20.0), (30.0, 80.0)] {
        let words = text("t", "twelve words", (60.0, 40.0), "HEIGHT", wide.clone());
        let plain =
            frame("p", (60.0, 90.0), json!({"layoutSizingHorizontal": "FILL"}), vec![words]);
        let document = laid_out(row("f", (width, 90.0), json!({}), vec![plain]));
        assert_eq!(places(&document, ["t"]), [[0.0, 0.0, width, height]]);
        let node = document.node(&"t".into()).unwrap();
        assert_eq!(node.text().unwrap().style.auto_resize, pentimento::design::AutoResize::Height);
    }
}

#[test]
fn what_a_sizing_means_nothing_for_is_fixed() {
    let children = vec![
        rect("hugs", (10.0, 10.0), hug()),
        frame("plain", (10.0, 10.0), hug(), rects(NONE)),
        rect(
            "absolute",
            (10.0, 10.0),
            json!({"layoutPositioning": "ABSOLUTE", "layoutSizingHorizontal": "FILL"}),
        ),
        node("LINE", "line", (10.0, 0.0), json!({"layoutSizingVertical": "FILL"})),
    ];
    let document =
        read(row("f", (50.0, 50.0), json!({"layoutSizingHorizontal": "FILL"}), children));
    for id in ["hugs", "plain", "absolute", "line", "f", "nobody"] {
        for axis in [Direction::Horizontal, Direction::Vertical] {
            assert_eq!(document.sizing(&id.into(), axis), Sizing::Fixed, "{id}");
        }
    }
}

/// Lays the tree out twice and gives these nodes' boxes after each.
fn twice<const N: usize>(tree: serde_json::Value, ids: [&str; N]) -> [[[f64; 4]; N]; 2] {
    let mut document = laid_out(tree);
    let once = places(&document, ids);
    lay_out(&mut document);
    [once, places(&document, ids)]
}

#[test]
fn what_fills_in_what_fills_a_hugging_frame_keeps_what_it_asked_for() {
    let across = || json!({"layoutSizingHorizontal": "FILL"});
    let children = vec![
        row("empty", (0.0, 5.0), across(), rects([("e", (0.0, 5.0))])),
        fill_across("a", (40.0, 5.0)),
    ];
    let inner = row("inner", (1.0, 5.0), across(), children);
    let hugs = json!({"layoutSizingHorizontal": "HUG"});
    let [once, again] = twice(row("f", (1.0, 5.0), hugs, vec![inner]), ["f", "empty", "a"]);
    assert_eq!(once.map(|at| at[2]), [40.0, 0.0, 40.0]);
    assert_eq!(once, again);
}

#[test]
fn a_frame_that_fits_its_children_over_negative_gaps_has_one_line() {
    let more = json!({"layoutWrap": "WRAP", "itemSpacing": -145, "maxWidth": 235, "layoutSizingHorizontal": "HUG"});
    let mut children = rects([("a", (290.0, 5.0)), ("b", (0.0, 5.0)), ("c", (0.0, 5.0))]);
    children.push(fill_across("d", (300.0, 5.0)));
    let [once, again] = twice(row("f", (1.0, 50.0), more, children), ["f", "d"]);
    assert_eq!(once, [[0.0, 0.0, 155.0, 50.0], [-145.0, 0.0, 300.0, 5.0]]);
    assert_eq!(once, again);
}

#[test]
fn lines_of_what_fills_across_share_the_room_the_thinnest_first() {
    let children = vec![
        fill_across("a", (0.0, 50.0)),
        rect("b", (0.0, 60.0), json!({"layoutSizingHorizontal": "FILL", "maxWidth": 10})),
    ];
    let [once, again] =
        twice(column("f", (196.0, 100.0), json!({"layoutWrap": "WRAP"}), children), ["a", "b"]);
    assert_eq!(once, [[0.0, 0.0, 98.0, 50.0], [98.0, 0.0, 10.0, 60.0]]);
    assert_eq!(once, again);
}
