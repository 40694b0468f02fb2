//! A judge behind an endpoint, from the prompt to the score.

use std::sync::Arc;

use pentimento::base::{CancelToken, Pixels, Variables};
use pentimento::metric::judging::{
    Creativity, DesignPassRequest, Judge, design_pass, vqa_pass_rate,
};
use pentimento::metric::{Comparison, Metric as _, MissingScore, Score, Side};
use pentimento::model::EndpointJudge;
use pentimento::model::endpoint::{Asker, ChatEndpoint};
use pentimento::model::prompts::PromptSet;

use super::server::{Server, response, says};

fn judge(server: &Server) -> EndpointJudge {
    let endpoint = ChatEndpoint::new(server.settings(), &Variables::default()).unwrap();
    EndpointJudge::new(Arc::new(Asker::new(endpoint, None)), PromptSet::built_in())
}

/// The text of the prompt of a request.
fn prompt(server: &Server, at: usize) -> String {
    let content = server.asked()[at].body["messages"][0]["content"].clone();
    let parts = content.as_array().unwrap();
    parts.last().unwrap()["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_judge_grades_originality_and_elaboration() {
    let server = Server::answering(&[says("**Score:** 4/5"), says("2")]);
    let picture = Pixels::filled(2, 2, [9; 4]).unwrap();
    let comparison = Comparison {
        generated: Side { picture: Some(&picture), ..Side::default() },
        instruction: Some("a poster about the sea"),
        ..Comparison::default()
    };
    let judge: Arc<dyn Judge> = Arc::new(judge(&server));
    let both = Creativity::both(&judge);
    assert_eq!(both[0].variants()[0].id, "originality/maker-eye-1");
    let measured = both.iter().flat_map(|it| it.measurements(&comparison, &CancelToken::new()));
    let scores: Vec<Score> = measured.map(|m| m.score).collect();
    assert_eq!(scores, [Score::Value(4.0), Score::Value(2.0)]);
    assert!(prompt(&server, 0).contains("a poster about the sea"));
    assert!(!server.asked()[0].headers.contains("authorization"), "no key is set, none is sent");
}

#[test]
fn questions_about_a_picture_give_a_pass_rate() {
    let server = Server::answering(&[says("Yes"), says("No."), says("Yes, it does.")]);
    let picture = Pixels::filled(2, 2, [9; 4]).unwrap();
    let questions = ["Is there a title?", "Is it red?", "Does it show a boat?"];
    let rate = vqa_pass_rate(&judge(&server), &picture, &questions, &CancelToken::new());
    assert_eq!(rate.published, Score::Value(33.33));
    assert!((rate.parsed.value().unwrap() - 200.0 / 3.0).abs() < 1e-9);
    assert!(prompt(&server, 1).contains("Is it red?"));
}

#[test]
fn a_plan_is_judged_without_a_picture() {
    let server = Server::answering(&[says("5"), says("5"), says("2")]);
    let request = DesignPassRequest {
        background_color: "teal",
        text_elements: "title: Sea",
        image_elements: "a boat",
        plan: "1. Create a document",
    };
    let pass = design_pass(&judge(&server), &request, &CancelToken::new());
    assert_eq!(pass.rate(), Score::Value(12.0 / 15.0));
    let content = server.asked()[0].body["messages"][0]["content"].clone();
    assert_eq!(content.as_array().unwrap().len(), 1);
    assert!(prompt(&server, 0).contains("teal") && prompt(&server, 2).contains("a boat"));
}

#[test]
fn a_judge_that_fails_is_the_reason_for_no_score() {
    let server = Server::answering(&[response("400 Bad Request", "", "")]);
    let question = pentimento::metric::judging::JudgeQuestion {
        form: pentimento::metric::judging::JudgeForm::Vqa,
        picture: None,
        values: &["Is it red?"],
    };
    let error = judge(&server).answer(&question, &CancelToken::new()).unwrap_err();
    assert!(matches!(&error, MissingScore::NoJudgement(why) if why.contains("400")), "{error}");
}

/// A folder with two pictures, questions by id about them, and a file of models that names `server`.
fn asked_about(server: &Server) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let picture = Pixels::filled(2, 2, [9; 4]).unwrap().to_png().unwrap();
    for name in ["2_final.png", "10.png", "notes.txt"] {
        std::fs::write(dir.path().join(name), &picture).unwrap();
    }
    let models = serde_json::json!({ "judge": server.settings() });
    std::fs::create_dir(dir.path().join("of")).unwrap();
    std::fs::write(dir.path().join("of/models.json"), models.to_string()).unwrap();
    let questions = "{\"id\": 2, \"design\": \"poster\", \"questions\": \"[\\\"Is it red?\\\", \\\"Is it big?\\\"]\"}\n";
    std::fs::write(dir.path().join("of/questions.jsonl"), questions).unwrap();
    dir
}

fn ask(dir: &std::path::Path, more: &[&str]) -> std::process::Output {
    let of = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let (pictures, questions, models) = (of(""), of("of/questions.jsonl"), of("of/models.json"));
    let arguments = ["metric", "vqa", &pictures, "--questions", &questions, "--models", &models];
    crate::cli::program().args(arguments).args(more).output().unwrap()
}

#[test]
fn a_command_asks_the_questions_about_pictures_by_their_ids() {
    let server = Server::answering(&[says("Yes"), says("No"), says("Yes"), says("No")]);
    let dir = asked_about(&server);
    let labels = dir.path().join("vqa.csv");
    let labels = labels.to_str().unwrap();
    let more = ["--json", "--jobs", "1", "--of", "ours", "--design", "Poster", "--labels", labels];
    let output = ask(dir.path(), &more);
    assert!(output.status.success(), "{output:?}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["judge"], &json["mean"]["published"]), (&"maker-eye-1".into(), &50.0.into()));
    let [first, second] = json["pictures"].as_array().unwrap().as_slice() else {
        panic!("two pictures, and no text file: {json}")
    };
    assert_eq!((&first["id"], &first["published"]), (&"2".into(), &50.0.into()));
    assert_eq!(first["answers"][1]["question"], "Is it big?");
    assert_eq!((&second["id"], second["problem"].is_string()), (&"10".into(), true));
    let written = std::fs::read_to_string(labels).unwrap();
    assert_eq!(written, "model,task,design,vqa\nours,2,Poster,50\n");
    let again = ask(dir.path(), &more);
    assert!(!again.status.success(), "labels are not written over");
    let text = String::from_utf8(ask(dir.path(), &["--jobs", "1"]).stdout).unwrap();
    assert!(text.contains("50.00") && text.contains("no questions about \"10\""), "{text}");
}

#[test]
fn a_command_without_a_judge_or_questions_says_what_is_missing() {
    let server = Server::answering(&[says("Yes")]);
    let dir = asked_about(&server);
    std::fs::write(dir.path().join("of/questions.jsonl"), "").unwrap();
    let said = |output: std::process::Output| {
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(said(ask(dir.path(), &[])).contains("there is no question in"));
    std::fs::write(dir.path().join("of/models.json"), "{}").unwrap();
    assert!(said(ask(dir.path(), &[])).contains("names no judge"));
    assert!(server.asked().is_empty());
}
