//! The list of nodes: what it asks for, what it shows, and what comes of real runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pentimento::app::Session;
use pentimento::design::diff::{pair_by_content, pair_by_id};
use pentimento::design::{Document, Node, NodeId, figma};
use pentimento::environment::EnvironmentKind;
use pentimento::run::TaskRef;
use pentimento::task::{Artifact, Task, TaskKind, TaskSet};
use pentimento::workbench::protocol::ExportFormat;
use pentimento::workbench::views::{self, BoxKind, PaneStatus};
use pentimento::workbench::{
    ChangeKind, Command, Comparison, DerivedKey, Event, Fetched, InspectorTab, LayerTree,
    LayerTreeKey, LibrarySet, NodeRef, NodeSide, NodesCommand, PairedBy, PictureKey,
    PlaybackCommand, Request, Settings, StageCommand, State, apply, handle,
};
use pentimento::worker::WorkerConfig;
use serde_json::{Value, json};

use crate::shared;

/// How long anything may take before a test gives up. Not a measure of speed.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

fn task_ref() -> TaskRef {
    TaskRef { set: "screens".into(), id: "login".into() }
}

/// A task with a start and a ground truth, both documents; nothing is read in these tests.
fn with_task(start: Option<&str>, truth: Option<&str>) -> State {
    let document = |path: &str| Artifact { document: Some(path.into()), picture: None };
    let task = Task {
        id: "login".into(),
        environment: EnvironmentKind::Canvas,
        kind: TaskKind::Replication,
        instruction: "Build the screen.".into(),
        start: start.map(document),
        ground_truth: Some(truth.map_or_else(
            || Artifact { document: None, picture: Some("truth.png".into()) },
            document,
        )),
        canvas_size: None,
        reference_tools: Vec::new(),
        reference_plan: None,
        category: None,
        difficulty: None,
        tags: Vec::new(),
        checks: None,
        brief: None,
        given: Vec::new(),
    };
    let set = TaskSet {
        id: "screens".into(),
        name: "Screens".into(),
        dir: "/s".into(),
        tasks: vec![Arc::new(task)],
    };
    let mut state = State::default();
    state.library.sets.push(LibrarySet::new(Arc::new(set), Vec::new()));
    state.selection.task = Some(task_ref());
    state
}

fn rectangle(id: &str, name: &str, [x, y, width, height]: [f64; 4]) -> Value {
    json!({
        "id": id, "name": name, "type": "RECTANGLE",
        "absoluteBoundingBox": {"x": x, "y": y, "width": width, "height": height},
        "fills": [{"type": "SOLID", "color": {"r": 1.0, "g": 0.0, "b": 0.0, "a": 1.0}}],
    })
}

fn screen(children: &[Value]) -> Document {
    let json = json!({"document": {
        "id": "1:1", "name": "Main Screen", "type": "FRAME", "children": children,
        "absoluteBoundingBox": {"x": 0.0, "y": 0.0, "width": 100.0, "height": 200.0},
    }});
    figma::from_json(json).unwrap().document
}

/// The truth has a header, a card and a button; the run moved the card, lost the button and has a
/// stranger.
fn compared() -> LayerTree {
    let truth = screen(&[
        rectangle("1:2", "Header", [0.0, 0.0, 100.0, 40.0]),
        rectangle("1:3", "Card", [10.0, 50.0, 80.0, 60.0]),
        rectangle("1:4", "Button", [10.0, 160.0, 80.0, 20.0]),
    ]);
    let run = screen(&[
        rectangle("1:2", "Header", [0.0, 0.0, 100.0, 40.0]),
        rectangle("1:3", "Card", [10.0, 70.0, 80.0, 60.0]),
        rectangle("1:9", "Stranger", [40.0, 120.0, 5.0, 5.0]),
    ]);
    let pairing = pair_by_id(&truth, &run);
    LayerTree::new(run, Some((truth, pairing, PairedBy::Id)))
}

