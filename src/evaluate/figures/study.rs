//! A study of people as PSBench's figure 4: time left, success right, with intervals and a dot a person; agents alone
//! are rows below.

use super::bars::{WIDTH, push_legend, scale, shortened, tick_words};
use super::data::{Figure, count, row};
use super::drawing::{Anchor, Ink, VectorPicture};
use crate::metric::stats::{Interval, StatsError};
use crate::study::{Cell, StudyResults, Unit};

const ROW: f64 = 26.0;
const GAP: f64 = 14.0;
/// Room for the names of conditions, once, and between both halves.
const NAMES: f64 = 120.0;
const BETWEEN: f64 = 30.0;
/// Room at the right end of each half, so that words stand beside the longest bar.
const WORDS: f64 = 64.0;
/// What is said where scripts stand in for people.
const SCRIPTED: &str = "scripted, not people";
/// The colour of that: red among the series.
const WARNING: Ink = Ink::Series(5);
/// How far a dot reaches.
const DOT: f64 = 2.4;

/// The id of the figure, whoever is counted in it, of the runs that the table over all runs shows.
pub const STUDY: &str = "study";
/// The id of the same figure of all that a study comes to.
pub const STUDY_RESULTS: &str = "study-results";

/// The figure of a study's results, with where what stands in it: for who looks at it and asks what that is.
#[derive(Clone, Debug)]
pub struct StudyFigure {
    /// The figure.
    pub figure: Figure,
    /// Its rows first, then the dots on them.
    pub marks: Vec<StudyMark>,
}

/// A place in the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyMark {
    /// Left, top, width, height, in points of the drawing.
    pub area: [f64; 4],
    /// Which row it is in, as [`StudyResults::cell`] finds it.
    pub cell: usize,
    /// Of a dot: whose it is, by their place in the cell's `individuals`; `None`: the whole row.
    pub person: Option<usize>,
    /// What it shows, in words.
    pub words: String,
}

/// The figure of a study's results.
///
/// # Errors
///
/// What is missing: nobody has finished a task.
pub fn study_figure(results: &StudyResults) -> Result<Figure, String> {
    study_figure_with_marks(results).map(|it| it.figure)
}

/// The same with its marks.
///
/// # Errors
///
/// What is missing: nobody has finished a task.
pub fn study_figure_with_marks(results: &StudyResults) -> Result<StudyFigure, String> {
    let levels = results.levels();
    if levels.iter().flatten().all(|cell| cell.attempts == 0) {
        let why = if results.scripted_left_out > 0 {
            "nobody has finished a task; scripted participants are left out unless --include-scripted"
        } else {
            "nobody has finished a task"
        };
        return Err(why.to_owned());
    }
    let (id, title) = if results.has_scripted {
        ("study-scripted", "Time and success by condition: scripted, not people")
    } else {
        (STUDY, "Time and success by condition")
    };
    let (drawing, marks) = draw(results, &levels);
    let (numbers, remarks) = (numbers(results), remarks(results));
    Ok(StudyFigure { figure: Figure { id, title, drawing, numbers, remarks }, marks })
}

