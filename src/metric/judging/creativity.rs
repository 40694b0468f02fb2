//! How original and how elaborate a design is.

use std::borrow::Cow;
use std::sync::Arc;

use crate::base::CancelToken;

use super::{Judge, JudgeForm, JudgeQuestion, parse_scale};
use crate::metric::{
    Comparison, Direction, Evidence, JudgeAnswer, Measurement, Metric, MissingScore, Needs,
    QuestionSize, Score, VariantSpec,
};

/// The forms, in the order of tables.
const FORMS: [JudgeForm; 2] = [JudgeForm::Originality, JudgeForm::Elaboration];

/// Creativity: how uncommon the idea of the generated picture is, or how richly it expands on the
/// instruction, from 1 to 5 by a judge. Two questions, as the published prompts rate each for itself, and so
/// two metrics: whoever wants one number pays for one.
///
/// The variant is named after the judge; without one it is `originality/judge` or `elaboration/judge` and
/// always [`MissingScore::NoModel`].
#[derive(Debug)]
pub struct Creativity {
    form: JudgeForm,
    judge: Result<Arc<dyn Judge>, MissingScore>,
    variants: [VariantSpec; 1],
}

impl Creativity {
    /// Originality and elaboration going by this judge.
    pub fn both(judge: &Arc<dyn Judge>) -> [Self; 2] {
        FORMS.map(|form| Self {
            form,
            judge: Ok(Arc::clone(judge)),
            variants: [VariantSpec { is_asked: true, ..variant(form, judge.name()) }],
        })
    }

    /// Both without a judge: they give this reason.
    pub fn without_judge(why: &str) -> [Self; 2] {
        FORMS.map(|form| Self {
            form,
            judge: Err(MissingScore::NoModel(why.to_owned())),
            variants: [variant(form, "judge")],
        })
    }

    fn ask(
        &self,
        comparison: &Comparison<'_>,
        cancel: &CancelToken,
    ) -> Result<Measurement, MissingScore> {
        // In this order, as a judge that is not there is the reason whatever else is missing.
        let judge = self.judge.as_ref().map_err(Clone::clone)?;
        let picture = Some(comparison.generated_picture()?);
        let values = &[comparison.instruction()?];
        let question = JudgeQuestion { form: self.form, picture, values };
        let (score, answer) = ask_scale_or_set_aside(judge.as_ref(), &question, cancel);
        Ok(Measurement { score, evidence: Some(Evidence::Judgement(vec![answer])) })
    }
}

/// As [`ask_scale`]; an answer without a score is asked for anew the next time, as given again for ever it would never
/// become one.
pub(super) fn ask_scale_or_set_aside(
    judge: &dyn Judge,
    question: &JudgeQuestion<'_>,
    cancel: &CancelToken,
) -> (Score, JudgeAnswer) {
    let (score, answer) = ask_scale(judge, question, cancel);
    if answer.problem.is_some() {
        judge.set_aside(question);
    }
    (score, answer)
}

/// The score that a judge gives, with its answer.
pub(super) fn ask_scale(
    judge: &dyn Judge,
    question: &JudgeQuestion<'_>,
    cancel: &CancelToken,
) -> (Score, JudgeAnswer) {
    let answer = judge.answer(question, cancel);
    let score = match &answer {
        // An answer that holds no score is kept beside the reason, so that a person can read it.
        Ok(text) => parse_scale(text).map_err(|error| {
            MissingScore::NoJudgement(format!(
                "{} on {}: {error}",
                judge.name(),
                question.form.name()
            ))
        }),
        Err(why) => Err(why.clone()),
    };
    // In words too: the answer is shown apart from the score.
    let problem = score.as_ref().err().map(ToString::to_string);
    let answer = JudgeAnswer {
        question: question.form.name().to_owned(),
        answer: answer.unwrap_or_default(),
        problem,
    };
    (score.map_or_else(Score::Missing, Score::from_number), answer)
}

