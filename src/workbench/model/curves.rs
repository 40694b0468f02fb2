//! Scores of a run by variant and step.

use std::collections::BTreeMap;
use std::hash::{Hash as _, Hasher};

use crate::metric::Score;

use crate::evaluate::VariantId;

/// Scores of a run by variant and step, 0 the start; as many steps for every variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// Steps and the start; 0 while the run is not read.
    len: usize,
    by_variant: BTreeMap<VariantId, Curve>,
}

/// The scores by one variant.
#[derive(Clone, Debug, Default, PartialEq)]
struct Curve {
    scores: Vec<Option<Score>>,
    /// All steps before this one have a score, so that what is missing of a long run is found without
    /// going through what is not.
    first_open: usize,
}

impl Curves {
    /// The curve of one variant, and as many steps as it has.
    pub fn of_one(variant: impl Into<VariantId>, scores: Vec<Option<Score>>) -> Self {
        let len = scores.len();
        let first_open = scores.iter().take_while(|score| score.is_some()).count();
        let curve = Curve { scores, first_open };
        Self { len, by_variant: BTreeMap::from([(variant.into(), curve)]) }
    }

    /// Steps and the start.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether not even the start is known.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The scores by a variant after each step; `None` in it where not computed yet. Empty if
    /// nothing is known by that variant.
    pub fn of(&self, variant: &str) -> &[Option<Score>] {
        self.by_variant.get(variant).map_or(&[], |curve| &curve.scores)
    }

    /// How many scores are known, by any variant.
    pub(in crate::workbench) fn known(&self) -> usize {
        self.by_variant.values().map(|curve| curve.first_open).sum()
    }

    /// Whether every step has a score by a variant.
    pub(in crate::workbench) fn is_whole(&self, variant: &str) -> bool {
        let curve = self.by_variant.get(variant);
        curve.is_some_and(|curve| self.len > 0 && curve.first_open == self.len)
    }

    /// Hashes the curves of which every step has a score, with their values: a score that was asked for later takes the
    /// place of the reason why there was none.
    pub(in crate::workbench) fn hash_whole(&self, hasher: &mut impl Hasher) {
        for (variant, curve) in &self.by_variant {
            if self.is_whole(variant) {
                variant.hash(hasher);
                for score in curve.scores.iter().flatten() {
                    score.value().map(f64::to_bits).hash(hasher);
                }
            }
        }
    }

    /// The score by a variant after a step, if it is known.
    pub fn get(&self, variant: &str, step: u32) -> Option<&Score> {
        self.of(variant).get(step as usize)?.as_ref()
    }

    /// The value by a variant after a step, if it is known and there is one.
    pub fn value(&self, variant: &str, step: u32) -> Option<f64> {
        self.get(variant, step)?.value()
    }

    /// Steps that are not computed by a variant, in order.
    pub fn missing<'a>(&'a self, variant: &'a str) -> impl Iterator<Item = u32> + 'a {
        // Without a curve every step is missing.
        let curve = self.by_variant.get(variant);
        let (scores, first) = curve.map_or((&[][..], 0), |curve| (&curve.scores, curve.first_open));
        let steps = (first..self.len).filter(|step| scores.get(*step).is_none_or(Option::is_none));
        steps.map_while(|step| u32::try_from(step).ok())
    }

    /// Takes in a score; one of a step there is not is dropped.
    pub fn put(&mut self, variant: &VariantId, step: u32, score: Score) {
        self.set(variant, step, |_| score);
    }

    /// The same where none is known yet.
    pub(in crate::workbench) fn put_if_missing(
        &mut self,
        variant: &VariantId,
        step: u32,
        score: Score,
    ) {
        self.set(variant, step, |known| known.unwrap_or(score));
    }

    /// Makes room for so many steps and the start, or drops what is beyond.
    pub(in crate::workbench) fn resize(&mut self, len: usize) {
        self.len = len;
        for curve in self.by_variant.values_mut() {
            curve.scores.resize(len, None);
            // Steps that come later are open, whatever stood in their place before.
            curve.first_open = curve.first_open.min(len);
        }
    }

    /// Forgets the scores of the other variants.
    pub(in crate::workbench) fn keep(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.by_variant.retain(|variant, _| is_kept(variant));
    }

    /// Forgets every score.
    pub(in crate::workbench) fn forget(&mut self) {
        self.by_variant.clear();
    }

    fn set(&mut self, variant: &VariantId, step: u32, score: impl FnOnce(Option<Score>) -> Score) {
        if step as usize >= self.len {
            return;
        }
        let curve = self.by_variant.entry(variant.clone()).or_default();
        // As long as all others from the first score on.
        curve.scores.resize(self.len, None);
        let Some(known) = curve.scores.get_mut(step as usize) else { return };
        *known = Some(score(known.take()));
        // Only forward, and over each step once: this costs the same however long the run is.
        let rest = curve.scores.iter().skip(curve.first_open);
        curve.first_open += rest.take_while(|score| score.is_some()).count();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::hash::DefaultHasher;

    use super::*;
    use crate::metric::MissingScore;

    fn hash_of(scores: [Option<Score>; 2]) -> u64 {
        let mut hasher = DefaultHasher::new();
        Curves::of_one("ssim/uniform7", scores.into()).hash_whole(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn the_hash_of_whole_curves_is_another_with_each_value_and_nothing_to_those_that_are_not() {
        let (value, other) = (Some(Score::Value(0.1)), Some(Score::Value(0.2)));
        let not_asked = Some(Score::Missing(MissingScore::NotAsked));
        let whole = [&value, &other, &not_asked].map(|end| hash_of([value.clone(), end.clone()]));
        let open = [&value, &other].map(|start| hash_of([start.clone(), None]));
        assert_eq!(open[0], open[1]);
        let all: BTreeSet<u64> = whole.into_iter().chain([open[0]]).collect();
        assert_eq!(all.len(), 4);
    }

    #[test]
    fn a_curve_grows_with_its_run_and_takes_no_step_beyond() {
        let ssim = VariantId::from("ssim/uniform7");
        let mut curves = Curves::default();
        curves.put(&ssim, 0, Score::Value(0.1));
        assert_eq!(curves.get(&ssim, 0), None);
        curves.resize(3);
        curves.put(&ssim, 2, Score::Value(0.3));
        curves.put(&ssim, 3, Score::Value(0.4));
        assert_eq!(curves.of(&ssim), [None, None, Some(Score::Value(0.3))]);
        assert_eq!(curves.missing(&ssim).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(curves.missing("psnr").count(), 3);
        curves.put_if_missing(&ssim, 2, Score::Value(9.0));
        assert_eq!(curves.value(&ssim, 2), Some(0.3));
        curves.resize(4);
        assert_eq!(curves.of(&ssim).len(), 4);
    }
}