fn draw(results: &StudyResults, levels: &[Vec<&Cell>]) -> (VectorPicture, Vec<StudyMark>) {
    let conditions = results.plan.conditions.len();
    let models = results.autonomous.models.len();
    let all = 0..conditions + models;
    let titles: Vec<String> = all.filter_map(|at| results.condition_title(at)).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let height: f64 = levels.iter().map(|level| level.len() as f64 * ROW + ROW + GAP).sum();
    let mut drawing = VectorPicture::new(WIDTH, 0.0);
    let mut top = push_legend(&mut drawing, &titles);
    if results.has_scripted {
        drawing.text([WIDTH, 8.0], SCRIPTED, Anchor::End, WARNING);
    }
    let half = (WIDTH - NAMES - BETWEEN) / 2.0;
    let halves = [NAMES, NAMES + half + BETWEEN];
    for (left, title) in halves.into_iter().zip(["Mean time of successes", "Success"]) {
        drawing.text([left, top + 6.0], title, Anchor::Start, Ink::Text);
    }
    top += 20.0;
    let most = levels.iter().flatten().copied().map(most_seconds).fold(0.0_f64, f64::max);
    let (longest, ticks) = scale(most);
    let room = half - WORDS;
    let x = |left: f64, share: f64| left + share.clamp(0.0, 1.0) * room;
    let bottom = top + height;
    for (tick, words) in ticks.iter().zip(tick_words(&ticks)) {
        let at = x(halves[0], tick / longest);
        drawing.line(vec![[at, top], [at, bottom]], Ink::Grid, 1.0);
        drawing.text([at, bottom + 10.0], format!("{words} s"), Anchor::Middle, Ink::Dim);
    }
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let at = x(halves[1], share);
        drawing.line(vec![[at, top], [at, bottom]], Ink::Grid, 1.0);
        let words = format!("{:.0} %", share * 100.0);
        drawing.text([at, bottom + 10.0], words, Anchor::Middle, Ink::Dim);
    }
    let (mut rows, mut dots) = (Vec::new(), Vec::new());
    for (place, level) in levels.iter().enumerate() {
        let name = level.first().and_then(|cell| cell.level.as_deref()).unwrap_or("all");
        drawing.text([0.0, top + ROW / 2.0], name, Anchor::Start, Ink::Text);
        top += ROW;
        for (row, cell) in level.iter().enumerate() {
            let name = shortened(&row_name(results, cell), 18);
            drawing.text([NAMES - 10.0, top + ROW / 2.0], name, Anchor::End, Ink::Text);
            let seconds = Bar {
                value: cell.seconds.map(|it| it / longest),
                interval: share_of(&cell.seconds_interval, longest),
                dots: cell.individuals.iter().map(|it| it.seconds.map(|it| it / longest)),
                words: cell.seconds.map(|it| format!("{it:.0} s")),
            };
            let mut made = seconds.draw(&mut drawing, [halves[0], top], room, cell.condition);
            let success = Bar {
                value: cell.success,
                interval: share_of(&cell.success_interval, 1.0),
                dots: cell.individuals.iter().map(|it| Some(it.success)),
                words: cell.success.map(|it| format!("{:.0} %", it * 100.0)),
            };
            made.extend(success.draw(&mut drawing, [halves[1], top], room, cell.condition));
            // Those of agents come behind all of people.
            let at = match row.checked_sub(conditions) {
                None => place * conditions + row,
                Some(model) => results.cells.len() + place * models + model,
            };
            let area = [0.0, top, WIDTH, ROW];
            let words = row_words(results, cell);
            rows.push(StudyMark { area, cell: at, person: None, words });
            dots.extend(made.into_iter().map(|(person, area)| {
                let words = person_words(results, cell, person);
                StudyMark { area, cell: at, person: Some(person), words }
            }));
            top += ROW;
        }
        top += GAP;
    }
    drawing.height = bottom + 24.0;
    rows.extend(dots);
    (drawing, rows)
}

/// What stands before a bar. There is little room: of several models the name alone, as the legend says the rest.
fn row_name(results: &StudyResults, cell: &Cell) -> String {
    let models = &results.autonomous.models;
    let model = cell.condition.checked_sub(results.plan.conditions.len());
    match model.and_then(|at| models.get(at)) {
        Some(_) if models.len() == 1 => "Autonomous".to_owned(),
        Some(model) => model.name.clone(),
        None => results.condition_title(cell.condition).unwrap_or_default(),
    }
}

