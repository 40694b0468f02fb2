//! A window that is in use and killed at any moment, fifty times over.
//!
//! The window is a process of its own that does at random what people do, and writes a journal: what it is about
//! to do before it does it, and what it sees kept on the disk. After each kill the disk has to hold what was
//! seen there, and the next window has to show what the disk holds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant};

use eframe::App as _;
use pentimento::run::reader;
use pentimento::store::{Store, StoredNote};
use pentimento::workbench::{
    Command, JobKind, Note, NoteKey, Overlay, PlaybackCommand, RunId, SavedSession, StageCommand,
    State,
};
use serde::{Deserialize, Serialize};

use super::{Home, Turned, launch, task_set};
use crate::dice::Dice;

const KILLS: u64 = 50;
/// The home folder of the child.
const HOME_VARIABLE: &str = "PENTIMENTO_TEST_HOME";
/// What its random numbers start from.
const SEED_VARIABLE: &str = "PENTIMENTO_TEST_SEED";

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
enum Line {
    /// All that was open before is open again.
    Open,
    /// What is looked at from here on.
    View(View),
    /// The file of settings has this view.
    Stored(View),
    /// About to be written on a step of a run.
    Noted(String, u32, String),
    /// The workspace has so many notes.
    Kept(usize),
    /// A launched run has so many turns.
    Turns(PathBuf, u32),
}

/// What is looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct View {
    run: Option<PathBuf>,
    step: u32,
    filter: String,
    zoom: Option<f32>,
}

impl View {
    fn of(session: &SavedSession) -> Self {
        Self {
            run: session.run.clone(),
            step: session.step,
            filter: session.filter.clone(),
            zoom: session.stage.as_ref().and_then(|stage| stage.zoom),
        }
    }

    fn stored(home: &Home) -> Option<Self> {
        Some(Self::of(&serde_json::from_value(home.stored()).ok()?))
    }
}

fn is_open(state: &State) -> bool {
    let is_opening = state.jobs.active().any(|(_, job)| job.kind == JobKind::Open);
    !state.library.sets.is_empty() && !is_opening
}

/// The window in the child.
struct Used {
    home: Home,
    window: Turned,
    dice: Dice,
    journal: File,
    store: Store,
    view: Option<View>,
    stored: Option<View>,
    kept: usize,
    turns: BTreeMap<PathBuf, u32>,
}

impl Used {
    fn open(home: Home, seed: u64) -> Self {
        let mut window = home.open(&[]);
        window.until("all is open", is_open);
        let journal = OpenOptions::new().append(true).open(home.path("journal")).unwrap();
        let store = Store::open(&home.path("workspace.sqlite")).unwrap();
        let (view, stored, kept, turns) = (None, None, 0, BTreeMap::new());
        let dice = Dice(seed);
        Self { home, window, dice, journal, store, view, stored, kept, turns }
    }

    fn write(&mut self, line: &Line) {
        let text = serde_json::to_string(line).unwrap() + "\n";
        // At once: a kill cuts no line in two.
        self.journal.write_all(text.as_bytes()).unwrap();
    }

    fn state(&self) -> &State {
        self.window.app.state()
    }

    fn carry_out(&mut self, command: Command) {
        self.window.app.carry_out(command);
        self.write_view();
    }

    fn write_view(&mut self) {
        let view = Some(View::of(&self.state().session_to_save()));
        if view != self.view
            && let Some(view) = view.clone()
        {
            self.write(&Line::View(view));
        }
        self.view = view;
    }

    fn act(&mut self) {
        let runs: Vec<RunId> = self.state().library.runs.keys().copied().collect();
        let (what, which) = (self.dice.below(12), self.dice.below(100) as u32);
        match what {
            0 | 1 if !runs.is_empty() => {
                self.carry_out(Command::SelectRun(runs[which as usize % runs.len()]));
            }
            2 | 3 => self.carry_out(Command::Playback(PlaybackCommand::Step(which % 9))),
            4 => {
                let filter = ["", "agent:scripted", "task-1", "steps>2"][which as usize % 4];
                self.carry_out(Command::SetFilter(filter.to_owned()));
            }
            5 | 6 => {
                let zoom = StageCommand::Zoom(0.5 + which as f32 / 10.0);
                self.carry_out(Command::Stage(zoom));
            }
            7..=9 => self.put_note(which),
            _ if self.state().jobs.active_runs().count() < 3 => {
                launch(&mut self.window, &self.home, 3 + which as usize % 20);
                self.write_view();
            }
            _ => {}
        }
    }

