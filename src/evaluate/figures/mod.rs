//! The figures that papers print, made of whatever there is.
//!
//! [`FIGURES`] is the list: an id by the paper's number and the function that makes it of [`FigureSources`], or says
//! what is missing. A [`Figure`] is a [`VectorPicture`] with the numbers it shows; `svg` writes the drawing, the window
//! paints it. `data` is what they are made of, `canvas`, `suite` and `flow` hold the figures, `bars` what most of them
//! look like, `rows` what bars and curves are called; `plots` are of any columns of a table over runs, `curves` of scores
//! step by step, `people` what people said and did.
//!
//! [`study_figure`] and [`study_progress_figure`] are not in the list: they are of a study's results. The first looks
//! as PSBench's figure 4.
//!
//! Uses `metric`, `study` and the rest of `evaluate`; draws nothing itself.

mod bars;
mod canvas;
mod curves;
mod data;
mod drawing;
mod flow;
mod people;
mod plots;
mod pos;
mod rows;
mod study;
mod study_progress;
mod suite;
mod svg;

use crate::evaluate::slips::{SLIPS, Slip};
use data::{FigureResult, count};
use rows::MadeOf;

pub use curves::{
    MEAN_CURVES, MOST_STEPS, MeanPoint, RUN_CURVES, RunCurve, mean_curves, mean_points, run_curves,
};
pub use data::{Attempt, Figure, FigurePlan, FigureRun, FigureSources, Preference, canvas_curves};
pub use drawing::{Anchor, Ink, Mark, Shape, VectorPicture};
pub use people::{project_attempts, project_preferences};
pub use plots::{DISTRIBUTION, PlotSeries, SCATTER, distribution, scatter};
pub use study::{
    STUDY, STUDY_RESULTS, StudyFigure, StudyMark, study_figure, study_figure_with_marks,
};
pub use study_progress::{STUDY_PROGRESS, study_progress_figure};
pub use svg::to_svg;

/// A figure that can be made.
#[derive(Clone, Copy, Debug)]
pub struct FigureKind {
    /// Its id: the paper and the number of its figure.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    made_of: MadeOf,
    make: fn(&FigureSources) -> FigureResult,
}

impl FigureKind {
    /// Makes it of sources whose rows have names, or says which data are missing.
    pub fn make(&self, sources: &FigureSources) -> Result<Figure, String> {
        let (drawing, numbers, mut remarks) = (self.make)(sources)?;
        remarks.extend(sources.made_with(self.made_of));
        if sources.unfinished > 0 {
            remarks.push(format!(
                "Left out: {} that did not come to their end.",
                count(sources.unfinished, "run")
            ));
        }
        if sources.unread > 0 {
            remarks.push(format!("Left out: {} not read.", count(sources.unread, "run")));
        }
        let slips = SLIPS.iter().filter(|slip| slip.figures.contains(&self.id));
        remarks.extend(slips.map(Slip::sentence));
        Ok(Figure { id: self.id, title: self.title, drawing, numbers, remarks })
    }
}

/// The id of PSBench's success by difficulty, in which attempts are counted.
pub const SUCCESS_BY_DIFFICULTY: &str = "psbench-3";
/// The id of its time and success by condition, in which they are counted, too.
pub const TIME_AND_SUCCESS: &str = "psbench-4";

/// Every figure, in the order of the papers.
pub const FIGURES: [FigureKind; 12] = [
    FigureKind {
        id: "canvas-2",
        title: "CANVAS, Table 2 as bars: Pos@K of edits",
        made_of: MadeOf::Runs(pos::part_of),
        make: pos::pos_at_k,
    },
    FigureKind {
        id: "canvas-4",
        title: "CANVAS, Figure 4: calls a run, by kind of tool",
        made_of: MadeOf::Runs(canvas::part_of_tools),
        make: canvas::tools,
    },
    FigureKind {
        id: "canvas-34",
        title: "CANVAS, Figure 34: which model people prefer",
        made_of: MadeOf::People,
        make: canvas::preferences,
    },
    FigureKind {
        id: "canvas-35",
        title: "CANVAS, Figure 35: scores turn by turn",
        made_of: MadeOf::Runs(canvas::part_of_turns),
        make: canvas::turns,
    },
    FigureKind {
        id: "canvas-36",
        title: "CANVAS, Figure 36: turns of a run",
        made_of: MadeOf::Runs(canvas::part_of_distribution),
        make: canvas::turn_distribution,
    },
    FigureKind {
        id: "graphicbench-2",
        title: "GraphicBench, Figure 2: evaluation of workflows",
        made_of: MadeOf::Plans,
        make: suite::radar,
    },
    FigureKind {
        id: "graphicbench-3",
        title: "GraphicBench, Figure 3: errors of plans",
        made_of: MadeOf::Plans,
        make: suite::errors,
    },
    FigureKind {
        id: "graphicbench-10",
        title: "GraphicBench, Figure 10: actions by model and expert",
        made_of: MadeOf::Plans,
        make: suite::actions,
    },
    FigureKind {
        id: "graphicweaver-2",
        title: "GraphicWeaver, Figure 2: errors of plans",
        made_of: MadeOf::Plans,
        make: suite::weaver_errors,
    },
    FigureKind {
        id: "graphicweaver-3",
        title: "GraphicWeaver, Figure 3: order of experts",
        made_of: MadeOf::Plans,
        make: flow::flow,
    },
    FigureKind {
        id: SUCCESS_BY_DIFFICULTY,
        title: "PSBench, Table 3 as bars: success by difficulty",
        made_of: MadeOf::People,
        make: suite::success_by_difficulty,
    },
    FigureKind {
        id: TIME_AND_SUCCESS,
        title: "PSBench, Figure 4: time and success by condition",
        made_of: MadeOf::People,
        make: suite::time_and_success,
    },
];

#[cfg(test)]
mod tests;
