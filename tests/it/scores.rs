//! Scores by every variant: asked for, shown, chosen from, and remembered.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use pentimento::base::{CancelToken, Pixels, Variables};
use pentimento::evaluate::PrimaryMetric;
use pentimento::evaluate::{AskedModel, ComparedSide, ComparedTask, Scorer, Wanted};
use pentimento::metric::saliency::{Saliency, SaliencyPredictor};
use pentimento::metric::{
    Comparison, Direction, Evidence, MapKind, Measured, Measurement, Metric, MissingScore, Needs,
    Registry, ScalarMap, Score, VariantSpec,
};
use pentimento::model::ModelSettings;
use pentimento::model::captions::Captioner;
use pentimento::model::endpoint::EndpointError;
use pentimento::task::DesignBrief;
use pentimento::workbench::views::{self, PaneStatus};
use pentimento::workbench::{
    Command, Derived, DerivedKey, Event, InspectorTab, JobId, JobOutcome, PlaybackCommand, Request,
    RunId, ScorePurpose, ScoredStep, ScoresCommand, StageCommand, StagePane, State, VariantId,
    Variants, apply, handle,
};
use pentimento::worker::{Worker, WorkerConfig};

use super::workbench::{load, map, opened, scored, scores, step};

fn ssim() -> VariantSpec {
    Registry::built_in().variant(PrimaryMetric::Similarity.variant()).unwrap().clone()
}

/// A distance: less is better.
fn distance(map_range: Option<(f64, f64)>) -> VariantSpec {
    VariantSpec {
        id: "distance/test".into(),
        label: "Distance",
        variant_label: "test".into(),
        needs: Needs::Pictures,
        is_asked: false,
        direction: Direction::LowerIsBetter,
        range: (0.0, f64::INFINITY),
        map_range,
        version: 3,
        source: "a test",
    }
}

/// The first run on the stage with ten steps, measured by SSIM and a distance.
fn two_variants() -> State {
    let (mut state, _) = opened();
    state.variants = Variants::new([ssim(), distance(None)]);
    load(&mut state, 0, 10, false);
    state
}

fn tables(requests: &[Request]) -> Vec<(Vec<u32>, usize)> {
    let of = |request: &Request| match request {
        Request::Derive { key: DerivedKey::Scores(key), .. }
            if key.purpose == ScorePurpose::Table =>
        {
            Some((key.steps.clone(), key.variants.len()))
        }
        _ => None,
    };
    requests.iter().filter_map(of).collect()
}

fn put(state: &mut State, id: &str, step: u32, value: f64) {
    let run = state.library.runs.get_mut(&RunId(0)).unwrap();
    run.curves.put(&VariantId::from(id.to_owned()), step, Score::Value(value));
}

fn show(state: &mut State) -> Vec<Request> {
    handle(state, Command::ShowInspector(InspectorTab::Scores))
}

fn choose(state: &mut State, id: &str) -> Vec<Request> {
    let id = Cow::Owned(id.to_owned());
    handle(state, Command::Scores(ScoresCommand::Choose(id)))
}

#[test]
fn the_table_is_computed_only_while_it_is_looked_at_its_own_step_first() {
    let mut state = two_variants();
    step(&mut state, PlaybackCommand::Step(5));
    let asked = show(&mut state);
    assert_eq!(tables(&asked), [(vec![5, 4, 0, 10], 2)]);
    assert!(tables(&handle(&mut state, Command::CloseOverlay)).is_empty(), "asked once");
    let asked = step(&mut state, PlaybackCommand::Step(8));
    assert_eq!(tables(&asked), [(vec![8, 7, 0, 10], 2)], "what was asked before is stale");
    assert!(asked.iter().any(|request| matches!(request, Request::Cancel(_))));
    // The step shows what it changed by every metric: what is under way is for it as well.
    let asked = handle(&mut state, Command::ShowInspector(InspectorTab::Step));
    assert!(asked.is_empty(), "{asked:?}");
    let asked = handle(&mut state, Command::ShowInspector(InspectorTab::Nodes));
    assert!(tables(&asked).is_empty());
    assert!(asked.iter().any(|request| matches!(request, Request::Cancel(_))));
}