    fn put_note(&mut self, which: u32) {
        let Some(run) = self.state().selected_run() else { return };
        let (key, number) = (NoteKey::of(run, Some(which % 12)), self.dice.below(1_000_000));
        let text = format!("Note {number}");
        self.write(&Line::Noted(key.run.clone(), which % 12, text.clone()));
        self.carry_out(Command::PutNote(key, Note { is_starred: false, text }));
    }

    /// Writes down what the disk and the list have by now.
    fn observe(&mut self) {
        let stored = View::stored(&self.home);
        if stored != self.stored
            && let Some(view) = stored.clone()
        {
            self.write(&Line::Stored(view));
        }
        self.stored = stored;
        let kept = self.store.notes().unwrap().len();
        if kept != self.kept {
            self.write(&Line::Kept(kept));
        }
        self.kept = kept;
        let runs = self.state().library.runs.values();
        let turns: BTreeMap<PathBuf, u32> =
            runs.map(|run| (run.dir.clone(), run.manifest.totals.turns)).collect();
        for (dir, count) in turns.iter().filter(|(dir, count)| self.turns.get(*dir) != Some(count))
        {
            let line = serde_json::to_string(&Line::Turns(dir.clone(), *count)).unwrap() + "\n";
            self.journal.write_all(line.as_bytes()).unwrap();
        }
        self.turns = turns;
    }
}

#[test]
#[ignore = "the child of a_window_killed_at_fifty_moments_loses_nothing_that_was_kept"]
fn is_used_until_it_is_killed() {
    let dir = std::env::var_os(HOME_VARIABLE).expect("only the test below runs this");
    let seed = std::env::var(SEED_VARIABLE).unwrap().parse().unwrap();
    let mut used = Used::open(Home { dir: dir.into(), _temporary: None }, seed);
    used.write_view();
    used.write(&Line::Open);
    if used.state().overlay == Some(Overlay::Unfinished) {
        used.carry_out(Command::DiscardUnfinished);
    }
    let (ctx, mut frame) = (used.window.ctx.clone(), eframe::Frame::_new_kittest());
    let began = Instant::now();
    // Bounded, should nobody kill it.
    while began.elapsed() < Duration::from_mins(2) {
        used.act();
        for _ in 0..used.dice.below(6) {
            used.window.app.logic(&ctx, &mut frame);
            used.write_view();
            std::thread::sleep(Duration::from_millis(4));
        }
        used.observe();
    }
}

