//! Which document of a run with several programs is shown, listed and drawn.

use crate::environment::EnvironmentKind;
use crate::workbench::model::{DocumentChoice, Documents, PictureKey, RunId, State};

/// Why a program has no picture.
const NO_DOCUMENT: &str = "this program has no document at this step";

impl State {
    /// Which picture the run's pane is to show: the run at the selected step, or of its programs the
    /// one that was chosen; the start state of the task if no run is selected.
    pub fn run_picture_key(&self) -> Option<PictureKey> {
        match self.other_program() {
            Some(program) => self.document_picture(program),
            None => self.compared_slot(),
        }
    }

    /// What is scored and compared: the run at the selected step, or the start state of the task if
    /// no run is selected.
    pub fn compared_slot(&self) -> Option<PictureKey> {
        match self.selection.run {
            Some(run) => Some(PictureKey::Step(run, self.selection.step)),
            None => self.start_slot(),
        }
    }

    /// The start state of the selected task.
    pub(super) fn start_slot(&self) -> Option<PictureKey> {
        self.selection.task.clone().map(PictureKey::Start)
    }

    /// Whether the run on the stage has several programs, each with a document of its own.
    pub fn has_documents(&self) -> bool {
        self.selected_run().is_some_and(|run| run.manifest.environment == EnvironmentKind::Suite)
    }

    /// Whether the selected task asks in words, so that there is nothing to compare a run with.
    pub fn asks_in_words(&self) -> bool {
        self.selected_task().is_some_and(|it| it.ground_truth.is_none() && it.brief.is_some())
    }

    /// The documents of the run on the stage after the selected step; those of the step shown last
    /// while they are looked up. `None` where a run has only one, or nothing is known yet.
    pub fn documents(&self) -> Option<&Documents> {
        let run = self.selection.run.filter(|_| self.has_documents())?;
        // They come with the picture of the step, so while that is made those of before stand.
        let now = self.ready_picture(&PictureKey::Step(run, self.selection.step));
        let known = now.and_then(|picture| picture.documents.as_deref());
        known.or_else(|| self.documents_before().filter(|(of, _)| *of == run).map(|(_, it)| it))
    }

    /// The documents shown last, with their run.
    fn documents_before(&self) -> Option<(RunId, &Documents)> {
        self.in_flight.shown_documents.as_ref().map(|(run, documents)| (*run, &**documents))
    }

    /// The programs whose documents stand side by side, by their places; none if only one is shown.
    pub fn programs_side_by_side(&self) -> Vec<u8> {
        let wants_all = self.settings.documents == DocumentChoice::All;
        self.programs().zip(0..).filter(|_| wants_all).map(|(_, at)| at).collect()
    }

    /// The names of the programs of the run on the stage, in their order: also before its documents
    /// are known, if those of a run were before, so that nothing moves while one leafs through runs.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        let known = self.documents().or_else(|| self.documents_before().map(|(_, it)| it));
        let known = known.filter(|_| self.has_documents());
        known.into_iter().flat_map(|it| it.programs.iter().map(|program| program.name.as_str()))
    }

    /// The picture of a program's document, by its place: that of the step, if it was worked in last.
    /// `None` if it has no document.
    pub fn document_picture(&self, program: u8) -> Option<PictureKey> {
        let (run, documents) = (self.selection.run?, self.documents()?);
        let open = documents.open(program)?;
        let is_current = documents.current() == Some(program);
        // Of the others the picture after the step that changed them last: all later steps share it.
        Some(if is_current {
            PictureKey::Step(run, self.selection.step)
        } else {
            PictureKey::Document(run, open.changed_at.min(self.selection.step), program)
        })
    }

    /// Whether the run's pane shows the document that is scored and compared, and not another one
    /// that was chosen.
    pub fn shows_compared_document(&self) -> bool {
        self.other_program().is_none()
    }

    /// The program that the run's pane shows instead of the one worked in last.
    pub(in crate::workbench) fn other_program(&self) -> Option<u8> {
        let DocumentChoice::Program(program) = self.settings.documents else { return None };
        let documents = self.documents()?;
        documents.program(program)?;
        (documents.current() != Some(program)).then_some(program)
    }

    /// The program whose nodes are listed instead of those of the one worked in last: the one that is
    /// shown alone, or that was pointed at among those side by side.
    pub(in crate::workbench) fn listed_program(&self) -> Option<u8> {
        if self.settings.documents != DocumentChoice::All {
            return self.other_program();
        }
        // Pointed at in another step, it may have none in this one.
        let (program, documents) = (self.nodes.program?, self.documents()?);
        documents.open(program)?;
        (documents.current() != Some(program)).then_some(program)
    }

    /// The design of the run whose nodes are listed and exported; of the task's start without a run.
    pub(in crate::workbench) fn run_slot(&self) -> Option<PictureKey> {
        match (self.selection.run, self.listed_program()) {
            (Some(run), Some(program)) => {
                Some(PictureKey::Document(run, self.selection.step, program))
            }
            _ => self.compared_slot(),
        }
    }

    /// Why there is nothing to show of a program at the selected step; `None` if there is something,
    /// or it is not known.
    pub fn why_no_open_document(&self, program: u8) -> Option<&'static str> {
        let documents = self.documents()?;
        documents.open(program).is_none().then_some(NO_DOCUMENT)
    }

    /// The next choice: the document worked in last, each program's, all side by side.
    pub fn next_document_choice(&self) -> DocumentChoice {
        let programs = self.programs().count();
        let next = match self.settings.documents {
            DocumentChoice::Current => 0,
            DocumentChoice::Program(at) => at.saturating_add(1),
            DocumentChoice::All => return DocumentChoice::Current,
        };
        match self.settings.documents {
            _ if usize::from(next) < programs => DocumentChoice::Program(next),
            // Behind the last program stand all; of a run without any there is nothing to go through.
            DocumentChoice::Program(_) => DocumentChoice::All,
            _ => DocumentChoice::Current,
        }
    }

    /// The pictures of programs' documents that the stage shows beside the one of the step, or will at
    /// another step of the same run whose documents are known.
    pub(in crate::workbench) fn document_pictures_at(&self, step: u32) -> Vec<PictureKey> {
        let Some(run) = self.selection.run.filter(|_| self.has_documents()) else {
            return Vec::new();
        };
        let known = self.ready_picture(&PictureKey::Step(run, step));
        let Some(documents) = known.and_then(|picture| picture.documents.as_deref()) else {
            return Vec::new();
        };
        let current = documents.current();
        let mut keys = Vec::new();
        for (program, at) in documents.programs.iter().zip(0..) {
            let is_wanted = match self.settings.documents {
                DocumentChoice::Current => false,
                DocumentChoice::Program(program) => program == at,
                DocumentChoice::All => true,
            };
            // The one worked in last is what the step's own picture shows.
            if let Some(open) = program.document.as_ref().filter(|_| Some(at) != current)
                && is_wanted
            {
                keys.push(PictureKey::Document(run, open.changed_at.min(step), at));
            }
        }
        keys
    }

    /// Whether a picture that the stage is to show of the run is on its way.
    pub(in crate::workbench) fn is_stage_pending(&self) -> bool {
        let shown = self.compared_slot().into_iter();
        let mut shown = shown.chain(self.document_pictures_at(self.selection.step));
        shown.any(|key| self.derived.pictures.is_pending(&key))
    }
}
