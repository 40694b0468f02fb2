//! The figures of GraphicBench, GraphicWeaver and PSBench.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

use super::bars::{
    BarRow, WIDTH, legend_areas, legend_height, number, push_legend, shortened, stacked,
};
use super::data::{Attempt, FigurePlan, FigureResult, FigureSources, by_row, count, row};
use super::drawing::{Anchor, Ink, VectorPicture, areas_along};
use crate::graphictown::Expert;
use crate::metric::plan::errors::PlanErrorClass;
use crate::metric::stats::wilson;

/// Below this share of an expert's actions, an action is one of *Others*, as in the paper.
const LEAST_SHARE: f64 = 0.05;
/// The levels of difficulty that PSBench and CANVAS have.
const LEVELS: [&str; 3] = ["easy", "medium", "hard"];
const CONFIDENCE: f64 = 0.95;
/// What figures of plans say without any.
pub(super) const NO_PLANS: &str =
    "it needs plans of the design suite: runs that carry out plans, or a folder of published plans";

/// Figure 2 of GraphicBench: the numbers of plans, around a centre.
pub(super) fn radar(sources: &FigureSources) -> FigureResult {
    if sources.plans.is_empty() {
        return Err(NO_PLANS.to_owned());
    }
    let by_plan = by_row(&sources.plans, |plan| &plan.row);
    let by_attempt =
        by_row(&sources.attempts, |attempt| sources.row_of_plans(attempt).unwrap_or_default());
    let names = ["delivery", "step efficiency", "expert use", "color", "text", "images"];
    // Of each model a mean a spoke, where there is one.
    let values: BTreeMap<&str, Vec<Option<f64>>> = by_plan
        .iter()
        .map(|(model, plans)| {
            let of_plans =
                (0..3).map(|at| mean(plans.iter().filter_map(|plan| *plan.numbers.get(at)?)));
            let attempts = by_attempt.get(model).map(Vec::as_slice).unwrap_or_default();
            let of_judges = (0..3).map(|at| {
                // Judges give up to 5; the other spokes are shares of one.
                mean(attempts.iter().filter_map(|it| *it.design.get(at)?).map(|it| it / 5.0))
            });
            (*model, of_plans.chain(of_judges).collect())
        })
        .collect();
    let is_known =
        |at: &usize| values.values().any(|of_model| of_model.get(*at).is_some_and(Option::is_some));
    let spokes: Vec<usize> = (0..names.len()).filter(is_known).collect();
    // Two spokes are a line and enclose nothing.
    if spokes.len() < 3 {
        return Err(format!("only {} of its numbers are known; a radar needs three", spokes.len()));
    }
    let missing: Vec<&str> =
        (0..names.len()).filter(|at| !is_known(at)).map(|at| names[at]).collect();
    let models: Vec<&str> = values.keys().copied().collect();
    let legend = legend_height(&models);
    let radius = 150.0;
    let centre = [WIDTH / 2.0, legend + radius + 34.0];
    let mut drawing = VectorPicture::new(WIDTH, legend + 2.0 * radius + 72.0);
    push_legend(&mut drawing, &models);
    let place = |spoke: usize, share: f64| {
        let angle = TAU * spoke as f64 / spokes.len() as f64;
        // The first spoke points up, the others follow clockwise.
        [centre[0] + angle.sin() * radius * share, centre[1] - angle.cos() * radius * share]
    };
    for ring in [0.25, 0.5, 0.75, 1.0] {
        // Once more to the first spoke, so that the ring closes.
        let around = (0..=spokes.len()).map(|spoke| place(spoke % spokes.len(), ring));
        drawing.line(around.collect(), Ink::Grid, 1.0);
        drawing.text(
            [centre[0] + 4.0, centre[1] - radius * ring],
            number(ring),
            Anchor::Start,
            Ink::Dim,
        );
    }
    for (spoke, at) in spokes.iter().enumerate() {
        drawing.line(vec![centre, place(spoke, 1.0)], Ink::Grid, 1.0);
        let at_end = place(spoke, 1.12);
        // Words grow away from the centre, or they would lie across the ring.
        let anchor = match at_end[0] - centre[0] {
            off if off > 10.0 => Anchor::Start,
            off if off < -10.0 => Anchor::End,
            _ => Anchor::Middle,
        };
        drawing.text(at_end, names[*at], anchor, Ink::Text);
    }
    let mut numbers = vec![row(["model", "plans"].into_iter().chain(names))];
    let legends = legend_areas(&models);
    for (series, ((model, of_model), legend)) in values.iter().zip(legends).enumerate() {
        let mut areas = vec![legend];
        let cells = of_model.iter().map(|value| value.map(number).unwrap_or_default());
        let plans = by_plan.get(model).map_or(0, Vec::len).to_string();
        numbers.push([(*model).to_owned(), plans].into_iter().chain(cells).collect());
        // A model without a number of one spoke has no outline there: the line stops.
        let known: Vec<Option<[f64; 2]>> = spokes
            .iter()
            .enumerate()
            .map(|(spoke, at)| {
                Some(place(spoke, of_model.get(*at).copied().flatten()?.clamp(0.0, 1.0)))
            })
            .collect();
        let around: Vec<Option<[f64; 2]>> = known.iter().chain(known.first()).copied().collect();
        for piece in around.split(Option::is_none) {
            let points: Vec<[f64; 2]> = piece.iter().copied().flatten().collect();
            if points.len() > 1 {
                areas.extend(areas_along(&points));
                drawing.line(points, Ink::Series(series), 1.8);
            }
        }
        let (words, runs) = outline_of(model, &by_plan, &by_attempt);
        drawing.mark_areas(areas, words, runs);
    }
    let mut remarks = vec![format!(
        "{}. Delivery as published: fewer steps than the limit of the experts' number. What judges say of color, \
         text and images is divided by 5.",
        count(sources.plans.len(), "plan")
    )];
    remarks.extend(without_number(sources, &names, &spokes));
    remarks.extend(sources.unclear_attempts());
    if !missing.is_empty() {
        remarks.push(format!(
            "Not known: {}; --labels takes a file with columns color, text and image.",
            missing.join(", ")
        ));
    }
    Ok((drawing, numbers, remarks))
}

