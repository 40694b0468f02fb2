//! Whether a picture has what was asked for, by questions about it, and how a yes or a no is read out
//! of an answer.

use std::borrow::Cow;
use std::sync::Arc;

use crate::base::{CancelToken, Pixels};
use crate::metric::measure::all_missing;
use crate::metric::{
    Comparison, Direction, Evidence, JudgeAnswer, Measurement, Metric, MissingScore, Needs,
    QuestionSize, Score, VariantSpec,
};

use super::judge::digest;
use super::{Judge, JudgeForm, JudgeQuestion};

/// How many questions about a picture are answered with yes, in percent.
#[derive(Clone, Debug)]
pub struct VqaPassRate {
    /// `vqa_pass_rate/graphicbench`: only a bare `yes`, `true`, `t` or `y` counts as yes, all else
    /// as no; rounded to two decimals; 0 without questions. 0..=100.
    pub published: Score,
    /// `vqa_pass_rate/parsed`: yes is read out of sentences too ([`parse_yes_no`]), over the
    /// questions that got a readable answer; without any it is undefined. 0..=100.
    pub parsed: Score,
    /// Each question with its answer, in the order asked.
    pub answers: Vec<JudgeAnswer>,
}

/// Asks the judge every question about a picture.
///
/// A question that gets no answer at all (the judge fails) makes the published rate missing, for the
/// published code would have ended there; the parsed one goes on over the others, and the answer
/// says why.
///
/// Source: GraphicBench §4.2; dayeonki/designbench, evaluation/evaluation_execution.py, eval_vqa.
pub fn vqa_pass_rate(
    judge: &dyn Judge,
    picture: &Pixels,
    questions: &[&str],
    cancel: &CancelToken,
) -> VqaPassRate {
    let mut answers = Vec::new();
    let mut failure = None;
    for question in questions {
        let asked =
            JudgeQuestion { form: JudgeForm::Vqa, picture: Some(picture), values: &[question] };
        match judge.answer(&asked, cancel) {
            Ok(answer) => answers.push(answered(question, answer)),
            // What was answered so far is no rate, but may still be shown.
            Err(MissingScore::Cancelled) => return stopped(answers),
            Err(why) => {
                answers.push(unanswered(question, &why));
                // The first failure is where the published code would have ended.
                failure.get_or_insert(why);
            }
        }
    }
    let published = failure.map_or_else(|| published(&answers), Score::Missing);
    VqaPassRate { published, parsed: parsed(&answers), answers }
}

/// The VQA pass rate of a task's questions as a metric: `vqa/JUDGE` is the published rate and `vqa_parsed/JUDGE` the
/// parsed one of [`VqaPassRate`], of one answer a question.
///
/// A question that gets no answer is the reason for both, as a rate over some questions would be kept as that over all.
/// Without a judge both are [`MissingScore::NoModel`].
#[derive(Debug)]
pub struct VqaMetric {
    judge: Result<Arc<dyn Judge>, MissingScore>,
    variants: [VariantSpec; 2],
}

impl VqaMetric {
    /// Going by this judge, or without one for this reason.
    pub fn new(judge: Result<Arc<dyn Judge>, MissingScore>) -> Self {
        let name = judge.as_ref().map_or("judge", |judge| judge.name());
        let variants = [("vqa", "VQA pass rate"), ("vqa_parsed", "VQA pass rate, parsed")];
        let variants = variants.map(|(metric, label)| VariantSpec {
            id: Cow::Owned(format!("{metric}/{name}")),
            label,
            variant_label: Cow::Owned(name.to_owned()),
            needs: Needs::Questions,
            is_asked: judge.is_ok(),
            direction: Direction::HigherIsBetter,
            range: (0.0, 100.0),
            map_range: None,
            version: 1,
            source: "GraphicBench §4.2; dayeonki/designbench, evaluation/evaluation_execution.py",
        });
        Self { judge, variants }
    }