fn start_key() -> LayerTreeKey {
    LayerTreeKey { slot: PictureKey::Start(task_ref()), against: Comparison::GroundTruth }
}

/// The list open on the outline of [`compared`].
fn listing() -> State {
    let mut state = with_task(Some("start.json"), Some("truth.json"));
    state.settings.inspector_tab = InspectorTab::Nodes;
    state.derived.layer_trees.insert(start_key(), Fetched::Ready(Arc::new(compared())));
    state
}

fn nodes(state: &mut State, command: NodesCommand) -> Vec<Request> {
    handle(state, Command::Nodes(command))
}

fn names(state: &State) -> Vec<&str> {
    let view = views::nodes(state);
    let outline = view.layers.unwrap();
    view.rows.iter().map(|row| outline.rows[row.index].name.as_str()).collect()
}

fn outlines_asked(requests: &[Request]) -> Vec<LayerTreeKey> {
    let key = |request: &Request| match request {
        Request::Derive { key: DerivedKey::LayerTree(key), .. } => Some(key.clone()),
        _ => None,
    };
    requests.iter().filter_map(key).collect()
}

fn node(side: NodeSide, id: &str) -> NodeRef {
    NodeRef { side, id: NodeId::from(id) }
}

#[test]
fn nothing_is_listed_before_somebody_looks() {
    let mut state = with_task(Some("start.json"), Some("truth.json"));
    let asked = outlines_asked(&handle(&mut state, Command::SelectTask(task_ref())));
    assert!(asked.is_empty());
    let asked = handle(&mut state, Command::ShowInspector(InspectorTab::Nodes));
    assert_eq!(outlines_asked(&asked), [start_key()]);
    let again = handle(&mut state, Command::Stage(StageCommand::Fit));
    assert!(outlines_asked(&again).is_empty(), "asking twice asks once");
}

#[test]
fn an_answer_that_is_not_wanted_any_more_is_dropped() {
    let mut state = with_task(Some("start.json"), Some("truth.json"));
    let asked = handle(&mut state, Command::ShowInspector(InspectorTab::Nodes));
    let job = asked.iter().find_map(|request| match request {
        Request::Derive { job, key: DerivedKey::LayerTree(_), .. } => Some(*job),
        _ => None,
    });
    let job = job.unwrap();
    let later = nodes(&mut state, NodesCommand::Compare(Comparison::None));
    assert!(
        later
            .iter()
            .any(|request| matches!(request, Request::Cancel(cancelled) if *cancelled == job))
    );
    let result = Ok(Arc::new(compared()));
    drop(apply(&mut state, Event::derived(job, result)));
    assert!(state.ready_layers(&start_key()).is_none());
}

#[test]
fn a_failure_is_told_and_not_asked_again() {
    let mut state = with_task(Some("start.json"), Some("truth.json"));
    let asked = handle(&mut state, Command::ShowInspector(InspectorTab::Nodes));
    let job = asked.iter().find_map(|request| match request {
        Request::Derive { job, key: DerivedKey::LayerTree(_), .. } => Some(*job),
        _ => None,
    });
    let event = Event::Derived { job: job.unwrap(), result: Err("the file is gone".into()) };
    assert!(outlines_asked(&apply(&mut state, event)).is_empty());
    assert_eq!(views::nodes(&state).status, PaneStatus::Failed("the file is gone"));
}

#[test]
fn a_ground_truth_without_a_document_cannot_be_compared_with() {
    let mut state = with_task(Some("start.json"), None);
    state.settings.inspector_tab = InspectorTab::Nodes;
    assert_eq!(state.nodes_comparison(), Comparison::None);
    assert!(!state.can_compare(Comparison::GroundTruth));
    nodes(&mut state, NodesCommand::ListGroundTruth(true));
    let PaneStatus::Nothing(why) = views::nodes(&state).status else { panic!("it says why") };
    assert!(why.contains("picture without a document"), "{why}");
}