#[test]
fn a_row_has_the_change_to_the_step_before_and_what_it_is_worth() {
    let mut state = two_variants();
    step(&mut state, PlaybackCommand::Step(5));
    for (id, before, now) in
        [(PrimaryMetric::Similarity.variant(), 0.5, 0.75), ("distance/test", 2.0, 3.5)]
    {
        put(&mut state, id, 4, before);
        put(&mut state, id, 5, now);
    }
    put(&mut state, "distance/test", 0, 9.0);
    let scores = views::scores(&state);
    assert_eq!((scores.step, scores.last_step, scores.status), (5, 10, PaneStatus::Current));
    let [ssim, distance] = scores.rows[..] else { panic!() };
    assert_eq!((ssim.delta, ssim.gain), (Some(0.25), Some(0.25)));
    assert_eq!((distance.delta, distance.gain), (Some(1.5), Some(-1.5)));
    assert_eq!(distance.start, Some(&Score::Value(9.0)));
    assert_eq!((distance.last, ssim.is_curve, distance.is_curve), (None, true, false));
}

#[test]
fn a_task_without_ground_truth_says_why_there_are_no_scores() {
    let mut state = two_variants();
    handle(&mut state, Command::SelectRun(RunId(3)));
    let scores = views::scores(&state);
    assert!(scores.rows.is_empty());
    assert!(matches!(scores.status, PaneStatus::Nothing(why) if why.contains("not open")));
}

#[test]
fn a_chosen_variant_becomes_the_curve_and_its_best_is_its_own() {
    let mut state = two_variants();
    for (at, value) in [(0, 4.0), (1, 1.0), (2, 3.0), (3, 1.0)] {
        put(&mut state, "distance/test", at, value);
        put(&mut state, PrimaryMetric::Similarity.variant(), at, value / 10.0);
    }
    assert_eq!(views::timeline(&state).unwrap().best, Some((2, 0.3)), "the start is no peak");
    let asked = choose(&mut state, "distance/test");
    assert!(asked.iter().any(|request| matches!(request, Request::Cancel(_))), "the old curve");
    let curve = asked.iter().find_map(|request| match request {
        Request::Derive { key: DerivedKey::Scores(key), .. }
            if key.purpose == ScorePurpose::Curve =>
        {
            Some((key.variants.clone(), key.steps.clone()))
        }
        _ => None,
    });
    // The last step is the stage's.
    assert_eq!(curve, Some((vec!["distance/test".into()], (4..=9).collect())));
    let timeline = views::timeline(&state).unwrap();
    assert_eq!(timeline.best, Some((1, 1.0)), "the least, and the first of equals");
    assert_eq!(timeline.steps[2].gain, Some(-2.0));
    // It has no map: the heat stays.
    assert_eq!(state.heat_variant().unwrap().id, PrimaryMetric::Similarity.variant());
    assert_eq!(state.settings.curve_variant, "distance/test");
}

#[test]
fn a_chosen_variant_with_a_map_shows_it_on_the_stage() {
    let mut state = two_variants();
    state.variants = Variants::new([ssim(), distance(Some((10.0, 0.0)))]);
    handle(&mut state, Command::Stage(StageCommand::TogglePane(StagePane::Heat)));
    let asked = choose(&mut state, "distance/test");
    assert!(state.stage.panes.contains(&StagePane::Heat));
    let [(job, steps, purpose), ..] = &scores(&asked)[..] else { panic!("{asked:?}") };
    assert_eq!((steps, purpose), (&vec![10], &ScorePurpose::Stage { map: "distance/test".into() }));
    assert_eq!(views::heat(&state).status, PaneStatus::Loading);
    let id: VariantId = "distance/test".into();
    let (scores, map) = (vec![(id.clone(), Score::Value(2.5))], Some((id, map())));
    apply(&mut state, scored(*job, 10, scores, map));
    let heat = views::heat(&state);
    assert_eq!((heat.status, heat.score), (PaneStatus::Current, Some(&Score::Value(2.5))));
    assert_eq!(heat.scale.difference(2.5), 0.25);
}

/// By which variant saliency is looked at in these tests.
const SALIENCY: &str = "saliency_cc/spectral-residual";