/// What an outline of the radar is of, in words, and its runs of the library: those of its plans, and those of the
/// attempts that judges said something of.
fn outline_of(
    model: &str,
    by_plan: &BTreeMap<&str, Vec<&FigurePlan>>,
    by_attempt: &BTreeMap<&str, Vec<&Attempt>>,
) -> (String, Vec<u32>) {
    let plans = by_plan.get(model).map(Vec::as_slice).unwrap_or_default();
    let attempts = by_attempt.get(model).into_iter().flatten();
    let said = attempts.filter(|attempt| attempt.design.iter().any(Option::is_some));
    let said: Vec<&&Attempt> = said.collect();
    let mut words = vec![count(plans.len(), "plan")];
    if !said.is_empty() {
        words.push(count(said.len(), "attempt"));
    }
    let words = format!("{model}: {}", words.join(", "));
    let of_plans = plans.iter().filter_map(|plan| plan.number);
    let runs = of_plans.chain(said.iter().filter_map(|attempt| attempt.number));
    (words, runs.collect::<BTreeSet<u32>>().into_iter().collect())
}

/// Of how many plans and attempts these spokes have no number, where others have one.
fn without_number(sources: &FigureSources, names: &[&str], spokes: &[usize]) -> Option<String> {
    let lacking = spokes.iter().filter_map(|at| {
        let name = names.get(*at)?;
        let (without, what) = match at.checked_sub(3) {
            None => {
                let numbers = sources.plans.iter().map(|plan| plan.numbers.get(*at));
                (numbers.flatten().filter(|number| number.is_none()).count(), "plan")
            }
            Some(at) => {
                let numbers = sources.attempts.iter().map(|attempt| attempt.design.get(at));
                (numbers.flatten().filter(|number| number.is_none()).count(), "attempt")
            }
        };
        (without > 0).then(|| format!("{name} of {}", count(without, what)))
    });
    let lacking: Vec<String> = lacking.collect();
    (!lacking.is_empty()).then(|| format!("Not said, and in no mean: {}.", lacking.join(", ")))
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), it| (sum + it, count + 1));
    (count > 0).then(|| sum / count as f64)
}

