//! No command: the window.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use crate::app::{WindowOptions, default_out_dir, run_window};
use crate::run::{Manifest, reader};
use crate::task::TaskFinder;
use crate::workbench::{Link, SavedSlot};

use super::environments::{environments, variables, workspace};

/// There is no display to open a window on.
#[derive(Debug, thiserror::Error)]
#[error("{NO_DISPLAY}")]
pub(super) struct NoDisplay;

const NO_DISPLAY: &str = "\
there is no display to open the window on (neither DISPLAY nor WAYLAND_DISPLAY is set).

These do the same job without one:
  pentimento run --tasks PATH --agent tracer --out DIR   let an agent work on tasks
  pentimento score RUN…                                  score runs against the ground truth
  pentimento report RUN… --out FILE.html                 look at runs in a browser
  pentimento metric --gt A.png --gen B.png               compare two pictures
  pentimento render DESIGN.json OUT.png                  draw a design

On a machine without a screen the window opens under a virtual one: xvfb-run pentimento
(Debian package xvfb, with mesa-vulkan-drivers for drawing).";

/// `pentimento open LINK`.
#[derive(Debug, Args)]
#[command(about = "Open the window at a run, as a link says", after_help = OPEN_EXAMPLES)]
pub(super) struct OpenArguments {
    /// run:FOLDER, with @STEP or a range @FIRST-LAST, and after a ? compare=gt, view=side|swipe|onion|difference|blink,
    /// tab=step|nodes|scores|plan|query|what-if|runs|labels and step=STEP joined by &. with=run:FOLDER[@STEP] or
    /// with=start puts a picture beside the run, compare=A…E compares with one of those,
    /// follow=step|turn|progress|alignment says which step other runs show. *Copy link* in the window makes one.
    #[arg(value_name = "LINK")]
    pub(super) link: String,
}

const OPEN_EXAMPLES: &str = "\
Examples:
  pentimento open 'run:runs/replication/gid11-16/gpt-4.1-01@17?compare=gt&view=swipe'
  pentimento open 'run:/home/ada/runs/a@0?tab=scores'
  pentimento open 'run:/home/ada/runs/a@12-30'
  pentimento open 'run:/home/ada/runs/a@9?compare=A&view=swipe&with=run:/home/ada/runs/b&follow=alignment'";

/// Opens the window at the run of a link, with its task set where that is found.
///
/// # Errors
///
/// A link that is refused, with the reason; a folder that is no run; what [`open_window`] says.
pub(super) fn open_link(arguments: &OpenArguments) -> anyhow::Result<()> {
    let (link, paths) = resolve(&arguments.link)?;
    open_at(paths, None, Some(link))
}

