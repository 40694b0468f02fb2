//! `absoluteRenderBounds`.

use pentimento::base::{Affine, Rect};
use pentimento::design::{NodeId, NodeKind, StrokeAlign};
use pentimento::render::render_bounds;

use super::sketch::{context, filled, inter, node, page, stroked, text, within};

fn bounds(nodes: impl IntoIterator<Item = pentimento::design::Node>, id: &str) -> Option<Rect> {
    render_bounds(&context(), &page(nodes), &NodeId::new(id))
}

#[test]
fn an_outside_stroke_widens_the_bounds_and_an_inside_one_does_not() {
    for (align, expected) in [
        (StrokeAlign::Outside, Rect::new(0.0, 10.0, 60.0, 50.0)),
        (StrokeAlign::Center, Rect::new(5.0, 15.0, 50.0, 40.0)),
        (StrokeAlign::Inside, Rect::new(10.0, 20.0, 40.0, 30.0)),
    ] {
        let shape =
            stroked(node("a", NodeKind::Rectangle, [10.0, 20.0, 40.0, 30.0]), 0, 10.0, align);
        assert_eq!(bounds([shape], "a"), Some(expected));
    }
}

#[test]
fn a_line_is_bounded_as_figma_says() {
    // From a real file: a 1 px line has the render bounds one pixel above its box.
    let line =
        stroked(node("a", NodeKind::Line, [263.0, 12.0, 16.0, 0.0]), 0, 1.0, StrokeAlign::Center);
    assert_eq!(bounds([line], "a"), Some(Rect::new(263.0, 11.0, 16.0, 1.0)));
}

#[test]
fn clipping_ancestors_cut_the_bounds() {
    let mut frame = node("f", NodeKind::Frame, [100.0, 100.0, 50.0, 50.0]);
    frame.clips_content = true;
    let child = within("f", filled(node("a", NodeKind::Rectangle, [40.0, -10.0, 40.0, 40.0]), 0));
    assert_eq!(bounds([frame, child], "a"), Some(Rect::new(140.0, 100.0, 10.0, 30.0)));
}

#[test]
fn what_paints_nothing_has_no_bounds() {
    let bare = node("a", NodeKind::Rectangle, [0.0, 0.0, 40.0, 40.0]);
    let mut hidden = filled(node("b", NodeKind::Rectangle, [0.0, 0.0, 40.0, 40.0]), 0);
    hidden.visible = false;
    let within_hidden =
        within("c", filled(node("d", NodeKind::Rectangle, [0.0, 0.0, 4.0, 4.0]), 0));
    let mut parent = node("c", NodeKind::Frame, [0.0, 0.0, 40.0, 40.0]);
    parent.visible = false;
    let document = page([bare, hidden, parent, within_hidden]);
    for id in ["a", "b", "c", "d", "unknown"] {
        assert_eq!(render_bounds(&context(), &document, &NodeId::new(id)), None, "{id}");
    }
}

#[test]
fn text_is_bounded_by_its_ink() {
    let label = filled(text("a", [10.0, 10.0, 100.0, 19.0], "Hxo", inter(16.0, 400.0)), 0);
    let ink = bounds([label], "a").unwrap();
    // Inter's capitals are 0.727 em high and stand at 0.969 em below the top of the line.
    let baseline = 10.0 + 0.96875 * 16.0;
    assert!((ink.y - (baseline - 0.727 * 16.0)).abs() < 0.05, "{ink:?}");
    assert!((ink.bottom() - baseline).abs() < 0.3, "{ink:?}");
    assert!(ink.x > 10.0 && ink.x < 12.5 && ink.right() < 45.0, "{ink:?}");
}

#[test]
fn a_rotated_rectangle_is_bounded_by_its_corners() {
    let mut shape = filled(node("a", NodeKind::Rectangle, [0.0, 0.0, 10.0, 10.0]), 0);
    shape.transform = Affine::rotate(std::f64::consts::FRAC_PI_4);
    let bounds = bounds([shape], "a").unwrap();
    assert!((bounds.width - 200f64.sqrt()).abs() < 1e-6, "{bounds:?}");
}
