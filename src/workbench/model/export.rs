//! What runs are exported as, and how: what somebody chose last.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What runs are exported as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunsExport {
    /// A run as a page of pictures, each with its call and its score.
    #[default]
    ContactSheet,
    /// A run as an animated picture or a video.
    Animation,
    /// A run as one HTML page with a step slider.
    Page,
    /// Runs as pictures of their ends: a row a task, a column a model.
    Grid,
    /// Runs as one HTML page: curves, ends beside the ground truth, every call.
    Report,
    /// Runs as folders that CANVAS's published evaluator reads.
    Canvas,
    /// Runs as chats with tool calls that models learn from.
    Demonstrations,
}

/// As what file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportForm {
    /// Pixels.
    Png,
    /// Shapes and pictures.
    Svg,
    /// The same for print.
    Pdf,
    /// A table of LaTeX, its pictures in a folder beside it.
    Tex,
    /// An animated PNG.
    AnimatedPng,
    /// An animated WebP.
    Webp,
    /// A video (H.264), by ffmpeg.
    Mp4,
    /// A video (VP9), by ffmpeg.
    Webm,
    /// An animated GIF.
    Gif,
    /// A page for a browser.
    Html,
    /// A folder.
    Folder,
    /// A line of JSON for each.
    JsonLines,
}

/// What stands below the pictures of a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportBadge {
    /// The score of the end.
    #[default]
    Score,
    /// How many of CANVAS's scores do not fall from start to end.
    Pos,
}

/// Which pictures of a run are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportSteps {
    /// Each that changed how the canvas looks.
    #[default]
    Every,
    /// The last of each turn.
    Turns,
}

/// What a line of demonstrations is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DemonstrationLines {
    /// A whole run.
    #[default]
    Runs,
    /// A turn of the agent or a step of a person, with what was on the canvas before it.
    Steps,
}

/// How runs are exported; remembered between sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExportChoices {
    /// What one run is exported as.
    pub of_run: RunsExport,
    /// What several are.
    pub of_runs: RunsExport,
    /// As what a contact sheet is written.
    pub sheet: ExportForm,
    /// As what an animation is.
    pub animation: ExportForm,
    /// As what a grid is.
    pub grid: ExportForm,
    /// Which pictures contact sheets and animations show.
    pub steps: ExportSteps,
    /// Whether they show the marked range only, where one is marked.
    pub within_range: bool,
    /// Most pictures of a contact sheet.
    pub most: u32,
    /// How many stand beside each other on it.
    pub columns: u32,
    /// How wide each is, in points.
    pub sheet_width: u32,
    /// Pixels a point of a PNG.
    pub scale: u32,
    /// Milliseconds a step of an animation.
    pub delay: u32,
    /// Milliseconds that its last picture stays.
    pub hold: u32,
    /// How wide its pictures are at least, in pixels.
    pub animation_width: u32,
    /// Whether the ground truth stands beside it.
    pub truth: bool,
    /// How wide the pictures of a page are at least, in pixels.
    pub page_width: u32,
    /// What stands below the pictures of a grid.
    pub badge: ExportBadge,
    /// Whether notes do.
    pub notes: bool,
    /// Whether nodes are boxed that are not as they were at the start.
    pub changed: bool,
    /// How wide the pictures of a grid are, in points.
    pub grid_width: u32,
    /// What a line of demonstrations is of.
    pub demonstration_lines: DemonstrationLines,
    /// Whether pictures stand in the lines.
    pub demonstration_pictures: bool,
    /// Whether pairs of what a person and an agent did are written beside them.
    pub preferences: bool,
}

impl Default for ExportChoices {
    /// As the command line has it where nothing is said.
    fn default() -> Self {
        Self {
            of_run: RunsExport::ContactSheet,
            of_runs: RunsExport::Grid,
            sheet: ExportForm::Pdf,
            animation: ExportForm::Webp,
            grid: ExportForm::Pdf,
            steps: ExportSteps::Every,
            within_range: true,
            most: 40,
            columns: 8,
            sheet_width: 120,
            scale: 2,
            delay: 250,
            hold: 2000,
            animation_width: 400,
            truth: false,
            page_width: 600,
            badge: ExportBadge::Score,
            notes: false,
            changed: false,
            grid_width: 110,
            demonstration_lines: DemonstrationLines::Runs,
            demonstration_pictures: false,
            preferences: false,
        }
    }
}

impl ExportChoices {
    /// The same with every number within what can be made, whatever a file of settings says.
    #[must_use]
    pub fn within_bounds(self) -> Self {
        Self {
            most: self.most.clamp(1, 400),
            columns: self.columns.clamp(1, 40),
            sheet_width: self.sheet_width.clamp(20, 1200),
            scale: self.scale.clamp(1, 8),
            delay: self.delay.clamp(10, 10_000),
            hold: self.hold.min(60_000),
            animation_width: self.animation_width.clamp(50, 4000),
            page_width: self.page_width.clamp(50, 4000),
            grid_width: self.grid_width.clamp(20, 1200),
            ..self
        }
    }

    /// As what file this is written.
    pub fn form(&self, kind: RunsExport) -> ExportForm {
        let chosen = match kind {
            RunsExport::ContactSheet => self.sheet,
            RunsExport::Animation => self.animation,
            RunsExport::Grid => self.grid,
            RunsExport::Page | RunsExport::Report => ExportForm::Html,
            RunsExport::Canvas => ExportForm::Folder,
            RunsExport::Demonstrations => ExportForm::JsonLines,
        };
        let forms = kind.forms();
        // A file of settings may say anything.
        forms.iter().copied().find(|form| *form == chosen).unwrap_or(forms[0])
    }

