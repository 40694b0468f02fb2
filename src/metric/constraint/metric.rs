//! The check as a score: the share of what a query asks for that the design has.

use std::borrow::Cow;

use crate::base::CancelToken;

use super::{Aspect, Findings, Page, check};
use crate::metric::measure::all_missing;
use crate::metric::{
    Comparison, Direction, Evidence, Measurement, Metric, MissingScore, Needs, Score, VariantSpec,
};

/// The share of yes among what the check of a query against the design answers ([`check`]): in all,
/// and of each aspect. Pictures are told by what the environment
/// says that a node shows, and else by the names of layers; the findings are the evidence.
#[derive(Clone, Copy, Debug)]
pub struct Constraints;

const fn variant(id: &'static str, variant_label: &'static str) -> VariantSpec {
    VariantSpec {
        id: Cow::Borrowed(id),
        label: "Constraints",
        variant_label: Cow::Borrowed(variant_label),
        needs: Needs::Query,
        is_asked: false,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        map_range: None,
        version: 1,
        source: "ours, a heuristic; what is asked as GraphicBench's design components say it",
    }
}

static VARIANTS: [VariantSpec; 7] = [
    variant("constraints/all", "all"),
    variant("constraints/present", "present"),
    variant("constraints/color", "colour"),
    variant("constraints/size", "size"),
    variant("constraints/position", "position"),
    variant("constraints/on_page", "on the page"),
    variant("constraints/contrast", "contrast"),
];

impl Metric for Constraints {
    fn variants(&self) -> &[VariantSpec] {
        &VARIANTS
    }

    fn measurements(&self, comparison: &Comparison<'_>, _cancel: &CancelToken) -> Vec<Measurement> {
        match findings(comparison) {
            Ok(findings) => measurements(&findings),
            Err(missing) => all_missing(&VARIANTS, &missing),
        }
    }
}

fn findings(comparison: &Comparison<'_>) -> Result<Findings, MissingScore> {
    let query = comparison.query()?;
    let document = comparison.generated_design()?;
    let side = &comparison.generated;
    // Picture and placements are taken where they are known; without them fewer questions can be
    // answered.
    let page = Page { document, picture: side.picture, shown: side.shown };
    check(query, &page)
        .ok_or_else(|| MissingScore::NoDesign("it has no page with an area".to_owned()))
}

fn measurements(findings: &Findings) -> Vec<Measurement> {
    // In the order of the variants: all, then each aspect.
    let aspects = std::iter::once(None).chain(Aspect::ALL.into_iter().map(Some));
    let measurements = aspects.map(|aspect| {
        let why = "nothing of this could be answered";
        let score = match findings.share(aspect) {
            Some(share) => Score::from_number(share),
            None => Score::Missing(MissingScore::Undefined(why.to_owned())),
        };
        Measurement { score, evidence: Some(Evidence::Findings(findings.clone())) }
    });
    measurements.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::constraint::Query;

    #[test]
    fn variants_are_in_the_order_of_the_aspects() {
        let ids: Vec<&str> = VARIANTS.iter().map(|variant| variant.id.as_ref()).collect();
        let aspects = Aspect::ALL.map(|aspect| format!("constraints/{}", aspect.word()));
        assert_eq!(ids[0], "constraints/all");
        assert_eq!(ids[1..], aspects.each_ref().map(String::as_str));
    }

    #[test]
    fn what_is_missing_is_the_reason() {
        fn measure(comparison: &Comparison<'_>) -> Score {
            Constraints.measurements(comparison, &CancelToken::new())[0].score.clone()
        }
        let nothing = Comparison::default();
        assert_eq!(measure(&nothing), Score::Missing(MissingScore::NoQuery));
        let query = Query::default();
        let asked = Comparison { query: Some(&query), ..Comparison::default() };
        assert!(matches!(measure(&asked), Score::Missing(MissingScore::NoDesign(_))));
    }
}