fn show_saliency(state: &mut State, kind: MapKind) -> Vec<(JobId, Vec<u32>)> {
    let show = ScoresCommand::ShowMap(SALIENCY.into(), kind);
    let asked = handle(state, Command::Scores(show));
    let of_stage = scores(&asked).into_iter().filter_map(|(job, steps, purpose)| {
        let is_stage = purpose == ScorePurpose::Stage { map: SALIENCY.into() };
        is_stage.then_some((job, steps))
    });
    of_stage.collect()
}

#[test]
fn the_maps_of_saliency_come_together_and_each_has_a_scale_of_its_own() {
    let mut state = two_variants();
    state.variants = Variants::default();
    let curve = state.settings.curve_variant.clone();
    let asked = show_saliency(&mut state, MapKind::Generated);
    let [(job, steps)] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(*steps, [10]);
    let heat = views::heat(&state);
    assert_eq!((heat.status, heat.name().as_str()), (PaneStatus::Loading, "Saliency of the run"));
    let kinds = [MapKind::Difference, MapKind::Generated, MapKind::GroundTruth];
    let id: VariantId = SALIENCY.into();
    let maps = kinds.map(|kind| (id.clone(), kind, map())).to_vec();
    let scores = vec![(id, Score::Value(0.5))];
    let scored = ScoredStep { run: RunId(0), step: 10, scores, maps };
    apply(&mut state, Event::Derived { job: *job, result: Ok(Derived::Scores(scored)) });
    assert_eq!(views::heat(&state).status, PaneStatus::Current);
    assert!(show_saliency(&mut state, MapKind::GroundTruth).is_empty(), "it is there");
    assert!(!views::heat(&state).scale.is_signed);
    assert!(show_saliency(&mut state, MapKind::Difference).is_empty(), "it is there too");
    let heat = views::heat(&state);
    assert!(heat.scale.is_signed && heat.status == PaneStatus::Current);
    assert_eq!(state.settings.curve_variant, curve, "the curve stays");
    // A metric with one map has no side of its own.
    let show =
        ScoresCommand::ShowMap(PrimaryMetric::Similarity.variant().into(), MapKind::Generated);
    drop(handle(&mut state, Command::Scores(show)));
    assert_eq!((state.heat_map(), &*state.settings.heat_variant), (MapKind::Difference, SALIENCY));
    let link = state.link().unwrap().to_string();
    assert!(link.contains("heat=saliency_cc/spectral-residual"), "{link}");
}

#[test]
fn a_task_that_asks_in_words_has_the_saliency_of_its_runs_alone() {
    let mut state = two_variants();
    state.variants = Variants::default();
    let set = Arc::make_mut(&mut state.library.sets[0].set);
    for task in &mut set.tasks {
        let task = Arc::make_mut(task);
        task.ground_truth = None;
        task.brief = Some(Arc::new(DesignBrief::default()));
    }
    for kind in [MapKind::GroundTruth, MapKind::Difference] {
        assert!(show_saliency(&mut state, kind).is_empty(), "{kind:?}");
        assert!(!views::panes(&state).contains(&StagePane::Heat));
        let why = views::why_no_saliency(&state, kind).unwrap();
        assert!(why.contains("asks in words"), "{why}");
    }
    assert_eq!(show_saliency(&mut state, MapKind::Generated).len(), 1);
    assert!(views::panes(&state).contains(&StagePane::Heat));
    assert_eq!(views::heat(&state).status, PaneStatus::Loading);
    assert_eq!(views::why_no_saliency(&state, MapKind::Generated), None);
}

/// A network as somebody may name one.
#[derive(Debug)]
struct NamedNetwork;

impl SaliencyPredictor for NamedNetwork {
    fn name(&self) -> &'static str {
        "umsi++"
    }

    fn predict(&self, _: &Pixels) -> Result<ScalarMap, MissingScore> {
        Err(MissingScore::NoModel("it is not there".to_owned()))
    }
}

