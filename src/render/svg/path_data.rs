//! Paths as path data.

use tiny_skia::{Path, PathSegment, Point};

use super::number::Precision;

/// The path data of `path`: absolute commands, with `H` and `V` where they do.
pub(super) fn path_data(path: &Path, precision: Precision) -> String {
    let mut pen = Pen { precision, data: String::new(), at: None };
    for segment in path.segments() {
        pen.segment(segment);
    }
    pen.data
}

struct Pen {
    precision: Precision,
    data: String,
    /// Where the pen is, as written.
    at: Option<(String, String)>,
}

impl Pen {
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
    use tiny_skia::PathBuilder;

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
