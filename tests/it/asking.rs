//! Scores that models behind endpoints are asked for: nobody is asked unless somebody says so.

use std::path::Path;
use std::time::Duration;

use pentimento::app::Session;
use pentimento::metric::{MissingScore, Score};
use pentimento::workbench::{
    AnnotateCommand, Column, Command, ExploreCommand, InspectorTab, PlaybackCommand, RunId,
    ScoresCommand, Settings, State, Workspace,
};
use pentimento::worker::WorkerConfig;

use crate::meaning::server::Server;
use crate::session::{is_idle, until};

const ORIGINALITY: &str = "originality/maker-eye-1";
const CAPTIONS: &str = "caption_similarity/canvas";
const RUNS: [&str; 2] = ["quiz-progress", "settings-dark"];

/// Two runs of samples, measured by models that this server answers for; scores are kept in `dir`.
fn opened(server: &Server, dir: &Path) -> Session {
    let models = serde_json::json!({
        "judge": server.settings(), "captioner": server.settings(),
    });
    let file = dir.join("models.json");
    std::fs::write(&file, models.to_string()).unwrap();
    let state = State::new(Settings::default(), dir.join("runs"));
    let workspace = Some(dir.join("workspace.sqlite"));
    let config = WorkerConfig { workspace, ..WorkerConfig::default() };
    let mut session = Session::start(state, config, || {}).unwrap();
    session.carry_out(Command::Scores(ScoresCommand::UseModels(Some(file))));
    until(&mut session, "the models are known", |state| state.variants.get(ORIGINALITY).is_some());
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let runs = RUNS.map(|task| samples.join("runs/own-samples").join(task));
    session.carry_out(Command::Open([vec![samples.join("taskset.json")], runs.to_vec()].concat()));
    until(&mut session, "the runs are listed", |state| state.library.runs.len() == RUNS.len());
    settle(&mut session);
    session
}

/// Until nothing is under way, and a little longer: what is wanted follows from what came.
fn settle(session: &mut Session) {
    until(session, "all is idle", is_idle);
    while session.take_next_event(Duration::from_millis(100)) {}
    until(session, "all is idle still", is_idle);
}

fn runs(session: &Session) -> Vec<RunId> {
    session.state().library.runs.keys().copied().collect()
}

fn last(session: &Session, run: RunId, variant: &str) -> Option<Score> {
    session.state().library.runs[&run].last_score_by(variant).cloned()
}

fn explore(session: &mut Session) {
    session.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
}

#[test]
fn stepping_and_ticking_a_column_ask_no_model() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[crate::meaning::server::says("4")]);
    let mut session = opened(&server, dir.path());
    let run = runs(&session)[0];
    session.carry_out(Command::SelectRun(run));
    until(&mut session, "the run is read", |state| !state.library.runs[&run].curves.is_empty());
    for tab in [InspectorTab::Step, InspectorTab::Scores] {
        session.carry_out(Command::ShowInspector(tab));
        session.carry_out(Command::Playback(PlaybackCommand::Step(1)));
        settle(&mut session);
    }
    let curves = &session.state().library.runs[&run].curves;
    let not_asked = Score::Missing(MissingScore::NotAsked);
    for variant in [ORIGINALITY, CAPTIONS] {
        assert_eq!(curves.get(variant, 1), Some(&not_asked), "{variant}");
    }
    // As a curve, too, which is of every step.
    session.carry_out(Command::Scores(ScoresCommand::Choose(ORIGINALITY.into())));
    settle(&mut session);
    explore(&mut session);
    for variant in [ORIGINALITY, CAPTIONS] {
        let column = Column::Score(variant.into());
        session.carry_out(Command::Explore(ExploreCommand::ToggleColumn(column.clone())));
        settle(&mut session);
        for run in runs(&session) {
            assert_eq!(last(&session, run, variant), Some(not_asked.clone()), "{variant}");
            let words = session.state().explore.table.cell(run, &column);
            assert!(format!("{words:?}").contains("not asked yet"), "{words:?}");
        }
    }
    assert!(server.asked().is_empty(), "{} requests went out unasked", server.asked().len());
}
