//! Opening task sets and folders of runs, noticing new runs in them, and writing pictures: what waits
//! for the disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError};

use crate::base::CancelToken;
use crate::environment::draw_svg;
use crate::evaluate::typed_table::{TypedTable, beside};
use crate::export::{Page, PageForm, described_png, drawing_file, table_as_parquet};
use crate::import::{ImportError, ImportRequest, import, is_importable};
use crate::label::Form;
use crate::task::{self, FoundRun, Opened, write_reference};
use crate::workbench::protocol::{ListedRun, ReferenceOrder};
use crate::workbench::{
    DerivedKey, Event, Inputs, JobId, LabelNews, StageForm, StagePixels, StageShot,
};

use super::compute::context::ComputeContext;
use super::compute::derive_and_send;
use super::compute::sessions::Sessions;
use super::shared::Shared;
use super::shared::job_border::{JobError, run_job, write_file};
use super::stage_shot::compose;
use super::watching::Watch;

/// How often open folders are looked at for new runs.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Pixels a unit of a drawing that becomes a PNG.
const DRAWING_SCALE: f64 = 2.0;

/// Work for the io thread.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "an order is moved once, and few wait")]
pub(super) enum DiskOrder {
    Open { job: JobId, paths: Vec<PathBuf>, imports: PathBuf },
    Save { job: JobId, pixels: StagePixels, about: String, path: PathBuf },
    SaveStage { job: JobId, shot: Box<StageShot>, path: PathBuf },
    SaveText { job: JobId, text: String, about: Option<String>, path: PathBuf },
    SaveDrawing { job: JobId, svg: String, about: String, form: StageForm, path: PathBuf },
    CopyDrawing { job: JobId, svg: String },
    SaveTable { job: JobId, table: Box<TypedTable>, path: PathBuf },
    MakeReference { job: JobId, order: ReferenceOrder },
    Models { job: JobId, path: Option<PathBuf>, captions: Option<PathBuf> },
    Derive { job: JobId, key: DerivedKey, inputs: Inputs },
    ReadForm(PathBuf),
}

