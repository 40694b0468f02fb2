//! Size, weight, spacing and place of a line that was read.

use std::sync::LazyLock;

use tiny_skia::{FillRule, Mask, Transform};

use super::font;
use super::read::{Guess, Ink, LineReading, read};
use crate::agent::tracer::draft::TextRun;

/// Heights of ink above the baseline, of the size: of capitals and of most letters that rise, of the
/// dot of an i, of a t, of letters that do not rise.
const HEIGHTS: [f32; 4] = [font::CAP_HEIGHT, 1550.0 / 2048.0, 1384.0 / 2048.0, font::X_HEIGHT];
/// Less ink than this in every pixel of a row is none.
const LEAST_INK: f32 = 0.08;
/// Sizes this near to a whole number of pixels, of the size, are tried as that: people type them.
const NEARLY_WHOLE: f32 = 0.05;
/// Columns of a line that are read to choose between guesses.
const PROBE: usize = 72;
/// How many guesses are followed to the end of the line.
const FOLLOWED: usize = 2;
/// Spacings tried, of the size.
const SPACINGS: [f32; 2] = [0.06, 0.15];
/// A guess that errs less than this needs no others.
const CLEAR: f32 = 0.12;

/// A line of text as it fits the ink best, in the ink's coordinates.
#[derive(Clone, Debug)]
pub(in crate::agent::tracer) struct Fitted {
    /// What to draw.
    pub(in crate::agent::tracer) run: TextRun,
    /// How strong the colour is, of the ink's.
    pub(in crate::agent::tracer) strength: f32,
    /// Squared differences over squared ink: 0 is perfect, 1 as bad as nothing.
    pub(in crate::agent::tracer) error: f32,
}

/// What is varied to fit a line.
#[derive(Clone, Copy, Debug)]
struct LineFit {
    left: f32,
    width: f32,
    size: f32,
    baseline: f32,
    weight: u16,
}

