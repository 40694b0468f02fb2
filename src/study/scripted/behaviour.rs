//! What a scripted participant does next.

use crate::study::chance::Chance;
use crate::study::plan::Help;

/// What a participant knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Situation {
    /// What help there is.
    pub help: Help,
    /// Whether anything is left to be done. A participant does not know how much, only sees that all is alike.
    pub is_alike: bool,
    /// How far the assistant went with the step it suggests now: 1 what, 2 where, 3 the exact value, 4 shown on the
    /// canvas, 5 done if it is taken; 0: it suggests nothing.
    pub level: u32,
    /// How many parts that has, each to be taken by itself.
    pub parts: usize,
    /// Whether something was done that can be taken back.
    pub can_undo: bool,
    /// How often they looked since they last found something.
    pub looks_in_vain: u32,
    /// How long they have been at it.
    pub active_secs: f64,
    /// How long they may be.
    pub limit_secs: f64,
}

/// What a participant does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Looks for something that is not as it should be.
    Look,
    /// Leaves the window and looks something up.
    LookUp,
    /// Asks the assistant, or asks for more of the same step.
    Ask,
    /// Asks the assistant for another way.
    AnotherWay,
    /// Asks it why.
    Why,
    /// Takes what the assistant suggests.
    Take,
    /// Takes its first part only.
    TakePart,
    /// Does by hand what it suggests: it takes that back.
    DoByHand,
    /// Refuses it.
    Refuse,
    /// Changes what they found: as it should be.
    Edit,
    /// The same, with a slip.
    Slip,
    /// Takes back what was changed last.
    Undo,
    /// Has the clock stand still for a while.
    Pause,
    /// Gives up.
    GiveUp,
    /// Says that they are done.
    Done,
}

/// How somebody behaves. One behaviour is one person, through all of their tasks.
pub trait Behaviour: std::fmt::Debug + Send {
    /// What they do next.
    fn next(&mut self, situation: &Situation, chance: &mut Chance) -> Action;

    /// What they do before that, if anything: what does not bring the task on. `habits` is a source of chance of its
    /// own, so that who has none goes the same way as who never uses them.
    fn besides(&mut self, _situation: &Situation, _habits: &mut Chance) -> Option<Action> {
        None
    }

    /// How slow their hands are: 1 as the keystroke-level model has it.
    fn slowness(&self) -> f64 {
        1.0
    }
}

/// Somebody who is new to the tool: searches field by field, follows the assistant after as many of its levels as they
/// need, makes slips, and gives up when their patience is at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Novice {
    /// The chance of a look to find something.
    pub sees: f64,
    /// The same after looking something up.
    pub sees_after_looking_up: f64,
    /// The chance of an edit to be a slip.
    pub slips: f64,
    /// After how many of the assistant's levels they know what to do.
    pub levels: u32,
    /// The chance to refuse what is suggested.
    pub refuses: f64,
    /// The share of the limit after which they give up.
    pub patience: f64,
    /// How slow their hands are.
    pub slowness: f64,
    /// The chance to notice a slip and take it back.
    pub notices: f64,
    /// The chance to take back what was taken of the assistant.
    pub regrets: f64,
    /// The chance of a pause before anything that is done.
    pub pauses: f64,
    /// The chances, of a step that they could follow, to ask why, to ask for another way and to do it by hand instead.
    pub asks_why: f64,
    /// See [`Self::asks_why`].
    pub asks_for_another: f64,
    /// See [`Self::asks_why`].
    pub does_by_hand: f64,
    /// The chance to take a part only of what has several.
    pub takes_part: f64,
    /// Whether they looked something up since they last found something.
    looked_up: bool,
    /// How likely it is that what was done last is taken back.
    doubts: f64,
}

/// After so many looks in vain somebody may take it for done.
const LOOKS_UNTIL_CONTENT: u32 = 4;

