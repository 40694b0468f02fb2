//! Scores that were computed before.

use std::borrow::Cow;

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::metric::{MissingScore, Score, VariantSpec};

use super::content::ContentHash;
use super::{Store, StoreError};

/// Which score: of what, against what, by which variant in which version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreKey<'a> {
    /// What it is compared with.
    pub ground_truth: ContentHash,
    /// What was made.
    pub generated: ContentHash,
    /// Id of the variant.
    pub variant: &'a str,
    /// Its version.
    pub version: u32,
    /// What the metric goes by beside that: [`Metric::fingerprint`](crate::metric::Metric::fingerprint).
    pub fingerprint: Option<&'a str>,
}

impl<'a> ScoreKey<'a> {
    /// The key of a variant's score.
    pub fn new(
        ground_truth: ContentHash,
        generated: ContentHash,
        variant: &'a VariantSpec,
    ) -> Self {
        let (variant, version) = (&variant.id, variant.version);
        Self { ground_truth, generated, variant, version, fingerprint: None }
    }

    /// The same of a metric that goes by a model with this fingerprint.
    #[must_use]
    pub fn going_by(self, fingerprint: Option<&'a str>) -> Self {
        Self { fingerprint, ..self }
    }

    /// The variant as it stands in the file: with what it goes by, so that another model under the same
    /// name has other scores. Those of a time when only names were kept are not found any more.
    fn variant_in_file(&self) -> Cow<'a, str> {
        match self.fingerprint {
            Some(fingerprint) => Cow::Owned(format!("{}#{fingerprint}", self.variant)),
            None => Cow::Borrowed(self.variant),
        }
    }
}

impl Store {
    /// The score that was put in under this key; `None` if none was, or if it cannot be read.
    ///
    /// # Errors
    ///
    /// See [`StoreError`]; after one the store answers [`StoreError::Closed`].
    pub fn score(&self, key: &ScoreKey<'_>) -> Result<Option<Score>, StoreError> {
        self.with(|connection| read(connection, key))
    }

    /// Keeps scores, all of them or none. A missing score is kept only where the content is the
    /// reason: a model, a caption or a picture may be there the next time.
    ///
    /// # Errors
    ///
    /// As [`Self::score`].
    pub fn put_scores(&self, scores: &[(ScoreKey<'_>, Score)]) -> Result<(), StoreError> {
        if scores.is_empty() {
            return Ok(());
        }
        self.with(|connection| {
            // One transaction for all variants of a metric, and so one wait for other writers.
            let transaction = connection.transaction()?;
            for (key, score) in scores.iter().filter(|(_, score)| is_kept(score)) {
                write(&transaction, key, score)?;
            }
            transaction.commit()
        })
    }
}

/// Whether a score follows from the content alone.
fn is_kept(score: &Score) -> bool {
    match score {
        // SQLite keeps NaN as NULL, which stands for a score that is missing.
        Score::Value(value) => value.is_finite(),
        Score::Missing(why) => matches!(
            why,
            MissingScore::TooSmall(_) | MissingScore::Undefined(_) | MissingScore::NotFinite
        ),
    }
}

fn read(connection: &Connection, key: &ScoreKey<'_>) -> rusqlite::Result<Option<Score>> {
    let mut statement = connection.prepare_cached(
        "SELECT value, missing FROM score
         WHERE generated = ?1 AND ground_truth = ?2 AND variant = ?3 AND version = ?4",
    )?;
    // Prepared once a connection: a table of runs asks for thousands of scores.
    let (generated, truth) = (key.generated.as_bytes(), key.ground_truth.as_bytes());
    let row = statement
        .query_row(params![generated, truth, key.variant_in_file(), key.version], |row| {
            Ok((row.get::<_, Option<f64>>(0)?, row.get::<_, Option<String>>(1)?))
        })
        .optional()?;
    Ok(row.and_then(|(value, missing)| match (value, missing) {
        (Some(value), _) => Some(Score::from_number(value)),
        // What another version of the program had as a reason may be none of ours.
        (None, Some(why)) => serde_json::from_str(&why).ok().map(Score::Missing),
        (None, None) => None,
    }))
}

fn write(connection: &Connection, key: &ScoreKey<'_>, score: &Score) -> rusqlite::Result<()> {
    let missing = match score {
        Score::Value(_) => None,
        Score::Missing(why) => serde_json::to_string(why).ok(),
    };
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO score (ground_truth, generated, variant, version, value, missing)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let (truth, generated) = (key.ground_truth.as_bytes(), key.generated.as_bytes());
    statement.execute(params![
        truth,
        generated,
        key.variant_in_file(),
        key.version,
        score.value(),
        missing
    ])?;
    Ok(())
}