#[test]
fn each_predictor_of_saliency_has_three_heats_and_the_one_shown_is_marked() {
    let mut state = two_variants();
    let network = Arc::new(Saliency::new(Arc::new(NamedNetwork)));
    state.variants = Variants::of(&Registry::built_in().with(network));
    let show = ScoresCommand::ShowMap("saliency_cc/umsi++".into(), MapKind::GroundTruth);
    drop(handle(&mut state, Command::Scores(show)));
    let heats = views::saliency_heats(&state);
    let predictors: Vec<&str> = heats.iter().map(|heat| &*heat.variant.variant_label).collect();
    assert_eq!(predictors, [["spectral-residual"; 3], ["umsi++"; 3]].concat());
    let shown: Vec<MapKind> =
        heats.iter().filter(|heat| heat.is_shown).map(|heat| heat.kind).collect();
    assert_eq!(shown, [MapKind::GroundTruth]);
    // What a key shows goes by the predictor that is looked at.
    assert_eq!(state.saliency_variant().unwrap().id, "saliency_cc/umsi++");
    state.variants = Variants::new([ssim()]);
    assert!(views::saliency_heats(&state).is_empty());
    let why = views::why_no_saliency(&state, MapKind::Generated).unwrap();
    assert!(why.contains("No saliency model"), "{why}");
}

#[test]
fn the_map_of_one_side_is_given_only_to_who_looks_at_it() {
    let scorer = Scorer::new(Registry::built_in(), None);
    let task = ComparedTask::unknown_query();
    let picture = Pixels::from_rgba(2, 1, vec![0, 0, 0, 255, 255, 255, 255, 255]).unwrap();
    let made = ComparedSide { picture: Some(picture), ..ComparedSide::default() };
    for (map, expected) in [(Some(SALIENCY), vec![MapKind::Generated]), (None, Vec::new())] {
        let wanted = Wanted { variants: Some(&[SALIENCY]), map };
        let mut kinds = Vec::new();
        let cancel = CancelToken::new();
        let scored = scorer.score(&task, &made, wanted, &cancel, |measured| {
            for Measured { measurement, .. } in measured {
                assert!(measurement.score.value().is_none());
                let maps = measurement.evidence.map(Evidence::into_maps).unwrap_or_default();
                kinds.extend(maps.into_iter().map(|(kind, _)| kind));
            }
        });
        scored.unwrap();
        assert_eq!(kinds, expected);
    }
}

#[test]
fn keys_go_through_the_variants_and_stop_at_the_ends() {
    let mut state = two_variants();
    for (by, expected) in
        [(1, "distance/test"), (1, "distance/test"), (-5, PrimaryMetric::Similarity.variant())]
    {
        handle(&mut state, Command::Scores(ScoresCommand::ChooseBy(by)));
        assert_eq!(state.curve_variant().unwrap().id, expected);
    }
    choose(&mut state, "no/such");
    assert_eq!(state.curve_variant().unwrap().id, PrimaryMetric::Similarity.variant());
    state.settings.curve_variant = "of/an-older-program".into();
    let id = state.curve_variant().unwrap().id.clone();
    assert_eq!(id, PrimaryMetric::Similarity.variant(), "what is gone is the first");
}

#[test]
fn the_librarys_score_comes_also_while_another_curve_is_shown() {
    let mut state = two_variants();
    let asked = choose(&mut state, "distance/test");
    let is_final = |request: &Request| matches!(request, Request::Derive { key: DerivedKey::Scores(key), .. } if key.run == RunId(0) && key.purpose == ScorePurpose::Last);
    let comes_with_heat = scores(&asked).iter().any(|(_, steps, _)| steps.contains(&10));
    assert!(asked.iter().any(is_final) || comes_with_heat || state.selection.step == 10);
    let (scores, run_id) = (vec![("distance/test".into(), Score::Value(7.0))], RunId(0));
    let curve = asked.iter().find_map(|request| match request {
        Request::Derive { job, key: DerivedKey::Scores(key), .. }
            if key.purpose == ScorePurpose::Curve =>
        {
            Some(*job)
        }
        _ => None,
    });
    let job = curve.unwrap();
    apply(&mut state, scored(job, 10, scores, None));
    assert_eq!(state.library.runs[&run_id].last_score, None, "the library shows SSIM");
}

