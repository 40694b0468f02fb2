//! The pictures that a run was given, as metrics take them.

use crate::base::Pixels;
use crate::environment::{Environment, HandedOut};
use crate::task::Task;

/// Most names that are listed in a reason.
const NAMES: usize = 3;

/// Pictures that were given, or why there are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenInputs {
    /// Those that there are, in order.
    pub pictures: Vec<Pixels>,
    /// Why there is none, if there is none.
    pub why_none: Option<String>,
}

impl GivenInputs {
    /// What an environment hands out; `None` if it hands out nothing. A placeholder is no picture.
    pub(super) fn of(environment: &dyn Environment) -> Option<Self> {
        let why = "placeholders stood for the pictures in this run";
        Self::new(
            environment.hand_outs()?.given(),
            &format!("{why}; runs get theirs by --pictures DIR"),
        )
    }

    /// What a task hands out, for runs that say nothing of it.
    pub(super) fn of_task(task: &Task) -> Option<Self> {
        let mut handed_out = Vec::with_capacity(task.given.len());
        for given in &task.given {
            let pixels = given.load().map(|pixels| Pixels::clone(&pixels));
            handed_out.push(HandedOut { name: given.name.clone(), pixels });
        }
        Self::new(handed_out, "the task has no picture that can be read")
    }

    fn new(handed_out: Vec<HandedOut>, why: &str) -> Option<Self> {
        if handed_out.is_empty() {
            return None;
        }
        let (mut pictures, mut missing) = (Vec::new(), Vec::new());
        for HandedOut { name, pixels } in handed_out {
            match pixels {
                // One picture is enough to compare with; only if all are missing is there a reason
                // to give.
                Ok(pixels) => pictures.push(pixels),
                Err(why) => missing.push(format!("{name}: {why}")),
            }
        }
        let more = missing.len().saturating_sub(NAMES);
        missing.truncate(NAMES);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        let why_none = pictures.is_empty().then(|| format!("{why} ({}{more})", missing.join("; ")));
        Some(Self { pictures, why_none })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placeholder(name: &str) -> HandedOut {
        HandedOut { name: name.to_owned(), pixels: Err("there is no file of it".to_owned()) }
    }

    #[test]
    fn placeholders_are_no_pictures_and_say_why() {
        let moon = Pixels::filled(2, 2, [1, 2, 3, 255]).unwrap();
        assert_eq!(GivenInputs::new(Vec::new(), "no"), None);
        let some =
            vec![placeholder("sun"), HandedOut { pixels: Ok(moon.clone()), ..placeholder("moon") }];
        let some = GivenInputs::new(some, "no").unwrap();
        assert_eq!(some, GivenInputs { pictures: vec![moon], why_none: None });
        let five = ["a", "b", "c", "d", "e"].map(placeholder).to_vec();
        let why = GivenInputs::new(five, "no").unwrap().why_none.unwrap();
        assert!(why.starts_with("no (a: there is no file of it; b: "), "{why}");
        assert!(why.ends_with("; and 2 more)"), "{why}");
    }
}