/// Figure 3 of GraphicBench.
pub(super) fn errors(sources: &FigureSources) -> FigureResult {
    error_shares(sources, &PlanErrorClass::ALL.map(|class| (class.label(), vec![class])))
}

/// Figure 2 of GraphicWeaver, which has four classes.
pub(super) fn weaver_errors(sources: &FigureSources) -> FigureResult {
    error_shares(
        sources,
        &[
            ("invalid expert", vec![PlanErrorClass::InvalidExpert]),
            (
                "invalid tool/parameter",
                vec![PlanErrorClass::InvalidAction, PlanErrorClass::InvalidParameters],
            ),
            ("inconsistency", vec![PlanErrorClass::Inconsistency]),
            ("dependency", vec![PlanErrorClass::LocalDependency, PlanErrorClass::GlobalDependency]),
        ],
    )
}

fn error_shares(sources: &FigureSources, classes: &[(&str, Vec<PlanErrorClass>)]) -> FigureResult {
    if sources.plans.is_empty() {
        return Err(NO_PLANS.to_owned());
    }
    let names: Vec<&str> = classes.iter().map(|(name, _)| *name).collect();
    let mut numbers =
        vec![row(["model", "plans", "errors"].into_iter().chain(names.iter().copied()))];
    let mut left_out = 0;
    let rows = by_row(&sources.plans, |plan| &plan.row).into_iter().map(|(model, plans)| {
        let errors: Vec<PlanErrorClass> =
            plans.iter().flat_map(|plan| &plan.errors).copied().collect();
        let counts: Vec<usize> = classes
            .iter()
            .map(|(_, of)| errors.iter().filter(|error| of.contains(error)).count())
            .collect();
        let all: usize = counts.iter().sum();
        // What the figure has no column for; it is told in the remarks.
        left_out += errors.len() - all;
        let head = [model.to_owned(), plans.len().to_string(), all.to_string()];
        numbers.push(head.into_iter().chain(counts.iter().map(usize::to_string)).collect());
        // A model without errors has an empty bar, and not one of NaN.
        let parts = counts.iter().map(|it| 100.0 * *it as f64 / all.max(1) as f64).collect();
        let remark = format!("{all} in {}", count(plans.len(), "plan"));
        let runs = plans.iter().filter_map(|plan| plan.number).collect();
        BarRow::Bar { name: model.to_owned(), parts, remark, runs }
    });
    let rows: Vec<BarRow> = rows.collect();
    let drawing = stacked(&names, &rows, "share of errors, %");
    let mut remarks = vec![format!(
        "{}, looked through by the rules of this program: the papers' own classification is not published.",
        count(sources.plans.len(), "plan")
    )];
    if left_out > 0 {
        remarks.push(format!("Left out: {} of other classes.", count(left_out, "error")));
    }
    Ok((drawing, numbers, remarks))
}

/// How much of these calls are of this action.
fn share(counts: &BTreeMap<&str, usize>, action: &str) -> f64 {
    let all: usize = counts.values().sum();
    counts.get(action).copied().unwrap_or_default() as f64 / all as f64
}

