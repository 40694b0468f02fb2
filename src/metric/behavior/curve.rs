//! One metric over the turns of a run.

use crate::metric::{Direction, MissingScore, Score};

/// A metric over the turns or steps of a run, from the start state on.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    points: Vec<CurvePoint>,
    direction: Direction,
}

/// The value of a metric at one place of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Which place, as given: 0 is the first.
    pub at: usize,
    /// The value there.
    pub value: f64,
}

impl Curve {
    /// The curve through the scores that are there; missing ones leave a gap.
    pub fn of(scores: &[Score], direction: Direction) -> Self {
        let scores = scores.iter().enumerate();
        let points =
            scores.filter_map(|(at, score)| Some(CurvePoint { at, value: score.value()? }));
        Self { points: points.collect(), direction }
    }

    /// The values that are there.
    pub fn points(&self) -> &[CurvePoint] {
        &self.points
    }

    /// The first value.
    pub fn initial(&self) -> Option<CurvePoint> {
        self.points.first().copied()
    }

    /// The last value.
    pub fn last(&self) -> Option<CurvePoint> {
        self.points.last().copied()
    }

    /// The best value after the start, the earliest of equals, as more work did not help; `None` of a
    /// run that did nothing. The start is nobody's work: an empty page can be nearer to a pale design
    /// than what was drawn on it, and still is no peak of the run.
    pub fn best(&self) -> Option<CurvePoint> {
        let made = self.points.iter().copied().filter(|point| point.at > 0);
        made.reduce(|best, point| {
            let is_better = match self.direction {
                Direction::HigherIsBetter => point.value > best.value,
                Direction::LowerIsBetter => point.value < best.value,
            };
            if is_better { point } else { best }
        })
    }

    /// The last value minus the first, whichever way is better. Undefined for an empty curve.
    pub fn delta(&self) -> Score {
        self.over_ends(|initial, last| last - initial)
    }

    /// What was lost since the best step: how far the last value is behind the best, at least 0.
    pub fn lost_since_best(&self) -> Score {
        match self.best() {
            None => empty(),
            // Without a sign, as the best is never behind the last after the start.
            Some(best) => self.over_ends(|_, last| (best.value - last).abs()),
        }
    }

    /// The standard deviation of the values, n − 1 in the denominator. Undefined below two values.
    pub fn standard_deviation(&self) -> Score {
        let count = self.points.len() as f64;
        if self.points.len() < 2 {
            let why = "a standard deviation takes at least two values";
            return Score::Missing(MissingScore::Undefined(why.to_owned()));
        }
        // Over the values that are there; a gap is no value of 0.
        let mean = self.points.iter().map(|point| point.value).sum::<f64>() / count;
        let squares = self.points.iter().map(|point| (point.value - mean) * (point.value - mean));
        Score::from_number((squares.sum::<f64>() / (count - 1.0)).sqrt())
    }

    /// The largest steps towards better, the largest first, each with where it ends and how far it
    /// went; the earlier of equals first.
    pub fn gains(&self) -> Vec<CurvePoint> {
        self.steps(|step| step > 0.0)
    }

    /// The largest steps towards worse, as [`Self::gains`], each below 0.
    pub fn losses(&self) -> Vec<CurvePoint> {
        self.steps(|step| step < 0.0)
    }

    fn steps(&self, wanted: impl Fn(f64) -> bool) -> Vec<CurvePoint> {
        let sign = match self.direction {
            Direction::HigherIsBetter => 1.0,
            Direction::LowerIsBetter => -1.0,
        };
        let pairs = self.points.iter().zip(self.points.iter().skip(1));
        let mut steps: Vec<CurvePoint> = pairs
            .map(|(a, b)| CurvePoint { at: b.at, value: sign * (b.value - a.value) })
            .filter(|step| wanted(step.value))
            .collect();
        // A stable sort, as the earlier of equals comes first.
        steps.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        steps
    }

    fn over_ends(&self, of: impl Fn(f64, f64) -> f64) -> Score {
        match (self.initial(), self.last()) {
            (Some(initial), Some(last)) => Score::from_number(of(initial.value, last.value)),
            _ => empty(),
        }
    }
}

fn empty() -> Score {
    Score::Missing(MissingScore::Undefined("the curve has no values".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(values: &[f64], direction: Direction) -> Curve {
        let scores: Vec<Score> = values.iter().map(|value| Score::from_number(*value)).collect();
        Curve::of(&scores, direction)
    }

    #[test]
    fn the_best_step_may_come_before_the_last() {
        let up = curve(&[0.25, f64::NAN, 0.75, 0.75, 0.5], Direction::HigherIsBetter);
        assert_eq!(up.best(), Some(CurvePoint { at: 2, value: 0.75 }));
        assert_eq!((up.delta(), up.lost_since_best()), (Score::Value(0.25), Score::Value(0.25)));
        assert_eq!(up.gains(), [CurvePoint { at: 2, value: 0.5 }]);
        assert_eq!(up.losses(), [CurvePoint { at: 4, value: -0.25 }]);
        let down = curve(&[3.0, 1.0, 2.0], Direction::LowerIsBetter);
        assert_eq!(down.best().map(|best| best.at), Some(1));
        assert_eq!(down.gains(), [CurvePoint { at: 1, value: 2.0 }]);
        assert_eq!(down.standard_deviation(), Score::Value(1.0));
    }

    #[test]
    fn the_start_is_no_peak_however_good_it_is() {
        let pale = curve(&[0.9, 0.5, 0.7], Direction::HigherIsBetter);
        assert_eq!(pale.best(), Some(CurvePoint { at: 2, value: 0.7 }));
        assert_eq!(pale.lost_since_best(), Score::Value(0.0));
        assert_eq!(curve(&[0.9], Direction::HigherIsBetter).best(), None);
    }

    #[test]
    fn an_empty_curve_has_nothing_and_says_so() {
        let none = curve(&[], Direction::HigherIsBetter);
        assert!(none.best().is_none() && none.delta().value().is_none());
        assert!(none.standard_deviation().value().is_none());
    }
}
