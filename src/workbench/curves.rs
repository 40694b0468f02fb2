//! Scores of a run by variant and step.

use std::collections::BTreeMap;

use crate::metric::Score;

use super::protocol::VariantId;

/// Scores of a run by variant and step, 0 the start; as many steps for every variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// Steps and the start; 0 while the run is not read.
    len: usize,
    by_variant: BTreeMap<VariantId, Vec<Option<Score>>>,
}

impl Curves {
    /// The curve of one variant, and as many steps as it has.
    pub fn of_one(variant: impl Into<VariantId>, scores: Vec<Option<Score>>) -> Self {
        Self { len: scores.len(), by_variant: BTreeMap::from([(variant.into(), scores)]) }
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
        self.by_variant.get(variant).map_or(&[], Vec::as_slice)
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
        let is_open = move |step: &u32| self.get(variant, *step).is_none();
        (0..u32::try_from(self.len).unwrap_or(u32::MAX)).filter(is_open)
    }

    /// Takes in a score; one of a step there is not is dropped.
    pub fn put(&mut self, variant: &VariantId, step: u32, score: Score) {
        if let Some(place) = self.place(variant, step) {
            *place = Some(score);
        }
    }

    /// The same where none is known yet.
    pub(super) fn put_if_missing(&mut self, variant: &VariantId, step: u32, score: Score) {
        if let Some(place) = self.place(variant, step) {
            place.get_or_insert(score);
        }
    }

    /// Makes room for so many steps and the start, or drops what is beyond.
    pub(super) fn resize(&mut self, len: usize) {
        self.len = len;
        for curve in self.by_variant.values_mut() {
            curve.resize(len, None);
        }
    }

    /// Forgets the scores of the other variants.
    pub(super) fn keep(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.by_variant.retain(|variant, _| is_kept(variant));
    }

    /// Forgets every score.
    pub(super) fn forget(&mut self) {
        self.by_variant.clear();
    }

    fn place(&mut self, variant: &VariantId, step: u32) -> Option<&mut Option<Score>> {
        let (step, len) = (step as usize, self.len);
        if step >= len {
            return None;
        }
        let curve = self.by_variant.entry(variant.clone()).or_insert_with(|| vec![None; len]);
        curve.get_mut(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
