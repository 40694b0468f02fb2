//! What a metric is given: the ground truth and what was generated, as far as each is known.

use crate::base::Pixels;
use crate::design::Document;

use super::MissingScore;

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
    /// What the task asked for, in words.
    pub instruction: Option<&'a str>,
}

/// One side of a [`Comparison`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Side<'a> {
    /// How it looks.
    pub picture: Option<&'a Pixels>,
    /// Its nodes. Metrics look at [`Document::main_frame`] or what their published code picks.
    pub design: Option<&'a Document>,
    /// A sentence that says what the picture shows.
    pub caption: Option<&'a str>,
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
        let side = |picture| Side { picture: Some(picture), ..Side::default() };
        Self { ground_truth: side(ground_truth), generated: side(generated), ..Self::default() }
    }

    /// Two designs, and nothing else known.
    pub fn of_designs(ground_truth: &'a Document, generated: &'a Document) -> Self {
        let side = |design| Side { design: Some(design), ..Side::default() };
        Self { ground_truth: side(ground_truth), generated: side(generated), ..Self::default() }
    }

    /// The picture of the ground truth and the generated one.
    pub fn pictures(&self) -> Result<(&'a Pixels, &'a Pixels), MissingScore> {
        let missing = |why: Option<&str>, side| {
            MissingScore::NoPicture(why.map_or_else(|| format!("{side} has none"), str::to_owned))
        };
        let (truth, generated) = (&self.ground_truth, &self.generated);
        Ok((
            truth.picture.ok_or_else(|| missing(truth.absence.picture, "the ground truth"))?,
            generated.picture.ok_or_else(|| missing(generated.absence.picture, "what was made"))?,
        ))
    }

    /// The generated picture alone, for metrics that need no ground truth.
    pub fn generated_picture(&self) -> Result<&'a Pixels, MissingScore> {
        let why = self.generated.absence.picture.unwrap_or("what was made has none");
        self.generated.picture.ok_or_else(|| MissingScore::NoPicture(why.to_owned()))
    }

    /// What the task asked for, which must not be blank.
    pub fn instruction(&self) -> Result<&'a str, MissingScore> {
        let says_something = |text: &&str| !text.trim().is_empty();
        self.instruction.filter(says_something).ok_or(MissingScore::NoInstruction)
    }

    /// The design of the ground truth and the generated one.
    pub fn designs(&self) -> Result<(&'a Document, &'a Document), MissingScore> {
        let missing = |why: Option<&str>, side| {
            MissingScore::NoDesign(why.map_or_else(|| format!("{side} has none"), str::to_owned))
        };
        let (truth, generated) = (&self.ground_truth, &self.generated);
        Ok((
            truth.design.ok_or_else(|| missing(truth.absence.design, "the ground truth"))?,
            generated.design.ok_or_else(|| missing(generated.absence.design, "what was made"))?,
        ))
    }

    /// The caption of the ground truth and of what was generated.
    pub fn captions(&self) -> Result<(&'a str, &'a str), MissingScore> {
        let missing = |why: Option<&str>, side| {
            MissingScore::NoCaption(why.map_or_else(|| format!("{side} has none"), str::to_owned))
        };
        let (truth, generated) = (&self.ground_truth, &self.generated);
        Ok((
            truth.caption.ok_or_else(|| missing(truth.absence.caption, "the ground truth"))?,
            generated.caption.ok_or_else(|| missing(generated.absence.caption, "what was made"))?,
        ))
    }
}
