//! How people worked with the assistant, and how the designs came nearer to the ground truth.

use crate::metric::codesign::{CoDesign, DistancePoint, NOT_RECORDED};

/// How far a design was from the ground truth over time, in one attempt at a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Who.
    pub participant: String,
    /// The place of the condition.
    pub condition: usize,
    /// The place of the task.
    pub task: usize,
    /// How far it was from which second at the task on, and who had changed it. Never empty.
    pub points: Vec<DistancePoint>,
    /// How long they were at it, in seconds.
    pub end_secs: f64,
}

impl Progress {
    /// How much of the distance at the beginning is left at a second; `None` where nothing was to be done. What is
    /// over stays as it was.
    pub fn left_at(&self, secs: f64) -> Option<f64> {
        let start = self.points.first()?.value;
        let now = self.points.iter().take_while(|point| point.at <= secs).last();
        (start > 0.0).then(|| now.map_or(start, |point| point.value) / start)
    }
}

/// What happened between people and the assistant as a table: a row a measure, and a cell a condition. What was not
/// recorded is said to be so.
pub(super) fn assistant_rows(codesign: &[Option<CoDesign>]) -> Vec<(String, Vec<String>)> {
    let none = CoDesign::default();
    let mut table: Vec<(String, Vec<String>)> = Vec::new();
    for told in codesign {
        for (at, (name, words)) in rows_of(told.as_ref().unwrap_or(&none)).into_iter().enumerate() {
            // A condition without an assistant has no zeros: nothing was there to be counted.
            let cell = if told.is_some() { words } else { NOT_RECORDED.to_owned() };
            match table.get_mut(at) {
                Some((_, cells)) => cells.push(cell),
                None => table.push((name, vec![cell])),
            }
        }
    }
    table
}

/// The measures of a condition in words, counts first.
fn rows_of(told: &CoDesign) -> Vec<(String, String)> {
    let measures = told.measures();
    let counts = [
        ("tasks", told.tasks),
        ("suggestions shown", measures.shown),
        ("requests: next", measures.next_requests),
        ("requests: why", measures.why_requests),
        ("requests: another way", measures.another_requests),
        ("requests after 10 idle s", measures.idle_requests),
    ];
    let counts = counts.into_iter().map(|(name, count)| (name.to_owned(), count.to_string()));
    let shares = measures.rows().into_iter().map(|(name, value, unit)| (name, unit.words(value)));
    counts.chain(shares).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::codesign::Author;

    #[test]
    fn what_is_left_stays_as_it_was_between_two_changes_and_after_the_end() {
        let point = |at, value| DistancePoint { at, value, author: Some(Author::Person) };
        let points = vec![point(0.0, 4.0), point(10.0, 3.0), point(20.0, 0.0)];
        let progress = Progress {
            participant: "P01".to_owned(),
            condition: 0,
            task: 0,
            points,
            end_secs: 25.0,
        };
        let left = [0.0, 9.9, 10.0, 20.0, 900.0].map(|secs| progress.left_at(secs));
        assert_eq!(left, [Some(1.0), Some(1.0), Some(0.75), Some(0.0), Some(0.0)]);
        let done = Progress { points: vec![point(0.0, 0.0)], ..progress };
        assert_eq!(done.left_at(1.0), None);
    }

    #[test]
    fn a_condition_of_which_nothing_was_recorded_says_so_in_every_row() {
        let told = CoDesign { tasks: 3, next_requests: 2, ..CoDesign::default() };
        let rows = assistant_rows(&[None, Some(told)]);
        assert!(rows.iter().all(|(_, cells)| cells.len() == 2 && cells[0] == NOT_RECORDED));
        let cell = |name: &str| &rows.iter().find(|(it, _)| it == name).unwrap().1[1];
        assert_eq!((cell("tasks").as_str(), cell("requests: next").as_str()), ("3", "2"));
        assert_eq!(cell("accepted"), NOT_RECORDED);
    }
}