#[test]
fn a_blank_task_lists_its_ground_truth() {
    let state = with_task(None, Some("truth.json"));
    assert_eq!(state.nodes_slot(), Some(PictureKey::GroundTruth(task_ref())));
    assert_eq!(state.nodes_comparison(), Comparison::None, "it is not compared with itself");
}

#[test]
fn the_list_shows_layers_from_the_top_and_what_is_missing_in_its_place() {
    let mut state = listing();
    assert_eq!(names(&state), ["Main Screen", "Stranger", "Button", "Card", "Header"]);
    nodes(&mut state, NodesCommand::ToggleOnlyChanged);
    assert_eq!(names(&state), ["Main Screen", "Stranger", "Button", "Card"]);
    nodes(&mut state, NodesCommand::ToggleChangeKind(ChangeKind::Removed));
    assert_eq!(names(&state), ["Main Screen", "Button"]);
    nodes(&mut state, NodesCommand::ToggleChangeKind(ChangeKind::Removed));
    nodes(&mut state, NodesCommand::ToggleOnlyChanged);
    nodes(&mut state, NodesCommand::SetFilter("  CARD".into()));
    assert_eq!(names(&state), ["Main Screen", "Card"]);
    nodes(&mut state, NodesCommand::SetFilter("no such".into()));
    assert!(names(&state).is_empty() && views::nodes(&state).is_filtered);
}

#[test]
fn arrows_walk_fold_and_unfold() {
    let mut state = listing();
    let selected = |state: &State| state.nodes.selected.clone().map(|node| node.id.to_string());
    nodes(&mut state, NodesCommand::SelectBy(1));
    assert_eq!(selected(&state).as_deref(), Some("1:1"));
    nodes(&mut state, NodesCommand::FoldSelected);
    assert_eq!(names(&state), ["Main Screen"]);
    nodes(&mut state, NodesCommand::UnfoldSelected);
    assert_eq!(names(&state).len(), 5);
    nodes(&mut state, NodesCommand::UnfoldSelected);
    assert_eq!(selected(&state).as_deref(), Some("1:9"), "into the first child");
    nodes(&mut state, NodesCommand::SelectBy(1));
    assert_eq!(state.nodes.selected, Some(node(NodeSide::GroundTruth, "1:4")), "a ghost");
    nodes(&mut state, NodesCommand::FoldSelected);
    assert_eq!(selected(&state).as_deref(), Some("1:1"), "out to the parent");
    nodes(&mut state, NodesCommand::SelectBy(i32::MAX));
    assert_eq!(selected(&state).as_deref(), Some("1:2"));
}

#[test]
fn what_is_folded_opens_for_a_node_selected_on_the_stage() {
    let mut state = listing();
    nodes(&mut state, NodesCommand::ToggleFolded(NodeId::from("1:1")));
    assert_eq!(names(&state), ["Main Screen"]);
    nodes(&mut state, NodesCommand::Select(Some(node(NodeSide::GroundTruth, "1:3"))));
    assert_eq!(names(&state).len(), 5, "the partner of the node is in the list");
    let view = views::nodes(&state);
    assert_eq!(view.layers.unwrap().rows[view.selected.unwrap()].name, "Card");
}

#[test]
fn a_selected_node_of_the_ground_truth_stays_for_the_next_run_and_no_other() {
    let mut state = listing();
    nodes(&mut state, NodesCommand::Select(Some(node(NodeSide::GroundTruth, "1:4"))));
    drop(handle(&mut state, Command::SelectTask(task_ref())));
    assert!(state.nodes.selected.is_some());
    drop(handle(&mut state, Command::Close("screens".into())));
    assert!(state.nodes.selected.is_none() && state.derived.layer_trees.is_empty());
}

