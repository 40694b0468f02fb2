//! Figure 3 of GraphicWeaver.

use std::collections::BTreeMap;

use super::bars::{WIDTH, legend_areas, number, push_legend};
use super::data::{FigurePlan, FigureResult, FigureSources, count, row};
use super::drawing::{Anchor, Ink, VectorPicture};
use super::suite::NO_PLANS;
use crate::graphictown::Expert;

/// Most changes of hands that are drawn.
const MOST_HANDS: usize = 5;
/// Below this share of plans, an order of experts is not drawn but listed.
const LEAST_FLOW: f64 = 0.002;
/// Pieces of a band.
const PIECES: u32 = 16;
/// How high a bar and a band are at least to a pointer, in points.
const LEAST_HIT: f64 = 4.0;

/// The experts of a plan in their order, each once as long as he stays.
struct Sequence {
    /// The number of the plan's run in the library, if it is of one.
    number: Option<u32>,
    experts: Vec<Expert>,
}

impl Sequence {
    fn of(plan: &FigurePlan) -> Self {
        let experts = plan.steps.iter();
        let experts = experts.filter_map(|(expert, _)| Expert::from_name(expert.as_deref()?));
        let mut experts: Vec<Expert> = experts.collect();
        experts.dedup();
        Self { number: plan.number, experts }
    }

    /// Whether these experts stand one after the other from this place.
    fn has_at(&self, place: usize, experts: &[Expert]) -> bool {
        self.experts.get(place..).is_some_and(|rest| rest.starts_with(experts))
    }
}

/// How many of the plans are so, and the runs of the library that carried those out.
fn counted(sequences: &[Sequence], is_so: impl Fn(&Sequence) -> bool) -> (usize, Vec<u32>) {
    let so: Vec<&Sequence> = sequences.iter().filter(|it| is_so(it)).collect();
    (so.len(), so.iter().filter_map(|it| it.number).collect())
}

/// Who hands over to whom.
pub(super) fn flow(sources: &FigureSources) -> FigureResult {
    let sequences = sources.plans.iter().map(Sequence::of);
    let sequences: Vec<Sequence> = sequences.filter(|it| !it.experts.is_empty()).collect();
    if sequences.is_empty() {
        return Err(NO_PLANS.to_owned());
    }
    let hands = sequences.iter().map(|it| it.experts.len()).max().unwrap_or(1).min(MOST_HANDS);
    let drawing = drawing_of(&sequences, hands);
    let (numbers, orders) = orders_of(&sequences);
    let all = sequences.len() as f64;
    let most = orders.first().map_or_else(String::new, |(order, plans)| {
        format!(" The most frequent order is {order} ({:.1} %).", 100.0 * *plans as f64 / all)
    });
    let longer = sequences.iter().filter(|sequence| sequence.experts.len() > hands).count();
    let mut remarks = vec![format!(
        "{}, the experts in their order, each once as long as he stays.{most}",
        count(sequences.len(), "plan")
    )];
    if longer > 0 {
        remarks.push(format!("Of {} only the first {hands} are drawn.", count(longer, "plan")));
    }
    let without = sources.plans.len() - sequences.len();
    if without > 0 {
        remarks.push(format!("Left out: {} without an expert there is.", count(without, "plan")));
    }
    Ok((drawing, numbers, remarks))
}