/// A level under a condition, in words.
fn row_words(results: &StudyResults, cell: &Cell) -> String {
    let success =
        cell.success.map_or_else(String::new, |it| format!(", success {:.0} %", it * 100.0));
    let seconds = cell.seconds.map_or_else(String::new, |it| format!(", {it:.0} s"));
    let attempts = count(cell.attempts, "attempt");
    format!("{}{success}{seconds}, {attempts}", names(results, cell))
}

fn person_words(results: &StudyResults, cell: &Cell, person: usize) -> String {
    let Some(individual) = cell.individuals.get(person) else { return String::new() };
    let seconds = individual.seconds.map_or_else(String::new, |it| format!(", {it:.0} s"));
    let (who, success) = (&individual.participant, individual.success * 100.0);
    format!("{who}: {}, success {success:.0} %{seconds}", names(results, cell))
}

fn names(results: &StudyResults, cell: &Cell) -> String {
    let level = cell.level.as_deref().unwrap_or("all");
    format!("{level}, {}", results.condition_title(cell.condition).unwrap_or_default())
}

/// The most that is drawn of a cell's times.
fn most_seconds(cell: &Cell) -> f64 {
    let high = cell.seconds_interval.as_ref().map_or(0.0, |interval| interval.high);
    let each = cell.individuals.iter().filter_map(|it| it.seconds);
    each.chain(cell.seconds).fold(high, f64::max)
}

fn share_of(interval: &Result<Interval, StatsError>, longest: f64) -> Option<[f64; 2]> {
    interval.as_ref().ok().map(|it| [it.low / longest, it.high / longest])
}

/// A bar with its interval and its persons, as shares of the axis.
struct Bar<D> {
    value: Option<f64>,
    interval: Option<[f64; 2]>,
    dots: D,
    words: Option<String>,
}

impl<D: Iterator<Item = Option<f64>>> Bar<D> {
    /// Draws it, and gives where the dots are, each with the place of its person.
    fn draw(
        self,
        drawing: &mut VectorPicture,
        [left, top]: [f64; 2],
        room: f64,
        series: usize,
    ) -> Vec<(usize, [f64; 4])> {
        let middle = top + ROW / 2.0;
        let Some(value) = self.value else {
            // A bar of no length is not a condition that took no time.
            drawing.text([left + 4.0, middle], "no value", Anchor::Start, Ink::Dim);
            return Vec::new();
        };
        let width = (value.clamp(0.0, 1.0) * room).max(0.5);
        drawing.rect([left, top + 5.0, width, ROW - 10.0], Ink::Wash(series));
        let (mut farthest, mut places) = (value, Vec::new());
        let dots = self.dots.enumerate().filter_map(|(person, dot)| Some((person, dot?)));
        for (at, (person, dot)) in dots.enumerate() {
            // Equals stand above one another: a step up or down, in turn.
            let lane = [0.0, -5.0, 5.0, -2.5, 2.5][at % 5];
            let (x, y) = (left + dot.clamp(0.0, 1.0) * room, middle + lane);
            drawing.area(octagon(x, y), Ink::Series(series));
            places.push((person, [x - DOT, y - DOT, 2.0 * DOT, 2.0 * DOT]));
            farthest = farthest.max(dot);
        }
        if let Some([low, high]) = self.interval {
            let [low, high] = [low, high].map(|share| left + share.clamp(0.0, 1.0) * room);
            drawing.line(vec![[low, middle], [high, middle]], Ink::Text, 1.5);
            for end in [low, high] {
                drawing.line(vec![[end, middle - 4.0], [end, middle + 4.0]], Ink::Text, 1.5);
            }
            farthest = farthest.max((high - left) / room);
        }
        let at = left + farthest.clamp(0.0, 1.0) * room + 8.0;
        drawing.text([at, middle], self.words.unwrap_or_default(), Anchor::Start, Ink::Dim);
        places
    }
}