#[test]
fn a_selected_node_is_outlined_with_its_partner() {
    let state = listing();
    let found = views::outlined(&state, &node(NodeSide::Canvas, "1:3"));
    let places: Vec<_> = found.iter().map(|it| (it.side, it.screen_box.y)).collect();
    assert_eq!(places, [(NodeSide::Canvas, 70.0), (NodeSide::GroundTruth, 50.0)]);
    let missing = views::outlined(&state, &node(NodeSide::GroundTruth, "1:4"));
    assert_eq!(missing.iter().map(|it| it.side).collect::<Vec<_>>(), [NodeSide::GroundTruth]);
    assert!(views::outlined(&state, &node(NodeSide::Canvas, "9:9")).is_empty());
}

#[test]
fn boxes_tell_matched_moved_missing_and_extra_apart() {
    let state = listing();
    let (boxes, counts) = views::boxes(&state);
    let count = |kind| counts.get(&kind).copied().unwrap_or(0);
    assert_eq!(BoxKind::ALL.map(count), [2, 1, 1, 1]);
    let missing: Vec<_> = boxes.iter().filter(|it| it.kind == BoxKind::Missing).collect();
    assert_eq!(missing.iter().map(|it| it.side).collect::<Vec<_>>(), [NodeSide::GroundTruth]);
    assert_eq!(boxes.iter().filter(|it| it.kind == BoxKind::Moved).count(), 2, "on both sides");
}

#[test]
fn properties_stand_beside_those_of_the_partner() {
    let outline = Arc::new(compared());
    let row = |name: &str| outline.rows.iter().find(|row| row.name == name).unwrap();
    let all = |name: &str| -> Vec<_> {
        views::properties(&outline, row(name)).into_iter().flat_map(|it| it.properties).collect()
    };
    let text = |value: &Option<views::PropertyValue>| value.as_ref().map(|it| it.text.clone());
    let card = all("Card");
    let differing: Vec<_> = card.iter().filter(|it| it.differs).collect();
    assert_eq!(differing.len(), 1);
    assert_eq!(differing[0].label, "Y in parent");
    assert_eq!(
        (text(&differing[0].before), text(&differing[0].now)),
        (Some("50 px".into()), Some("70 px".into()))
    );
    let missing = all("Button");
    assert!(missing.iter().all(|property| !property.differs), "it has nothing to differ from");
    assert!(missing.iter().any(|it| it.label == "Fill" && text(&it.now) == Some("#FF0000".into())));
}

#[test]
fn a_comparison_is_left_out_where_there_is_none_of_it() {
    let mut state = listing();
    let mut seen = Vec::new();
    for _ in 0..4 {
        nodes(&mut state, NodesCommand::NextComparison);
        seen.push(state.nodes_comparison());
    }
    let (none, truth) = (Comparison::None, Comparison::GroundTruth);
    assert_eq!(seen, [none, truth, none, truth], "a start state has no step before it");
}

#[test]
fn names_are_no_difference_where_nodes_are_paired_by_content() {
    let truth = screen(&[rectangle("5:1", "Primary / Card", [10.0, 50.0, 80.0, 60.0])]);
    let run = screen(&[rectangle("1:3", "Rectangle 7", [10.0, 50.0, 80.0, 60.0])]);
    let pairing = pair_by_content(&truth, &run);
    let outline = LayerTree::new(run, Some((truth, pairing, PairedBy::Content)));
    assert!(outline.counts.is_empty(), "{:?}", outline.counts);
    assert_eq!(outline.paired(), 2);
}

#[test]
fn an_export_names_the_selected_node_or_the_whole_design() {
    let mut state = listing();
    let export = |state: &mut State| {
        let path = PathBuf::from("/tmp/out.json");
        let requests = handle(state, Command::Export { format: ExportFormat::Json, path });
        requests.into_iter().find_map(|request| match request {
            Request::Export { key, node, .. } => Some((key, node)),
            _ => None,
        })
    };
    assert_eq!(export(&mut state), Some((PictureKey::Start(task_ref()), None)));
    nodes(&mut state, NodesCommand::Select(Some(node(NodeSide::GroundTruth, "1:4"))));
    let of_truth = Some((PictureKey::GroundTruth(task_ref()), Some(NodeId::from("1:4"))));
    assert_eq!(export(&mut state), of_truth);
}

