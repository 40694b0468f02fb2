//! Why a statistic has no value.

/// Why a statistic has no value for an input. One variant a cause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatsError {
    /// There are fewer observations than the statistic needs.
    #[error("too few {what}: {found}, at least {needed} are needed")]
    TooFew {
        /// What was counted, in the plural.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many it takes.
        needed: usize,
    },
    /// Agreement is between at least two raters.
    #[error("there is only one rater, agreement needs two")]
    OneRater,
    /// No item was rated by two raters.
    #[error("no item has labels of two raters")]
    NoOverlap,
    /// All labels are the same, so that agreement by chance is certain.
    #[error("all raters always gave the same label, so agreement by chance is certain")]
    Unanimous,
    /// The level of measurement needs numbers or an order, and the labels are words.
    #[error("the labels are words, such as {example:?}, which have no order or distance")]
    WordLabels {
        /// The first of them in the alphabet.
        example: String,
    },
    /// A ratio scale starts at zero.
    #[error("a ratio scale has no numbers below zero, and there is one")]
    NegativeRatio,
    /// The exact computation would take too long.
    #[error("too many different values: {distinct}, about {most} can be compared pair by pair")]
    TooManyValues {
        /// How many there are.
        distinct: usize,
        /// About how many there may be.
        most: usize,
    },
    /// Items were rated different numbers of times, and none by all raters.
    #[error("items have different numbers of labels, and none has a label of every rater")]
    UnequalRatings,
    /// Two lists that belong together have different lengths.
    #[error("the lists have different lengths: {left} and {right}")]
    UnequalLengths {
        /// Length of the first.
        left: usize,
        /// Length of the second.
        right: usize,
    },
    /// An input is NaN or infinite.
    #[error("number {} is not finite", .at + 1)]
    NotFinite {
        /// Where it stands, from 0.
        at: usize,
    },
    /// A confidence or a probability is from 0 to 1.
    #[error("number {} is not from 0 to 1", .at + 1)]
    NoShare {
        /// Where it stands, from 0.
        at: usize,
    },
    /// A variable that never changes correlates with nothing.
    #[error("the {which} variable is constant")]
    Constant {
        /// `first` or `second`.
        which: &'static str,
    },
    /// The differences of two variables do not vary.
    #[error("every difference is the same")]
    EqualDifferences,
    /// Without degrees of freedom there is no p-value.
    #[error("a p-value needs more than {found} observations")]
    NoDegreesOfFreedom {
        /// How many observations there are.
        found: usize,
    },
    /// The result is too large for a floating-point number.
    #[error("the result is too large for a floating-point number")]
    Overflow,
    /// There are more successes than trials.
    #[error("{successes} successes of {trials} trials")]
    MoreSuccessesThanTrials {
        /// Successes.
        successes: u64,
        /// Trials.
        trials: u64,
    },
    /// A confidence is a probability, neither 0 nor 1.
    #[error("a confidence must be between 0 and 1")]
    BadConfidence,
    /// A resample had no value.
    #[error("the statistic has no value for some of the resamples")]
    UndefinedResample,
    /// Too many resamples had no value.
    #[error("it has no value for {undefined} of {resamples} resamples")]
    UndefinedResamples {
        /// How many had none.
        undefined: usize,
        /// How many there were.
        resamples: usize,
    },
    /// Each item needs the same number of labels.
    #[error("items have from {least} to {most} labels, and each needs the same number")]
    DifferentCounts {
        /// The least.
        least: usize,
        /// The most.
        most: usize,
    },
    /// Every outcome is the same: there is nothing to predict.
    #[error("every outcome is {outcome}, so an intercept predicts all of them")]
    OneOutcome {
        /// `0` or `1`.
        outcome: u8,
    },
    /// A column follows from the columns before it.
    #[error("{column} is constant or follows from the columns before it")]
    Collinear {
        /// Its name.
        column: String,
    },
    /// A weighted sum of the columns predicts every outcome, so that coefficients have no limit.
    #[error("perfect separation: the columns predict every outcome, coefficients have no limit")]
    PerfectSeparation,
    /// A weighted sum of the columns is never wrong and sometimes undecided.
    #[error(
        "quasi-complete separation: the columns predict some outcomes with certainty and none \
         wrongly, coefficients have no limit"
    )]
    QuasiSeparation,
    /// Every row says the same under every condition: no condition can be better.
    #[error("no row differs between the conditions")]
    NoMixedRows,
    /// A group that is compared with others is empty.
    #[error("group {} is empty", .at + 1)]
    EmptyGroup {
        /// Which, from 0.
        at: usize,
    },
    /// Nothing that is waited for came about.
    #[error("nobody got to the end within the limit")]
    NoEvents,
    /// A time is below zero.
    #[error("time {} is below zero", .at + 1)]
    NegativeTime {
        /// Where it stands, from 0.
        at: usize,
    },
    /// An observation names a group that is not among those counted.
    #[error("observation {} names {what} {found}, there are {known}", .at + 1)]
    UnknownGroup {
        /// Where it stands, from 0.
        at: usize,
        /// What is named, such as `person`.
        what: &'static str,
        /// Which, from 0.
        found: usize,
        /// How many there are.
        known: usize,
    },
    /// Too many conditions to count their orders.
    #[error("{found} conditions, at most {most} can be permuted")]
    TooManyConditions {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// The fit would take too long.
    #[error("{found} persons and tasks, at most {most} can be fitted together")]
    TooManyGroups {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// The iteration did not settle.
    #[error("the fit did not converge in {iterations} iterations")]
    NotConverged {
        /// How many were tried.
        iterations: usize,
    },
    /// Two models that both sides prefer equally often, or that are always tied.
    #[error("all pairs are tied")]
    AllTied,
    /// A comparison names a model that is not among the models.
    #[error("comparison {} names model {model}, there are {models}", .at + 1)]
    UnknownModel {
        /// Where the comparison stands, from 0.
        at: usize,
        /// What it names.
        model: usize,
        /// How many models there are.
        models: usize,
    },
    /// A comparison is of a model with itself.
    #[error("comparison {} is of a model with itself", .at + 1)]
    ComparedWithItself {
        /// Where the comparison stands, from 0.
        at: usize,
    },
    /// There are so many models that the table of all pairs would be too large.
    #[error("{found} models, at most {most} can be ranked together")]
    TooManyModels {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// Models that were never compared, directly or over others.
    #[error("models {left} and {right} are connected by no comparison")]
    Disconnected {
        /// A model, from 0.
        left: usize,
        /// A model that cannot be reached from it.
        right: usize,
    },
    /// Some models lost to none of the others: how much stronger they are has no limit.
    #[error(
        "model {winner} (or a group with it) never lost to model {loser}: its strength has no limit"
    )]
    NeverBeaten {
        /// A model of the stronger group, from 0.
        winner: usize,
        /// A model of the weaker group.
        loser: usize,
    },
}