    fn ask(
        &self,
        comparison: &Comparison<'_>,
        cancel: &CancelToken,
    ) -> Result<VqaPassRate, MissingScore> {
        // In this order, as a judge that is not there is the reason whatever else is missing.
        let judge = self.judge.as_ref().map_err(Clone::clone)?;
        let picture = Some(comparison.generated_picture()?);
        let answers = comparison.questions()?.iter().map(|question| {
            let values = &[question.as_str()];
            let asked = JudgeQuestion { form: JudgeForm::Vqa, picture, values };
            Ok(answered(question, judge.answer(&asked, cancel)?))
        });
        let answers: Vec<JudgeAnswer> = answers.collect::<Result<_, MissingScore>>()?;
        Ok(VqaPassRate { published: published(&answers), parsed: parsed(&answers), answers })
    }
}

impl Metric for VqaMetric {
    fn variants(&self) -> &[VariantSpec] {
        &self.variants
    }

    fn fingerprint(&self) -> Option<String> {
        self.judge.as_ref().ok()?.fingerprint()
    }

    fn asked_about(&self, comparison: &Comparison<'_>) -> Option<String> {
        let questions = comparison.questions().ok()?;
        Some(digest(questions.iter().map(String::as_str)))
    }

    fn lacking(&self, comparison: &Comparison<'_>) -> Option<MissingScore> {
        comparison.generated_picture().and(comparison.questions()).err()
    }

    fn questions(&self, comparison: &Comparison<'_>) -> Vec<QuestionSize> {
        let (picture, questions) = (comparison.generated_picture(), comparison.questions());
        let (Ok(judge), Ok(picture), Ok(questions)) = (&self.judge, picture, questions) else {
            return Vec::new();
        };
        let sizes = questions.iter().filter_map(|question| {
            let values = &[question.as_str()];
            let picture = Some(picture);
            judge.question_size(&JudgeQuestion { form: JudgeForm::Vqa, picture, values })
        });
        sizes.collect()
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        let VqaPassRate { published, parsed, answers } = match self.ask(comparison, cancel) {
            Ok(rate) => rate,
            Err(why) => return all_missing(&self.variants, &why),
        };
        let scores = [published, parsed].into_iter();
        let evidence = Some(Evidence::Judgement(answers));
        scores.map(|score| Measurement { score, evidence: evidence.clone() }).collect()
    }
}

fn answered(question: &str, answer: String) -> JudgeAnswer {
    let problem = match parse_yes_no(&answer) {
        Some(_) => None,
        None => Some("the answer is neither yes nor no".to_owned()),
    };
    JudgeAnswer { question: question.to_owned(), answer, problem }
}

fn unanswered(question: &str, why: &MissingScore) -> JudgeAnswer {
    JudgeAnswer {
        question: question.to_owned(),
        answer: String::new(),
        problem: Some(why.to_string()),
    }
}

fn stopped(answers: Vec<JudgeAnswer>) -> VqaPassRate {
    let missing = Score::Missing(MissingScore::Cancelled);
    VqaPassRate { published: missing.clone(), parsed: missing, answers }
}

fn published(answers: &[JudgeAnswer]) -> Score {
    let passed = answers.iter().filter(|answer| counts_as_published(&answer.answer)).count();
    // 0 without questions, as published.
    let rate = percent(passed, answers.len()).unwrap_or(0.0);
    Score::from_number((rate * 100.0).round() / 100.0)
}

fn parsed(answers: &[JudgeAnswer]) -> Score {
    let readable: Vec<bool> =
        answers.iter().filter_map(|answer| parse_yes_no(&answer.answer)).collect();
    let passed = readable.iter().filter(|yes| **yes).count();
    match percent(passed, readable.len()) {
        Some(rate) => Score::from_number(rate),
        None if answers.is_empty() => {
            Score::Missing(MissingScore::Undefined("no questions".to_owned()))
        }
        None => Score::Missing(MissingScore::Undefined("no answer is yes or no".to_owned())),
    }
}

fn percent(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64 * 100.0)
}

/// Whether the published evaluator counts an answer as yes: trimmed and in lower case it must be
/// exactly `yes`, `true`, `t` or `y`. Everything else is no, `Yes.` included.
///
/// Source: dayeonki/designbench, evaluation/evaluation_execution.py, eval_vqa.
pub fn counts_as_published(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "yes" | "true" | "t" | "y")
}

