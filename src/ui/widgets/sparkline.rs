//! A curve the size of a word.

use egui::{Color32, Painter, Pos2, Rect, Stroke, pos2};

/// Paints values as a line over the whole box. `None` leaves a gap, and a value between two gaps is
/// not drawn: a lone dot says nothing. Flat values lie in the middle.
pub(crate) fn paint_sparkline(
    painter: &Painter,
    rect: Rect,
    values: &[Option<f64>],
    color: Color32,
) {
    let known = values.iter().flatten().copied().filter(|v| v.is_finite());
    let (Some(low), Some(high)) = (known.clone().reduce(f64::min), known.reduce(f64::max)) else {
        return;
    };
    let stroke = Stroke::new(1.2, color);
    for piece in pieces(rect, values, low, high) {
        if piece.len() > 1 {
            painter.line(piece, stroke);
        }
    }
}

fn pieces(rect: Rect, values: &[Option<f64>], low: f64, high: f64) -> Vec<Vec<Pos2>> {
    // Less than this range is noise to the eye: a curve that hardly moves shall look flat.
    let span = (high - low).max(0.05);
    let middle = f64::midpoint(low, high);
    let step = rect.width() / (values.len().saturating_sub(1).max(1) as f32);
    let mut pieces: Vec<Vec<Pos2>> = Vec::new();
    let mut open = false;
    for (index, value) in values.iter().enumerate() {
        // A point that is no number would make the whole mesh vanish.
        let Some(value) = value.filter(|v| v.is_finite()) else {
            open = false;
            continue;
        };
        let up = ((value - middle) / span) as f32;
        let point = pos2(rect.left() + step * index as f32, rect.center().y - up * rect.height());
        if !open {
            pieces.push(Vec::new());
            open = true;
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(point);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_in_the_values_is_a_gap_in_the_line() {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(40.0, 10.0));
        let values = [Some(0.2), Some(0.4), None, Some(0.9)];
        let pieces = pieces(rect, &values, 0.2, 0.9);
        assert_eq!(pieces.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        assert!(pieces.iter().flatten().all(|point| rect.expand(0.01).contains(*point)));
    }
}
