//! Exporting runs: as pictures, pages, animations and folders, as the command line does.

use std::path::Path;

use crate::evaluate::typed_table::{self, provenance_json};
use crate::evaluate::{ComparedTask, MadeBy, made_by};
use crate::export::canvas::{DEFAULT_VARIANT, write_runs};
use crate::export::{
    Animation, AnimationOptions, Beside, ContactSheet, DemonstrationContext, DemonstrationOptions,
    DemonstrationPairs, DemonstrationPictures, DemonstrationSet, DemonstrationUnit, Every,
    ExportContext, ExportRun, Grid, GridBadge, GridBoxes, GridOptions, Page, PageForm, PicturedRun,
    SheetOptions, smaller,
};
use crate::report::Player;
use crate::workbench::protocol::{ExportedRun, ReportRun, RunsOrder};
use crate::workbench::{
    DemonstrationLines, Event, ExportBadge, ExportForm, ExportSteps, RunsExport, preferences_beside,
};
use crate::worker::shared::job_border::{JobError, write_file};

use super::context::ComputeContext;

/// Writes the runs of an order. What of them cannot be written is told, and holds up no other.
pub(in crate::worker) fn export_runs(
    cx: &ComputeContext<'_>,
    mut order: RunsOrder,
) -> Result<(), JobError> {
    let (shared, job) = (cx.shared, cx.job);
    let by = shared.scorers.current();
    let made_by = made_by(&order.command);
    let context = ExportContext {
        scorer: &by.scorer,
        open_environment: &*shared.open_environment,
        cancel: cx.cancel,
        made_by: &made_by,
        progress: &|done, count, what| shared.mailbox.tell(job, done, count, what.to_owned()),
    };
    let runs: Vec<ExportRun> = order.runs.drain(..).map(export_run).collect();
    let exporting = Exporting { cx, order: &order, runs: &runs, context: &context };
    let done = match order.kind {
        RunsExport::ContactSheet => exporting.contact_sheet(),
        RunsExport::Animation => exporting.animation(),
        RunsExport::Page => exporting.page(),
        RunsExport::Grid => exporting.grid(),
        RunsExport::Canvas => exporting.canvas(),
        RunsExport::Demonstrations => exporting.demonstrations(),
        // It has a request of its own, which the timeline's variant belongs to.
        RunsExport::Report => Err(JobError::failed("a report is asked for in another way")),
    };
    // Whatever failed because it was stopped was stopped.
    done.map_err(|error| cx.cancel.check().map_or_else(JobError::from, |()| error))
}

fn export_run(of: ExportedRun) -> ExportRun {
    let ExportedRun { run: ReportRun { dir, manifest, task, .. }, note } = of;
    ExportRun { dir, manifest: *manifest, task, note }
}

/// What is being exported.
struct Exporting<'a> {
    cx: &'a ComputeContext<'a>,
    order: &'a RunsOrder,
    runs: &'a [ExportRun],
    context: &'a ExportContext<'a>,
}