fn octagon(x: f64, y: f64) -> Vec<[f64; 2]> {
    let near = DOT * 0.414;
    [(DOT, near), (near, DOT), (-near, DOT), (-DOT, near), (-DOT, -near), (-near, -DOT)]
        .into_iter()
        .chain([(near, -DOT), (DOT, -near)])
        .map(|(dx, dy)| [x + dx, y + dy])
        .collect()
}

/// A row a level and condition, then one a person in it; agents alone behind the conditions.
fn numbers(results: &StudyResults) -> Vec<Vec<String>> {
    let heading = [
        "level",
        "condition",
        "who",
        "persons",
        "tasks",
        "attempts",
        "successes",
        "success",
        "success low",
        "success high",
        "seconds",
        "seconds low",
        "seconds high",
        "geometric seconds",
        "restricted seconds",
        "restricted low",
        "restricted high",
        "kind",
    ];
    let of_people = if results.has_scripted { SCRIPTED } else { "people" };
    let mut rows = vec![row(heading)];
    for cell in results.levels().into_iter().flatten() {
        let kind = if cell.unit == Unit::Run { "agents" } else { of_people };
        let level = cell.level.clone().unwrap_or_else(|| "all".to_owned());
        let condition = results.condition_id(cell.condition).unwrap_or_default();
        let restricted = cell.restricted_interval.as_ref();
        let mut cells = row([level.as_str(), condition.as_str(), "all"]);
        let persons = (cell.unit == Unit::Person).then(|| cell.units().to_string());
        cells.push(persons.unwrap_or_default());
        cells.extend(row([cell.tasks, cell.attempts, cell.successes]));
        cells.push(exact(cell.success));
        cells.extend(ends(Some(&cell.success_interval)));
        cells.push(exact(cell.seconds));
        cells.extend(ends(Some(&cell.seconds_interval)));
        cells.push(exact(cell.geometric_seconds));
        cells.push(exact(cell.restricted_seconds));
        cells.extend(ends(restricted));
        cells.push(kind.to_owned());
        rows.push(cells);
        for individual in &cell.individuals {
            let mut cells = row([&level, &condition, &individual.participant]);
            let attempts = individual.attempts.to_string();
            cells.extend(row(["1", "", attempts.as_str(), ""]));
            cells.extend([exact(Some(individual.success)), String::new(), String::new()]);
            cells.push(exact(individual.seconds));
            cells.extend(vec![String::new(); 6]);
            cells.push(kind.to_owned());
            rows.push(cells);
        }
    }
    rows
}

fn exact(value: Option<f64>) -> String {
    value.map(|value| format!("{value:.4}")).unwrap_or_default()
}

fn ends(interval: Option<&Result<Interval, StatsError>>) -> [String; 2] {
    let interval = interval.and_then(|it| it.as_ref().ok());
    [interval.map(|it| it.low), interval.map(|it| it.high)].map(exact)
}

fn remarks(results: &StudyResults) -> Vec<String> {
    let persons = count(results.participants.len(), "participant");
    let tasks = count(results.plan.tasks.len(), "task");
    let mut remarks = Vec::new();
    if results.has_scripted {
        remarks.push(
            "Scripted, not people: made by the program for tests and demonstrations.".to_owned(),
        );
    }
    remarks.push(format!(
        "{persons}, {tasks}. Bars: the mean over persons; lines: 95 % intervals by resampling persons; dots: persons. \
         Time is of successes only, in seconds."
    ));
    remarks.extend(results.autonomous.remarks());
    remarks.extend(left_out(results));
    remarks
}

/// What no figure of the results shows.
pub(super) fn left_out(results: &StudyResults) -> Vec<String> {
    let mut remarks = Vec::new();
    if !results.unfinished.is_empty() {
        let left = count(results.unfinished.len(), "attempt");
        remarks.push(format!("Left out: {left} without an end or a check."));
    }
    if results.scripted_left_out > 0 {
        let left = count(results.scripted_left_out, "scripted participant");
        remarks.push(format!("Left out: {left}."));
    }
    remarks
}
