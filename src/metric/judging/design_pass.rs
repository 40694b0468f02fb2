//! Whether a plan does what was asked of colours, texts and images.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use crate::base::CancelToken;
use crate::metric::measure::all_missing;
use crate::metric::plan::PlanRow;
use crate::metric::{
    Comparison, Direction, Evidence, JudgeAnswer, Measurement, Metric, MissingScore, Needs,
    QuestionSize, Score, VariantSpec,
};

use super::creativity::{ask_scale, ask_scale_or_set_aside};
use super::judge::digest;
use super::{Judge, JudgeForm, JudgeQuestion};

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

impl<'a> DesignPassRequest<'a> {
    /// The questions of the three aspects. Each form is given what it is about and no more, as the published prompts
    /// are.
    fn questions(&self) -> [(JudgeForm, Vec<&'a str>); 3] {
        let Self { background_color, text_elements, image_elements, plan } = *self;
        [
            (JudgeForm::DesignColor, vec![background_color, text_elements, plan]),
            (JudgeForm::DesignText, vec![text_elements, plan]),
            (JudgeForm::DesignImage, vec![image_elements, plan]),
        ]
    }
}

/// What a judge is shown of a plan: what was asked, and the plan's steps, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedPlan {
    /// What was asked of background, texts and images; `none` where nothing is said of one.
    asked: [String; 3],
    /// The descriptions of the steps, numbered.
    steps: String,
}

impl JudgedPlan {
    /// What is shown of this plan.
    ///
    /// # Errors
    ///
    /// [`MissingScore::NoPlan`]: it does not say what was asked, or has no steps.
    pub fn new(row: &PlanRow) -> Result<Self, MissingScore> {
        if row.design.is_null() {
            let why = "it does not say what was asked of the design".to_owned();
            return Err(MissingScore::NoPlan(why));
        }
        // The prompt has a place for each of the three, and an empty one would read like a slip.
        let asked = ["background_color", "text", "visual"].map(|key| match row.design.get(key) {
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => "none".to_owned(),
        });
        let steps = steps_in_words(row);
        if steps.trim().is_empty() {
            return Err(MissingScore::NoPlan("it has no steps".to_owned()));
        }
        Ok(Self { asked, steps })
    }

    /// The request about it.
    pub fn request(&self) -> DesignPassRequest<'_> {
        let [background_color, text_elements, image_elements] = &self.asked;
        DesignPassRequest { background_color, text_elements, image_elements, plan: &self.steps }
    }
}

/// The steps of a plan in words, or the plan as it stands where it did not parse.
fn steps_in_words(row: &PlanRow) -> String {
    // The judge reads what is to be done, not by which tools: so descriptions alone.
    let workflow = &row.final_workflow;
    let described = workflow.steps().filter_map(|(_, step)| step.description.as_deref());
    let lines: Vec<String> =
        described.zip(1..).map(|(words, number)| format!("{number}. {words}")).collect();
    match (&workflow.raw, lines.is_empty()) {
        (Value::String(text), true) => text.clone(),
        _ => lines.join("\n"),
    }
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
    // Nothing to judge; asked all the same, a judge would make a score up.
    if request.plan.trim().is_empty() {
        let missing = Score::Missing(MissingScore::Undefined("the plan is empty".to_owned()));
        return DesignPass { color: missing.clone(), text: missing.clone(), image: missing };
    }
    let [color, text, image] = request.questions().map(|(form, values)| {
        ask_scale(judge, &JudgeQuestion { form, picture: None, values: &values }, cancel).0
    });
    DesignPass { color, text, image }
}

/// The design pass of the plan that a design was made by as a metric: its rate (`design_pass/JUDGE`, 0.2..=1) and the
/// three aspects that it is the mean of (`design_color/JUDGE`, `design_text/JUDGE`, `design_image/JUDGE`, 1..=5).
/// Without a judge they are [`MissingScore::NoModel`].
#[derive(Debug)]
pub struct DesignPassMetric {
    judge: Result<Arc<dyn Judge>, MissingScore>,
    variants: [VariantSpec; 4],
}

impl DesignPassMetric {
    /// Going by this judge, or without one for this reason.
    pub fn new(judge: Result<Arc<dyn Judge>, MissingScore>) -> Self {
        let name = judge.as_ref().map_or("judge", |judge| judge.name());
        let variants = [
            ("design_pass", "Design pass", (0.2, 1.0)),
            ("design_color", "Design pass, colour", (1.0, MAX_ASPECT)),
            ("design_text", "Design pass, text", (1.0, MAX_ASPECT)),
            ("design_image", "Design pass, image", (1.0, MAX_ASPECT)),
        ];
        let variants = variants.map(|(metric, label, range)| VariantSpec {
            id: Cow::Owned(format!("{metric}/{name}")),
            label,
            variant_label: Cow::Owned(name.to_owned()),
            needs: Needs::Plan,
            is_asked: judge.is_ok(),
            direction: Direction::HigherIsBetter,
            range,
            map_range: None,
            version: 1,
            source: "GraphicBench §4.1 and §A.3, Table 9",
        });
        Self { judge, variants }
    }