/// Reads and fits a line of ink; `None` if nothing can be read.
///
/// `feet` is where most marks of the line end, from the ink's top.
pub(in crate::agent::tracer) fn fit(ink: &Ink, feet: f32) -> Option<Fitted> {
    // The start of the line tells which guess is right; only the best are followed to the end.
    let mut tried = probe(ink, guesses(ink, feet));
    if tried.first().is_none_or(|(error, _)| *error > CLEAR) {
        // Spaced capitals read as nonsense without their spacing.
        let spaced = tried.iter().flat_map(|(_, guess)| {
            SPACINGS.map(|of_size| Guess { spacing: of_size * guess.size, ..*guess })
        });
        let spaced = spaced.collect();
        tried.extend(probe(ink, spaced));
        tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let mut best: Option<Fitted> = None;
    for (_, guess) in tried.into_iter().take(FOLLOWED) {
        let Some(reading) = read(ink, guess, ink.width) else { continue };
        let Some(fitted) = refine(ink, &reading, guess) else { continue };
        if best.as_ref().is_none_or(|b| fitted.error < b.error) {
            best = Some(fitted);
        }
    }
    let first = best?;
    let Some(again) = read_again(ink, &first) else { return Some(first) };
    Some(if again.error < first.error { again } else { first })
}

/// Reads and fits ink as letters of this size, weight and place; `None` if nothing can be read.
pub(in crate::agent::tracer) fn fit_as(ink: &Ink, guess: Guess) -> Option<Fitted> {
    let reading = read(ink, guess, ink.width)?;
    refine(ink, &reading, guess)
}

/// The guesses with how badly each reads the start of the line, the best first.
fn probe(ink: &Ink, guesses: Vec<Guess>) -> Vec<(f32, Guess)> {
    let guesses = guesses.into_iter();
    let mut tried: Vec<(f32, Guess)> =
        guesses.filter_map(|guess| Some((read(ink, guess, PROBE)?.error, guess))).collect();
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    tried
}

/// Reads once more with what the first fit found.
fn read_again(ink: &Ink, first: &Fitted) -> Option<Fitted> {
    let run = &first.run;
    let guess =
        Guess { size: run.size, weight: run.weight, baseline: run.baseline, spacing: run.spacing };
    // Thin letters never reach their full colour: the ink is brought to the strength that was
    // found.
    let cover = ink.cover.iter().map(|v| (v / first.strength.max(0.3)).min(1.3)).collect();
    let reading = read(&Ink { cover, width: ink.width, height: ink.height }, guess, ink.width)?;
    refine(ink, &reading, guess)
}

/// Sizes and baselines that the height of the ink allows.
fn guesses(ink: &Ink, feet: f32) -> Vec<Guess> {
    let mut inked = (0..ink.height).filter(|y| row(ink, *y).iter().any(|v| *v > LEAST_INK));
    let Some(first) = inked.next() else { return Vec::new() };
    let last = inked.next_back().unwrap_or(first);
    let top = (first + 1) as f32 - covered(ink, first, first + 1);
    // The row that most marks end in; where others end lower, they may be the feet themselves.
    let foot = (feet.ceil() as usize).saturating_sub(1).clamp(first, last);
    let mut baselines = vec![foot as f32 + covered(ink, foot, foot.saturating_sub(1))];
    if last > foot + 1 {
        baselines.push(last as f32 + covered(ink, last, last - 1));
    }
    let thickness = thickness(ink);
    let mut guesses: Vec<Guess> = Vec::new();
    for baseline in baselines {
        for height in HEIGHTS {
            let size = (baseline - top) / height;
            let whole = size.round();
            let is_nearly_whole = (size - whole).abs() < NEARLY_WHOLE * size;
            let size = if is_nearly_whole { whole } else { size };
            // Capitals and letters that rise differ by less than their edges are known.
            if guesses.iter().any(|known| known.size == size && known.baseline == baseline) {
                continue;
            }
            let weight = weight_of(thickness / size.max(1.0));
            guesses.push(Guess { size, weight, baseline, spacing: 0.0 });
        }
    }
    guesses
}

fn row(ink: &Ink, y: usize) -> &[f32] {
    ink.cover.get(y * ink.width..(y + 1) * ink.width).unwrap_or_default()
}

/// How much of the pixels of a row its letters cover, by the upright strokes that end in it: the median
/// over the columns that are full in the row beside it. 0..=1.
fn covered(ink: &Ink, y: usize, beside: usize) -> f32 {
    let mut shares: Vec<f32> = Vec::new();
    for (x, (here, full)) in row(ink, y).iter().zip(row(ink, beside)).enumerate() {
        let column = (0..ink.height).map(|y| ink.cover[y * ink.width + x]);
        let most = column.fold(0.0, f32::max);
        // A curve is thinner at its end; a stroke is as strong there as anywhere.
        if most > 0.3 && *full > 0.9 * most {
            shares.push((here / most).min(1.0));
        }
    }
    if shares.is_empty() {
        return 0.7;
    }
    let middle = shares.len() / 2;
    *shares.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// Mean thickness of the strokes, in pixels: twice the area over the length of the outline, which
/// is the total variation of the ink. Both survive blurring.
fn thickness(ink: &Ink) -> f32 {
    let (w, h) = (ink.width, ink.height);
    let (mut area, mut outline) = (0.0f32, 0.0f32);
    for y in 0..h.saturating_sub(1) {
        for x in 0..w.saturating_sub(1) {
            let here = ink.cover[y * w + x];
            let (right, down) = (ink.cover[y * w + x + 1], ink.cover[(y + 1) * w + x]);
            area += here;
            outline += (right - here).hypot(down - here);
        }
    }
    2.0 * area / outline.max(1e-3)
}

/// Thickness of the strokes of each weight, of the size.
static THICKNESS: LazyLock<Vec<(u16, f32)>> = LazyLock::new(|| {
    let measured = (2..=8).map(|hundreds| {
        let (size, weight) = (18.0, hundreds * 100);
        let content = "Hamburg 259".to_owned();
        let run = TextRun { content, size, weight, spacing: 0.0, left: 2.0, baseline: 18.0 };
        let width = font::run_width(&run).ceil() as usize + 4;
        let blank = Ink { width, height: 24, cover: Vec::new() };
        let cover = cover_of(&blank, &run).map(|mask| mask.data().to_vec()).unwrap_or_default();
        let cover = cover.iter().map(|v| f32::from(*v) / 255.0).collect();
        (weight, thickness(&Ink { cover, ..blank }) / size)
    });
    measured.collect()
});

/// The weight whose strokes are nearest in thickness, of the size.
fn weight_of(thickness: f32) -> u16 {
    let off = THICKNESS.iter().map(|(weight, known)| (*weight, (known - thickness).abs()));
    off.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(400, |(weight, _)| weight)
}

fn refine(ink: &Ink, reading: &LineReading, guess: Guess) -> Option<Fitted> {
    let content = reading.content.trim_end();
    let count = content.chars().count();
    // A space first means that the first letters were not read.
    if count == 0 || content.trim_start() != content {
        return None;
    }
    let left = *reading.pens.first()?;
    let last = content.chars().last().and_then(|c| font::face(guess.weight).glyph(c))?;
    let end = *reading.pens.get(count - 1)? + last.advance * guess.size;
    if end <= left {
        return None;
    }
    let mut form = LineFit {
        left,
        width: end - left,
        size: guess.size,
        baseline: guess.baseline,
        weight: guess.weight,
    };
    // Coordinate descent with steps that shrink: the error is smooth near the start, which is
    // within a pixel.
    let mut error = error_of(ink, content, form).0;
    for step in [0.8, 0.4, 0.2, 0.1] {
        for _ in 0..2 {
            let before = error;
            for next in neighbours(form, step) {
                let tried = error_of(ink, content, next).0;
                // Taken at once; the neighbours that follow are still those of the form before.
                if tried < error - 1e-4 {
                    (error, form) = (tried, next);
                }
            }
            if error == before {
                break;
            }
        }
    }
    let form = settled(content, form);
    let (error, strength) = error_of(ink, content, form);
    Some(Fitted { run: run_of(content, form), strength, error })
}

/// Whole sizes and no extra space between letters, where the fit is near to that: the font's pairs of
/// letters stand closer than its letters alone, which the fit takes for spacing or for size.
fn settled(content: &str, form: LineFit) -> LineFit {
    let whole = form.size.round();
    if (form.size - whole).abs() > NEARLY_WHOLE * form.size {
        return form;
    }
    let at_whole = LineFit { size: whole, ..form };
    let plain = TextRun { spacing: 0.0, ..run_of(content, at_whole) };
    let width = font::run_width(&plain);
    if (width - form.width).abs() > NEARLY_WHOLE * width {
        form
    } else {
        LineFit { width, ..at_whole }
    }
}

fn neighbours(form: LineFit, step: f32) -> Vec<LineFit> {
    let LineFit { left, width, size, baseline, weight } = form;
    let mut next = vec![
        LineFit { left: left - step, ..form },
        LineFit { left: left + step, ..form },
        LineFit { width: width - step, ..form },
        LineFit { width: width + step, ..form },
        LineFit { baseline: baseline - step, ..form },
        LineFit { baseline: baseline + step, ..form },
        LineFit { size: size - step, ..form },
        LineFit { size: size + step, ..form },
        LineFit { size: size + step, baseline: baseline + step / 2.0, ..form },
        LineFit { size: size - step, baseline: baseline - step / 2.0, ..form },
        LineFit { left: left - step, width: width + step, ..form },
        LineFit { left: left + step, width: width - step, ..form },
    ];
    if step >= 0.2 {
        next.push(LineFit { weight: (weight + 100).min(900), ..form });
        next.push(LineFit { weight: (weight - 100).max(100), ..form });
    }
    next
}

fn run_of(content: &str, form: LineFit) -> TextRun {
    let LineFit { left, width, size, baseline, weight } = form;
    let mut run =
        TextRun { content: content.to_owned(), size, weight, spacing: 0.0, left, baseline };
    let gaps = content.chars().count().saturating_sub(1).max(1);
    run.spacing = ((width - font::run_width(&run)) / gaps as f32).clamp(-0.12 * size, 0.6 * size);
    run
}

/// The relative squared error of a form at its best strength, and that strength.
fn error_of(ink: &Ink, content: &str, form: LineFit) -> (f32, f32) {
    if !(4.0..=100.0).contains(&form.size) || form.width < 1.0 {
        return (f32::INFINITY, 1.0);
    }
    let Some(cover) = cover_of(ink, &run_of(content, form)) else { return (f32::INFINITY, 1.0) };
    let (mut both, mut drawn, mut seen) = (0.0f32, 0.0f32, 0.0f32);
    for (a, b) in ink.cover.iter().zip(cover.data()) {
        let b = f32::from(*b) / 255.0;
        both += a * b;
        drawn += b * b;
        seen += a * a;
    }
    // The best of all strengths in closed form: least squares of one factor.
    let strength = (both / drawn.max(1e-3)).clamp(0.5, 1.5);
    let error = seen - 2.0 * strength * both + strength * strength * drawn;
    (error / seen.max(1e-3), strength)
}

/// How much of each pixel of the ink's box a line covers.
fn cover_of(ink: &Ink, run: &TextRun) -> Option<Mask> {
    let mut mask = Mask::new(ink.width as u32, ink.height as u32)?;
    let path = font::run_path(run)?;
    mask.fill_path(&path, FillRule::Winding, true, Transform::identity());
    Some(mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink_of(run: &TextRun, width: usize, height: usize) -> Ink {
        let blank = Ink { width, height, cover: vec![] };
        let cover = cover_of(&blank, run).unwrap();
        let cover = cover.data().iter().map(|v| f32::from(*v) / 255.0).collect();
        Ink { width, height, cover }
    }

    #[test]
    fn a_rendered_line_is_read_back() {
        for (content, size, weight) in [
            ("Transaction report", 22.0, 400),
            ("Apply Filters", 15.0, 600),
            ("$3.469.52", 19.0, 400),
        ] {
            let run = TextRun {
                content: content.to_owned(),
                size,
                weight,
                spacing: 0.0,
                left: 1.3,
                baseline: size * 0.8,
            };
            let width = font::run_width(&run).ceil() as usize + 3;
            let fitted = fit(&ink_of(&run, width, (size * 1.1) as usize), size * 0.8).unwrap();
            assert_eq!(fitted.run.content, content);
            assert!((fitted.run.size - size).abs() < 0.3 && fitted.error < 0.02, "{fitted:?}");
            assert!(fitted.run.weight.abs_diff(weight) <= 100, "{fitted:?}");
        }
    }
}