/// Has the child use the window until a moment that the dice say; gives its journal.
fn use_and_kill(home: &Home, seed: u64, dice: &mut Dice) -> Vec<Line> {
    let journal = home.path("journal");
    std::fs::write(&journal, "").unwrap();
    let log = home.path("child.log");
    let mut child = Process::new(std::env::current_exe().unwrap())
        .args(["--exact", "reopening::killed::is_used_until_it_is_killed", "--ignored"])
        .env(HOME_VARIABLE, &home.dir)
        .env(SEED_VARIABLE, seed.to_string())
        .stdout(File::create(&log).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !std::fs::read_to_string(&journal).unwrap().contains("\"Open\"") {
        let is_in_time = began.elapsed() < Duration::from_mins(2);
        assert!(is_in_time && is_running(&mut child), "{}", std::fs::read_to_string(&log).unwrap());
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(dice.below(1500) as u64));
    assert!(is_running(&mut child), "{}", std::fs::read_to_string(&log).unwrap());
    child.kill().unwrap();
    child.wait().unwrap();
    let text = std::fs::read_to_string(&journal).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn is_running(child: &mut Child) -> bool {
    child.try_wait().unwrap().is_none()
}

/// Whether the file has a view that is in the journal; then it must not be from before the one that was last seen in
/// it. One that is not may have been stored in the very frame that made it, before the journal had it.
fn is_known_view(journal: &[Line], stored: &View) -> bool {
    let is_it = |line: &Line| matches!(line, Line::View(view) if view == stored);
    let last_seen = journal.iter().rposition(|line| matches!(line, Line::Stored(_)));
    let first = last_seen.map_or(0, |seen| {
        let is_it = |line: &Line| match (line, &journal[seen]) {
            (Line::View(view), Line::Stored(seen)) => view == seen,
            _ => false,
        };
        journal[..seen].iter().rposition(is_it).unwrap_or(0)
    });
    let is_known = journal[first..].iter().any(is_it);
    let is_old = journal[..first].iter().any(is_it);
    assert!(is_known || !is_old, "{stored:?} after {:?}", &journal[first..]);
    is_known
}

/// How many of the notes that were written the workspace has: all up to one of them, as they come after one another.
fn count_kept(noted: &[(String, u32, String)], kept: &[StoredNote]) -> Option<usize> {
    let kept: BTreeSet<_> = kept.iter().map(|note| (&note.run, note.step, &note.text)).collect();
    (0..=noted.len()).rev().find(|count| {
        let mut last = BTreeMap::new();
        for (run, step, text) in &noted[..*count] {
            last.insert((run, Some(*step)), text);
        }
        let last: BTreeSet<_> =
            last.into_iter().map(|((run, step), text)| (run, step, text)).collect();
        last == kept
    })
}

#[test]
fn a_window_killed_at_fifty_moments_loses_nothing_that_was_kept() {
    let home = Home::new();
    let set = task_set(&home, "set", "set", 3);
    let mut window = home.open(&[&set]);
    window.opened();
    window.until_stored(&home, "what is open", |session| session["open"][0].is_string());
    drop(window);
    let mut dice = Dice(7);
    // By all windows, in their order.
    let mut noted = Vec::new();
    let mut runs = BTreeMap::new();
    let mut unknown = 0;
    for round in 0..KILLS {
        let journal = use_and_kill(&home, round, &mut dice);
        let stored = View::stored(&home).expect("the settings are whole");
        unknown += usize::from(!is_known_view(&journal, &stored));
        let mut seen = 0;
        for line in journal {
            match line {
                Line::Noted(run, step, text) => noted.push((run, step, text)),
                Line::Kept(count) => seen = count,
                Line::Turns(dir, turns) => _ = runs.insert(dir, turns),
                Line::Open | Line::View(_) | Line::Stored(_) => {}
            }
        }
        let kept = Store::open(&home.path("workspace.sqlite")).unwrap().notes().unwrap();
        assert!(kept.len() >= seen, "{} of {seen} notes", kept.len());
        let count = count_kept(&noted, &kept).expect("the notes are those up to one of them");
        noted.truncate(count);

        let mut window = home.open(&[]);
        let is_read = |state: &State| kept.is_empty() || !state.notes.is_empty();
        window.until("all is open", |state| is_open(state) && is_read(state));
        let what = format!("{stored:?} is back, round {round}");
        window.until(&what, |state| View::of(&state.session_to_save()) == stored);
        let state = window.app.state();
        for StoredNote { run, step, text, .. } in &kept {
            let key = NoteKey { run: run.clone(), step: *step };
            assert_eq!(state.notes.note(&key).map(|note| &note.text), Some(text));
        }
        for (dir, turns) in &runs {
            let is_listed = state.library.runs.values().any(|run| run.dir == *dir);
            assert!(is_listed, "{} after round {round}", dir.display());
            let run = reader::open(dir).unwrap();
            assert!(run.turns.len() >= *turns as usize, "{}", dir.display());
        }
    }
    // The moment between storing and writing down is short: it is hit rarely or never.
    assert!(unknown <= 2, "{unknown} of {KILLS} views were in no journal");
    println!("{} runs, {} notes", runs.len(), noted.len());
    assert!(runs.len() > 50 && noted.len() > 50);
}