/// Serves the disk until nobody can send orders any more.
pub(super) fn serve_disk_until_closed(shared: &Shared, orders: &Receiver<DiskOrder>) {
    let mut watch = Watch::default();
    loop {
        match orders.recv_timeout(LOOK_EVERY) {
            Ok(DiskOrder::Open { job, paths, imports }) => {
                run_job(shared, job, |cancel| open(shared, job, &paths, &imports, cancel));
                // After it was read: what is there already is no news.
                for path in &paths {
                    watch.add(path);
                }
            }
            Ok(DiskOrder::Save { job, pixels, about, path }) => {
                run_job(shared, job, |_| {
                    let pixels = pixels.unpacked().map_err(JobError::failed)?;
                    let png = pixels.to_png().map_err(JobError::failed)?;
                    write_file(&path, &described_png(png, &about))
                });
            }
            Ok(DiskOrder::SaveStage { job, shot, path }) => run_job(shared, job, |_| {
                let pixels = compose(&shot).map_err(JobError::Failed)?;
                // Whatever the name ends with that is no page is what it always was, a PNG.
                let form = PageForm::of(&path).unwrap_or(PageForm::Png);
                if form == PageForm::Png {
                    let png = pixels.to_png().map_err(JobError::failed)?;
                    return write_file(&path, &described_png(png, &shot.about));
                }
                let width = f64::from(pixels.width()) / f64::from(shot.scale.max(1));
                let mut page = Page::of_picture(pixels, width).map_err(JobError::failed)?;
                page.describe(&shot.about, &[]);
                let bytes = page.write(form, 1.0, &shared.render).map_err(JobError::failed)?;
                write_file(&path, &bytes)
            }),
            Ok(DiskOrder::SaveTable { job, table, path }) => run_job(shared, job, |_| {
                let bytes = table_as_parquet(&table).map_err(JobError::failed)?;
                write_file(&path, &bytes)
            }),
            Ok(DiskOrder::SaveDrawing { job, svg, about, form, path }) => {
                run_job(shared, job, |_| {
                    let form = match form {
                        StageForm::Png => PageForm::Png,
                        StageForm::Svg => PageForm::Svg,
                        StageForm::Pdf => PageForm::Pdf,
                    };
                    let fonts = shared.page_render.fonts();
                    // In an SVG letters stay text: whoever looks at it has fonts of his own.
                    if form != PageForm::Svg {
                        shared.warn_of_missing(&fonts.missing(&svg));
                    }
                    let bytes = drawing_file(&svg, form, DRAWING_SCALE, &about, fonts);
                    write_file(&path, &bytes.map_err(JobError::failed)?)
                });
            }
            Ok(DiskOrder::CopyDrawing { job, svg }) => run_job(shared, job, |_| {
                let drawn = draw_svg(svg.as_bytes(), DRAWING_SCALE, shared.page_render.fonts());
                let drawn = drawn.map(Arc::new).map_err(|error| error.to_string());
                shared.mailbox.send(Event::DrawingCopied(drawn));
                Ok(())
            }),
            Ok(DiskOrder::SaveText { job, text, about, path }) => run_job(shared, job, |_| {
                write_file(&path, text.as_bytes())?;
                about.map_or(Ok(()), |about| write_file(&beside(&path), about.as_bytes()))
            }),
            Ok(DiskOrder::MakeReference { job, order }) => run_job(shared, job, |_| {
                let ReferenceOrder { set_dir, task, reference } = &order;
                let backup = write_reference(set_dir, &task.id, reference)
                    .map_err(|error| JobError::Failed(error.to_string()))?;
                shared.mailbox.send(Event::ReferenceWritten { order, backup });
                Ok(())
            }),
            Ok(DiskOrder::Models { job, path, captions }) => run_job(shared, job, |cancel| {
                use_models(shared, job, path.as_deref(), captions.as_deref(), cancel)
            }),
            Ok(DiskOrder::Derive { job, key, inputs }) => run_job(shared, job, |cancel| {
                // Listings look at no run: the canvases of this thread are none.
                let sessions = &mut Sessions::default();
                let mut cx = ComputeContext { shared, sessions, job, cancel };
                derive_and_send(&mut cx, key, &inputs)
            }),
            Ok(DiskOrder::ReadForm(path)) => {
                let result = Form::open(&path).map(Box::new).map_err(|error| error.to_string());
                shared.mailbox.send(Event::Labels(LabelNews::FormRead { path, result }));
            }
            // Only when there is nothing to do: whoever opens something waits for nothing else.
            Err(RecvTimeoutError::Timeout) => emit_new_runs(shared, &watch.look()),
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Tells of runs that others began; one that cannot be listed is none.
fn emit_new_runs(shared: &Shared, dirs: &[PathBuf]) {
    let opened = dirs.iter().filter_map(|dir| task::open(dir).ok());
    let runs: Vec<ListedRun> = opened.flat_map(|found| found.runs).map(listed).collect();
    if !runs.is_empty() {
        shared.mailbox.send(Event::Found { runs });
    }
}

/// Opens each path; what can be opened is told even if something else cannot. What another program recorded
/// is imported first, into this folder.
fn open(
    shared: &Shared,
    job: JobId,
    paths: &[PathBuf],
    imports: &Path,
    cancel: &CancelToken,
) -> Result<(), JobError> {
    let mut failures = Vec::new();
    for (done, path) in paths.iter().enumerate() {
        cancel.check()?;
        // Told before it is read: a large folder takes seconds.
        let message = path.display().to_string();
        shared.mailbox.tell(job, done, paths.len(), message);
        let found = task::open(path);
        // What is ours is never imported, even where another format would take it.
        let is_plain = found.as_ref().is_ok_and(is_ours);
        if !is_plain && is_importable(path, cancel)? {
            import_path(shared, job, path, imports, cancel)?;
            continue;
        }
        match found {
            Ok(found) => shared.mailbox.send(opened(job, found)),
            Err(error) => failures.push(error.to_string()),
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(JobError::Failed(failures.join("; "))) }
}

/// Whether what was found is this program's, and more than pictures, which many records have beside them.
fn is_ours(found: &Opened) -> bool {
    !found.sets.is_empty() || found.runs.iter().any(|run| run.manifest.mode != "pictures")
}

/// Makes runs of what another program recorded, and tells what came of it.
fn import_path(
    shared: &Shared,
    job: JobId,
    path: &Path,
    imports: &Path,
    cancel: &CancelToken,
) -> Result<(), JobError> {
    let paths = [path.to_path_buf()];
    let request = ImportRequest { paths: &paths, out_dir: imports, format: None };
    let report = import(&request, cancel, &mut |at| {
        shared.mailbox.tell(job, at.done, at.total, at.message.as_str());
    });
    let report = report.map_err(|error| match error {
        ImportError::Cancelled(cancelled) => JobError::Cancelled(cancelled),
        other => JobError::failed(other),
    })?;
    let mut left_out: Vec<String> = Vec::new();
    for run in &report.runs {
        left_out.extend(run.warnings.iter().cloned());
    }
    let skipped = report.skipped.iter();
    left_out.extend(skipped.map(|skipped| format!("{}: {}", skipped.place, skipped.reason)));
    let summary = format!("{}: {}", path.display(), report.summary());
    shared.mailbox.send(Event::Imported { job, path: path.to_path_buf(), summary, left_out });
    let mut runs = Opened::default();
    for run in &report.runs {
        cancel.check()?;
        match task::open(&run.dir) {
            Ok(found) => runs.runs.extend(found.runs),
            Err(error) => runs.warnings.push(error.to_string()),
        }
    }
    shared.mailbox.send(opened(job, runs));
    Ok(())
}

/// Sets up the models of a file, and reads that of captions. Models that are loaded at all are when they are first
/// needed.
fn use_models(
    shared: &Shared,
    job: JobId,
    path: Option<&Path>,
    captions: Option<&Path>,
    cancel: &CancelToken,
) -> Result<(), JobError> {
    cancel.check()?;
    let result = shared.scorers.use_files(path, captions, &shared.variables).map(|by| {
        for message in by.warnings() {
            shared.mailbox.send(Event::Warned { message });
        }
        // What a ground truth shows was said, or not said, by another captioner.
        shared.compared_tasks.clear();
        by.scorer.registry().variants().cloned().collect()
    });
    let result = result.map_err(|error| error.to_string());
    shared.mailbox.send(Event::ModelsUsed { job, result });
    Ok(())
}

fn opened(job: JobId, found: Opened) -> Event {
    let sets = found.sets.into_iter().map(|(set, warnings)| (Arc::new(set), warnings)).collect();
    let runs = found.runs.into_iter().map(listed).collect();
    Event::Opened { job, sets, runs, warnings: found.warnings }
}

fn listed(run: FoundRun) -> ListedRun {
    let FoundRun { dir, manifest, steps, live, unreadable } = run;
    ListedRun { dir, manifest, steps, live, unreadable }
}