/// The yes or no that an answer holds; `None` if it says neither, or both.
///
/// The first word decides if it is one of `yes`, `true`, `t`, `y`, `no`, `false`, `f`, `n`, whatever
/// follows (`Yes, the title is centred`). Else the answer must hold only one of `yes` and `no` as a
/// word (`The answer is **no**.`).
pub fn parse_yes_no(answer: &str) -> Option<bool> {
    let lower = answer.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    // "No, although yes for the title" is a no: models answer first and explain then.
    if let Some(decided) = decides(words.first()?) {
        return Some(decided);
    }
    // Single letters decide at the beginning only: "a t" elsewhere is an accident.
    match (words.contains(&"yes"), words.contains(&"no")) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

fn decides(word: &str) -> Option<bool> {
    match word {
        "yes" | "true" | "t" | "y" => Some(true),
        "no" | "false" | "f" | "n" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Side;
    use crate::metric::judging::fixture::Scripted;

    fn metric(answers: &[&str]) -> VqaMetric {
        VqaMetric::new(Ok(Arc::new(Scripted::answering(answers))))
    }

    #[test]
    fn the_questions_of_a_task_give_the_rates_that_the_command_gives() {
        let picture = Pixels::filled(3, 2, [0; 4]).unwrap();
        let questions = ["Is there a title?", "Is it red?"].map(str::to_owned);
        let generated = Side { picture: Some(&picture), ..Side::default() };
        let comparison = Comparison { generated, questions: &questions, ..Comparison::default() };
        let metric = metric(&["Yes", "Yes, it is."]);
        let ids: Vec<&str> = metric.variants().iter().map(|variant| &*variant.id).collect();
        assert_eq!(ids, ["vqa/scripted", "vqa_parsed/scripted"]);
        let sizes = metric.questions(&comparison);
        assert_eq!(sizes, [17, 10].map(|bytes| QuestionSize { bytes, pixels: 6 }));
        let measured = metric.measurements(&comparison, &CancelToken::new());
        let VqaPassRate { published, parsed, answers } = rate(&["Yes", "Yes, it is."]);
        assert_eq!([&measured[0].score, &measured[1].score], [&published, &parsed]);
        let Some(Evidence::Judgement(said)) = &measured[0].evidence else { panic!("no words") };
        assert_eq!((said.len(), &said[1].answer), (2, &answers[1].answer));
        assert_eq!(said[1].question, "Is it red?");
    }

    #[test]
    fn a_question_without_an_answer_is_the_reason_for_both_rates_and_the_last_that_is_asked() {
        let picture = Pixels::filled(1, 1, [0; 4]).unwrap();
        let questions = ["a?", "b?", "c?"].map(str::to_owned);
        let generated = Side { picture: Some(&picture), ..Side::default() };
        let comparison = Comparison { generated, questions: &questions, ..Comparison::default() };
        // A third question would find no answer written down.
        let measured =
            metric(&["yes", Scripted::FAILURE]).measurements(&comparison, &CancelToken::new());
        for Measurement { score, .. } in measured {
            assert!(matches!(score, Score::Missing(MissingScore::NoJudgement(_))), "{score:?}");
        }
    }

    #[test]
    fn without_questions_or_a_picture_nobody_is_asked_and_no_rate_is_made_up() {
        let picture = Pixels::filled(1, 1, [0; 4]).unwrap();
        let questions = ["a?".to_owned()];
        let generated = Side { picture: Some(&picture), ..Side::default() };
        let unasked = Comparison { generated, ..Comparison::default() };
        let unseen = Comparison { questions: &questions, ..Comparison::default() };
        let metric = metric(&[]);
        for (comparison, reason) in [(unasked, "no_questions"), (unseen, "no_picture")] {
            let why = metric.lacking(&comparison).unwrap();
            assert_eq!((why.reason(), metric.questions(&comparison)), (reason, Vec::new()));
            for measured in metric.measurements(&comparison, &CancelToken::new()) {
                assert_eq!(measured.score, Score::Missing(why.clone()));
            }
        }
    }

    #[test]
    fn what_is_asked_about_changes_with_the_questions_and_with_nothing_else() {
        let about = |questions: &[&str], instruction| {
            let questions: Vec<String> = questions.iter().map(|&it| it.to_owned()).collect();
            let questions = questions.as_slice();
            metric(&[]).asked_about(&Comparison { instruction, questions, ..Comparison::default() })
        };
        let known = about(&["ab", "c"], None);
        assert!(known.is_some() && known == about(&["ab", "c"], Some("a poster")));
        for other in [&["ab", "d"][..], &["a", "bc"], &["ab"], &["c", "ab"], &[]] {
            assert_ne!(about(other, None), known, "{other:?}");
        }
    }

    fn rate(answers: &[&str]) -> VqaPassRate {
        let judge = Scripted::answering(answers);
        let picture = Pixels::filled(1, 1, [0; 4]).unwrap();
        let questions: Vec<&str> = answers.iter().map(|_| "Is there a title?").collect();
        vqa_pass_rate(&judge, &picture, &questions, &CancelToken::new())
    }

    #[test]
    fn a_chatty_yes_counts_only_where_it_is_parsed() {
        let rate = rate(&["Yes", "Yes, there is.", "No"]);
        assert_eq!(rate.published, Score::Value(33.33));
        assert!((rate.parsed.value().unwrap() - 200.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn an_unreadable_answer_is_a_no_as_published_and_left_out_else() {
        let rate = rate(&["yes", "It depends."]);
        assert_eq!((rate.published, rate.parsed), (Score::Value(50.0), Score::Value(100.0)));
        assert!(rate.answers[1].problem.is_some() && rate.answers[0].problem.is_none());
    }

    #[test]
    fn a_judge_that_fails_once_leaves_a_rate_over_the_others() {
        let rate = rate(&["yes", Scripted::FAILURE, "no"]);
        assert!(matches!(rate.published, Score::Missing(MissingScore::NoJudgement(_))));
        assert_eq!(rate.parsed, Score::Value(50.0));
        assert!(rate.answers[1].problem.as_deref().unwrap().contains("out of order"));
    }

    #[test]
    fn without_questions_the_published_rate_is_zero_and_the_parsed_one_undefined() {
        let rate = rate(&[]);
        assert_eq!(rate.published, Score::Value(0.0));
        assert!(matches!(rate.parsed, Score::Missing(MissingScore::Undefined(_))));
    }

    #[test]
    fn stopping_is_no_failure_of_the_judge() {
        let cancel = CancelToken::new();
        cancel.cancel();
        let picture = Pixels::filled(1, 1, [0; 4]).unwrap();
        let rate = vqa_pass_rate(&Scripted::answering(&["yes"]), &picture, &["?"], &cancel);
        assert_eq!(rate.published, Score::Missing(MissingScore::Cancelled));
    }

    #[test]
    fn only_the_bare_word_is_a_yes_as_published() {
        for yes in ["Yes", " yes\n", "TRUE", "t", "Y"] {
            assert!(counts_as_published(yes), "{yes}");
        }
        for no in ["Yes.", "yes, it is", "No", "", "1"] {
            assert!(!counts_as_published(no), "{no}");
        }
    }

    #[test]
    fn the_first_word_decides_whatever_follows() {
        assert_eq!(parse_yes_no("Yes, there is no doubt."), Some(true));
        assert_eq!(parse_yes_no("**No** — although yes in part"), Some(false));
        assert_eq!(parse_yes_no("\"True\""), Some(true));
    }

    #[test]
    fn a_lone_yes_or_no_within_a_sentence_counts() {
        assert_eq!(parse_yes_no("The answer is: no."), Some(false));
        assert_eq!(parse_yes_no("Answer: Yes"), Some(true));
    }

    #[test]
    fn neither_and_both_are_no_answer() {
        for answer in ["", "?!", "It might be.", "Answer: yes or no", "nothing", "yesterday"] {
            assert_eq!(parse_yes_no(answer), None, "{answer}");
        }
    }
}
