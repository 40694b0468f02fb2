//! A metric of one's own: a program that is told pairs of pictures.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use crate::base::{CancelToken, Pixels};

use super::{
    Comparison, Direction, Measurement, Metric, MissingScore, Needs, Score, VariantId, VariantSpec,
};

/// What the ids of these metrics begin with.
pub const METRIC: &str = "exec";

/// The id of the metric of one's own that has this name, such as `exec/mean_absolute_difference`.
pub fn variant_id(name: &str) -> VariantId {
    Cow::Owned(format!("{METRIC}/{name}"))
}

/// A program that gives a number for two pictures.
pub trait PairProgram: Debug + Send + Sync {
    /// What it is beside its name, as [`Metric::fingerprint`] has it.
    fn fingerprint(&self) -> Option<String> {
        None
    }

    /// The number, as the program gives it.
    ///
    /// # Errors
    ///
    /// [`MissingScore::Undefined`] where the program says that the pair has none, [`MissingScore::Failed`] if it
    /// gives no answer, [`MissingScore::Cancelled`] if it was stopped.
    fn value(&self, pair: &PicturePair<'_>, cancel: &CancelToken) -> Result<f64, MissingScore>;
}

/// What a program is told: all that its answer may go by, as scores are remembered by it.
#[derive(Clone, Copy, Debug)]
pub struct PicturePair<'a> {
    /// How the ground truth looks.
    pub ground_truth: &'a Pixels,
    /// How what was made looks; it may be of another size.
    pub generated: &'a Pixels,
    /// What the task asked for, if it asked in words.
    pub instruction: Option<&'a str>,
}

/// A metric of one's own. What it measures is the program's affair; direction and range are what its user says.
/// Without a program it is always [`MissingScore::NoModel`].
#[derive(Debug)]
pub struct ProgramMetric {
    program: Result<Arc<dyn PairProgram>, MissingScore>,
    variants: [VariantSpec; 1],
}

impl ProgramMetric {
    /// The metric of this name, going by this program, or why there is none; `range` is the smallest and the largest
    /// value there can be, of which either may be infinite.
    pub fn new(
        name: &str,
        direction: Direction,
        range: (f64, f64),
        program: Result<Arc<dyn PairProgram>, MissingScore>,
    ) -> Self {
        let variant = VariantSpec {
            id: variant_id(name),
            // Labels are words of the code, but for these few: a name is kept as long as the process runs.
            label: Box::leak(name.to_owned().into_boxed_str()),
            variant_label: Cow::Borrowed("program"),
            needs: Needs::Pictures,
            direction,
            range,
            map_range: None,
            version: 1,
            is_asked: false,
            source: "a program of one's own",
        };
        Self { program, variants: [variant] }
    }

    fn value(
        &self,
        comparison: &Comparison<'_>,
        cancel: &CancelToken,
    ) -> Result<f64, MissingScore> {
        let program = self.program.as_ref().map_err(Clone::clone)?;
        let (ground_truth, generated) = comparison.pictures()?;
        let pair =
            PicturePair { ground_truth, generated, instruction: comparison.instruction().ok() };
        let value = program.value(&pair, cancel)?;
        let (low, high) = self.variants[0].range;
        // Tables and plots rely on the range: a number that cannot be is no score.
        if value < low || value > high {
            let why = format!("it gave {value}, which is not from {low} to {high}");
            return Err(MissingScore::failed("the metric's program", &why));
        }
        Ok(value)
    }
}

impl Metric for ProgramMetric {
    fn variants(&self) -> &[VariantSpec] {
        &self.variants
    }

    fn fingerprint(&self) -> Option<String> {
        let program = self.program.as_ref().ok()?.fingerprint()?;
        // What was remembered under another range was never held against this one.
        let (low, high) = self.variants[0].range;
        Some(format!("{program}, {low} to {high}"))
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        let value = self.value(comparison, cancel);
        vec![Measurement::of(value.map_or_else(Score::Missing, Score::from_number))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives the number it holds, for whatever pair.
    #[derive(Debug)]
    struct Always(f64);

    impl PairProgram for Always {
        fn value(&self, pair: &PicturePair<'_>, _: &CancelToken) -> Result<f64, MissingScore> {
            assert_eq!(pair.instruction, Some("a poster"));
            Ok(self.0)
        }
    }

    fn score(value: f64, range: (f64, f64)) -> Score {
        let program: Arc<dyn PairProgram> = Arc::new(Always(value));
        let metric = ProgramMetric::new("own", Direction::LowerIsBetter, range, Ok(program));
        assert_eq!(metric.variants()[0].id, "exec/own");
        assert_eq!(metric.variants()[0].metric(), METRIC);
        let picture = Pixels::filled(2, 2, [0; 4]).unwrap();
        let pictures = Comparison::of_pictures(&picture, &picture);
        let comparison = Comparison { instruction: Some("a poster"), ..pictures };
        metric.measurements(&comparison, &CancelToken::new()).remove(0).score
    }

    #[test]
    fn a_number_outside_of_the_range_is_no_score() {
        assert_eq!(score(0.5, (0.0, 1.0)), Score::Value(0.5));
        assert_eq!(score(1.0, (0.0, 1.0)), Score::Value(1.0));
        let Score::Missing(why) = score(1.5, (0.0, 1.0)) else { panic!("a score") };
        assert!(why.to_string().contains("it gave 1.5, which is not from 0 to 1"), "{why}");
        assert_eq!(score(-7.0, (f64::NEG_INFINITY, f64::INFINITY)), Score::Value(-7.0));
        assert_eq!(score(f64::NAN, (0.0, 1.0)), Score::Missing(MissingScore::NotFinite));
    }

    #[test]
    fn without_a_program_or_a_picture_it_says_so() {
        let why = MissingScore::NoModel("the command is empty".to_owned());
        let range = (0.0, 1.0);
        let none = ProgramMetric::new("own", Direction::HigherIsBetter, range, Err(why.clone()));
        let never = CancelToken::new();
        assert_eq!(none.measurements(&Comparison::default(), &never)[0].score, Score::Missing(why));
        let program: Arc<dyn PairProgram> = Arc::new(Always(0.0));
        let metric = ProgramMetric::new("own", Direction::HigherIsBetter, range, Ok(program));
        let measured = metric.measurements(&Comparison::default(), &never);
        let Score::Missing(MissingScore::NoPicture(_)) = measured[0].score else {
            panic!("{measured:?}")
        };
    }
}
