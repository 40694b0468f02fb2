//! What stands in the cells of a run.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::evaluate::groups::{experiment_of, folder_of, setting_number};
use crate::evaluate::studies::StudyAttempt;
use crate::metric::{MissingScore, Score};
use crate::run::ImportedScore;
use crate::study::{PARTICIPANT_KIND, SCRIPTED_PARTICIPANT_KIND};
use crate::task::Task;
use crate::workbench::derive::views::{HOW_TO_ASK, LABELS_ARE_HIDDEN};
use crate::workbench::model::{
    Cell, Column, DigestState, Gap, LibraryRun, RunLabels, RunNotes, RunState,
};

/// A run with what lies elsewhere of it.
pub(super) struct RunFacts<'a> {
    pub(super) run: &'a LibraryRun,
    pub(super) task: Option<&'a Task>,
    pub(super) notes: Option<&'a RunNotes>,
    pub(super) labels: Option<&'a RunLabels>,
    /// Whether somebody labels blind just now; then there are no labels.
    pub(super) hides_labels: bool,
}

impl RunFacts<'_> {
    /// A hash of all that cells and filters are made of and that changes while the window is open.
    pub(super) fn stamp(&self) -> u64 {
        let (run, manifest) = (self.run, &self.run.manifest);
        let totals = &manifest.totals;
        // Compared within one session only, so that any hash does.
        let mut hasher = DefaultHasher::new();
        (run.state.word(), run.word(), run.steps, &run.task, &run.dir).hash(&mut hasher);
        // What was listed of a run may be another when it is read, as where somebody goes on with it.
        (&manifest.agent.kind, &manifest.agent.name, &manifest.mode, manifest.recorded_start())
            .hash(&mut hasher);
        (totals.turns, totals.calls, totals.failures, totals.input_tokens, totals.output_tokens)
            .hash(&mut hasher);
        totals.cost_usd.map(f64::to_bits).hash(&mut hasher);
        totals.seconds.to_bits().hash(&mut hasher);
        hash_score(run.last_score.as_ref(), &mut hasher);
        for (variant, score) in &run.last_scores {
            variant.hash(&mut hasher);
            hash_score(Some(score), &mut hasher);
        }
        // Curves grow with scores: of a step anywhere, as the filter may ask for its change.
        run.curves.known().hash(&mut hasher);
        run.curves.hash_whole(&mut hasher);
        match &run.digest {
            DigestState::NotRead => 0_u8.hash(&mut hasher),
            DigestState::Read(_) => 1_u8.hash(&mut hasher),
            DigestState::Failed(_) => 2_u8.hash(&mut hasher),
        }
        let notes = self.notes.map(|notes| (notes.has_star(), notes.has_text()));
        notes.hash(&mut hasher);
        // Of a run that nobody labelled, too: an empty cell beside hidden ones would tell that.
        self.hides_labels.hash(&mut hasher);
        if let Some(labels) = self.labels {
            labels.hash_counts(&mut hasher);
        }
        hasher.finish()
    }

    /// What stands in a column.
    pub(super) fn cell(&self, column: &Column) -> Cell {
        let (run, manifest) = (self.run, &self.run.manifest);
        let totals = &manifest.totals;
        match column {
            Column::Task => Cell::of_text(Some(&run.task.id)),
            Column::Set => Cell::of_text(Some(&run.task.set)),
            Column::Model => Cell::of_text(Some(&manifest.agent.name)),
            Column::Agent => Cell::of_text(Some(&manifest.agent.kind)),
            Column::Mode => Cell::of_text(Some(&manifest.mode)),
            Column::Experiment => Cell::of_text(experiment_of(manifest)),
            Column::Folder => Cell::of_text(Some(&folder_of(manifest, &run.dir).to_string_lossy())),
            Column::Setting(_) | Column::Condition | Column::Participant => {
                let by = column.group_by();
                let words = by.and_then(|by| by.of(manifest, &run.dir));
                let path = column.setting_path();
                match (words, path.and_then(|path| setting_number(manifest, path))) {
                    (Some(words), Some(number)) => Cell::Written(words.into(), number),
                    (words, _) => Cell::of_text(words.as_deref()),
                }
            }
            Column::Imported(_) => self.of_record(column.imported_name().unwrap_or_default()),
            Column::Kind => self.of_task(|task| Some(task.kind.word())),
            Column::Category => self.of_task(|task| task.category.as_deref()),
            Column::Difficulty => self.of_task(|task| task.difficulty.as_deref()),
            Column::State => Cell::of_text(Some(run.word())),
            Column::Started => Cell::of_text(manifest.recorded_start()),
            Column::Turns => self.counted(f64::from(totals.turns)),
            Column::Steps => self.counted(f64::from(run.steps)),
            Column::Calls => self.counted(f64::from(totals.calls)),
            Column::Failures => self.counted(f64::from(totals.failures)),
            Column::Cost => Cell::of_number(totals.cost_usd),
            Column::Seconds => Cell::of_number(manifest.recorded_seconds()),
            Column::Tokens => Cell::of_number(totals.known_tokens().map(|tokens| tokens as f64)),
            Column::Tools => self.of_calls(|digest| {
                Cell::of_number(digest.tool_diversity().map(|tools| tools as f64))
            }),
            Column::Precision => self.of_calls(|digest| match self.task {
                Some(task) => of_score(&digest.tool_precision(&task.reference_tools)),
                None => because("its task set is not open"),
            }),
            column if self.hides_labels && column.is_about_labels() => because(LABELS_ARE_HIDDEN),
            Column::Answers => Cell::of_number(self.labels.map(|labels| labels.answers as f64)),
            Column::Preferred => Cell::of_number(self.labels.and_then(RunLabels::preferred)),
            Column::Ndec => Cell::of_number(self.labels.and_then(RunLabels::ndec)),
            Column::Labels => {
                let words = self.labels.map(|labels| {
                    labels.words.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
                });
                Cell::of_text(words.as_deref())
            }
            Column::Success => self.of_study(|attempt| Cell::Flag(attempt.success)),
            Column::SuccessSeconds => self.of_study(|attempt| {
                if attempt.success {
                    Cell::of_number(Some(attempt.seconds))
                } else {
                    because("it did not succeed")
                }
            }),
            Column::Starred => Cell::Flag(self.notes.is_some_and(RunNotes::has_star)),
            Column::Score(variant) => match run.last_score_by(variant) {
                Some(score) => of_score(score),
                None => self.no_score(),
            },
        }
    }

    /// What others scored it by this name.
    fn of_record(&self, name: &str) -> Cell {
        let record = self.run.manifest.imported.as_ref();
        match record.and_then(|record| record.score(name)) {
            Some(ImportedScore::Words(words)) => Cell::of_text(Some(&words)),
            score => Cell::of_number(score.and_then(|score| score.number())),
        }
    }

    fn of_task(&self, text: impl FnOnce(&Task) -> Option<&str>) -> Cell {
        match self.task {
            Some(task) => Cell::of_text(text(task)),
            None => because("its task set is not open"),
        }
    }

    /// What the recorder counted: of a run that cannot be read, nothing.
    fn counted(&self, number: f64) -> Cell {
        match &self.run.state {
            RunState::Unreadable(why) => because(why),
            _ => Cell::of_number(Some(number)),
        }
    }

    fn of_study(&self, of: impl FnOnce(&StudyAttempt) -> Cell) -> Cell {
        let kind = self.run.manifest.agent.kind.as_str();
        if ![PARTICIPANT_KIND, SCRIPTED_PARTICIPANT_KIND].contains(&kind) {
            return Cell::Missing(Gap::NotRecorded);
        }
        self.of_calls(|digest| match &digest.attempt {
            Some(attempt) => of(attempt),
            None => because("the study's log has no end of it, or no check"),
        })
    }

    fn of_calls(&self, of: impl FnOnce(&crate::evaluate::RunDigest) -> Cell) -> Cell {
        match (&self.run.digest, &self.run.state) {
            (DigestState::Read(digest), _) if digest.is_pictures => Cell::Missing(Gap::NotRecorded),
            (DigestState::Read(digest), _) => of(digest),
            (DigestState::Failed(why), _) => because(why),
            (DigestState::NotRead, RunState::Unreadable(why)) => because(why),
            (DigestState::NotRead, RunState::Live) => because("it is still being made"),
            (DigestState::NotRead, _) => Cell::Missing(Gap::NotRead),
        }
    }

    fn no_score(&self) -> Cell {
        match (&self.run.state, self.task) {
            (RunState::Unreadable(why), _) => because(why),
            (RunState::Live, _) => because("it is still being made"),
            (_, None) => because("its task set is not open"),
            (_, Some(task)) if task.is_measurable() => Cell::Missing(Gap::NotScored),
            (_, Some(_)) => because("its task has nothing to compare with"),
        }
    }
}

fn because(why: &str) -> Cell {
    Cell::Missing(Gap::Because(why.into()))
}

fn of_score(score: &Score) -> Cell {
    match score {
        Score::Value(value) => Cell::of_number(Some(*value)),
        Score::Missing(why @ MissingScore::NotAsked) => because(&format!("{why}. {HOW_TO_ASK}")),
        Score::Missing(why) if why.is_infinite() => {
            Cell::Missing(Gap::Infinite(why.to_string().into()))
        }
        Score::Missing(why) => because(&why.to_string()),
    }
}

fn hash_score(score: Option<&Score>, hasher: &mut DefaultHasher) {
    match score {
        None => 0_u8.hash(hasher),
        Some(Score::Value(value)) => value.to_bits().hash(hasher),
        Some(Score::Missing(why)) => why.reason().hash(hasher),
    }
}