fn variant(form: JudgeForm, judge: &str) -> VariantSpec {
    VariantSpec {
        id: Cow::Owned(format!("{}/{judge}", form.name())),
        label: if form == JudgeForm::Originality { "Originality" } else { "Elaboration" },
        variant_label: Cow::Owned(judge.to_owned()),
        needs: Needs::Instruction,
        is_asked: false,
        direction: Direction::HigherIsBetter,
        range: (1.0, 5.0),
        map_range: None,
        version: 1,
        source: "GraphicBench §4.2 and §A.3.5–6 (Torrance 1966; Runco and Jaeger 2012)",
    }
}

impl Metric for Creativity {
    fn variants(&self) -> &[VariantSpec] {
        &self.variants
    }

    fn fingerprint(&self) -> Option<String> {
        self.judge.as_ref().ok()?.fingerprint()
    }

    fn lacking(&self, comparison: &Comparison<'_>) -> Option<MissingScore> {
        comparison.generated_picture().and(comparison.instruction()).err()
    }

    fn questions(&self, comparison: &Comparison<'_>) -> Vec<QuestionSize> {
        let (picture, instruction) = (comparison.generated_picture(), comparison.instruction());
        let (Ok(judge), Ok(picture), Ok(words)) = (&self.judge, picture, instruction) else {
            return Vec::new();
        };
        let question = JudgeQuestion { form: self.form, picture: Some(picture), values: &[words] };
        judge.question_size(&question).into_iter().collect()
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        vec![self.ask(comparison, cancel).unwrap_or_else(Measurement::missing)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Pixels;
    use crate::metric::Side;
    use crate::metric::judging::fixture::Scripted;

    fn measure(answers: &[&str], instruction: Option<&str>) -> Vec<Measurement> {
        let picture = Pixels::filled(1, 1, [0; 4]).unwrap();
        let generated = Side { picture: Some(&picture), ..Side::default() };
        let comparison = Comparison { generated, instruction, ..Comparison::default() };
        let judge: Arc<dyn Judge> = Arc::new(Scripted::answering(answers));
        let both = Creativity::both(&judge);
        both.iter().flat_map(|it| it.measurements(&comparison, &CancelToken::new())).collect()
    }

    #[test]
    fn both_scales_come_with_the_judges_words() {
        let measured = measure(&["4", "Score: 2 of 5"], Some("a poster"));
        assert_eq!(measured[0].score, Score::Value(4.0));
        assert_eq!(measured[1].score, Score::Value(2.0));
        let Some(Evidence::Judgement(answers)) = &measured[1].evidence else { panic!("no words") };
        assert_eq!(answers[0].answer, "Score: 2 of 5");
    }

    #[test]
    fn each_scale_is_one_question_about_the_picture() {
        let picture = Pixels::filled(3, 2, [0; 4]).unwrap();
        let generated = Side { picture: Some(&picture), ..Side::default() };
        let asked = Comparison { generated, instruction: Some("a sea"), ..Comparison::default() };
        let judge: Arc<dyn Judge> = Arc::new(Scripted::answering(&[]));
        for metric in Creativity::both(&judge) {
            assert_eq!(metric.questions(&asked), [QuestionSize { bytes: 5, pixels: 6 }]);
            assert_eq!(metric.questions(&Comparison::default()), []);
        }
    }

    #[test]
    fn an_unreadable_answer_says_whose_it_is_and_is_kept() {
        let measured = measure(&["five", "9"], Some("a poster"));
        let reasons: Vec<String> = measured
            .iter()
            .map(|m| match &m.score {
                Score::Missing(why) => why.to_string(),
                Score::Value(_) => panic!("a score"),
            })
            .collect();
        assert!(reasons[0].contains("scripted on originality"), "{}", reasons[0]);
        assert!(reasons[1].contains("9 is not on the scale"), "{}", reasons[1]);
    }

    #[test]
    fn without_an_instruction_the_judge_is_not_asked() {
        for measured in measure(&[], None) {
            assert_eq!(measured.score, Score::Missing(MissingScore::NoInstruction));
        }
    }

    #[test]
    fn without_a_judge_it_says_so() {
        let why = MissingScore::NoModel("no judge is configured".to_owned());
        for metric in Creativity::without_judge("no judge is configured") {
            let measured = metric.measurements(&Comparison::default(), &CancelToken::new());
            assert!(measured.iter().all(|m| m.score == Score::Missing(why.clone())));
            assert!(!metric.variants()[0].is_asked, "nobody is there to be asked");
        }
    }
}