#[test]
fn an_export_of_a_picture_says_why_there_is_none() {
    let mut state = with_task(Some("start.json"), None);
    nodes(&mut state, NodesCommand::ListGroundTruth(true));
    let path = PathBuf::from("/tmp/out.json");
    drop(handle(&mut state, Command::Export { format: ExportFormat::Json, path }));
    assert!(state.notices[0].text.contains("picture without a document"), "{:?}", state.notices);
}

/// Takes events until it is so. If it never is, what the application said meanwhile tells why.
pub(crate) fn until(session: &mut Session, what: &str, is_so: impl Fn(&State) -> bool) {
    let began = Instant::now();
    while !is_so(session.state()) {
        let State { assist, notices, .. } = session.state();
        let recording = assist.desk.as_ref().map(|desk| &desk.recording);
        let said = (&assist.problem, &assist.study.problem, recording, notices);
        assert!(began.elapsed() < PATIENCE, "it was never so: {what}: {said:?}");
        session.take_next_event(Duration::from_millis(50));
    }
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs")
}

fn is_listed(state: &State) -> bool {
    views::nodes(state).status == PaneStatus::Current
}

/// The shipped samples with the nodes of a run of this task listed.
pub(crate) fn opened(task: &str) -> Session {
    let state = State::new(Settings::default(), PathBuf::from("runs"));
    let mut session = Session::start(state, WorkerConfig::default(), || {}).unwrap();
    session.carry_out(Command::Open(vec![samples()]));
    until(&mut session, "the library is listed", |state| !state.library.runs.is_empty());
    let runs = &session.state().library.runs;
    let run = *runs.iter().find(|(_, run)| run.manifest.task.id == task).unwrap().0;
    session.carry_out(Command::SelectRun(run));
    session.carry_out(Command::ShowInspector(InspectorTab::Nodes));
    until(&mut session, "the nodes are listed", is_listed);
    session
}

#[test]
fn a_real_run_is_listed_beside_its_ground_truth_and_the_step_before() {
    let mut session = opened("basket");
    let view = views::nodes(session.state());
    let outline = view.layers.unwrap();
    assert_eq!(outline.paired_by, Some(PairedBy::Content));
    assert!(outline.paired() > 3 && outline.rows.len() > outline.paired());
    let last = session.state().last_step();
    let own: Vec<_> = outline.rows.iter().filter(|row| !row.is_ghost).collect();
    assert!(own.iter().all(|row| row.history.is_some()));
    let made = own.iter().filter_map(|row| row.history).map(|history| history.made).max().unwrap();
    assert!(made > 0 && made <= last);
    session.carry_out(Command::Nodes(NodesCommand::Compare(Comparison::Previous)));
    session.carry_out(Command::Playback(PlaybackCommand::Step(made)));
    until(&mut session, "the step is listed", is_listed);
    let view = views::nodes(session.state());
    let outline = view.layers.unwrap();
    assert_eq!(view.key.as_ref().map(|key| key.against), Some(Comparison::Previous));
    let added: Vec<_> =
        outline.rows.iter().filter(|row| row.change_kinds.contains(&ChangeKind::Added)).collect();
    assert!(!added.is_empty(), "the step that made a node added it");
    assert!(added.iter().all(|row| row.history.is_some_and(|history| history.made == made)));
}

#[test]
fn a_task_that_begins_with_a_design_is_compared_by_ids() {
    let session = opened("recipe-tip");
    let outline = views::nodes(session.state()).layers.unwrap();
    assert_eq!(outline.paired_by, Some(PairedBy::Id));
}