    /// Chooses as what file this is written.
    pub fn set_form(&mut self, kind: RunsExport, form: ExportForm) {
        match kind {
            RunsExport::ContactSheet => self.sheet = form,
            RunsExport::Animation => self.animation = form,
            RunsExport::Grid => self.grid = form,
            RunsExport::Page
            | RunsExport::Report
            | RunsExport::Canvas
            | RunsExport::Demonstrations => {}
        }
    }
}

impl RunsExport {
    /// What one run can be exported as.
    pub const OF_RUN: &[Self] = &[
        Self::ContactSheet,
        Self::Animation,
        Self::Page,
        Self::Report,
        Self::Canvas,
        Self::Demonstrations,
    ];
    /// What several can be.
    pub const OF_RUNS: &[Self] = &[Self::Grid, Self::Report, Self::Canvas, Self::Demonstrations];

    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::ContactSheet => "Contact sheet",
            Self::Animation => "Animation",
            Self::Page => "Page with a slider",
            Self::Grid => "Grid of tasks and models",
            Self::Report => "Report",
            Self::Canvas => "CANVAS folders",
            Self::Demonstrations => "Demonstrations",
        }
    }

    /// What it is.
    pub fn description(self) -> &'static str {
        match self {
            Self::ContactSheet => "Every picture of the run, with its call and its score.",
            Self::Animation => "The run as an animated picture, or as a video by ffmpeg.",
            Self::Page => {
                "One HTML page to step through the run beside the ground truth, in any browser."
            }
            Self::Grid => {
                "How each run ended: a row a task with its start and target, a column a model."
            }
            Self::Report => "One HTML page: curves, ends beside the ground truth, every call.",
            Self::Canvas => "Folders that CANVAS's published evaluator reads as they are.",
            Self::Demonstrations => {
                "Chats with tool calls for models to learn from, in OpenAI's format: lines of JSON."
            }
        }
    }

    /// As what files it can be written, the usual one first.
    pub fn forms(self) -> &'static [ExportForm] {
        match self {
            Self::ContactSheet => &[ExportForm::Pdf, ExportForm::Png, ExportForm::Svg],
            Self::Animation => &[
                ExportForm::Webp,
                ExportForm::AnimatedPng,
                ExportForm::Mp4,
                ExportForm::Webm,
                ExportForm::Gif,
            ],
            Self::Grid => &[ExportForm::Pdf, ExportForm::Png, ExportForm::Svg, ExportForm::Tex],
            Self::Page | Self::Report => &[ExportForm::Html],
            Self::Canvas => &[ExportForm::Folder],
            Self::Demonstrations => &[ExportForm::JsonLines],
        }
    }

    /// The name a file of it has unless another is chosen.
    pub fn file_name(self, form: ExportForm) -> &'static str {
        match (self, form) {
            (Self::ContactSheet, ExportForm::Png) => "contact-sheet.png",
            (Self::ContactSheet, ExportForm::Svg) => "contact-sheet.svg",
            (Self::ContactSheet, _) => "contact-sheet.pdf",
            (Self::Animation, ExportForm::AnimatedPng) => "run.png",
            (Self::Animation, ExportForm::Mp4) => "run.mp4",
            (Self::Animation, ExportForm::Webm) => "run.webm",
            (Self::Animation, ExportForm::Gif) => "run.gif",
            (Self::Animation, _) => "run.webp",
            (Self::Page, _) => "run.html",
            (Self::Grid, ExportForm::Png) => "grid.png",
            (Self::Grid, ExportForm::Svg) => "grid.svg",
            (Self::Grid, ExportForm::Tex) => "grid.tex",
            (Self::Grid, _) => "grid.pdf",
            (Self::Report, _) => "report.html",
            (Self::Canvas, _) => "canvas",
            (Self::Demonstrations, _) => "demonstrations.jsonl",
        }
    }
}

/// Where the pairs go that are written with demonstrations: beside them.
pub fn preferences_beside(path: &Path) -> PathBuf {
    path.with_extension("preferences.jsonl")
}

impl ExportForm {
    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Svg => "SVG",
            Self::Pdf => "PDF",
            Self::Tex => "LaTeX",
            Self::AnimatedPng => "Animated PNG",
            Self::Webp => "WebP",
            Self::Mp4 => "MP4",
            Self::Webm => "WebM",
            Self::Gif => "GIF",
            Self::Html => "HTML",
            Self::Folder => "Folder",
            Self::JsonLines => "JSON lines",
        }
    }

    /// The end of its files' names; empty for a folder.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png | Self::AnimatedPng => "png",
            Self::Svg => "svg",
            Self::Pdf => "pdf",
            Self::Tex => "tex",
            Self::Webp => "webp",
            Self::Mp4 => "mp4",
            Self::Webm => "webm",
            Self::Gif => "gif",
            Self::Html => "html",
            Self::Folder => "",
            Self::JsonLines => "jsonl",
        }
    }

    /// Whether an installed ffmpeg makes it.
    pub fn needs_ffmpeg(self) -> bool {
        matches!(self, Self::Mp4 | Self::Webm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_written_as_one_of_its_forms_under_a_name_with_its_ending() {
        for kind in RunsExport::OF_RUN.iter().chain(RunsExport::OF_RUNS) {
            for form in kind.forms() {
                let mut choices = ExportChoices::default();
                choices.set_form(*kind, *form);
                assert_eq!(choices.form(*kind), *form, "{kind:?}");
                let name = kind.file_name(*form);
                assert!(name.ends_with(form.extension()), "{kind:?}: {name}");
            }
        }
        let odd = ExportChoices { sheet: ExportForm::Mp4, columns: 0, ..ExportChoices::default() };
        assert_eq!(odd.form(RunsExport::ContactSheet), ExportForm::Pdf);
        assert_eq!(odd.within_bounds().columns, 1);
    }
}
