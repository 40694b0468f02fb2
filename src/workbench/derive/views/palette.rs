//! Runs and tasks to go to by name.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::workbench::model::{RangeKey, State, Workspace};
use crate::workbench::protocol::{
    AnnotateCommand, AssistCommand, Command, RangeCommand, StudyCommand,
};

/// Somewhere to go.
#[derive(Clone, Debug, PartialEq)]
pub struct PaletteEntry<'a> {
    /// What it is.
    pub kind: PaletteKind,
    /// Its name.
    pub title: Cow<'a, str>,
    /// Where it belongs, such as the task and the set.
    pub detail: Cow<'a, str>,
    /// What going there means.
    pub command: Command,
}

/// What a palette entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaletteKind {
    /// A task.
    Task,
    /// A run.
    Run,
    /// A kept range of steps.
    Range,
    /// An item that people label.
    Item,
    /// A folder or file that was opened before, or whose path is typed.
    Path,
}

/// What was opened before, then every task, every run and every kept range of steps, in the library's order; where
/// people label only the items, or while no project is open those of before.
pub fn palette_entries(state: &State) -> Vec<PaletteEntry<'_>> {
    let recent_labels = state.settings.recent_labels.iter().map(|path| PaletteEntry {
        command: Command::Annotate(AnnotateCommand::Open(path.clone())),
        ..recent(path)
    });
    if state.workspace == Workspace::Annotate {
        let is_open = state.annotate.labels.is_some();
        return if is_open { item_entries(state) } else { recent_labels.collect() };
    }
    let mut entries: Vec<PaletteEntry<'_>> =
        state.settings.recent.iter().map(|path| recent(path)).collect();
    entries.extend(recent_labels);
    entries.extend(state.settings.recent_studies.iter().map(|path| PaletteEntry {
        command: Command::Assist(AssistCommand::Study(StudyCommand::Open(path.clone()))),
        ..recent(path)
    }));
    for entry in &state.library.sets {
        entries.extend(entry.tasks().map(|(task_ref, task)| PaletteEntry {
            kind: PaletteKind::Task,
            title: Cow::from(&task.id),
            detail: Cow::from(&entry.set.name),
            command: Command::SelectTask(task_ref),
        }));
    }
    for (id, run) in &state.library.runs {
        let task = &run.task;
        // The runs of a set that is not open are to be found too, by its bare id.
        let set = state.library.set(&task.set).map_or(&task.set, |entry| &entry.set.name);
        entries.push(PaletteEntry {
            kind: PaletteKind::Run,
            title: Cow::from(&run.manifest.agent.name),
            detail: Cow::from(format!("{} · {set}", task.id)),
            command: Command::SelectRun(*id),
        });
        for (range, kept) in state.notes.of(run).into_iter().flat_map(|notes| &notes.ranges) {
            let note = kept.note.lines().next().unwrap_or_default();
            let (first, last, agent) = (range.first, range.last, &run.manifest.agent.name);
            entries.push(PaletteEntry {
                kind: PaletteKind::Range,
                title: Cow::from(kept.title(*range)),
                detail: Cow::from(format!("{first}–{last} · {} · {agent} · {note}", task.id)),
                command: Command::Ranges(RangeCommand::Choose(RangeKey::of(run, *range))),
            });
        }
    }
    entries
}

/// The items of who labels: by their place alone, as whatever else names them would name who made them.
fn item_entries(state: &State) -> Vec<PaletteEntry<'_>> {
    let Some(desk) = &state.annotate.desk else { return Vec::new() };
    let entries = desk.progress.states.iter().enumerate().map(|(at, unit)| PaletteEntry {
        kind: PaletteKind::Item,
        title: Cow::from(format!("Item {}", at + 1)),
        detail: Cow::from(match (unit.is_answered, unit.is_skipped, unit.is_flagged) {
            (_, _, true) => "flagged",
            (true, ..) => "answered",
            (_, true, _) => "skipped",
            (false, false, false) => "to do",
        }),
        command: Command::Annotate(AnnotateCommand::GoTo(at)),
    });
    entries.collect()
}

fn recent(path: &Path) -> PaletteEntry<'_> {
    let name =
        path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    PaletteEntry {
        kind: PaletteKind::Path,
        title: name,
        detail: path.parent().map_or(Cow::Borrowed(""), Path::to_string_lossy),
        command: Command::Open(vec![path.to_path_buf()]),
    }
}

/// What opens the path that is typed: from the root, from the home folder or from a folder named with
/// dots; `None` if it is no path.
pub fn typed_path(text: &str) -> Option<PaletteEntry<'static>> {
    let text = text.trim();
    let has_drive = text.get(1..3).is_some_and(|rest| rest == ":\\" || rest == ":/");
    let is_path = ["/", "~", "./", "../", "\\\\"].iter().any(|start| text.starts_with(start));
    (is_path || has_drive).then(|| PaletteEntry {
        kind: PaletteKind::Path,
        title: Cow::Owned(format!("Open {text}")),
        detail: Cow::Borrowed(""),
        command: Command::Open(vec![PathBuf::from(text)]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labelling_projects_of_before_are_found_in_every_room_but_where_one_is_labelled_in() {
        let mut state = State::default();
        let path = PathBuf::from("/studies/pairs.labels");
        state.settings.recent_labels.push(path.clone());
        let open = Command::Annotate(AnnotateCommand::Open(path));
        for room in [Workspace::Inspect, Workspace::Explore, Workspace::Annotate, Workspace::Assist]
        {
            state.workspace = room;
            let entries = palette_entries(&state);
            let entry = entries.iter().find(|entry| entry.command == open).unwrap();
            assert_eq!((&*entry.title, &*entry.detail), ("pairs.labels", "/studies"), "{room:?}");
        }
    }

    #[test]
    fn paths_are_told_from_names() {
        for path in ["/home/a", "~/runs", "./x", "../x", "C:\\runs", "D:/runs", " /a b "] {
            assert!(typed_path(path).is_some(), "{path}");
        }
        for name in ["", "a", "gpt/4", "tracer", "a~b", "a:b"] {
            assert!(typed_path(name).is_none(), "{name}");
        }
    }
}