    fn ask(
        &self,
        comparison: &Comparison<'_>,
        cancel: &CancelToken,
    ) -> Result<Vec<Measurement>, MissingScore> {
        // In this order, as a judge that is not there is the reason whatever else is missing.
        let judge = self.judge.as_ref().map_err(Clone::clone)?;
        let plan = JudgedPlan::new(comparison.plan()?)?;
        let aspects = plan.request().questions().map(|(form, values)| {
            let question = JudgeQuestion { form, picture: None, values: &values };
            ask_scale_or_set_aside(judge.as_ref(), &question, cancel)
        });
        let answers: Vec<JudgeAnswer> = aspects.iter().map(|(_, answer)| answer.clone()).collect();
        let [color, text, image] = aspects.map(|(score, _)| score);
        let pass = DesignPass { color, text, image };
        let scores = [pass.rate(), pass.color, pass.text, pass.image].into_iter();
        let evidence = Some(Evidence::Judgement(answers));
        Ok(scores.map(|score| Measurement { score, evidence: evidence.clone() }).collect())
    }
}

impl Metric for DesignPassMetric {
    fn variants(&self) -> &[VariantSpec] {
        &self.variants
    }

    fn fingerprint(&self) -> Option<String> {
        self.judge.as_ref().ok()?.fingerprint()
    }

    fn asked_about(&self, comparison: &Comparison<'_>) -> Option<String> {
        let JudgedPlan { asked, steps } = JudgedPlan::new(comparison.plan().ok()?).ok()?;
        Some(digest(asked.iter().chain([&steps]).map(String::as_str)))
    }

    fn lacking(&self, comparison: &Comparison<'_>) -> Option<MissingScore> {
        comparison.plan().and_then(JudgedPlan::new).err()
    }

    fn questions(&self, comparison: &Comparison<'_>) -> Vec<QuestionSize> {
        let plan = comparison.plan().and_then(JudgedPlan::new);
        let (Ok(judge), Ok(plan)) = (&self.judge, plan) else { return Vec::new() };
        let sizes = plan.request().questions().into_iter().filter_map(|(form, values)| {
            judge.question_size(&JudgeQuestion { form, picture: None, values: &values })
        });
        sizes.collect()
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        self.ask(comparison, cancel).unwrap_or_else(|why| all_missing(&self.variants, &why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Pixels;
    use crate::metric::Side;
    use crate::metric::judging::fixture::Scripted;

    fn row(background: &str, step: &str) -> PlanRow {
        let plan = serde_json::json!({
            "design_choices": { "background_color": background, "text": {} },
            "final_workflow": [{ "expert": "Photo Editor", "description": step }],
        });
        PlanRow::read(plan.as_object().unwrap())
    }

    fn of_plan(plan: &PlanRow) -> Comparison<'_> {
        let generated = Side { plan: Some(plan), ..Side::default() };
        Comparison { generated, ..Comparison::default() }
    }

    fn metric(judge: &Arc<Scripted>) -> DesignPassMetric {
        DesignPassMetric::new(Ok(Arc::clone(judge) as Arc<dyn Judge>))
    }

    #[test]
    fn the_plan_of_a_run_gives_the_scores_that_the_command_gives() {
        let plan = row("teal", "Create a document");
        let said = ["5", "Score: 4", "3 out of 5"];
        let judge = Arc::new(Scripted::answering(&said));
        let metric = metric(&judge);
        assert_eq!(metric.questions(&of_plan(&plan)).len(), 3);
        let measured = metric.measurements(&of_plan(&plan), &CancelToken::new());
        let scores: Vec<Score> = measured.iter().map(|it| it.score.clone()).collect();
        let again = Scripted::answering(&said);
        let judged = JudgedPlan::new(&plan).unwrap();
        let pass = design_pass(&again, &judged.request(), &CancelToken::new());
        assert_eq!(*judge.asked.lock().unwrap(), *again.asked.lock().unwrap());
        assert_eq!(scores, [pass.rate(), pass.color, pass.text, pass.image]);
        let asked = again.asked.lock().unwrap();
        assert_eq!(asked[2].1, ["none", "1. Create a document"], "nothing is said of pictures");
    }

    #[test]
    fn without_a_plan_that_can_be_judged_nobody_is_asked() {
        let judge = Arc::new(Scripted::answering(&[]));
        let metric = metric(&judge);
        let unsaid = PlanRow { design: Value::Null, ..row("teal", "Create a document") };
        let empty = PlanRow { final_workflow: row("", "").combined, ..row("teal", "") };
        for (comparison, words) in [
            (Comparison::default(), "none was carried out"),
            (of_plan(&unsaid), "does not say what was asked"),
            (of_plan(&empty), "has no steps"),
        ] {
            let why = metric.lacking(&comparison).unwrap();
            assert!(why.reason() == "no_plan" && why.to_string().contains(words), "{why}");
            assert_eq!(metric.questions(&comparison), []);
            for measured in metric.measurements(&comparison, &CancelToken::new()) {
                assert_eq!(measured.score, Score::Missing(why.clone()));
            }
        }
    }

    #[test]
    fn what_is_asked_about_changes_with_the_plan_and_not_with_the_picture() {
        let metric = metric(&Arc::new(Scripted::answering(&[])));
        let plan = row("teal", "Create a document");
        let known = metric.asked_about(&of_plan(&plan));
        let picture = Pixels::filled(1, 1, [0; 4]).unwrap();
        let generated = Side { picture: Some(&picture), plan: Some(&plan), ..Side::default() };
        let seen = Comparison { generated, ..Comparison::default() };
        assert!(known.is_some() && known == metric.asked_about(&seen));
        for other in [row("red", "Create a document"), row("teal", "Save it")] {
            assert_ne!(metric.asked_about(&of_plan(&other)), known);
        }
    }

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
