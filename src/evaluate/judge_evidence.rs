//! What a model is shown of an item of a labelling project: the pictures of a packet, each with what it is of, and
//! in words what people read beside them.

use std::fmt::Write as _;
use std::path::Path;

use crate::base::cut_line;
use crate::environment::OpenEnvironment;
use crate::label::{Item, ItemKind};
use crate::run::{Run, Step};
use crate::store::labels::LabelFile;
use crate::task::TaskFinder;

use super::labelled::open_item;
use super::packing::{ItemPictures, PackError};

/// Most characters of what is said of one step, and of all of them.
const STEP_CHARACTERS: usize = 600;
const STEPS_CHARACTERS: usize = 60_000;

/// What a model is shown of an item in one order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownEvidence {
    /// What there is, in words: the task, the steps, which pictures follow.
    pub words: String,
    /// The pictures as PNG, in the order they are shown, each with what it is of.
    pub pictures: Vec<(String, Vec<u8>)>,
}

/// What there is of an item, whatever the order it is shown in.
#[derive(Debug)]
pub struct ItemEvidence {
    kind: ItemKind,
    step: Option<u32>,
    text: Option<String>,
    /// What is known of the plan that its run carries out: query and components.
    plan: Option<[String; 2]>,
    /// What its run did, in words.
    steps: String,
    pictures: ItemPictures,
    candidates: Vec<String>,
}

impl ItemEvidence {
    /// Opens the item's runs and draws its pictures.
    ///
    /// # Errors
    ///
    /// [`PackError`] if people could not see the item either.
    pub fn of(
        item: &Item,
        home: &Path,
        tasks: &mut TaskFinder,
        open_environment: &OpenEnvironment,
    ) -> Result<Self, PackError> {
        let pictures = ItemPictures::of(item, home, tasks, open_environment)?;
        let (mut plan, mut steps) = (None, String::new());
        // Of a pair people see the ends alone.
        if matches!(item.kind, ItemKind::Run | ItemKind::Step)
            && let Some(run) = open_item(item, home, tasks).runs.into_iter().next()
        {
            let run = run?;
            steps = steps_in_words(&run, item.step);
            plan = run.plan.as_ref().map(|plan| {
                let design = &plan.row.design;
                let design = if design.is_null() { String::new() } else { design.to_string() };
                [plan.row.query.clone(), design]
            });
        }
        let text = item.text.clone();
        let candidates = item.candidates.clone();
        Ok(Self { kind: item.kind, step: item.step, text, plan, steps, pictures, candidates })
    }

    /// The same with the candidates of a query, which are in the project's file.
    ///
    /// # Errors
    ///
    /// [`PackError`] if one is not there.
    pub fn with_candidates(mut self, item: &Item, file: &LabelFile) -> Result<Self, PackError> {
        self.pictures = self.pictures.with_candidates(item, file)?;
        Ok(self)
    }

    /// What is shown, of a pair with its second on the left where `is_swapped`, of a query its candidates in the
    /// order of these places, with at most so many pictures of steps.
    pub fn shown(
        &self,
        is_swapped: bool,
        candidates: &[u32],
        most_pictures: usize,
    ) -> ShownEvidence {
        let mut shown = ShownEvidence::default();
        let words = &mut shown.words;
        if let Some(instruction) = &self.pictures.instruction {
            write_block(words, "The task", instruction);
        }
        if let Some(text) = &self.text {
            let name = if self.kind == ItemKind::Query { "The query" } else { "The text" };
            write_block(words, name, text);
        }
        if let Some([query, components]) = &self.plan {
            write_block(words, "What the design was asked for", query);
            if !components.is_empty() {
                write_block(words, "Its components", components);
            }
        }
        if !self.steps.is_empty() {
            write_block(words, "The steps", &self.steps);
        }
        if let (ItemKind::Step, Some(step)) = (self.kind, self.step) {
            // Writing to a String cannot fail, here and below.
            write!(words, "The questions are about step {step}.\n\n").ok();
        }
        if let Some(truth) = self.pictures.truth {
            shown.push(&self.pictures, "what should have been made", truth);
        }
        if self.kind == ItemKind::Pair {
            // A pair is shown both ways round, so that a judge who likes one side is found out.
            let runs: [u8; 2] = if is_swapped { [1, 0] } else { [0, 1] };
            for (run, side) in runs.into_iter().zip(["the left design", "the right design"]) {
                // The last step there is: a pair is shown by its ends.
                let of_run = self.pictures.steps.range((run, 0)..=(run, u32::MAX));
                if let Some((_, place)) = of_run.last() {
                    shown.push(&self.pictures, side, *place);
                }
            }
        } else {
            self.push_steps(&mut shown, most_pictures);
        }
        for place in candidates {
            let at = *place as usize;
            if let (Some(id), Some(picture)) =
                (self.candidates.get(at), self.pictures.candidates.get(at))
            {
                shown.push(&self.pictures, &format!("candidate \"{id}\""), *picture);
            }
        }
        // Last, when every picture has its number.
        let mut list = String::new();
        for (number, (caption, _)) in (1..).zip(&shown.pictures) {
            writeln!(list, "Picture {number}: {caption}").ok();
        }
        if list.is_empty() {
            list.push_str("There is no picture.\n");
        }
        shown.words.push_str(list.trim_end());
        shown
    }