impl Exporting<'_> {
    /// The only run of what is made of one.
    fn run(&self) -> Result<&ExportRun, JobError> {
        self.runs.first().ok_or_else(JobError::not_read)
    }

    fn every(&self) -> Every {
        match self.order.choices.steps {
            ExportSteps::Every => Every::Step,
            ExportSteps::Turns => Every::Turn,
        }
    }

    fn page_form(&self) -> PageForm {
        match self.order.form {
            ExportForm::Png => PageForm::Png,
            ExportForm::Svg => PageForm::Svg,
            _ => PageForm::Pdf,
        }
    }

    fn contact_sheet(&self) -> Result<(), JobError> {
        let choices = &self.order.choices;
        let options = SheetOptions {
            every: self.every(),
            steps: self.order.range.map(|range| range.first..=range.last),
            most: choices.most as usize,
            columns: choices.columns as usize,
            width: choices.sheet_width,
            variant: None,
        };
        let sheet = ContactSheet::of_run(self.run()?, &options, self.context);
        let page = sheet.map_err(JobError::failed)?.page().map_err(JobError::failed)?;
        self.write_page(page)
    }

    fn animation(&self) -> Result<(), JobError> {
        let choices = &self.order.choices;
        let options = AnimationOptions {
            every: self.every(),
            steps: self.order.range.map(|range| range.first..=range.last),
            width: choices.animation_width,
            delay: choices.delay,
            hold: choices.hold,
            beside: if choices.truth { Beside::Truth } else { Beside::Nothing },
        };
        let animation = Animation::of_run(self.run()?, &options, self.context);
        let animation = animation.map_err(JobError::failed)?;
        let path = &self.order.path;
        match self.order.form {
            ExportForm::AnimatedPng | ExportForm::Png => {
                write_file(path, &animation.to_png().map_err(JobError::failed)?)
            }
            ExportForm::Gif => {
                write_file(path, &animation.to_gif(self.context.cancel).map_err(JobError::failed)?)
            }
            form if form.needs_ffmpeg() => {
                animation.write_video(path, self.context.cancel).map_err(JobError::failed)
            }
            _ => write_file(path, &animation.to_webp().map_err(JobError::failed)?),
        }
    }

    fn page(&self) -> Result<(), JobError> {
        let of = self.run()?;
        let mut pictured = PicturedRun::open(of, self.context).map_err(JobError::failed)?;
        let kind = &pictured.run.manifest.environment;
        let open_environment = self.context.open_environment;
        let truth = ComparedTask::of_run(pictured.task.as_deref(), Some(kind), open_environment);
        let scorer = self.context.scorer;
        let player = Player {
            task: pictured.task.as_deref(),
            truth: truth.as_ref().map_err(ToString::to_string),
            scorer,
            variants: Player::variants_of(scorer, &[], &pictured.run.manifest),
            width: self.order.choices.page_width,
            made_by: self.context.made_by,
        };
        let page = player.page(&mut pictured.canvas, smaller, self.context.cancel);
        write_file(&self.order.path, page.map_err(JobError::failed)?.as_bytes())
    }

    fn grid(&self) -> Result<(), JobError> {
        let choices = &self.order.choices;
        let options = GridOptions {
            tasks: Vec::new(),
            models: Vec::new(),
            badge: match choices.badge {
                ExportBadge::Score => GridBadge::Score,
                ExportBadge::Pos => GridBadge::Pos,
            },
            boxes: if choices.changed { GridBoxes::Changed } else { GridBoxes::None },
            width: choices.grid_width,
            variant: None,
        };
        let (grid, left_out) =
            Grid::of_runs(self.runs, &options, self.context).map_err(JobError::failed)?;
        tell_left_out(self.cx, &left_out);
        let path = &self.order.path;
        if self.order.form == ExportForm::Tex {
            return write_latex(&grid, path);
        }
        self.write_page(grid.page().map_err(JobError::failed)?)
    }

    fn write_page(&self, page: Page) -> Result<(), JobError> {
        let shared = self.cx.shared;
        shared.warn_of_missing(&page.missing_letters(shared.page_render.fonts()));
        let scale = f64::from(self.order.choices.scale);
        let bytes = page.write(self.page_form(), scale, &shared.page_render);
        write_file(&self.order.path, &bytes.map_err(JobError::failed)?)
    }

    fn canvas(&self) -> Result<(), JobError> {
        let order = self.order;
        let written =
            write_runs(&order.path, self.runs, DEFAULT_VARIANT, &order.command, self.context)
                .map_err(JobError::failed)?;
        let left_out = written.left_out.iter();
        let left_out: Vec<String> =
            left_out.map(|run| format!("{}: {}", run.run.display(), run.why)).collect();
        if written.cases.is_empty() {
            let why = left_out.first().map_or("", String::as_str);
            return Err(JobError::Failed(format!("none of the runs was written: {why}")));
        }
        tell_left_out(self.cx, &left_out);
        Ok(())
    }

    fn demonstrations(&self) -> Result<(), JobError> {
        let choices = &self.order.choices;
        let options = DemonstrationOptions {
            unit: match choices.demonstration_lines {
                DemonstrationLines::Runs => DemonstrationUnit::Run,
                DemonstrationLines::Steps => DemonstrationUnit::Turn,
            },
            pictures: if choices.demonstration_pictures {
                DemonstrationPictures::With
            } else {
                DemonstrationPictures::Without
            },
        };
        let beside = preferences_beside(&self.order.path);
        // Somebody was asked of the file that was named, and not of this one: only pairs of an earlier export, beside
        // which stands where they come from, are written anew.
        let is_earlier = typed_table::beside(&beside).exists();
        if choices.preferences && beside.exists() && !is_earlier {
            let why = "is there already: choose another name, nothing is overwritten";
            return Err(JobError::Failed(format!("{} {why}", beside.display())));
        }
        let pairs = if choices.preferences {
            DemonstrationPairs::With
        } else {
            DemonstrationPairs::Without
        };
        let ExportContext { open_environment, cancel, progress, .. } = *self.context;
        let context = DemonstrationContext { open_environment, cancel, progress };
        let set = DemonstrationSet::of(self.runs, options, pairs, &context)?;
        if set.lines.is_empty() {
            let why = set.left_out.first().map_or("", String::as_str);
            return Err(JobError::Failed(format!("none of the runs is a demonstration: {why}")));
        }
        let command = &self.order.command;
        write_lines(&self.order.path, &set.lines, &set.lines_made_by(command))?;
        tell_left_out(self.cx, &set.left_out);
        if choices.preferences {
            write_lines(&beside, &set.pairs, &set.pairs_made_by(command))?;
            tell_first(self.cx, "no pair of", &set.unpaired);
        }
        Ok(())
    }
}

/// Lines, and beside them where they come from.
fn write_lines(path: &Path, lines: &[String], made_by: &MadeBy) -> Result<(), JobError> {
    write_file(path, DemonstrationSet::text(lines).as_bytes())?;
    write_file(&typed_table::beside(path), provenance_json(&made_by.entries()).as_bytes())
}

pub(super) fn tell_left_out(cx: &ComputeContext<'_>, left_out: &[String]) {
    tell_first(cx, "left out:", left_out);
}

/// One warning however many there are: the first, and how many more.
fn tell_first(cx: &ComputeContext<'_>, what: &str, of: &[String]) {
    let Some(first) = of.first() else { return };
    let message = match of.len() - 1 {
        0 => format!("{what} {first}"),
        more => format!("{what} {first} (and {more} more)"),
    };
    cx.shared.mailbox.send(Event::Warned { message });
}

/// The table, and its pictures in a folder beside it.
fn write_latex(grid: &Grid, path: &Path) -> Result<(), JobError> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let latex = grid.to_latex(stem.as_deref().unwrap_or("grid")).map_err(JobError::failed)?;
    let folder = path.with_file_name(&latex.folder);
    std::fs::create_dir_all(&folder).map_err(|error| {
        JobError::Failed(format!("the folder {} cannot be made: {error}", folder.display()))
    })?;
    for (name, png) in &latex.pictures {
        write_file(&folder.join(name), png)?;
    }
    write_file(path, latex.table.as_bytes())
}