/// A bar a place and expert, and bands from each to the next.
fn drawing_of(sequences: &[Sequence], hands: usize) -> VectorPicture {
    let all = sequences.len() as f64;
    let (height, bar, legend) = (240.0, 14.0, 24.0);
    let gap = 14.0;
    let mut drawing = VectorPicture::new(WIDTH, legend + height + 60.0);
    let names = Expert::ALL.map(Expert::name);
    push_legend(&mut drawing, &names);
    for (area, expert) in legend_areas(&names).into_iter().zip(Expert::ALL) {
        let (plans, runs) = counted(sequences, |it| it.experts.contains(&expert));
        drawing.mark(area, format!("{}: {}", expert.name(), count(plans, "plan")), runs);
    }
    // A single place would divide by nothing.
    let left = |at: usize| 40.0 + at as f64 * (WIDTH - 80.0 - bar) / (hands.max(2) - 1) as f64;
    // All plans fill the height but for the two gaps between three experts.
    let scale = (height - 2.0 * gap) / all;
    // Where the bar of an expert begins.
    let top = |place: usize, expert: Expert| {
        let above = Expert::ALL.into_iter().take(expert.index());
        let above = above.map(|other| counted(sequences, |it| it.has_at(place, &[other])).0);
        legend + 20.0 + above.map(|plans| plans as f64 * scale + gap).sum::<f64>()
    };
    for place in 0..hands {
        let words = format!("{}.", place + 1);
        let at = [left(place) + bar / 2.0, legend + 6.0];
        drawing.text(at, words, Anchor::Middle, Ink::Dim);
        let mut into = [0.0; 3];
        for from in Expert::ALL {
            let mut out = 0.0;
            for to in Expert::ALL {
                let (plans, runs) = counted(sequences, |it| it.has_at(place, &[from, to]));
                // Thin bands are left out of the drawing; bars and numbers count them all the same.
                if place + 1 >= hands || (plans as f64) / all < LEAST_FLOW {
                    continue;
                }
                // Each band begins and ends below those drawn before it, so that none covers another at a bar.
                let (start, end) = (top(place, from) + out, top(place + 1, to) + into[to.index()]);
                let sides = [left(place) + bar, left(place + 1)];
                let thick = plans as f64 * scale;
                let areas = push_band(&mut drawing, sides, [start, end], thick, from.index());
                let [ends, plans] = [words_of_band(place, from, to), count(plans, "plan")];
                drawing.mark_areas(areas, format!("{ends}: {plans}"), runs);
                out += thick;
                into[to.index()] += thick;
            }
        }
        for expert in Expert::ALL {
            let (plans, runs) = counted(sequences, |it| it.has_at(place, &[expert]));
            if plans > 0 {
                let (x, y, length) = (left(place), top(place, expert), plans as f64 * scale);
                drawing.rect([x, y, bar, length.max(1.0)], Ink::Series(expert.index()));
                let said = format!("{}. {}: {}", place + 1, expert.name(), count(plans, "plan"));
                drawing.mark([x, y, bar, length.max(LEAST_HIT)], said, runs);
                let words = format!("{:.1} %", 100.0 * plans as f64 / all);
                drawing.text([x + bar + 4.0, y + length / 2.0], words, Anchor::Start, Ink::Text);
            }
        }
    }
    drawing
}

fn words_of_band(place: usize, from: Expert, to: Expert) -> String {
    format!("{}. {} → {}. {}", place + 1, from.name(), place + 2, to.name())
}

/// How often who hands over to whom, and every order, the most frequent first: as a table, and the orders alone.
fn orders_of(sequences: &[Sequence]) -> (Vec<Vec<String>>, Vec<(String, usize)>) {
    let mut orders: BTreeMap<String, usize> = BTreeMap::new();
    let mut changes: BTreeMap<(Expert, Expert), usize> = BTreeMap::new();
    for Sequence { experts, .. } in sequences {
        let names: Vec<&str> = experts.iter().map(|expert| expert.name()).collect();
        *orders.entry(names.join(" → ")).or_default() += 1;
        for pair in experts.windows(2) {
            if let [from, to] = pair {
                *changes.entry((*from, *to)).or_default() += 1;
            }
        }
    }
    let mut numbers = vec![row(["what", "order", "count", "share"])];
    let all_changes: usize = changes.values().sum();
    for ((from, to), times) in &changes {
        let order = format!("{} → {}", from.name(), to.name());
        let share = number(*times as f64 / all_changes as f64);
        numbers.push(row(["handed over", &order, &times.to_string(), &share]));
    }
    let mut orders: Vec<(String, usize)> = orders.into_iter().collect();
    // Equally frequent orders stand by name, or the table would change from run to run.
    orders.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    for (order, plans) in &orders {
        let share = number(*plans as f64 / sequences.len() as f64);
        numbers.push(row(["whole order", order, &plans.to_string(), &share]));
    }
    (numbers, orders)
}

/// A band from one bar to the next, bent so that it leaves and meets both straight; gives the areas that follow it.
fn push_band(
    drawing: &mut VectorPicture,
    [left, right]: [f64; 2],
    [from, to]: [f64; 2],
    thick: f64,
    series: usize,
) -> Vec<[f64; 4]> {
    let above = (0..=PIECES).map(|at| {
        let share = f64::from(at) / f64::from(PIECES);
        let smooth = share * share * (3.0 - 2.0 * share);
        [left + share * (right - left), from + (to - from) * smooth]
    });
    let above: Vec<[f64; 2]> = above.collect();
    let below = above.iter().rev().map(|[x, y]| [*x, y + thick]);
    drawing.area(above.iter().copied().chain(below).collect(), Ink::Wash(series));
    let areas = above.iter().zip(above.iter().skip(1));
    let areas = areas.map(|([x, y], [next_x, next_y])| {
        [*x, f64::midpoint(*y, *next_y), next_x - x, thick.max(LEAST_HIT)]
    });
    areas.collect()
}