impl StatsError {
    /// What it says, with models called by these names and not by their places.
    pub fn with_names<S: AsRef<str>>(&self, names: &[S]) -> String {
        match self {
            Self::Disconnected { left, right } => {
                let [left, right] = [left, right].map(|place| named(names, *place));
                format!("no comparisons connect {left} and {right}")
            }
            Self::NeverBeaten { winner, loser } => {
                let [winner, loser] = [winner, loser].map(|place| named(names, *place));
                format!(
                    "{winner} (or a group with it) never lost to {loser}: its strength has no limit"
                )
            }
            other => other.to_string(),
        }
    }
}

fn named<S: AsRef<str>>(names: &[S], place: usize) -> &str {
    names.get(place).map_or("?", AsRef::as_ref)
}

/// Refuses numbers that are NaN or infinite.
pub(super) fn check_finite(values: &[f64]) -> Result<(), StatsError> {
    // At the border once; the statistics behind it need not think of NaN.
    match values.iter().position(|value| !value.is_finite()) {
        Some(at) => Err(StatsError::NotFinite { at }),
        None => Ok(()),
    }
}

/// Refuses two lists of different lengths, or with numbers that are not finite.
pub(super) fn check_pairs(a: &[f64], b: &[f64]) -> Result<(), StatsError> {
    if a.len() != b.len() {
        return Err(StatsError::UnequalLengths { left: a.len(), right: b.len() });
    }
    check_finite(a)?;
    check_finite(b)
}

/// Refuses a result that is not finite.
pub(super) fn finite(value: f64) -> Result<f64, StatsError> {
    // Inputs are finite by now, so what is not finite grew too large.
    if value.is_finite() { Ok(value) } else { Err(StatsError::Overflow) }
}