#[test]
fn other_models_are_asked_for_remembered_and_measured_by() {
    let mut state = two_variants();
    put(&mut state, PrimaryMetric::Similarity.variant(), 1, 0.5);
    put(&mut state, "distance/test", 1, 0.5);
    let path = std::path::PathBuf::from("/models.json");
    let use_models = |path| Command::Scores(ScoresCommand::UseModels(path));
    let job_of = |requests: &[Request]| {
        let of = |request: &Request| match request {
            Request::UseModels { job, path, .. } => Some((*job, path.clone())),
            _ => None,
        };
        requests.iter().find_map(of).unwrap()
    };
    let (first, asked) = job_of(&handle(&mut state, use_models(Some(path.clone()))));
    assert_eq!((asked, &state.settings.models), (Some(path.clone()), &Some(path.clone())));
    let requests = handle(&mut state, use_models(Some(path)));
    assert!(
        requests.iter().any(|request| matches!(request, Request::Cancel(job) if *job == first))
    );
    let (second, _) = job_of(&requests);
    apply(&mut state, Event::ModelsUsed { job: first, result: Err("stale".into()) });
    assert_eq!(state.models_problem, None, "what was asked before does not matter");
    let result = Ok(vec![ssim(), distance(None), VariantSpec { id: "new/test".into(), ..ssim() }]);
    apply(&mut state, Event::ModelsUsed { job: second, result });
    assert!(state.variants.get("new/test").is_some());
    let curves = &state.library.runs[&RunId(0)].curves;
    assert!(curves.value(PrimaryMetric::Similarity.variant(), 1).is_some(), "SSIM needs no model");
    assert!(curves.get("distance/test", 1).is_none(), "may be another now");
}

#[test]
fn a_file_of_models_that_cannot_be_used_is_told_and_changes_nothing() {
    let mut state = two_variants();
    let path = Some(std::path::PathBuf::from("/none.json"));
    handle(&mut state, Command::Scores(ScoresCommand::UseModels(path)));
    let job = state.jobs.by_id.keys().next_back().copied().unwrap();
    let before = state.variants.len();
    apply(&mut state, Event::ModelsUsed { job, result: Err("no such file".into()) });
    assert_eq!(state.models_problem.as_deref(), Some("no such file"));
    assert!(state.notices.iter().any(|notice| notice.text.contains("no such file")));
    assert_eq!(state.variants.len(), before);
    handle(&mut state, Command::Scores(ScoresCommand::UseModels(None)));
    assert_eq!((&state.models_problem, &state.settings.models), (&None, &None));
}

#[test]
fn captions_of_a_file_are_read_with_the_models_and_what_went_by_others_is_forgotten() {
    let captioned =
        VariantSpec { id: "caption_similarity/canvas".into(), needs: Needs::Captions, ..ssim() };
    let mut state = two_variants();
    state.settings.models = Some("/models.json".into());
    state.variants = Variants::new(vec![ssim(), captioned.clone()]);
    put(&mut state, "caption_similarity/canvas", 1, 0.5);
    let file = Some(std::path::PathBuf::from("/captions.json"));
    let command = Command::Scores(ScoresCommand::UseCaptions(file.clone()));
    let requests = handle(&mut state, command);
    let used = requests.iter().find_map(|request| match request {
        Request::UseModels { job, path, captions } => Some((*job, path.clone(), captions.clone())),
        _ => None,
    });
    let (job, models, captions) = used.unwrap();
    assert_eq!((models, &captions), (Some("/models.json".into()), &file));
    assert_eq!(state.settings.captions, file);
    apply(&mut state, Event::ModelsUsed { job, result: Ok(vec![ssim(), captioned]) });
    assert!(state.library.runs[&RunId(0)].curves.get("caption_similarity/canvas", 1).is_none());
}

#[test]
fn models_are_changed_while_the_worker_works_and_bad_files_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let worker = Worker::start(WorkerConfig::default(), || {}).unwrap();
    let good = dir.path().join("models.json");
    std::fs::write(&good, r#"{"lpips": {"name": "vgg", "network": "none.onnx"}}"#).unwrap();
    let bad = dir.path().join("bad.json");
    std::fs::write(&bad, "{").unwrap();
    for (job, path) in [(1, Some(good)), (2, Some(bad)), (3, None)] {
        worker.send(Request::UseModels { job: JobId(job), path, captions: None });
    }
    let (mut results, mut ended) = (Vec::new(), 0);
    while ended < 3 {
        match worker.event_within(Duration::from_mins(1)).unwrap() {
            Event::ModelsUsed { result, .. } => {
                let has_lpips = |all: Vec<VariantSpec>| all.iter().any(|it| it.id == "lpips/vgg");
                results.push(result.map(has_lpips));
            }
            Event::JobEnded(_, outcome) => {
                assert_eq!(outcome, JobOutcome::Done);
                ended += 1;
            }
            _ => {}
        }
    }
    assert_eq!((&results[0], &results[2]), (&Ok(true), &Ok(false)));
    let why = results[1].as_ref().unwrap_err();
    assert!(why.contains("bad.json") && why.contains("not a file of models"), "{why}");
}

