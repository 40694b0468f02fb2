//! The documents of a run whose environment has several programs.

use std::sync::Arc;

use crate::environment::{DocumentInfo, DocumentPlace, Environment};
use crate::graphictown::Expert;
use crate::run::{Run, Step};
use crate::workbench::{Documents, OpenDocument, Program, SharedFile};

/// The documents of an environment that stands after this step of the run; `None` where it has only
/// one.
pub(in crate::worker) fn documents_of(
    environment: &dyn Environment,
    run: &Run,
    step: u32,
) -> Option<Arc<Documents>> {
    let environment = environment.documents()?;
    let mut documents = Documents::default();
    // All programs, also those that have no document yet: the window gives each its place.
    for &name in environment.programs() {
        let name = name.to_owned();
        documents.programs.push(Program { name, document: None, is_current: false });
    }
    for DocumentInfo { program, name, size, is_current, place, .. } in environment.list() {
        let DocumentPlace::Open { is_saved, file } = place else {
            let saved_at = last_step(run, step, |step| has_saved(step, &name));
            documents.files.push(SharedFile { name, program: program.to_owned(), size, saved_at });
            continue;
        };
        // A program has one document open at a time: the first is the only one.
        let known = documents.programs.iter_mut().find(|known| known.name == program);
        if let Some(known) = known.filter(|known| known.document.is_none()) {
            let changed_at = last_step(run, step, |step| is_call_to(step, program)).unwrap_or(0);
            known.is_current = is_current;
            known.document = Some(OpenDocument { title: name, size, is_saved, file, changed_at });
        }
    }
    Some(Arc::new(documents))
}

/// The last step up to this one of which something holds.
fn last_step(run: &Run, up_to: u32, holds: impl Fn(&Step) -> bool) -> Option<u32> {
    // Backwards from the step: the last one mostly lies near.
    let mut steps = run.steps.range(0..up_to as usize).rev();
    steps.find(|step| holds(step)).map(|step| step.number)
}

/// Whether the step may have changed the document of a program: only calls to its own expert do.
fn is_call_to(step: &Step, program: &str) -> bool {
    let expert = step.call.as_ref().and_then(|call| call.arguments.get("expert")?.as_str());
    expert.and_then(Expert::from_name).is_some_and(|expert| expert.name() == program)
}

/// Whether the step saved a file of this name, as its outcome says.
fn has_saved(step: &Step, name: &str) -> bool {
    let outcome = step.outcome.as_ref().and_then(|outcome| outcome.structured.as_ref());
    outcome.and_then(|outcome| outcome.get("file")?.as_str()) == Some(name)
}
