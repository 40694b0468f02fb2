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
    /// Takes what the assistant suggests.
    Take,
    /// Refuses it.
    Refuse,
    /// Changes what they found: as it should be.
    Edit,
    /// The same, with a slip.
    Slip,
    /// Gives up.
    GiveUp,
    /// Says that they are done.
    Done,
}

/// How somebody behaves. One behaviour is one person, through all of their tasks.
pub trait Behaviour: std::fmt::Debug + Send {
    /// What they do next.
    fn next(&mut self, situation: &Situation, chance: &mut Chance) -> Action;

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
    /// Whether they looked something up since they last found something.
    looked_up: bool,
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
            looked_up: false,
        }
    }

    fn found(&mut self, chance: &mut Chance) -> Action {
        self.looked_up = false;
        if chance.happens(self.slips) { Action::Slip } else { Action::Edit }
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
                _ => Action::Take,
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

    fn slowness(&self) -> f64 {
        self.slowness
    }
}
