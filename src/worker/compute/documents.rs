//! The documents of a run whose environment has several programs.

use std::sync::Arc;

use crate::environment::{DocumentPlace, Environment};
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
    let all = environment.list();
    let mut documents = Documents::default();
    for &name in environment.programs() {
        let mut program = Program { name: name.to_owned(), document: None, is_current: false };
        // A program has one document open at a time: the first is the only one.
        for info in all.iter().filter(|info| info.program == name) {
            let DocumentPlace::Open { is_saved, file } = &info.place else { continue };
            program.is_current = info.is_current;
            program.document = Some(OpenDocument {
                title: info.name.clone(),
                size: info.size,
                is_saved: *is_saved,
                file: file.clone(),
                changed_at: last_step(run, step, |step| is_call_to(step, name)).unwrap_or(0),
            });
            break;
        }
        documents.programs.push(program);
    }
    for file in all.iter().filter(|info| info.place == DocumentPlace::File) {
        documents.files.push(SharedFile {
            name: file.name.clone(),
            program: file.program.to_owned(),
            size: file.size,
            saved_at: last_step(run, step, |step| has_saved(step, &file.name)),
        });
    }
    Some(Arc::new(documents))
}

/// The last step up to this one of which something holds.
fn last_step(run: &Run, up_to: u32, holds: impl Fn(&Step) -> bool) -> Option<u32> {
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