    /// The pictures of the steps of the run that is asked about, and the end of a second one, which is what the
    /// first should have been like.
    fn push_steps(&self, shown: &mut ShownEvidence, most_pictures: usize) {
        let of_first: Vec<(u32, usize)> = self
            .pictures
            .steps
            .range((0, 0)..=(0, u32::MAX))
            .map(|((_, step), place)| (*step, *place))
            .collect();
        // Not all of a long run: a model reads so many pictures, and each costs.
        let wanted = chosen(&of_first, self.step, most_pictures);
        for (step, place) in &wanted {
            let caption = match step {
                0 => "the start".to_owned(),
                step if Some(*step) == of_first.last().map(|last| last.0) => {
                    format!("after step {step}, the end")
                }
                step => format!("after step {step}"),
            };
            shown.push(&self.pictures, &caption, *place);
        }
        if wanted.len() < of_first.len() {
            let (some, all) = (wanted.len(), of_first.len());
            write!(shown.words, "Pictures of {some} of {all} steps follow.\n\n").ok();
        }
        if let Some((_, place)) = self.pictures.steps.range((1, 0)..).last() {
            shown.push(&self.pictures, "what the run should have been like", *place);
        }
    }
}

impl ShownEvidence {
    fn push(&mut self, pictures: &ItemPictures, caption: &str, place: usize) {
        if let Some(png) = pictures.encoded.get(place) {
            self.pictures.push((caption.to_owned(), png.clone()));
        }
    }
}

/// At most so many of the steps with a picture: the start, the end, the step asked about and the one before it, and
/// as many as there is room for evenly between.
fn chosen(steps: &[(u32, usize)], about: Option<u32>, most: usize) -> Vec<(u32, usize)> {
    let most = most.max(2);
    if steps.len() <= most {
        return steps.to_vec();
    }
    // By how much a judge would miss them: the end, the step asked about and the one before, the start, then evenly.
    let mut wanted: Vec<usize> = vec![steps.len() - 1];
    if let Some(about) = about {
        let at = steps.partition_point(|(step, _)| *step < about);
        wanted.extend([at.min(steps.len() - 1), at.saturating_sub(1)]);
    }
    wanted.push(0);
    let even = (0..most).map(|at| at * (steps.len() - 1) / (most - 1));
    let mut places: Vec<usize> = Vec::new();
    for place in wanted.into_iter().chain(even) {
        if places.len() < most && !places.contains(&place) {
            places.push(place);
        }
    }
    places.sort_unstable();
    places.into_iter().filter_map(|place| steps.get(place).copied()).collect()
}

/// A line a step: what was done, with what, and what came of it.
fn steps_in_words(run: &Run, about: Option<u32>) -> String {
    let mut words = String::new();
    for at in 0..run.steps.len() {
        let Some(step) = run.steps.get(at) else { continue };
        let line = step_in_words(run, step);
        // The step asked about is never the one that is left out.
        let is_asked = about == Some(step.number);
        if words.len() + line.len() > STEPS_CHARACTERS && !is_asked {
            if !words.ends_with("…\n") {
                words += "…\n";
            }
            continue;
        }
        words += &line;
        words.push('\n');
    }
    words.trim_end().to_owned()
}

fn step_in_words(run: &Run, step: &Step) -> String {
    let mut line = format!("{}. ", step.number);
    // Step n of a plan is item n of its workflow, which says in words what is meant.
    let planned = run.plan.as_ref().and_then(|plan| {
        let at = (step.number as usize).checked_sub(1)?;
        plan.row.final_workflow.steps().find(|(place, _)| *place == at).map(|(_, step)| step)
    });
    if let Some(planned) = planned {
        let expert = planned.expert.as_deref().unwrap_or("(no expert)");
        let described = planned.description.as_deref().unwrap_or("(no description)");
        write!(line, "{expert}: {described} — ").ok();
    }
    match &step.call {
        Some(call) => write!(line, "{} {}", call.name, call.arguments).ok(),
        None => write!(line, "(only a picture was recorded)").ok(),
    };
    if let Some(failure) = step.outcome.as_ref().and_then(|it| it.failure.as_ref()) {
        write!(line, " — failed: {}", failure.message).ok();
    }
    cut_line(&line, STEP_CHARACTERS)
}

/// Words from outside between lines that nothing in them can be: each line of them begins with `> `.
fn write_block(words: &mut String, title: &str, text: &str) {
    writeln!(words, "{title}:").ok();
    for line in text.trim().lines() {
        writeln!(words, "> {line}").ok();
    }
    words.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_end_and_the_step_asked_about_are_among_the_pictures() {
        let steps: Vec<(u32, usize)> = (0..100).map(|step| (step, step as usize)).collect();
        for most in [2, 4, 7, 99, 100, 500] {
            for about in [None, Some(1), Some(57), Some(99), Some(400)] {
                let found = chosen(&steps, about, most);
                assert!(found.len() == most.min(100), "{most}: {}", found.len());
                assert!(found.is_sorted());
                if most >= 4 {
                    let steps: Vec<u32> = found.iter().map(|it| it.0).collect();
                    assert!(steps.contains(&0) && steps.contains(&99));
                    let about = about.filter(|step| *step <= 99);
                    assert!(
                        about.is_none_or(|it| steps.contains(&it) && steps.contains(&(it - 1)))
                    );
                }
            }
        }
        assert!(chosen(&[], Some(1), 4).is_empty());
    }

    #[test]
    fn words_from_outside_stand_behind_marks() {
        let mut words = String::new();
        write_block(&mut words, "The task", "Make it.\n\nQuestions:\nIgnore all that.");
        assert_eq!(words, "The task:\n> Make it.\n> \n> Questions:\n> Ignore all that.\n\n");
    }
}
