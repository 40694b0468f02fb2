//! Areas as elements: `<rect>` and `<ellipse>` where they are that, else `<path>` with its data.

use tiny_skia::{FillRule, Path, PathBuilder, PathSegment, Point, Transform};

use crate::base::{Affine, Rect, Size};
use crate::design::{CornerRadii, Node, NodeKind};
use crate::render::geometry::boxes::{bounds_of, encloses};
use crate::render::geometry::ellipse::ellipse;
use crate::render::geometry::far_path;
use crate::render::geometry::filled_path::FilledPath;
use crate::render::geometry::rounded_box::RoundedBox;

use super::markup::Attributes;
use super::number::Precision;

/// How far beyond the picture shapes may reach before they are cut.
const MARGIN: f64 = 8192.0;

/// An element without its paint.
#[derive(Clone, Debug)]
pub(super) struct SvgShape {
    pub(super) tag: &'static str,
    pub(super) attributes: Attributes,
    /// How overlaps count; even-odd is to be said by whoever fills or clips.
    pub(super) rule: FillRule,
}

/// Where and how finely things are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct SvgPage {
    /// The picture, from (0, 0).
    pub(super) size: Size,
    pub(super) precision: Precision,
}

impl SvgPage {
    /// The whole picture.
    pub(super) fn view(self) -> Rect {
        Rect::new(0.0, 0.0, self.size.width, self.size.height)
    }

    /// Whether a box is near enough to the picture to be written as it is.
    pub(super) fn is_near(self, rect: Rect) -> bool {
        encloses(self.view().expand(MARGIN), rect)
    }

    pub(super) fn number(self, value: f64) -> String {
        self.precision.number(value)
    }

    /// The areas as one element, given in a space that `sheet_from_areas` maps to the picture;
    /// `None` if nothing of them can be seen.
    pub(super) fn outline(
        self,
        node: &Node,
        areas: &[&FilledPath],
        sheet_from_areas: Affine,
    ) -> Option<SvgShape> {
        if let [area] = areas
            && let Some((tag, attributes)) = self.simple(node, area, sheet_from_areas)
        {
            return Some(SvgShape { tag, attributes, rule: FillRule::Winding });
        }
        let path = self.path(areas, sheet_from_areas)?;
        let data = path_data(&path, self.precision);
        let rule = areas.first()?.rule;
        Some(SvgShape { tag: "path", attributes: Attributes::default().with("d", data), rule })
    }

    /// The areas as one path in the picture, cut where it is far outside.
    fn path(self, areas: &[&FilledPath], sheet_from_areas: Affine) -> Option<Path> {
        let transform = single_precision(sheet_from_areas)?;
        let size = (self.size.width as u32, self.size.height as u32);
        let mut moved = areas.iter().filter_map(|area| far_path::near(&area.path, transform, size));
        let first = moved.next()?;
        let mut all = PathBuilder::new();
        all.push_path(&first);
        moved.for_each(|path| all.push_path(&path));
        all.finish()
    }

    /// A rectangle or ellipse that stands upright in the picture.
    fn simple(
        self,
        node: &Node,
        area: &FilledPath,
        sheet_from_area: Affine,
    ) -> Option<(&'static str, Attributes)> {
        if sheet_from_area.b != 0.0 || sheet_from_area.c != 0.0 {
            return None;
        }
        if let Some(rect) = area.rect {
            // A rectangle cut at a box is one again: it may be as large as it likes.
            let near = bounds_of(sheet_from_area, rect).intersection(self.view().expand(MARGIN))?;
            return Some(("rect", self.rect_attributes(near)));
        }
        let whole = Rect::new(0.0, 0.0, node.size.width, node.size.height);
        let whole = bounds_of(sheet_from_area, whole);
        if !self.is_near(whole) {
            return None;
        }
        if is_whole_ellipse(node, area) {
            return Some(("ellipse", self.ellipse_attributes(whole)));
        }
        let radius = uniform_radius(node, area)?;
        // Stretched circles are no circles: `rx` alone does not say them.
        (sheet_from_area.a == sheet_from_area.d.abs()).then(|| {
            let radius = self.number(radius * sheet_from_area.a);
            ("rect", self.rect_attributes(whole).with("rx", radius))
        })
    }

    /// `x` and `y`, where they are not 0, `width` and `height`.
    pub(super) fn rect_attributes(self, rect: Rect) -> Attributes {
        let place = [("x", rect.x), ("y", rect.y)];
        let said = place.into_iter().filter(|(_, at)| *at != 0.0);
        self.numbers(said.chain([("width", rect.width), ("height", rect.height)]))
    }

    /// `x`, `y`, `width` and `height` of a mask or filter, where 0 is not what counts if nothing is
    /// said.
    pub(super) fn region_attributes(self, rect: Rect) -> Attributes {
        let place = [("x", rect.x), ("y", rect.y), ("width", rect.width), ("height", rect.height)];
        self.numbers(place)
    }