#[test]
fn what_is_exported_is_read_again() {
    let mut session = opened("basket");
    let dir = tempfile::tempdir().unwrap();
    let outline = Arc::clone(views::nodes(session.state()).layers.unwrap());
    let inner = outline.rows.iter().find(|row| row.depth > 0 && !row.is_ghost).unwrap();
    let files = [
        (None, ExportFormat::Json, "all.json"),
        (None, ExportFormat::Png { scale: 2 }, "all.png"),
        (Some(inner.id.clone()), ExportFormat::Json, "node.json"),
    ];
    for (id, format, name) in files {
        let selected = id.map(|id| NodeRef { side: NodeSide::Canvas, id });
        session.carry_out(Command::Nodes(NodesCommand::Select(selected)));
        session.carry_out(Command::Export { format, path: dir.path().join(name) });
        until(&mut session, "it is written", |state| {
            state.notices.iter().any(|notice| notice.text.ends_with(name))
        });
    }
    let read = |name: &str| -> Document {
        let json = serde_json::from_slice(&std::fs::read(dir.path().join(name)).unwrap()).unwrap();
        figma::from_json(json).unwrap().document
    };
    let frame = outline.design.main_frame().unwrap();
    assert_eq!(read("all.json").main_frame().unwrap().children, frame.children);
    assert!(read("node.json").get(&inner.id).is_some());
    let picture = pentimento::base::Pixels::open(&dir.path().join("all.png")).unwrap();
    assert_eq!(f64::from(picture.width()), frame.size.width * 2.0);
}

#[test]
fn scrubbing_leaves_no_work_behind_that_nobody_waits_for() {
    let mut session = opened("basket");
    let last = session.state().last_step();
    let there = session.state().derived.layer_trees.len();
    let passed_by = (0..last).chain((0..last).rev()).chain(0..=last / 2);
    for step in passed_by.clone() {
        session.carry_out(Command::Playback(PlaybackCommand::Step(step)));
        let outlines = &session.state().derived.layer_trees;
        let pending = outlines.values().filter(|it| matches!(it, Fetched::Pending)).count();
        // One more may be in the hands of a thread that had to wait for a processor.
        assert!(pending <= 2, "{pending} outlines are under way at step {step}");
    }
    until(&mut session, "the step scrubbed to is listed", is_listed);
    let state = session.state();
    let slot = state.run_picture_key().unwrap();
    assert_eq!(views::nodes(state).key.as_ref().map(|key| &key.slot), Some(&slot));
    // Where the machine has much to do, one may be listed before the next step is gone to.
    let listed = state.derived.layer_trees.len().saturating_sub(there);
    assert!(listed <= 1 + passed_by.count() / 10, "{listed} that were passed by were listed");
}

/// The same design as if somebody else had made it: other ids, other names, everything shifted.
fn made_again(design: &Document, by: f64) -> Document {
    let id = |id: &NodeId| NodeId::from(format!("again-{id}").as_str());
    let node = |node: &Arc<Node>| {
        let mut again = Node::clone(node);
        again.id = id(&node.id);
        let parent = node.parent.as_ref().and_then(|id| design.get(id));
        again.parent = parent.filter(|it| !it.kind.is_file_or_page()).map(|it| id(&it.id));
        again.children.clear();
        again.name = format!("Layer {}", node.id);
        again.transform.e += by;
        again
    };
    let nodes = design.iter_depth_first().filter(|node| !node.kind.is_file_or_page());
    Document::from_nodes(nodes.map(node)).unwrap()
}

#[test]
fn a_file_of_a_thousand_nodes_is_paired_with_itself_made_again() {
    let Some(path) = shared::path("data/figma/figmagic-2022.json") else { return };
    let json: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let design = figma::from_json(json).unwrap().document;
    let again = made_again(&design, 0.25);
    let before = Instant::now();
    let pairing = pair_by_content(&design, &again);
    let paired = before.elapsed();
    let outline = LayerTree::new(again, Some((design.clone(), pairing, PairedBy::Content)));
    let listed = before.elapsed().saturating_sub(paired);
    println!("{} nodes: paired in {paired:?}, compared and listed in {listed:?}", design.len());
    let boxes = design.iter_depth_first().filter(|node| node.has_box()).count();
    println!("{} of {boxes} paired", outline.paired());
    assert!(outline.paired() > 0);
}
