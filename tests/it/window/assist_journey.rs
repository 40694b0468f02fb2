//! What somebody does who opens the program for the first time: a practice task, three suggestions, one of them taken,
//! and on to the next. By what they see and press alone, in fewer than forty events.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use pentimento::workbench::{AnnotateCommand, Command, PracticeDesk, Settings, State, Workspace};

use super::labelling::{Host, WIDE, state, until, window};

/// More is no way for a newcomer.
const MOST_EVENTS: usize = 40;

/// A window, and how often something was pressed in it.
struct Newcomer {
    harness: Harness<'static, Host>,
    events: usize,
}

impl Newcomer {
    fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.done();
    }

    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.done();
    }

    fn done(&mut self) {
        self.events += 1;
        self.harness.run_steps(2);
    }

    fn until(&mut self, what: &str, is_so: impl Fn(&State) -> bool) {
        until(&mut self.harness, what, is_so);
    }
}

fn practice(state: &State) -> Option<&PracticeDesk> {
    state.assist.study.practice.as_ref()
}

fn steps(state: &State) -> u64 {
    state.assist.desk.as_ref().map_or(0, |desk| desk.editor.steps())
}

/// The number of the suggestion on the table.
fn offered(state: &State) -> Option<u32> {
    Some(state.assist.desk.as_ref()?.assistant.offer.as_ref()?.number)
}

#[test]
fn a_newcomer_finishes_a_practice_task_with_the_assistant_in_under_forty_events() {
    let mut harness = window(Settings::default(), WIDE);
    let show = Command::Annotate(AnnotateCommand::Show(Workspace::Assist));
    harness.state_mut().session.carry_out(show);
    harness.run_steps(2);
    let mut newcomer = Newcomer { harness, events: 1 };
    newcomer.click("Practice, five minutes");
    newcomer.until("the first task is open", |state| {
        state.assist.desk.is_some() && practice(state).is_some_and(|it| !it.checks.is_empty())
    });
    // Three suggestions: the first, then another way twice. Nothing changes by looking.
    newcomer.press(Modifiers::ALT, Key::Enter);
    newcomer.until("a step is offered", |state| offered(state) == Some(1));
    for number in [2, 3] {
        newcomer.press(Modifiers::NONE, Key::F4);
        newcomer.until("another is offered", |state| offered(state) == Some(number));
    }
    assert_eq!(steps(state(&newcomer.harness)), 0, "nothing changes before somebody says so");
    // Whichever is on the table mends the one thing that differs.
    newcomer.press(Modifiers::COMMAND, Key::Enter);
    newcomer.until("it was taken", |state| steps(state) > 0);
    newcomer.until("the task is done", |state| practice(state).is_some_and(PracticeDesk::is_done));
    newcomer.click("Next task");
    newcomer.until("the next one is open", |state| {
        practice(state).is_some_and(|it| it.at == 1 && it.finished == [0])
    });
    assert!(newcomer.events < MOST_EVENTS, "{} events", newcomer.events);
    let said = &state(&newcomer.harness).notices;
    assert!(said.is_empty(), "{said:?}");
}
