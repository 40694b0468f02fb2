//! Gradients beyond the plain ones.

use pentimento::base::{Pixels, Point, Rgba};
use pentimento::design::{ColorStop, Gradient, GradientKind, NodeKind, Paint, PaintKind};

use super::against_resvg::{assert_same, framed};
use super::sketch::{color, gradient, node, solid};

fn painted(paint: Paint) -> Pixels {
    let mut shape = node("a", NodeKind::Rectangle, [8.0, 8.0, 80.0, 80.0]);
    shape.fills = vec![paint];
    framed([shape])
}

fn stops(kind: GradientKind, handles: [[f64; 2]; 3], stops: &[(f64, u32, f64)]) -> Paint {
    let handles = handles.map(|[x, y]| Point::new(x, y));
    let stop = |(position, rgb, alpha): &(f64, u32, f64)| ColorStop {
        position: *position,
        color: color(*rgb).with_alpha(*alpha),
    };
    let stops = stops.iter().map(stop).collect();
    Paint { kind: PaintKind::Gradient(Gradient { kind, handles, stops }), ..solid(0) }
}

const ACROSS: [[f64; 2]; 3] = [[0.0, 0.5], [1.0, 0.5], [0.0, 1.0]];

fn linear_svg(stops: &str) -> String {
    format!(
        r#"<defs><linearGradient id="g">{stops}</linearGradient></defs><rect x="8" y="8" width="80" height="80" fill="url(#g)"/>"#
    )
}

#[test]
fn translucent_stops_are_mixed_before_their_alpha() {
    let paint =
        stops(GradientKind::Linear, ACROSS, &[(0.0, 0xFF_0000, 1.0), (1.0, 0x00_00FF, 0.0)]);
    let svg = linear_svg(
        r##"<stop stop-color="#FF0000"/><stop offset="1" stop-color="#0000FF" stop-opacity="0"/>"##,
    );
    assert_same("gradient-alpha", &painted(paint), &svg);
}

#[test]
fn stops_out_of_order_and_at_one_place_are_sorted() {
    let paint = stops(
        GradientKind::Linear,
        ACROSS,
        &[
            (0.8, 0x00_FF00, 1.0),
            (0.2, 0xFF_0000, 1.0),
            (0.5, 0x00_00FF, 1.0),
            (0.5, 0xFF_FF00, 1.0),
        ],
    );
    let svg = linear_svg(
        r##"<stop offset="0.2" stop-color="#FF0000"/><stop offset="0.5" stop-color="#0000FF"/><stop offset="0.5" stop-color="#FFFF00"/><stop offset="0.8" stop-color="#00FF00"/>"##,
    );
    assert_same("gradient-order", &painted(paint), &svg);
}

#[test]
fn one_stop_is_one_colour_and_none_is_nothing() {
    for kind in
        [GradientKind::Linear, GradientKind::Radial, GradientKind::Angular, GradientKind::Diamond]
    {
        let one = painted(stops(kind, ACROSS, &[(0.3, 0x33_66CC, 1.0)]));
        assert_eq!(one.get(40, 40), Some([0x33, 0x66, 0xCC, 255]), "{kind:?}");
        let none = painted(stops(kind, ACROSS, &[]));
        assert_eq!(none.get(40, 40), Some([255; 4]), "{kind:?}");
        let point = [[0.5, 0.5]; 3];
        let flat = painted(stops(kind, point, &[(0.0, 0, 1.0), (1.0, 0x33_66CC, 1.0)]));
        assert_eq!(flat.get(40, 40), Some([0x33, 0x66, 0xCC, 255]), "{kind:?}");
    }
}

#[test]
fn a_radial_gradient_follows_its_three_handles() {
    let handles = [[0.5, 0.5], [0.75, 0.75], [0.4, 0.6]];
    let paint =
        stops(GradientKind::Radial, handles, &[(0.0, 0xFF_FF00, 1.0), (1.0, 0x00_4400, 1.0)]);
    let svg = r##"<defs><radialGradient id="g" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="matrix(20 20 -8 8 48 48)"><stop stop-color="#FFFF00"/><stop offset="1" stop-color="#004400"/></radialGradient></defs><rect x="8" y="8" width="80" height="80" fill="url(#g)"/>"##;
    assert_same("radial-handles", &painted(paint), svg);
}

/// The colour at a place of the picture, by the definition of the gradient.
fn assert_each_pixel(ours: &Pixels, expected: impl Fn(f64, f64) -> Option<Rgba>) {
    let mut seen = 0;
    for (x, y) in (8..88).flat_map(|x| (8..88).map(move |y| (x, y))) {
        let Some(color) = expected(f64::from(x) + 0.5 - 48.0, f64::from(y) + 0.5 - 48.0) else {
            continue;
        };
        let got = ours.get(x, y).unwrap();
        for (got, want) in got.iter().zip(color.to_u8()) {
            assert!(got.abs_diff(want) <= 3, "({x}, {y}): {got} is not {want}");
        }
        seen += 1;
    }
    assert!(seen > 5000);
}

fn gray(value: f64) -> Rgba {
    Rgba::new(value, value, value, 1.0)
}

#[test]
fn an_angular_gradient_turns_clockwise_from_its_second_handle() {
    let (from, to) = (Point::new(0.5, 0.5), Point::new(1.0, 0.5));
    let ours = painted(gradient(GradientKind::Angular, from, to, [0x00_0000, 0xFF_FFFF]));
    assert_each_pixel(&ours, |x, y| {
        let turn = y.atan2(x).rem_euclid(std::f64::consts::TAU) / std::f64::consts::TAU;
        let is_at_the_seam = x > 0.0 && y.abs() < 1.0;
        (x.hypot(y) > 4.0 && !is_at_the_seam).then(|| gray(turn))
    });
}

#[test]
fn a_diamond_gradient_falls_off_by_the_taxicab_distance() {
    let (from, to) = (Point::new(0.5, 0.5), Point::new(1.0, 0.5));
    let ours = painted(gradient(GradientKind::Diamond, from, to, [0x00_0000, 0xFF_FFFF]));
    assert_each_pixel(&ours, |x, y| Some(gray((x.abs() + y.abs()) / 40.0)));
}

#[test]
fn a_diamond_may_be_turned_and_stretched() {
    let paint = stops(
        GradientKind::Diamond,
        [[0.5, 0.5], [0.75, 0.75], [0.4, 0.6]],
        &[(0.0, 0, 1.0), (1.0, 0xFF_FFFF, 1.0)],
    );
    assert_each_pixel(&painted(paint), |x, y| {
        let (u, v) = ((x + y) / 40.0, (y - x) / 16.0);
        Some(gray(u.abs() + v.abs()))
    });
}
