//! Whether a plan does what was asked of colours, texts and images.

use crate::base::CancelToken;

use super::creativity::ask_scale;
use super::{Judge, JudgeForm, JudgeQuestion};
use crate::metric::{MissingScore, Score};

/// Largest score of each of the three aspects.
const MAX_ASPECT: f64 = 5.0;

/// What a plan is judged against, and the plan.
#[derive(Clone, Copy, Debug)]
pub struct DesignPassRequest<'a> {
    /// The background colour that was asked for.
    pub background_color: &'a str,
    /// The texts that were asked for, with size, colour and position.
    pub text_elements: &'a str,
    /// The images that were asked for, with size and position.
    pub image_elements: &'a str,
    /// The plan: its steps in order.
    pub plan: &'a str,
}

/// How well a plan does what was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignPass {
    /// Of the colours, 1..=5.
    pub color: Score,
    /// Of the texts, 1..=5.
    pub text: Score,
    /// Of the images, 1..=5.
    pub image: Score,
}

impl DesignPass {
    /// The design pass rate: the mean of the three divided by 5, so within 0.2..=1; if one of them
    /// is missing, its reason.
    ///
    /// Source: GraphicBench Table 9, whose rates are the mean of its three columns divided by 5.
    pub fn rate(&self) -> Score {
        let mut sum = 0.0;
        for aspect in [&self.color, &self.text, &self.image] {
            match aspect {
                Score::Value(value) => sum += value,
                Score::Missing(why) => return Score::Missing(why.clone()),
            }
        }
        Score::from_number(sum / (3.0 * MAX_ASPECT))
    }
}

/// Asks the judge about the three aspects of a plan.
///
/// Source: GraphicBench §4.1 and §A.3.
pub fn design_pass(
    judge: &dyn Judge,
    request: &DesignPassRequest<'_>,
    cancel: &CancelToken,
) -> DesignPass {
    let DesignPassRequest { background_color, text_elements, image_elements, plan } = *request;
    // Nothing to judge; asked all the same, a judge would make a score up.
    if plan.trim().is_empty() {
        let missing = Score::Missing(MissingScore::Undefined("the plan is empty".to_owned()));
        return DesignPass { color: missing.clone(), text: missing.clone(), image: missing };
    }
    // Each form is given what it is about and no more, as the published prompts are.
    let questions: [(JudgeForm, &[&str]); 3] = [
        (JudgeForm::DesignColor, &[background_color, text_elements, plan]),
        (JudgeForm::DesignText, &[text_elements, plan]),
        (JudgeForm::DesignImage, &[image_elements, plan]),
    ];
    let [color, text, image] = questions.map(|(form, values)| {
        ask_scale(judge, &JudgeQuestion { form, picture: None, values }, cancel).0
    });
    DesignPass { color, text, image }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::judging::fixture::Scripted;

    const REQUEST: DesignPassRequest<'_> = DesignPassRequest {
        background_color: "teal",
        text_elements: "title: Sea",
        image_elements: "a boat, large",
        plan: "1. Create a document",
    };

    #[test]
    fn the_rate_is_the_mean_of_three_aspects_over_five() {
        let judge = Scripted::answering(&["5", "Score: 4", "3 out of 5"]);
        let pass = design_pass(&judge, &REQUEST, &CancelToken::new());
        assert_eq!(pass.rate(), Score::Value(12.0 / 15.0));
        let asked = judge.asked.lock().unwrap();
        assert_eq!(asked[0].1, ["teal", "title: Sea", "1. Create a document"]);
        assert_eq!(
            asked[2],
            (
                JudgeForm::DesignImage,
                vec!["a boat, large".to_owned(), "1. Create a document".to_owned()]
            )
        );
    }

    #[test]
    fn the_published_rates_come_out() {
        // Two rows of Table 9.
        for (aspects, rate) in [([4.508, 4.773, 4.792], 0.938), ([1.623, 1.688, 1.665], 0.332)] {
            let [color, text, image] = aspects.map(Score::Value);
            let found = DesignPass { color, text, image }.rate().value().unwrap();
            assert!((found - rate).abs() <= 0.0005, "{found}, printed {rate}");
        }
    }

    #[test]
    fn one_unreadable_aspect_is_the_reason_for_no_rate() {
        let judge = Scripted::answering(&["5", "splendid", "3"]);
        let pass = design_pass(&judge, &REQUEST, &CancelToken::new());
        assert_eq!(pass.color, Score::Value(5.0));
        assert!(matches!(pass.rate(), Score::Missing(MissingScore::NoJudgement(_))));
    }

    #[test]
    fn an_empty_plan_is_not_shown_to_the_judge() {
        let judge = Scripted::answering(&[]);
        let request = DesignPassRequest { plan: " \n", ..REQUEST };
        let pass = design_pass(&judge, &request, &CancelToken::new());
        assert!(matches!(pass.rate(), Score::Missing(MissingScore::Undefined(_))));
    }
}
