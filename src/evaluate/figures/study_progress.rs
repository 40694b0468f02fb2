//! How designs of a study came nearer to the ground truth over time, and by whose changes.

use super::bars::{WIDTH, number, push_legend, scale, tick_words};
use super::data::{Figure, count, row};
use super::drawing::{Anchor, Ink, VectorPicture};
use super::study::left_out;
use crate::metric::codesign::Author;
use crate::study::{Progress, StudyResults};

/// The id of the figure, whoever is counted in it.
pub const STUDY_PROGRESS: &str = "study-progress";

/// Room for a condition's axis.
const HEIGHT: f64 = 120.0;
const TITLE: f64 = 22.0;
const AXIS: f64 = 26.0;
/// Room for what the axis upwards says.
const LEFT: f64 = 40.0;
/// Moments at which the mean is worked out.
const MOMENTS: usize = 96;
const AUTHORS: [(Author, &str); 3] = [
    (Author::Person, "by the person"),
    (Author::Assistant, "by the assistant"),
    (Author::AssistantAlone, "by it alone"),
];

/// The distance from the ground truth that is left over time: a line an attempt, a dot a change in the colour of whose
/// it is, and the mean.
///
/// # Errors
///
/// What is missing: of no attempt it was recorded.
pub fn study_progress_figure(results: &StudyResults) -> Result<Figure, String> {
    let shown = results.progress.iter().filter(|it| it.left_at(0.0).is_some());
    let shown: Vec<&Progress> = shown.collect();
    if shown.is_empty() {
        return Err("how far designs were from the ground truth was not recorded".to_owned());
    }
    let (id, title) = if results.has_scripted {
        ("study-progress-scripted", "Distance left over time: scripted, not people")
    } else {
        (STUDY_PROGRESS, "Distance left over time")
    };
    let mut remarks = vec![format!(
        "{}. Thin lines: what is left of the distance at the beginning; dots: changes, by whose they are; the thick line: \
         the mean, in which what is over stays as it was.",
        count(shown.len(), "attempt")
    )];
    let all = results.cells.iter().filter(|cell| cell.level.is_none());
    let unknown = all.map(|cell| cell.attempts).sum::<usize>().saturating_sub(shown.len());
    if unknown > 0 {
        let unknown = count(unknown, "attempt");
        remarks.push(format!(
            "Left out: {unknown} of which the distance was not recorded, or was 0 at the beginning."
        ));
    }
    remarks.extend(left_out(results));
    let (drawing, numbers) = (draw(results, &shown), numbers(results, &shown));
    Ok(Figure { id, title, drawing, numbers, remarks })
}

fn draw(results: &StudyResults, shown: &[&Progress]) -> VectorPicture {
    let mut drawing = VectorPicture::new(WIDTH, 0.0);
    let mut top = push_legend(&mut drawing, &AUTHORS.map(|(_, name)| name));
    let longest = shown.iter().map(|it| it.end_secs).fold(0.0_f64, f64::max);
    // Where the distance rose it is more than all of it.
    let most = shown.iter().filter_map(|it| most_left(it)).fold(1.0_f64, f64::max);
    for (at, condition) in results.plan.conditions.iter().enumerate() {
        let here: Vec<&Progress> = shown.iter().copied().filter(|it| it.condition == at).collect();
        if here.is_empty() {
            continue;
        }
        let title = format!("{} · {}", condition.title, count(here.len(), "attempt"));
        drawing.text([0.0, top + TITLE / 2.0], title, Anchor::Start, Ink::Text);
        let area = PlotArea { top: top + TITLE, longest: scale(longest).0, most };
        area.draw(&mut drawing, &here, &scale(longest).1);
        top += TITLE + HEIGHT + AXIS;
    }
    drawing.height = top;
    drawing
}

/// The most that was left at any moment, of what there was at the beginning.
fn most_left(progress: &Progress) -> Option<f64> {
    let left = progress.points.iter().filter_map(|point| progress.left_at(point.at));
    left.reduce(f64::max)
}