/// Figure 10 of GraphicBench: what each expert does.
pub(super) fn actions(sources: &FigureSources) -> FigureResult {
    let mut found: BTreeMap<(&str, Expert), BTreeMap<&str, usize>> = BTreeMap::new();
    let mut runs: BTreeMap<(&str, Expert), BTreeSet<u32>> = BTreeMap::new();
    for plan in &sources.plans {
        for (expert, action) in &plan.steps {
            let expert = expert.as_deref().and_then(Expert::from_name);
            if let (Some(expert), Some(action)) = (expert, action) {
                let counts = found.entry((&plan.row, expert)).or_default();
                *counts.entry(action).or_default() += 1;
                runs.entry((&plan.row, expert)).or_default().extend(plan.number);
            }
        }
    }
    if found.is_empty() {
        return Err(NO_PLANS.to_owned());
    }
    // An action has a colour if any expert of any model uses it often enough.
    let frequent: BTreeSet<&str> = found
        .values()
        .flat_map(|counts| counts.keys().filter(|action| share(counts, action) >= LEAST_SHARE))
        .copied()
        .collect();
    let mut names: Vec<&str> = frequent.into_iter().collect();
    // The most frequent first; equals stay in the order of their names, as the sort is stable.
    names.sort_by_key(|action| {
        std::cmp::Reverse(found.values().filter_map(|counts| counts.get(action)).sum::<usize>())
    });
    names.push("Others");
    let mut numbers = vec![row(["expert", "model", "action", "calls", "share"])];
    let mut rows = Vec::new();
    for (expert, short) in Expert::ALL.into_iter().zip(["Ps", "Ai", "Id"]) {
        rows.push(BarRow::Heading(format!("{short}: {}", expert.name())));
        for ((model, _), counts) in found.iter().filter(|((_, of), _)| *of == expert) {
            let all: usize = counts.values().sum();
            let mut parts: Vec<f64> = names
                .iter()
                .map(|name| {
                    // An action that others use often is one of Others in a bar where it is rare.
                    Some(share(counts, name)).filter(|it| *it >= LEAST_SHARE).unwrap_or(0.0)
                })
                .collect();
            // What is missing from one, and not a sum: rounding must leave no gap at the end of a bar.
            let others = 1.0 - parts.iter().sum::<f64>();
            if let Some(last) = parts.last_mut() {
                *last = others.max(0.0);
            }
            for (action, calls) in counts {
                let share = number(share(counts, action));
                numbers.push(row([expert.name(), model, action, &calls.to_string(), &share]));
            }
            let parts = parts.into_iter().map(|part| part * 100.0).collect();
            let remark = count(all, "action");
            let runs = runs.get(&(*model, expert)).into_iter().flatten().copied().collect();
            rows.push(BarRow::Bar { name: (*model).to_owned(), parts, remark, runs });
        }
    }
    let drawing = stacked(&names, &rows, "share of the expert's actions, %");
    let remarks = vec![format!(
        "{}. Of each bar, actions under {:.0} % are one of Others.",
        count(sources.plans.len(), "plan"),
        LEAST_SHARE * 100.0
    )];
    Ok((drawing, numbers, remarks))
}

fn condition(attempt: &Attempt) -> String {
    match &attempt.mode {
        Some(mode) => format!("{} · {mode}", attempt.model),
        None => attempt.model.clone(),
    }
}

/// Table 3 of PSBench as bars: the share of attempts that succeed, by difficulty and condition.
pub(super) fn success_by_difficulty(sources: &FigureSources) -> FigureResult {
    let attempts = sources.all_attempts();
    // Levels in the order of how hard they are, others by name behind them.
    let mut levels: BTreeMap<(usize, &str), BTreeMap<String, Vec<&Attempt>>> = BTreeMap::new();
    let mut told = 0;
    for attempt in &attempts {
        let level = attempt.difficulty.as_deref();
        let (Some(level), Some(_)) = (level, attempt.success) else { continue };
        told += 1;
        let place = LEVELS.iter().position(|known| *known == level).unwrap_or(LEVELS.len());
        let of_level = levels.entry((place, level)).or_default();
        of_level.entry(condition(attempt)).or_default().push(attempt);
    }
    if levels.is_empty() {
        return Err("it needs what people said of attempts, or runs of a study of tasks whose difficulty is known: open a \
                    labelling project that asks for success, or the folder of a study; --labels of the command line \
                    also takes a file with columns model, mode, difficulty and success"
            .to_owned());
    }
    let heads = ["difficulty", "condition", "attempts", "successes", "success", "low", "high"];
    let (mut numbers, mut rows) = (vec![row(heads)], Vec::new());
    for ((_, level), conditions) in levels {
        rows.push(BarRow::Heading(level.to_owned()));
        for (name, attempts) in conditions {
            let successes = attempts.iter().filter(|it| it.success == Some(true)).count();
            let share = successes as f64 / attempts.len() as f64;
            let interval = wilson(successes as u64, attempts.len() as u64, CONFIDENCE).ok();
            let [low, high] = [interval.map(|it| it.low), interval.map(|it| it.high)]
                .map(|end| end.map(number).unwrap_or_default());
            let counts = [attempts.len(), successes].map(|count| count.to_string());
            let cells = [level.to_owned(), name.clone()].into_iter().chain(counts);
            numbers.push(cells.chain([number(share), low, high]).collect());
            let remark = format!("{successes} of {}", attempts.len());
            let runs = attempts.iter().filter_map(|attempt| attempt.number).collect();
            rows.push(BarRow::Bar { name, parts: vec![share * 100.0], remark, runs });
        }
    }
    let drawing = stacked(&[], &rows, "attempts that succeed, %");
    let mut remarks = vec![format!(
        "{}. The numbers have Wilson's intervals (95 %), as if each attempt were by itself.",
        count(told, "attempt")
    )];
    let without = attempts.len() - told;
    if without > 0 {
        let without = count(without, "attempt");
        remarks.push(format!("Left out: {without} without a difficulty or a success."));
    }
    Ok((drawing, numbers, remarks))
}

