//! One metric over the turns of a run.

use crate::metric::{Direction, MissingScore, Score};

/// A metric over the turns or steps of a run, from the start state on.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    points: Vec<CurvePoint>,
    /// How many places it has, those without a value included.
    len: usize,
    direction: Direction,
}

/// The value of a metric at one place of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Which place, as given: 0 is the first.
    pub at: usize,
    /// The value there; infinite where the run is equal to the ground truth by a score without a bound.
    pub value: f64,
}

impl CurvePoint {
    /// The value as a score, which tells an infinite one in words.
    pub fn score(self) -> Score {
        if self.value.is_infinite() {
            return Score::Missing(MissingScore::infinite());
        }
        Score::from_number(self.value)
    }
}

impl Curve {
    /// The curve through the scores that are there, those that are infinite among them; missing ones leave a gap.
    pub fn of(scores: &[Score], direction: Direction) -> Self {
        let points = scores.iter().enumerate().filter_map(|(at, score)| {
            let value = score.value_or_infinity()?;
            Some(CurvePoint { at, value })
        });
        Self { points: points.collect(), len: scores.len(), direction }
    }

    /// The values that are there.
    pub fn points(&self) -> &[CurvePoint] {
        &self.points
    }

    /// The first value.
    pub fn initial(&self) -> Option<CurvePoint> {
        self.points.first().copied()
    }

    /// The value at the last place; `None` where that has none, as an earlier one is not the end.
    pub fn last(&self) -> Option<CurvePoint> {
        self.points.last().copied().filter(|point| point.at + 1 == self.len)
    }

    /// The score at the last place, or why there is none.
    pub fn end(&self) -> Score {
        match self.last() {
            Some(last) => last.score(),
            None => self.no_end(),
        }
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

    /// The last value minus the first, whichever way is better. Undefined for an empty curve, for one that has no value
    /// at its end, and where one of the two is infinite.
    pub fn delta(&self) -> Score {
        match (self.initial(), self.last()) {
            (Some(initial), Some(last)) => difference(last.value - initial.value),
            _ => self.no_end(),
        }
    }

    /// What was lost since the best step: how far the last value is behind the best, at least 0. Undefined where
    /// [`Self::delta`] is, but for a curve that ends at its best, however good that is.
    pub fn lost_since_best(&self) -> Score {
        match self.best() {
            None => empty(),
            // Nothing is better than an infinite one; two of them have no difference.
            Some(_) if self.last().is_some_and(|last| last.value.is_infinite()) => {
                Score::Value(0.0)
            }
            // Without a sign, as the best is never behind the last after the start.
            Some(best) => match self.last() {
                Some(last) => difference((best.value - last.value).abs()),
                None => self.no_end(),
            },
        }
    }

    /// The standard deviation of the values, n − 1 in the denominator. Undefined below two values; infinite ones are
    /// left out.
    pub fn standard_deviation(&self) -> Score {
        let values = self.points.iter().map(|point| point.value).filter(|it| it.is_finite());
        let values: Vec<f64> = values.collect();
        let count = values.len() as f64;
        if values.len() < 2 {
            let why = "a standard deviation takes at least two values";
            return Score::Missing(MissingScore::Undefined(why.to_owned()));
        }
        // Over the values that are there; a gap is no value of 0.
        let mean = values.iter().sum::<f64>() / count;
        let squares = values.iter().map(|value| (value - mean) * (value - mean));
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

    fn no_end(&self) -> Score {
        if self.points.is_empty() {
            return empty();
        }
        Score::Missing(MissingScore::Undefined("not scored at its end".to_owned()))
    }
}

fn empty() -> Score {
    Score::Missing(MissingScore::Undefined("the curve has no values".to_owned()))
}

/// A difference of two values, of which one may be infinite.
fn difference(of: f64) -> Score {
    if of.is_finite() {
        return Score::Value(of);
    }
    let why = "one of the two is infinite, as its pictures are equal";
    Score::Missing(MissingScore::Undefined(why.to_owned()))
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
    fn a_run_that_becomes_equal_to_the_truth_peaks_and_ends_there() {
        let equal = Score::Missing(MissingScore::infinite());
        let scores = [Score::Value(29.0), Score::Value(34.0), equal.clone()];
        let curve = Curve::of(&scores, Direction::HigherIsBetter);
        assert_eq!(curve.best(), Some(CurvePoint { at: 2, value: f64::INFINITY }));
        assert_eq!((curve.last(), curve.end()), (curve.best(), equal.clone()));
        assert_eq!(curve.lost_since_best(), Score::Value(0.0));
        // A way of no end is no number, and neither is it a spread.
        assert_eq!(curve.delta().value(), None);
        assert_eq!(curve.standard_deviation(), Score::Value(12.5_f64.sqrt()));
        // It was equal once and is no more.
        let [start, near, _] = scores;
        let curve = Curve::of(&[start, equal, near], Direction::HigherIsBetter);
        assert_eq!(curve.best().map(|best| best.at), Some(1));
        assert_eq!(curve.lost_since_best().value(), None);
        assert_eq!(curve.delta(), Score::Value(5.0));
    }

    #[test]
    fn a_run_without_a_score_at_its_end_does_not_end_earlier() {
        let curve = curve(&[0.25, 0.75, f64::NAN], Direction::HigherIsBetter);
        assert_eq!(curve.best(), Some(CurvePoint { at: 1, value: 0.75 }));
        assert_eq!(curve.last(), None);
        for score in [curve.end(), curve.delta(), curve.lost_since_best()] {
            let Score::Missing(why) = score else { panic!("{score:?}") };
            assert!(why.to_string().ends_with("not scored at its end"), "{why}");
        }
    }

    #[test]
    fn an_empty_curve_has_nothing_and_says_so() {
        let none = curve(&[], Direction::HigherIsBetter);
        assert!(none.best().is_none() && none.delta().value().is_none());
        assert!(none.standard_deviation().value().is_none());
    }
}
