//! What a metric is given: the ground truth and what was generated, as far as each is known.

use crate::base::{CancelToken, Pixels};
use crate::design::{Document, ShownPicture};

use super::MissingScore;
use super::constraint::Query;
use super::plan::PlanRow;
use super::resize_cache::{AtSize, ResizeCache};
use super::step_memory::StepMemory;

/// A ground truth and what an agent made of the task, to be measured against each other.
///
/// Nothing has to be there: a metric says what it misses ([`MissingScore`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct Comparison<'a> {
    /// What the task wants.
    pub ground_truth: Side<'a>,
    /// What was made.
    pub generated: Side<'a>,
    /// The pictures that the task gave to be used in the design (GraphicBench), if it gave any.
    pub inputs: &'a [Pixels],
    /// Why there are none of them, if there is something to say.
    pub no_inputs: Option<&'a str>,
    /// Why there is no ground truth at all, if it is not only that none was given here.
    pub no_truth: Option<&'a str>,
    /// What the task asked for, in words.
    pub instruction: Option<&'a str>,
    /// What it asked for, component by component, if it is a design query.
    pub query: Option<&'a Query>,
    /// Yes/no questions about the result, if the task comes with any.
    pub questions: &'a [String],
    /// Whether nobody looks at what explains the scores, such as maps: then none need be made.
    pub scores_only: bool,
    /// What was found for the step before, if this is one of several.
    pub memory: Option<&'a StepMemory>,
}

/// One side of a [`Comparison`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Side<'a> {
    /// How it looks.
    pub picture: Option<&'a Pixels>,
    /// Its nodes. Metrics look at [`Document::main_frame`] or what their published code picks.
    pub design: Option<&'a Document>,
    /// Where the design shows pictures that the task gave; `None` if nobody knows.
    pub shown: Option<&'a [ShownPicture]>,
    /// A sentence that says what the picture shows.
    pub caption: Option<&'a str>,
    /// The plan that it was made by.
    pub plan: Option<&'a PlanRow>,
    /// Where the picture is kept at the size it is compared at, if it is compared often.
    pub resize_cache: Option<&'a ResizeCache>,
    /// Why a picture, design or caption is not there, if there is something to say.
    pub absence: Absence<'a>,
}

/// Why something is not there: for people, in a [`MissingScore`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Absence<'a> {
    /// Of the picture.
    pub picture: Option<&'a str>,
    /// Of the design.
    pub design: Option<&'a str>,
    /// Of the caption.
    pub caption: Option<&'a str>,
}

impl<'a> Comparison<'a> {
    /// Two pictures, and nothing else known.
    pub fn of_pictures(ground_truth: &'a Pixels, generated: &'a Pixels) -> Self {
        let ground_truth = Side { picture: Some(ground_truth), ..Side::default() };
        let generated = Side { picture: Some(generated), ..Side::default() };
        Self { ground_truth, generated, ..Self::default() }
    }

    /// Two designs, and nothing else known.
    pub fn of_designs(ground_truth: &'a Document, generated: &'a Document) -> Self {
        let ground_truth = Side { design: Some(ground_truth), ..Side::default() };
        let generated = Side { design: Some(generated), ..Side::default() };
        Self { ground_truth, generated, ..Self::default() }
    }

    /// The picture of the ground truth and the generated one.
    pub fn pictures(&self) -> Result<(&'a Pixels, &'a Pixels), MissingScore> {
        self.both(|side| (side.picture, side.absence.picture), MissingScore::NoPicture)
    }

    /// The picture of the ground truth and the generated one, for metrics that compare both at the
    /// smaller width and height: the first may be at that size already.
    pub(super) fn pictures_at_size(
        &self,
        cancel: &CancelToken,
    ) -> Result<(AtSize<'a>, &'a Pixels), MissingScore> {
        let (truth, generated) = self.pictures()?;
        // Only the ground truth is compared again and again; each step's picture is compared once.
        match self.ground_truth.resize_cache {
            Some(cache) => Ok((cache.picture_for(truth, generated, cancel)?, generated)),
            None => Ok((AtSize::AsItIs(truth), generated)),
        }
    }

    /// The design of the ground truth and the generated one.
    pub fn designs(&self) -> Result<(&'a Document, &'a Document), MissingScore> {
        self.both(|side| (side.design, side.absence.design), MissingScore::NoDesign)
    }

    /// The caption of the ground truth and of what was generated.
    pub fn captions(&self) -> Result<(&'a str, &'a str), MissingScore> {
        self.both(|side| (side.caption, side.absence.caption), MissingScore::NoCaption)
    }

    /// The generated picture alone, for metrics that need no ground truth.
    pub fn generated_picture(&self) -> Result<&'a Pixels, MissingScore> {
        let Side { picture, absence, .. } = self.generated;
        there(picture, absence.picture, GENERATED, MissingScore::NoPicture)
    }

    /// What the task asked for, component by component.
    pub fn query(&self) -> Result<&'a Query, MissingScore> {
        self.query.ok_or(MissingScore::NoQuery)
    }

    /// The questions about the result; at least one.
    pub fn questions(&self) -> Result<&'a [String], MissingScore> {
        if self.questions.is_empty() { Err(MissingScore::NoQuestions) } else { Ok(self.questions) }
    }

    /// The plan that it was made by.
    pub fn plan(&self) -> Result<&'a PlanRow, MissingScore> {
        let plan = self.generated.plan;
        plan.ok_or_else(|| MissingScore::NoPlan("none was carried out".to_owned()))
    }

    /// The generated design alone, for metrics that need no ground truth.
    pub fn generated_design(&self) -> Result<&'a Document, MissingScore> {
        let Side { design, absence, .. } = self.generated;
        there(design, absence.design, GENERATED, MissingScore::NoDesign)
    }

    /// The pictures that the task gave; at least one.
    pub fn inputs(&self) -> Result<&'a [Pixels], MissingScore> {
        if self.inputs.is_empty() {
            let why = self.no_inputs.unwrap_or("the task gave no pictures");
            return Err(MissingScore::NoInputs(why.to_owned()));
        }
        Ok(self.inputs)
    }

    /// What the task asked for, which must not be blank.
    pub fn instruction(&self) -> Result<&'a str, MissingScore> {
        let instruction = self.instruction.filter(|text| !text.trim().is_empty());
        instruction.ok_or(MissingScore::NoInstruction)
    }

    /// What both sides must have; the first one that has it not says why.
    fn both<T>(
        &self,
        part: impl Fn(&Side<'a>) -> (Option<T>, Option<&'a str>),
        missing: fn(String) -> MissingScore,
    ) -> Result<(T, T), MissingScore> {
        // That tasks of this kind have no ground truth at all says more than that this one lacks a
        // part.
        let (truth, why_no_truth) = part(&self.ground_truth);
        if let (None, Some(why)) = (&truth, self.no_truth) {
            return Err(MissingScore::NothingToCompare(why.to_owned()));
        }
        let (generated, why_not_generated) = part(&self.generated);
        Ok((
            there(truth, why_no_truth, GROUND_TRUTH, missing)?,
            there(generated, why_not_generated, GENERATED, missing)?,
        ))
    }
}

const GROUND_TRUTH: &str = "the ground truth";
const GENERATED: &str = "what was made";

/// The part of a side, or why it has none.
fn there<T>(
    part: Option<T>,
    why_not: Option<&str>,
    side: &str,
    missing: fn(String) -> MissingScore,
) -> Result<T, MissingScore> {
    part.ok_or_else(|| missing(why_not.map_or_else(|| format!("{side} has none"), str::to_owned)))
}