impl Novice {
    /// Somebody, by chance.
    pub fn drawn(chance: &mut Chance) -> Self {
        Self {
            sees: (0.24 * chance.log_normal(1.0, 0.25)).min(0.9),
            sees_after_looking_up: (0.45 * chance.log_normal(1.0, 0.2)).min(0.95),
            slips: (0.07 * chance.log_normal(1.0, 0.4)).min(0.5),
            levels: 1 + chance.below(5) as u32,
            refuses: 0.05,
            patience: chance.log_normal(0.85, 0.3),
            slowness: chance.log_normal(1.1, 0.15),
            notices: 0.4,
            regrets: 0.05,
            pauses: 0.004,
            asks_why: 0.08,
            asks_for_another: 0.08,
            does_by_hand: 0.06,
            takes_part: 0.5,
            looked_up: false,
            doubts: 0.0,
        }
    }

    fn found(&mut self, chance: &mut Chance) -> Action {
        self.looked_up = false;
        if chance.happens(self.slips) {
            self.doubts = self.notices;
            return Action::Slip;
        }
        Action::Edit
    }
}

impl Behaviour for Novice {
    fn next(&mut self, situation: &Situation, chance: &mut Chance) -> Action {
        if situation.active_secs > self.patience * situation.limit_secs {
            return Action::GiveUp;
        }
        if situation.is_alike {
            // Once more, to be sure.
            return if chance.happens(0.9) { Action::Done } else { Action::Look };
        }
        if situation.help == Help::Assistant {
            return match situation.level {
                0 => Action::Ask,
                level if level < self.levels => Action::Ask,
                _ if chance.happens(self.refuses) => Action::Refuse,
                _ => {
                    self.doubts = self.regrets;
                    Action::Take
                }
            };
        }
        let sees = if self.looked_up { self.sees_after_looking_up } else { self.sees };
        if chance.happens(sees) {
            return self.found(chance);
        }
        if situation.looks_in_vain >= LOOKS_UNTIL_CONTENT && chance.happens(0.06) {
            return Action::Done;
        }
        if situation.help == Help::Web && !self.looked_up && chance.happens(0.3) {
            self.looked_up = true;
            return Action::LookUp;
        }
        Action::Look
    }

    fn besides(&mut self, situation: &Situation, habits: &mut Chance) -> Option<Action> {
        let doubts = std::mem::take(&mut self.doubts);
        if situation.can_undo && habits.happens(doubts) {
            return Some(Action::Undo);
        }
        if habits.happens(self.pauses) {
            return Some(Action::Pause);
        }
        // Of what they cannot follow yet they want to hear more, and nothing else.
        if situation.is_alike || situation.level == 0 || situation.level < self.levels {
            return None;
        }
        if situation.parts > 1 && habits.happens(self.takes_part) {
            return Some(Action::TakePart);
        }
        let rare = [
            (self.asks_why, Action::Why),
            (self.asks_for_another, Action::AnotherWay),
            (self.does_by_hand, Action::DoByHand),
        ];
        rare.into_iter().find(|(likely, _)| habits.happens(*likely)).map(|(_, action)| action)
    }

    fn slowness(&self) -> f64 {
        self.slowness
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn habits_change_nothing_of_what_is_done_next() {
        use Action::{AnotherWay, DoByHand, Pause, TakePart, Undo, Why};
        let situation = Situation {
            help: Help::Assistant,
            is_alike: false,
            level: 5,
            parts: 2,
            can_undo: true,
            looks_in_vain: 0,
            active_secs: 1.0,
            limit_secs: 600.0,
        };
        let drawn = || Novice::drawn(&mut Chance::new(3, &["novice"]));
        let (mut plain, mut with_habits) = (drawn(), drawn());
        let [mut one, mut other] = [0, 1].map(|_| Chance::new(3, &["task"]));
        let mut habits = Chance::new(3, &["habits"]);
        let mut seen = Vec::new();
        for _ in 0..4_000 {
            while let Some(action) = with_habits.besides(&situation, &mut habits) {
                seen.push(action);
            }
            let next = with_habits.next(&situation, &mut other);
            assert_eq!(plain.next(&situation, &mut one), next);
        }
        for action in [AnotherWay, DoByHand, Pause, TakePart, Undo, Why] {
            assert!(seen.contains(&action), "{action:?}");
        }
    }
}
