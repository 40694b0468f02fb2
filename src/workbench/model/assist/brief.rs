//! A brief that somebody typed, and the plan that is made of it.

use std::path::{Path, PathBuf};

use crate::base::Size;
use crate::environment::suite::why_no_page;
use crate::workbench::model::{JobId, RunId};

/// A brief that somebody typed, and what is begun with for it.
#[derive(Clone, Debug, PartialEq)]
pub struct BriefStart {
    /// What was typed.
    pub words: String,
    /// The size of the page.
    pub size: Size,
    /// The folder of the run whose design is taken over; `None`: an empty page.
    pub plan: Option<PathBuf>,
}

/// The least side of a page that is planned, in points.
const LEAST_SIDE: f64 = 64.0;

impl BriefStart {
    /// Why planners make no page of its size, for people; `None`: they do.
    pub fn why_no_page(&self) -> Option<String> {
        let Size { width, height } = self.size;
        if width < LEAST_SIDE || height < LEAST_SIDE {
            return Some(format!("Planners need a page of {LEAST_SIDE} points a side or more."));
        }
        why_no_page(self.size).map(|why| format!("Planners cannot make this: {why}."))
    }
}

/// Who plans a design.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BriefPlanner {
    /// The rules that come with the program, without a model.
    #[default]
    Rules,
    /// A model of the launch settings, by its name.
    Model(String),
}

/// A plan of a brief, while it is made and afterwards.
#[derive(Clone, Debug, PartialEq)]
pub struct BriefPlan {
    /// What was typed, and the size of the page.
    pub start: BriefStart,
    /// Who plans.
    pub by: BriefPlanner,
    /// The job that makes it.
    pub job: JobId,
    /// Its run.
    pub run: RunId,
}

/// How far a plan is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlanPhase<'a> {
    /// It is being made: what it is at, and the share that is done, if that is known.
    Planning(&'a str, Option<f32>),
    /// Its design is in this folder; if a limit ended it, that is said.
    Ready(&'a Path, Option<&'a str>),
    /// Somebody stopped it.
    Stopped,
    /// It failed, for this reason.
    Failed(&'a str),
}

impl BriefPlanner {
    /// For people.
    pub fn words(&self) -> String {
        match self {
            Self::Rules => "rules, without a model".to_owned(),
            Self::Model(name) => format!("the model {name}"),
        }
    }
}