/// Says of every picture how wide it is, and counts.
#[derive(Debug)]
struct Widths(Arc<AtomicUsize>);

impl Captioner for Widths {
    fn name(&self) -> &'static str {
        "widths"
    }

    fn caption(&self, picture: &Pixels, _: &CancelToken) -> Result<String, EndpointError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        match picture.width() {
            1 => Err(EndpointError::Setup("too narrow".to_owned())),
            width => Ok(format!("a picture of {width} columns")),
        }
    }
}

#[test]
fn both_sides_are_captioned_once_where_a_metric_needs_it() {
    let asked = Arc::new(AtomicUsize::new(0));
    let scorer = Scorer::of_models(&ModelSettings::default(), &Variables::default(), None);
    let scorer = scorer.with_captioner(Arc::new(Widths(Arc::clone(&asked))));
    let task = ComparedTask::new(side(9), Vec::new(), None);
    let score = |made: &ComparedSide, id: &str| {
        let (mut all, never) = (Vec::new(), CancelToken::new());
        let wanted = Wanted { variants: Some(&[id]), map: None };
        scorer.score(&task, made, wanted, &never, |measured| all.extend(measured)).unwrap();
        all.remove(0).measurement.score
    };
    assert!(
        matches!(score(&side(9), PrimaryMetric::Similarity.variant()), Score::Missing(_)),
        "smaller than its window"
    );
    assert_eq!(asked.load(Ordering::Relaxed), 0, "nobody is asked for what needs no caption");
    assert_eq!(score(&side(9), "caption_similarity/canvas"), Score::Value(1.0));
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    assert!(score(&side(5), "caption_similarity/canvas").value().unwrap() < 1.0);
    assert_eq!(asked.load(Ordering::Relaxed), 3, "the ground truth is captioned once");
    let Score::Missing(why) = score(&side(1), "caption_similarity/minilm") else {
        panic!("a score")
    };
    assert!(why.to_string().contains("too narrow") && why.to_string().contains("widths"), "{why}");
}

