//! The documents of a run whose environment has several programs.

use std::sync::Arc;

use crate::environment::{DocumentInfo, DocumentPlace, Environment, ToolCall};
use crate::graphictown::Expert;
use crate::run::{Run, Step};
use crate::workbench::{Documents, OpenDocument, Program, SharedFile};

/// The documents of an environment that stands after this step of the run; `None` where it has only
/// one.
pub(super) fn documents_of(
    environment: &dyn Environment,
    run: &Run,
    step: u32,
) -> Option<Arc<Documents>> {
    let environment = environment.documents()?;
    let names = environment.programs();
    let steps = run.steps.get(..step as usize).unwrap_or(&run.steps);
    let all = environment.list();
    let program = |name: &&str| {
        let open = all.iter().filter(|document| document.program == *name);
        let mut open = open.filter_map(|document| Some((document, opened(document, steps)?)));
        let (is_current, document) = match open.next() {
            Some((info, document)) => (info.is_current, Some(document)),
            None => (false, None),
        };
        Program { name: (*name).to_owned(), document, is_current }
    };
    let files = all.iter().filter(|document| document.place == DocumentPlace::File);
    let file = |file: &DocumentInfo| SharedFile {
        name: file.name.clone(),
        program: file.program.to_owned(),
        size: file.size,
        saved_at: saved_at(&file.name, steps),
    };
    let programs = names.iter().map(program).collect();
    Some(Arc::new(Documents { programs, files: files.map(file).collect() }))
}

fn opened(info: &DocumentInfo, steps: &[Step]) -> Option<OpenDocument> {
    let DocumentPlace::Open { is_saved, file } = &info.place else { return None };
    Some(OpenDocument {
        title: info.name.clone(),
        size: info.size,
        is_saved: *is_saved,
        file: file.clone(),
        changed_at: changed_at(info.program, steps),
    })
}

/// The last step that may have changed the document of a program: only calls to its own expert do.
fn changed_at(program: &str, steps: &[Step]) -> u32 {
    let is_of = |call: &ToolCall| {
        let expert = call.arguments.get("expert").and_then(|name| name.as_str());
        expert.and_then(Expert::from_name).is_some_and(|expert| expert.name() == program)
    };
    let last = steps.iter().rev().find(|step| step.call.as_ref().is_some_and(is_of));
    last.map_or(0, |step| step.number)
}

/// The last step that saved a file of this name, as its outcome says.
fn saved_at(name: &str, steps: &[Step]) -> Option<u32> {
    let saves = |step: &&Step| {
        let outcome = step.outcome.as_ref().and_then(|outcome| outcome.structured.as_ref());
        let file = outcome.and_then(|outcome| outcome.get("file"));
        file.and_then(|file| file.as_str()) == Some(name)
    };
    steps.iter().rev().find(saves).map(|step| step.number)
}
