//! How long a person takes for what a script does, by the keystroke-level model.
//!
//! Source: Card, Moran and Newell 1980; the spread about each time is ours: log-normal.

use super::healing::{Field, HealingStep};
use crate::study::chance::Chance;

/// An operator of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// A key is pressed.
    Key,
    /// The pointer goes somewhere.
    Point,
    /// The pointer's button goes down or up.
    Button,
    /// The hand goes from the keyboard to the pointer, or back.
    Home,
    /// They think of what comes next.
    Think,
}

impl Operator {
    /// Its median, in seconds.
    fn seconds(self) -> f64 {
        match self {
            // Between a good typist's 0.2 and an average one's 0.28.
            Self::Key => 0.24,
            Self::Point => 1.1,
            Self::Button => 0.1,
            Self::Home => 0.4,
            Self::Think => 1.35,
        }
    }
}

/// The spread of one operator's time.
const SPREAD: f64 = 0.25;
/// Keys of a number that is typed, with Enter.
const NUMBER_KEYS: usize = 4;
/// Keys of a colour, with Enter.
const COLOR_KEYS: usize = 7;
/// Longest text that is typed; of a longer one the rest is pasted.
const MOST_KEYS: usize = 80;

/// A person's hands: as fast as they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hands {
    /// 1: as fast as the model.
    pub(super) slowness: f64,
}

impl Hands {
    /// How long these operators take, in seconds.
    pub(super) fn seconds(self, operators: &[Operator], chance: &mut Chance) -> f64 {
        let each = operators
            .iter()
            .map(|operator| chance.log_normal(operator.seconds() * self.slowness, SPREAD));
        each.sum()
    }
}

/// What an edit takes: to find the node, the field, and to put the value there.
pub(super) fn of_edit(step: &HealingStep) -> Vec<Operator> {
    use Operator::{Button, Home, Key, Point, Think};
    // Click the node, then its field.
    let mut all = vec![Think, Point, Button, Button];
    let keys = match step.field {
        // X and Y, or width and height.
        Field::Place | Field::Size => 2 * NUMBER_KEYS,
        Field::Fill => COLOR_KEYS,
        Field::Opacity | Field::Corners => NUMBER_KEYS,
        Field::Words => step.to.as_str().map_or(0, |text| text.chars().count()).min(MOST_KEYS),
    };
    all.extend([Point, Button, Button, Think, Home]);
    all.extend(std::iter::repeat_n(Key, keys));
    all.push(Home);
    all
}

/// A look at the canvas and at what it should become: to and fro.
pub(super) const LOOK: [Operator; 6] = [
    Operator::Think,
    Operator::Point,
    Operator::Think,
    Operator::Point,
    Operator::Think,
    Operator::Think,
];

/// One click on a button that is known.
pub(super) const CLICK: [Operator; 4] =
    [Operator::Think, Operator::Point, Operator::Button, Operator::Button];