#[test]
fn nobody_is_asked_for_captions_unless_somebody_says_so() {
    let asked = Arc::new(AtomicUsize::new(0));
    let scorer = Scorer::of_models(&ModelSettings::default(), &Variables::default(), None);
    let scorer = scorer.with_captioner(Arc::new(Widths(Arc::clone(&asked)))).without_asking();
    let task = ComparedTask::new(side(9), Vec::new(), None);
    let wanted = Wanted { variants: Some(&["caption_similarity/canvas"]), map: None };
    let (mut all, never) = (Vec::new(), CancelToken::new());
    scorer.score(&task, &side(9), wanted, &never, |measured| all.extend(measured)).unwrap();
    assert_eq!(all.remove(0).measurement.score, Score::Missing(MissingScore::NotAsked));
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    let questions = scorer.questions(&task, &side(7), wanted);
    let models: Vec<AskedModel> = questions.iter().map(|question| question.model).collect();
    assert_eq!(models, [AskedModel::TruthCaptioner, AskedModel::Captioner]);
    assert_eq!(asked.load(Ordering::Relaxed), 0, "they are only counted");
    scorer.ask(&task, &side(9), wanted, &never, |measured| all.extend(measured)).unwrap();
    assert_eq!(all.remove(0).measurement.score, Score::Value(1.0));
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    // Captions of before need nobody.
    let said = ComparedSide { caption: Some("a bar".to_owned()), ..side(9) };
    let told = task.with_truth_caption(Ok("a bar".to_owned()));
    scorer.score(&told, &said, wanted, &never, |measured| all.extend(measured)).unwrap();
    assert_eq!(all.remove(0).measurement.score, Score::Value(1.0));
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

/// A metric that counts how often it measures.
#[derive(Debug)]
struct Counting {
    variants: Vec<VariantSpec>,
    measured: Arc<AtomicUsize>,
}

impl Metric for Counting {
    fn variants(&self) -> &[VariantSpec] {
        &self.variants
    }

    fn measurements(&self, comparison: &Comparison<'_>, _: &CancelToken) -> Vec<Measurement> {
        self.measured.fetch_add(1, Ordering::Relaxed);
        let Ok((_, made)) = comparison.pictures() else {
            return vec![Measurement::missing(MissingScore::NoPicture("none".into()))];
        };
        let map = ScalarMap { width: 1, height: 1, values: vec![0.5].into() };
        let score = Score::Value(f64::from(made.width()));
        vec![Measurement { score, evidence: Some(Evidence::Map(map)) }]
    }
}

fn side(width: u32) -> ComparedSide {
    let picture = Some(Pixels::filled(width, 1, [0, 0, 0, 255]).unwrap());
    ComparedSide { picture, ..ComparedSide::default() }
}

fn counting(version: u32) -> (Registry, Arc<AtomicUsize>) {
    let measured = Arc::new(AtomicUsize::new(0));
    let variants = vec![VariantSpec { version, ..distance(Some((1.0, 0.0))) }];
    let metric = Counting { variants, measured: Arc::clone(&measured) };
    (Registry::built_in().with(Arc::new(metric)), measured)
}

fn score(scorer: &Scorer, width: u32, map: Option<&str>) -> Measured {
    let task = ComparedTask::new(side(9), Vec::new(), None);
    let wanted = Wanted { variants: Some(&["distance/test"]), map };
    let mut all = Vec::new();
    scorer
        .score(&task, &side(width), wanted, &CancelToken::new(), |measured| all.extend(measured))
        .unwrap();
    assert_eq!(all.len(), 1, "only what is wanted");
    all.remove(0)
}

#[test]
fn the_same_is_measured_once_a_version_and_a_map_always() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("w.sqlite");
    let (registry, measured) = counting(1);
    let count = || measured.load(Ordering::Relaxed);
    for _ in 0..2 {
        let scorer = Scorer::new(registry.clone(), Some(path.clone()));
        for width in [3, 4, 3] {
            let found = score(&scorer, width, None).measurement;
            assert_eq!(found.score, Score::Value(f64::from(width)));
            assert!(found.evidence.is_none());
        }
        assert_eq!(scorer.take_problem(), None);
    }
    assert_eq!(count(), 2, "in both sessions together");
    let scorer = Scorer::new(registry, Some(path.clone()));
    assert!(score(&scorer, 3, Some("distance/test")).measurement.map().is_some());
    assert_eq!(count(), 3, "a map is never remembered");
    let (newer, measured) = counting(2);
    score(&Scorer::new(newer, Some(path)), 3, None);
    assert_eq!(measured.load(Ordering::Relaxed), 1, "another version is another number");
}

#[test]
fn scores_are_computed_also_where_they_cannot_be_remembered() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), b"").unwrap();
    let (registry, _) = counting(1);
    let scorer = Scorer::new(registry, Some(dir.path().join("file/w.sqlite")));
    assert_eq!(score(&scorer, 5, None).measurement.score, Score::Value(5.0));
    assert!(scorer.take_problem().unwrap().contains("not remembered"));
    score(&scorer, 5, None);
    assert_eq!(scorer.take_problem(), None, "told once");
}

#[test]
fn a_stopped_measurement_is_not_remembered() {
    let dir = tempfile::tempdir().unwrap();
    let (registry, measured) = counting(1);
    let scorer = Scorer::new(registry, Some(dir.path().join("w.sqlite")));
    let stopped = CancelToken::new();
    stopped.cancel();
    let task = ComparedTask::new(side(9), Vec::new(), None);
    let all = scorer.score(&task, &side(3), Wanted::ALL, &stopped, |_| panic!("nothing is done"));
    assert!(all.is_err());
    score(&scorer, 3, None);
    assert!(measured.load(Ordering::Relaxed) >= 1);
}