/// The axes of a condition.
struct PlotArea {
    top: f64,
    longest: f64,
    most: f64,
}

impl PlotArea {
    fn place(&self, secs: f64, left: f64) -> [f64; 2] {
        let x = LEFT + (secs / self.longest).clamp(0.0, 1.0) * (WIDTH - LEFT - 16.0);
        [x, self.top + HEIGHT * (1.0 - (left / self.most).clamp(0.0, 1.0))]
    }

    fn draw(&self, drawing: &mut VectorPicture, here: &[&Progress], ticks: &[f64]) {
        for left in [0.0, 0.5, 1.0] {
            let from = self.place(0.0, left);
            let to = self.place(self.longest, left);
            drawing.line(vec![from, to], Ink::Grid, 1.0);
            let words = format!("{:.0} %", left * 100.0);
            drawing.text([LEFT - 6.0, from[1]], words, Anchor::End, Ink::Dim);
        }
        for (tick, words) in ticks.iter().zip(tick_words(ticks)) {
            let [x, _] = self.place(*tick, 0.0);
            let at = [x, self.top + HEIGHT + 12.0];
            drawing.text(at, format!("{words} s"), Anchor::Middle, Ink::Dim);
        }
        for progress in here {
            self.draw_attempt(drawing, progress);
        }
        let moments = (0..=MOMENTS).map(|moment| self.longest * moment as f64 / MOMENTS as f64);
        let mean = moments.filter_map(|secs| {
            let left: Vec<f64> = here.iter().filter_map(|it| it.left_at(secs)).collect();
            let mean = left.iter().sum::<f64>() / left.len().max(1) as f64;
            (!left.is_empty()).then(|| self.place(secs, mean))
        });
        drawing.line(mean.collect(), Ink::Text, 2.0);
    }

    fn draw_attempt(&self, drawing: &mut VectorPicture, progress: &Progress) {
        let mut line: Vec<[f64; 2]> = Vec::new();
        for point in &progress.points {
            let Some(left) = progress.left_at(point.at) else { return };
            let at = self.place(point.at, left);
            // It stays as it was until it is changed.
            line.extend(line.last().map(|before| [at[0], before[1]]));
            line.push(at);
        }
        let end = self.place(progress.end_secs, 0.0)[0];
        line.extend(line.last().map(|before| [end.max(before[0]), before[1]]));
        drawing.line(line, Ink::Dim, 0.6);
        for point in &progress.points {
            let author = AUTHORS.iter().position(|(author, _)| Some(*author) == point.author);
            if let (Some(series), Some(left)) = (author, progress.left_at(point.at)) {
                let [x, y] = self.place(point.at, left);
                drawing.rect([x - 1.5, y - 1.5, 3.0, 3.0], Ink::Series(series));
            }
        }
    }
}

/// A row a point.
fn numbers(results: &StudyResults, shown: &[&Progress]) -> Vec<Vec<String>> {
    let heading = ["condition", "participant", "set", "task", "seconds", "distance", "by", "kind"];
    let kind = if results.has_scripted { "scripted, not people" } else { "people" };
    let mut rows = vec![row(heading)];
    for progress in shown {
        let condition = results.plan.conditions.get(progress.condition);
        let task = results.plan.tasks.get(progress.task);
        for point in &progress.points {
            let author = AUTHORS.iter().find(|(author, _)| Some(*author) == point.author);
            rows.push(vec![
                condition.map(|it| it.id.clone()).unwrap_or_default(),
                progress.participant.clone(),
                task.map(|it| it.set.clone()).unwrap_or_default(),
                task.map(|it| it.id.clone()).unwrap_or_default(),
                format!("{:.3}", point.at),
                number(point.value),
                author.map(|(_, name)| (*name).to_owned()).unwrap_or_default(),
                kind.to_owned(),
            ]);
        }
    }
    rows
}
