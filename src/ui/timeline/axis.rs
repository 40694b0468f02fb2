//! From steps to places along the timeline, and back.

use egui::Rangef;

/// The axis of a run: one column a step, the start state first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimelineAxis {
    left: f32,
    /// Points a step.
    pub(super) column: f32,
    /// Steps, the start state counted.
    pub(super) count: usize,
}

impl TimelineAxis {
    /// An axis of so many columns over a width.
    pub(super) fn new(range: Rangef, count: usize) -> Self {
        let column = (range.span() / count.max(1) as f32).max(0.0);
        Self { left: range.min, column, count }
    }

    /// The middle of a step's column.
    pub(super) fn x_of(&self, step: u32) -> f32 {
        self.left + (step as f32 + 0.5) * self.column
    }

    /// The step whose column a place is in; the nearest one at the ends.
    pub(super) fn step_at(&self, x: f32) -> Option<u32> {
        if self.column <= 0.0 || self.count == 0 {
            return None;
        }
        // By the column and not by the nearest middle: what is under the pointer is what is meant.
        let at = ((x - self.left) / self.column).floor().max(0.0);
        Some((at as u32).min(u32::try_from(self.count - 1).unwrap_or(u32::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_found_where_it_is_drawn() {
        for count in [1, 2, 27, 500, 10_001] {
            let axis = TimelineAxis::new(Rangef::new(12.0, 840.0), count);
            for step in (0..count as u32).step_by(1 + count / 50) {
                assert_eq!(axis.step_at(axis.x_of(step)), Some(step), "{step} of {count}");
            }
            assert!(axis.x_of(count as u32 - 1) < 840.0);
        }
    }

    #[test]
    fn outside_the_axis_is_its_nearest_end() {
        let axis = TimelineAxis::new(Rangef::new(0.0, 100.0), 4);
        assert_eq!(axis.step_at(-50.0), Some(0));
        assert_eq!(axis.step_at(5_000.0), Some(3));
        assert_eq!(TimelineAxis::new(Rangef::new(0.0, 100.0), 0).step_at(5.0), None);
    }
}
