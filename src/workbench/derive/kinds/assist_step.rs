//! What the assistant says of the design that somebody works on, and what a model in its place answers: as long as the
//! design is open and somebody waits for it.

use std::sync::Arc;

use crate::agent::assistant::Author;
use crate::agent::assistant::model::ModelQuestion;
use crate::workbench::model::{
    AssistAnswerKey, AssistDesk, AssistGhostKey, AssistInput, AssistStepKey, Inputs, State,
    Urgency, Workspace,
};

use super::kind::DerivedKind;

impl DerivedKind for AssistStepKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let Some(desk) = &state.assist.desk else { return Vec::new() };
        let key = desk.assistant.step_key(desk.number, desk.editor.steps());
        key.map(|key| (key, Urgency::Table)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let desk = state.assist.desk.as_ref().filter(|desk| desk.number == self.desk)?;
        (desk.editor.steps() == self.step).then(|| inputs_of(state, desk, None))
    }
}

impl DerivedKind for AssistGhostKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let desk = state.assist.desk.as_ref().filter(|_| state.workspace == Workspace::Assist);
        let key = desk.and_then(|desk| desk.ghost_key());
        key.map(|key| (key, Urgency::Ahead)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let desk = state.assist.desk.as_ref().filter(|desk| desk.ghost_key() == Some(*self))?;
        let design = desk.ghost_input()?;
        Some(Inputs { design: Some(Arc::new(design)), ..Inputs::default() })
    }
}

impl DerivedKind for AssistAnswerKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let desk = state.assist.desk.as_ref();
        let key = desk.and_then(|desk| desk.assistant.answer_key());
        key.cloned().map(|key| (key, Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let desk = state.assist.desk.as_ref().filter(|desk| desk.number == self.desk)?;
        let waiting = desk.assistant.waiting.as_ref().filter(|waiting| waiting.key == *self)?;
        let done = desk.assistant.done.iter().map(|line| {
            let by = match line.by {
                Author::Person => "the person",
                Author::Assistant => "your step, taken",
                Author::AssistantAlone => "your step, done by you",
            };
            format!("{} ({by})", line.words)
        });
        let question = ModelQuestion {
            instruction: desk.instruction.clone(),
            asked: waiting.asked.clone(),
            design: desk.editor.document().clone(),
            selected: desk.editor.selection().nodes.clone(),
            done: done.collect(),
            earlier: desk.assistant.fates(),
            // Both are drawn where there is time for it: by the thread that asks.
            goal_shown: None,
            design_shown: None,
        };
        Some(inputs_of(state, desk, Some(question)))
    }
}

fn inputs_of(state: &State, desk: &AssistDesk, question: Option<ModelQuestion>) -> Inputs {
    let input = AssistInput {
        document: desk.editor.document().clone(),
        render: desk.render.clone(),
        goal: desk.goal_design().cloned(),
        goal_shown: desk.goal.as_ref().map(|goal| Arc::clone(goal.shown())),
        brief: desk.brief.clone(),
        guides: desk.assistant.guides.clone(),
        since: desk.assistant.since.clone(),
        draws_goal: desk.assistant.goal_picture.is_none(),
        question,
    };
    let task = state.task_of_desk().and_then(|task| state.library.shared_task(task)).cloned();
    Inputs { task, assist: Some(Arc::new(input)), ..Inputs::default() }
}