/// The link with the run's whole path, and what is opened for it.
fn resolve(text: &str) -> anyhow::Result<(Link, Vec<PathBuf>)> {
    let mut link: Link = text.parse().context("the link is refused")?;
    let mut finder = TaskFinder::default();
    let mut paths: Vec<PathBuf> = Vec::new();
    let beside = link.beside.iter_mut().filter_map(|slot| match slot {
        SavedSlot::Run { dir, .. } => Some(dir),
        SavedSlot::Start | SavedSlot::File(_) => None,
    });
    for dir in std::iter::once(&mut link.run).chain(beside) {
        *dir = std::path::absolute(&*dir)?;
        // Without its task there is nothing to compare with, and the run is shown all the same.
        let set = finder.find(dir, &manifest_in(dir)?).map(|found| found.set_dir);
        for path in set.into_iter().chain([dir.clone()]) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    Ok((link, paths))
}

/// What is known of the run in a folder, be it one that is known by its pictures alone.
fn manifest_in(dir: &Path) -> anyhow::Result<Manifest> {
    use reader::RunError::{NotARun, Read};
    match reader::peek(dir) {
        Ok(found) => Ok(found.manifest),
        Err(Read { source, .. }) if source.kind() != io::ErrorKind::NotFound => {
            Err(source).context(format!("the folder cannot be read: {}", dir.display()))
        }
        Err(NotARun(_) | Read { .. }) => {
            anyhow::bail!("the link is refused: no run is in the folder {}", dir.display())
        }
        Err(error) => Err(error.into()),
    }
}

/// Opens the window on these paths, or on the shipped samples.
///
/// # Errors
///
/// [`NoDisplay`]; a missing system library, with the Debian package that holds it; whatever else
/// keeps the window from opening.
pub(super) fn open_window(paths: Vec<PathBuf>, captions: Option<PathBuf>) -> anyhow::Result<()> {
    open_at(paths, captions, None)
}

fn open_at(
    paths: Vec<PathBuf>,
    captions: Option<PathBuf>,
    link: Option<Link>,
) -> anyhow::Result<()> {
    // Asked first: the window's library would say the same in words that name none of the other ways.
    if !has_display() {
        return Err(NoDisplay.into());
    }
    let (workspace, runs) = (workspace(), default_out_dir());
    Ok(run_window(WindowOptions {
        paths,
        link,
        captions,
        workspace,
        runs,
        environments: environments(),
        variables: variables(),
    })?)
}

/// Whether there is something to open a window on. Only X11 and Wayland can be asked.
fn has_display() -> bool {
    // WAYLAND_SOCKET is how a compositor hands a connection to what it starts itself.
    let mut names = ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter();
    !cfg!(all(unix, not(target_os = "macos")))
        || names.any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/runs/own-samples/now-playing")
    }

    fn run_in(dir: &Path) -> PathBuf {
        let mut entries = std::fs::read_dir(dir).unwrap().flatten().map(|entry| entry.path());
        entries.find(|path| path.join("run.json").is_file()).unwrap()
    }

    #[test]
    fn a_link_to_a_run_opens_it_with_its_task_set() {
        let run = run_in(&sample());
        let text = Link { step: Some(3), ..Link::to_run(&run).unwrap() }.to_string();
        let (link, paths) = resolve(&text).unwrap();
        assert_eq!((&link.run, link.step), (&run, Some(3)));
        assert_eq!(paths.len(), 2, "{paths:?}");
        assert!(paths[0].join("taskset.json").is_file(), "{paths:?}");
        assert_eq!(paths[1], run);
    }

    #[test]
    fn a_link_to_several_runs_opens_all_of_them_and_refuses_what_is_none() {
        let run = run_in(&sample());
        let other = run_in(&sample().with_file_name("trailhead-welcome"));
        let beside = |dir: &Path| SavedSlot::Run { dir: dir.to_path_buf(), pinned: Some(2) };
        let link = Link {
            beside: vec![beside(&other), SavedSlot::Start, beside(&run)],
            ..Link::to_run(&run).unwrap()
        };
        let (found, paths) = resolve(&link.to_string()).unwrap();
        assert_eq!(found, link);
        assert_eq!(paths[1..], [run.clone(), other], "each once, behind the set of both");
        let folder = Link { beside: vec![beside(&sample())], ..Link::to_run(&run).unwrap() };
        let said = format!("{:#}", resolve(&folder.to_string()).unwrap_err());
        assert!(said.contains("no run is in the folder"), "{said}");
    }

    #[test]
    fn a_run_that_is_known_by_its_pictures_is_opened_by_its_link_too() {
        let dir = tempfile::tempdir().unwrap();
        let pictures = std::path::absolute(dir.path()).unwrap();
        for name in ["1.png", "2.png"] {
            std::fs::write(pictures.join(name), b"no more than a name is looked at").unwrap();
        }
        let text = Link { step: Some(1), ..Link::to_run(&pictures).unwrap() }.to_string();
        let (link, paths) = resolve(&text).unwrap();
        assert_eq!((&link.run, link.step), (&pictures, Some(1)));
        assert_eq!(paths, std::slice::from_ref(&pictures));
        let run = run_in(&sample());
        let beside = vec![SavedSlot::Run { dir: pictures.clone(), pinned: None }];
        let link = Link { beside, ..Link::to_run(&run).unwrap() };
        let (_, paths) = resolve(&link.to_string()).unwrap();
        assert_eq!(paths.last(), Some(&pictures));
        // A folder with nothing in it is no run.
        let empty = pictures.join("empty");
        std::fs::create_dir(&empty).unwrap();
        let text = Link::to_run(&empty).unwrap().to_string();
        let said = format!("{:#}", resolve(&text).unwrap_err());
        assert!(said.contains("no run is in the folder"), "{said}");
    }

    #[test]
    fn a_link_to_what_is_no_run_is_refused_with_the_reason() {
        let said = |text: &str| format!("{:#}", resolve(text).unwrap_err());
        let dir = sample();
        let folder = Link::to_run(&dir).unwrap().to_string();
        assert!(said(&folder).contains("no run is in the folder"), "{}", said(&folder));
        assert!(said("run:/no/such/folder").contains("no run is in the folder"));
        assert!(said("https://example.org").starts_with("the link is refused: a link begins"));
        assert!(said("run:/a?exec=x").contains("not known"));
    }
}