    fn numbers(self, named: impl IntoIterator<Item = (&'static str, f64)>) -> Attributes {
        named.into_iter().fold(Attributes::default(), |attributes, (name, value)| {
            attributes.with(name, self.number(value))
        })
    }

    fn ellipse_attributes(self, around: Rect) -> Attributes {
        let (center, rx, ry) = (around.center(), around.width / 2.0, around.height / 2.0);
        self.numbers([("cx", center.x), ("cy", center.y), ("rx", rx), ("ry", ry)])
    }
}

/// The radius of all four corners, if the area is the node's box and they are quarters of circles.
fn uniform_radius(node: &Node, area: &FilledPath) -> Option<f64> {
    let most = node.size.width.min(node.size.height) / 2.0;
    let radius = node.corner_radii.as_uniform().filter(|radius| *radius > 0.0)?.min(most);
    let rounded = RoundedBox::of_node(node.size, CornerRadii::uniform(radius));
    (rounded.to_path()? == *area.path).then_some(radius)
}

fn is_whole_ellipse(node: &Node, area: &FilledPath) -> bool {
    // By its path: the same node has other areas too, such as those of its stroke.
    let whole = Rect::new(0.0, 0.0, node.size.width, node.size.height);
    matches!(node.kind, NodeKind::Ellipse(_))
        && ellipse(whole).is_some_and(|path| path == *area.path)
}

/// The map in the rasteriser's numbers; `None` if it collapses what it maps.
pub(super) fn single_precision(map: Affine) -> Option<Transform> {
    let [a, b, c, d, e, f] = [map.a, map.b, map.c, map.d, map.e, map.f].map(|v| v as f32);
    let transform = Transform::from_row(a, b, c, d, e, f);
    (transform.is_finite() && transform.invert().is_some()).then_some(transform)
}

/// The path data of `path`: absolute commands, with `H` and `V` where they do.
pub(super) fn path_data(path: &Path, precision: Precision) -> String {
    let mut pen = PathWriter { precision, data: String::new(), at: None };
    for segment in path.segments() {
        pen.segment(segment);
    }
    pen.data
}

struct PathWriter {
    precision: Precision,
    data: String,
    /// Where the pen is, as written.
    at: Option<(String, String)>,
}

impl PathWriter {
    fn segment(&mut self, segment: PathSegment) {
        match segment {
            PathSegment::MoveTo(to) => self.curve('M', &[to]),
            PathSegment::LineTo(to) => self.line(to),
            PathSegment::QuadTo(a, to) => self.curve('Q', &[a, to]),
            PathSegment::CubicTo(a, b, to) => self.curve('C', &[a, b, to]),
            PathSegment::Close => {
                self.data.push('Z');
                // A renderer goes back to the start, which is not remembered here.
                self.at = None;
            }
        }
    }

    fn line(&mut self, to: Point) {
        let (x, y) = self.written(to);
        match &self.at {
            // A line to where the pen is would only draw the cap of an outline.
            Some((at_x, at_y)) if *at_x == x && *at_y == y => {}
            // Compared as written: what differs only in digits that are not written is the same.
            Some((_, at_y)) if *at_y == y => self.command('H', &x),
            Some((at_x, _)) if *at_x == x => self.command('V', &y),
            _ => self.command('L', &format!("{x} {y}")),
        }
        self.at = Some((x, y));
    }

    fn curve(&mut self, letter: char, points: &[Point]) {
        let written: Vec<_> = points.iter().map(|point| self.written(*point)).collect();
        let numbers: Vec<_> = written.iter().map(|(x, y)| format!("{x} {y}")).collect();
        self.command(letter, &numbers.join(" "));
        self.at = written.into_iter().last();
    }

    fn command(&mut self, letter: char, numbers: &str) {
        self.data.push(letter);
        self.data.push_str(numbers);
    }

    fn written(&self, point: Point) -> (String, String) {
        let [x, y] = [point.x, point.y].map(|value| self.precision.number(f64::from(value)));
        (x, y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(build: impl Fn(&mut PathBuilder)) -> String {
        let mut path = PathBuilder::new();
        build(&mut path);
        path_data(&path.finish().unwrap(), Precision::of_extent(100.0))
    }

    #[test]
    fn upright_lines_have_one_number() {
        let data = data(|path| {
            path.move_to(1.5, 2.0);
            path.line_to(10.0, 2.0);
            path.line_to(10.0, 8.0);
            path.line_to(1.5, 9.0);
            path.close();
        });
        assert_eq!(data, "M1.5 2H10V8L1.5 9Z");
    }

    #[test]
    fn curves_have_their_handles() {
        let data = data(|path| {
            path.move_to(0.0, 0.0);
            path.quad_to(1.0, 1.0, 2.0, 0.0);
            path.cubic_to(3.0, 1.0, 4.0, -1.0, 5.0, 0.125);
        });
        assert_eq!(data, "M0 0Q1 1 2 0C3 1 4 -1 5 0.125");
    }
}
