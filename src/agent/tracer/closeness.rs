//! How alike two pictures look in a box: a small measure of the agent's own.
//!
//! The mean over 7 × 7 windows of the structural similarity of Wang et al. 2004 (equation 13, with
//! K₁ = 0.01 and K₂ = 0.03), averaged over the channels. The metric that judges a run is not
//! consulted: an agent sees no scores.

use super::area::Area;
use super::picture::Picture;

const WINDOW: usize = 7;
const C1: f64 = 6.5025;
const C2: f64 = 58.5225;

/// Sums over windows: Σa, Σb, Σa², Σb², Σab.
type WindowMoments = [f64; 5];

/// The summed similarity of all windows whose middle lies in `area`, and their count.
///
/// A sum, not a mean, so that what is gained in a box can be compared across boxes of any size.
/// 0 windows when the picture is smaller than a window.
pub(super) fn similarity_sum(a: &Picture, b: &Picture, area: Area) -> (f64, usize) {
    let half = WINDOW / 2;
    let (w, h) = (a.width().min(b.width()), a.height().min(b.height()));
    if w < WINDOW || h < WINDOW {
        return (0.0, 0);
    }
    let area = area.intersection(Area::new(half, half, w - half, h - half));
    if area.count() == 0 {
        return (0.0, 0);
    }
    let source = Area::new(area.x0 - half, area.y0 - half, area.x1 + half, area.y1 + half);
    let total: f64 = (0..3).map(|channel| channel_sum(a, b, source, channel)).sum();
    (total / 3.0, area.count())
}

/// Sum over the windows inside `source` for one channel, by running sums over columns.
fn channel_sum(a: &Picture, b: &Picture, source: Area, channel: usize) -> f64 {
    // For each column the sums over the last seven rows: a pixel is added once and taken off once,
    // whatever the window's size.
    let mut columns = vec![[0.0f64; 5]; source.width()];
    let mut total = 0.0;
    for y in source.y0..source.y1 {
        for (column, x) in columns.iter_mut().zip(source.x0..source.x1) {
            add(column, a.get(x, y)[channel], b.get(x, y)[channel], 1.0);
            if y >= source.y0 + WINDOW {
                let old = y - WINDOW;
                add(column, a.get(x, old)[channel], b.get(x, old)[channel], -1.0);
            }
        }
        if y + 1 >= source.y0 + WINDOW {
            total += row_sum(&columns);
        }
    }
    total
}

fn add(sums: &mut WindowMoments, a: f32, b: f32, sign: f64) {
    let (a, b) = (f64::from(a), f64::from(b));
    sums[0] += sign * a;
    sums[1] += sign * b;
    sums[2] += sign * a * a;
    sums[3] += sign * b * b;
    sums[4] += sign * a * b;
}

fn row_sum(columns: &[WindowMoments]) -> f64 {
    let mut window = [0.0f64; 5];
    let mut total = 0.0;
    for (x, column) in columns.iter().enumerate() {
        for (sum, value) in window.iter_mut().zip(column) {
            *sum += value;
        }
        // The same along the row: a column enters the window and one leaves it.
        if x >= WINDOW {
            for (sum, value) in window.iter_mut().zip(&columns[x - WINDOW]) {
                *sum -= value;
            }
        }
        if x + 1 >= WINDOW {
            total += window_similarity(&window);
        }
    }
    total
}

fn window_similarity(sums: &WindowMoments) -> f64 {
    let n = (WINDOW * WINDOW) as f64;
    // Variances of a sample, as scikit-image takes them.
    let sample = n / (n - 1.0);
    let [a, b, aa, bb, ab] = sums.map(|v| v / n);
    let (va, vb, cov) = (sample * (aa - a * a), sample * (bb - b * b), sample * (ab - a * b));
    ((2.0 * a * b + C1) * (2.0 * cov + C2)) / ((a * a + b * b + C1) * (va + vb + C2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(offset: f32) -> Picture {
        let rgb = (0..20 * 15).map(|i| [(i % 20) as f32 * 9.0 + offset; 3]).collect();
        Picture::from_rgb(20, 15, rgb)
    }

    #[test]
    fn a_picture_is_wholly_like_itself() {
        let picture = ramp(0.0);
        let (sum, count) = similarity_sum(&picture, &picture, picture.area());
        assert_eq!(count, 14 * 9);
        assert!((sum - count as f64).abs() < 1e-9);
    }

    #[test]
    fn closeness_is_symmetric_and_falls_with_difference() {
        let (a, b, c) = (ramp(0.0), ramp(20.0), ramp(60.0));
        let [same, near, back, far] = [(&a, &a), (&a, &b), (&b, &a), (&a, &c)]
            .map(|(one, other)| similarity_sum(one, other, one.area()).0);
        assert!((near - back).abs() < 1e-9);
        assert!(near < same && far < near);
    }

    #[test]
    fn a_picture_below_the_window_has_nothing_to_compare() {
        let tiny = Picture::from_rgb(3, 3, vec![[0.0; 3]; 9]);
        assert_eq!(similarity_sum(&tiny, &tiny, tiny.area()), (0.0, 0));
    }
}