/// Figure 4 of PSBench: how long attempts take and how many succeed, by condition.
pub(super) fn time_and_success(sources: &FigureSources) -> FigureResult {
    let attempts = sources.all_attempts();
    let told = attempts.iter().filter(|it| it.seconds.is_some() || it.success.is_some());
    let conditions: BTreeMap<String, Vec<_>> =
        told.fold(BTreeMap::new(), |mut conditions, attempt| {
            conditions.entry(condition(attempt)).or_insert_with(Vec::new).push(attempt);
            conditions
        });
    if conditions.is_empty() {
        return Err("it needs what people said of attempts, or runs of a study: open a labelling project that asks for \
                    success, or the folder of a study; --labels of the command line also takes a file with columns \
                    model, mode, seconds and success"
            .to_owned());
    }
    let mut numbers = vec![row(["condition", "attempts", "mean seconds", "success"])];
    let (mut times, mut rates) = (Vec::new(), Vec::new());
    for (name, attempts) in &conditions {
        let seconds = mean(attempts.iter().filter_map(|it| it.seconds));
        let successes = attempts.iter().filter_map(|it| it.success);
        let rate = mean(successes.map(|it| f64::from(u8::from(it))));
        let [seconds_cell, rate_cell] =
            [seconds, rate].map(|value| value.map(number).unwrap_or_default());
        numbers.push(row([name.clone(), attempts.len().to_string(), seconds_cell, rate_cell]));
        times.push((name.as_str(), seconds, seconds.map(|it| format!("{it:.0} s"))));
        rates.push((
            name.as_str(),
            rate.map(|it| it * 100.0),
            rate.map(|it| format!("{:.1} %", it * 100.0)),
        ));
    }
    let half = (WIDTH - 40.0) / 2.0;
    let rows = conditions.len() as f64;
    let mut drawing = VectorPicture::new(WIDTH, 38.0 + rows * 26.0);
    for (left, title, bars, series) in
        [(0.0, "Completion time", &times, 0), (half + 40.0, "Success rate", &rates, 1)]
    {
        drawing.text([left + 130.0, 10.0], title, Anchor::Start, Ink::Text);
        // Each half has an axis of its own: seconds here, shares there.
        let longest = bars.iter().filter_map(|(_, value, _)| *value).fold(0.0_f64, f64::max);
        for (at, (name, value, words)) in bars.iter().enumerate() {
            let y = 30.0 + at as f64 * 26.0;
            drawing.text([left + 122.0, y + 9.0], shortened(name, 20), Anchor::End, Ink::Text);
            let length = value.map_or(0.0, |value| value / longest.max(1e-9) * (half - 190.0));
            drawing.rect([left + 130.0, y, length, 18.0], Ink::Series(series));
            // A bar of no length is not a condition that took no time.
            let words = words.clone().unwrap_or_else(|| "not known".to_owned());
            let attempts = conditions.get(*name).into_iter().flatten();
            let runs = attempts.filter_map(|attempt| attempt.number).collect();
            drawing.mark([left, y, half, 18.0], format!("{name}: {words}"), runs);
            drawing.text([left + 136.0 + length, y + 9.0], words, Anchor::Start, Ink::Dim);
        }
    }
    let attempts: usize = conditions.values().map(Vec::len).sum();
    let remarks =
        vec![format!("{}; means over those that have the number.", count(attempts, "attempt"))];
    Ok((drawing, numbers, remarks))
}
