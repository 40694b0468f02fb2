//! What is asked of the assistant. Nothing changes the design but a decision: accepting, or having it done.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::agent::assistant::{AssistAct, Author, RequestKind};
use crate::agent::models::ModelChoice;
use crate::render::TextMeasurer;
use crate::workbench::model::{
    AssistAnswerKey, AssistDesk, AssistantSource, FoundStep, HelpLevel, LaunchDialog, NoticeLevel,
    Playing, Speaker, State, StepAsk, WaitingModel, Wish,
};
use crate::workbench::protocol::{AssistantCommand, Request};

use super::offering::{ignore_offer, note, offer, step_label};

/// Least and most seconds of idleness before a step is offered unasked.
const IDLE: (f64, f64) = (3.0, 600.0);
/// Most letters of what a person says at once.
const MOST_SAID: usize = 2_000;

/// How much of an offer is taken.
#[derive(Clone, Copy)]
enum TakenPart {
    All,
    Ticked,
}

/// Does what is asked. Steps that it makes are recorded by whoever calls.
pub(super) fn assistant(state: &mut State, command: AssistantCommand) -> Vec<Request> {
    let State { assist, launch, .. } = state;
    let Some(desk) = assist.desk.as_deref_mut().filter(|desk| !desk.assistant.is_hidden) else {
        return Vec::new();
    };
    let done = match command {
        AssistantCommand::Ask => {
            let level = desk.assistant.first_level;
            Ok(ask(desk, launch, RequestKind::Next, level))
        }
        AssistantCommand::AnotherWay => Ok(ask_another(desk, launch)),
        AssistantCommand::NextWay => Ok(go_on(desk, launch)),
        AssistantCommand::PreviousWay => Ok(go_back(desk)),
        AssistantCommand::ShowMe => show_more(desk, launch),
        AssistantCommand::Accept => accept(desk, TakenPart::All),
        AssistantCommand::AcceptTicked => accept(desk, TakenPart::Ticked),
        AssistantCommand::Refuse => Ok(refuse(desk)),
        AssistantCommand::Why => Ok(say_why(desk)),
        AssistantCommand::DoIt => do_it(desk),
        AssistantCommand::PlayNext => play_next(desk),
        AssistantCommand::Say(text) => Ok(say(desk, launch, &text)),
        AssistantCommand::Stop => Ok(stop(desk)),
        other => Ok(arrange(desk, other)),
    };
    done.unwrap_or_else(|why| {
        state.notify(NoticeLevel::Warning, format!("Not done: {why}."));
        Vec::new()
    })
}

/// What changes how the assistant shows itself.
fn arrange(desk: &mut AssistDesk, command: AssistantCommand) -> Vec<Request> {
    let AssistDesk { editor, render, assistant, .. } = &mut *desk;
    match command {
        AssistantCommand::ToggleGhost => {
            if let Some(offer) = &mut assistant.offer {
                let is_shown = offer.level == HelpLevel::Ghost;
                offer.level = if is_shown { HelpLevel::Value } else { HelpLevel::Ghost };
                assistant.first_level = offer.level;
            }
        }
        AssistantCommand::Tick(at) => {
            if let Some(offer) = assistant.offer.as_mut().filter(|it| at < it.hunks.len()) {
                if !offer.ticked.remove(&at) {
                    offer.ticked.insert(at);
                }
                // What is ticked changes what would come of it, and with it outline and picture.
                offer.refresh(editor.document(), &TextMeasurer(render));
            }
        }
        AssistantCommand::CheckWork => {
            assistant.wish = Some(Wish { asks: StepAsk::Check, level: HelpLevel::Value });
            assistant.seen = None;
        }
        AssistantCommand::Shown(number) => {
            let offer = assistant.offer.as_mut().filter(|offer| offer.number == number);
            if let Some(offer) = offer.filter(|offer| !offer.is_shown) {
                offer.is_shown = true;
                return note(desk, AssistAct::Shown { suggestion: number }).into_iter().collect();
            }
        }
        AssistantCommand::Choose(source) if assistant.source != source => {
            (assistant.source, assistant.way) = (source, 0);
            (assistant.wish, assistant.waiting) = (None, None);
        }
        AssistantCommand::AfterIdle(secs) => {
            let secs = secs.filter(|secs| secs.is_finite());
            assistant.idle_secs = secs.map(|secs| secs.clamp(IDLE.0, IDLE.1));
        }
        AssistantCommand::ShowMeasures(shows) => assistant.shows_measures = shows,
        _ => {}
    }
    Vec::new()
}

/// Has a step looked for; what was offered is replaced.
fn ask(
    desk: &mut AssistDesk,
    launch: &LaunchDialog,
    kind: RequestKind,
    level: HelpLevel,
) -> Vec<Request> {
    // What is being carried out is stopped first, not replaced.
    if desk.assistant.is_playing() {
        return Vec::new();
    }
    let mut requests: Vec<Request> = note(desk, AssistAct::Request { kind }).into_iter().collect();
    requests.extend(ignore_offer(desk));
    let another = kind == RequestKind::Another;
    if let AssistantSource::Model(name) = &desk.assistant.source {
        let choice = launch.model.named(name);
        let asked = another.then(|| "Another way, please: something else than before.".to_owned());
        ask_model(desk, choice, asked, level);
        return requests;
    }
    let knows_goal =
        desk.goal_design().is_some() && desk.assistant.source == AssistantSource::Answer;
    let assistant = &mut desk.assistant;
    assistant.way = if another { assistant.way.saturating_add(1) } else { 0 };
    let way = assistant.way;
    let asks = if knows_goal { StepAsk::Answer(way) } else { StepAsk::Flaws(way) };
    assistant.wish = Some(Wish { asks, level });
    assistant.seen = None;
    requests
}

/// Has another step looked for, told as much of as the one that is offered.
fn ask_another(desk: &mut AssistDesk, launch: &LaunchDialog) -> Vec<Request> {
    let level = desk.assistant.offer.as_ref().map(|offer| offer.level);
    ask(desk, launch, RequestKind::Another, level.unwrap_or_default())
}

/// Offers what was offered after this step; behind the last, has another looked for.
fn go_on(desk: &mut AssistDesk, launch: &LaunchDialog) -> Vec<Request> {
    match desk.assistant.way_after(desk.editor.steps()).cloned() {
        Some(found) => offer_again(desk, &found),
        None => ask_another(desk, launch),
    }
}

/// Offers what was offered before this step.
fn go_back(desk: &mut AssistDesk) -> Vec<Request> {
    let before = desk.assistant.way_before(desk.editor.steps()).cloned();
    before.map(|found| offer_again(desk, &found)).unwrap_or_default()
}

/// Offers a step that was offered before. The ledger has it as one of its own, as it is decided of on its own.
fn offer_again(desk: &mut AssistDesk, found: &FoundStep) -> Vec<Request> {
    let assistant = &desk.assistant;
    if assistant.is_thinking() || assistant.is_playing() {
        return Vec::new();
    }
    let level = assistant.offer.as_ref().map_or(assistant.first_level, |offer| offer.level);
    offer(desk, found, level)
}

fn ask_model(desk: &mut AssistDesk, choice: ModelChoice, asked: Option<String>, level: HelpLevel) {
    desk.assistant.questions += 1;
    let key = AssistAnswerKey { desk: desk.number, number: desk.assistant.questions, choice };
    desk.assistant.waiting = Some(WaitingModel { key, level, asked, heard: String::new() });
}

/// Tells more of the offer; without one, little of a new one; of one that is told whole, does it.
fn show_more(desk: &mut AssistDesk, launch: &LaunchDialog) -> Result<Vec<Request>, String> {
    if desk.assistant.is_thinking() || desk.assistant.is_playing() {
        return Ok(Vec::new());
    }
    let Some(offer) = &mut desk.assistant.offer else {
        return Ok(ask(desk, launch, RequestKind::Next, HelpLevel::What));
    };
    match offer.level.next() {
        Some(level) => {
            offer.level = level;
            Ok(Vec::new())
        }
        None => do_it(desk),
    }
}

/// Takes the offer, whole or what is ticked of it, as one edit.
fn accept(desk: &mut AssistDesk, part: TakenPart) -> Result<Vec<Request>, String> {
    let offer = desk.assistant.takeable().ok_or("there is no step that could be taken")?;
    // What goes into a layer that is not taken goes nowhere.
    let document = desk.editor.document();
    let taken = match part {
        TakenPart::All => offer.suggestion.fitting_of(document, &offer.fitting),
        TakenPart::Ticked => offer.suggestion.fitting_of(document, &offer.ticked_fitting()),
    };
    if taken.is_empty() {
        return Err("nothing is ticked that could still be taken".to_owned());
    }
    let requests = take(desk, &taken, Author::Assistant)?;
    if let Some(offer) = desk.assistant.offer.take() {
        let words = match (taken.len(), offer.hunks.len()) {
            (some, all) if some < all => {
                format!("{}: {some} of {all} parts taken", offer.suggestion.words)
            }
            _ => offer.suggestion.words.clone(),
        };
        desk.assistant.did(Author::Assistant, words);
    }
    Ok(requests)
}

/// Takes hunks of the offer as one edit of the editor, which can be undone like any other.
fn take(desk: &mut AssistDesk, taken: &[usize], author: Author) -> Result<Vec<Request>, String> {
    // A version that is looked at is not worked on.
    if desk.files.viewed.is_some() {
        return Err("go back from the version that you look at first".to_owned());
    }
    let AssistDesk { editor, render, assistant, .. } = &mut *desk;
    if editor.is_holding() {
        return Err("let go of what you drag first".to_owned());
    }
    let offer = assistant.offer.as_ref().ok_or("there is no step")?;
    let suggestion = Arc::clone(&offer.suggestion);
    let number = offer.number;
    let values = taken.iter().filter_map(|at| offer.hunks.get(*at)).map(|hunk| hunk.value.clone());
    let values: Vec<_> = values.collect();
    let nodes: Vec<_> = values.iter().map(|value| value.node.clone()).collect();
    let mut document = editor.document().clone();
    let edit = suggestion.carry_out(&mut document, taken, &TextMeasurer(render));
    let edit = edit.map_err(|error| error.to_string())?;
    let label = step_label(&suggestion, taken);
    if !editor.take_in_by(author, &label, &nodes, edit, None) {
        return Err("it would change nothing".to_owned());
    }
    assistant.following = Some(suggestion);
    if let Some(past) = assistant.past.iter_mut().find(|past| past.number == number) {
        past.taken.extend(values);
    }
    let hunks = taken.to_vec();
    Ok(note(desk, AssistAct::Taken { suggestion: number, hunks }).into_iter().collect())
}

fn refuse(desk: &mut AssistDesk) -> Vec<Request> {
    if desk.assistant.is_playing() {
        return stop(desk);
    }
    let Some(offer) = desk.assistant.offer.take() else { return Vec::new() };
    desk.assistant.ways.refuse();
    note(desk, AssistAct::Refused { suggestion: offer.number }).into_iter().collect()
}

fn say_why(desk: &mut AssistDesk) -> Vec<Request> {
    let Some(offer) = &desk.assistant.offer else { return Vec::new() };
    let why = offer.suggestion.why();
    let knows = desk.assistant.source == AssistantSource::Answer && desk.goal_design().is_some();
    let words = match (why.is_empty(), knows) {
        (true, _) => "No reason was given.".to_owned(),
        (false, true) => format!("I know the answer. {why}"),
        (false, false) => why,
    };
    desk.assistant.say(Speaker::Assistant, words);
    note(desk, AssistAct::Request { kind: RequestKind::Why }).into_iter().collect()
}

/// Begins to carry the offer out, hunk by hunk, each an edit of its own.
fn do_it(desk: &mut AssistDesk) -> Result<Vec<Request>, String> {
    if desk.assistant.is_playing() {
        return Ok(Vec::new());
    }
    let offer = desk.assistant.offer.as_mut().ok_or("there is no step")?;
    let left: VecDeque<usize> = offer.fitting.iter().copied().collect();
    if left.is_empty() {
        return Err("nothing of the step can be done any more".to_owned());
    }
    // What is done is seen in words and on the picture.
    offer.level = HelpLevel::Ghost;
    desk.assistant.playing = Some(Playing { left });
    play_next(desk)
}

fn play_next(desk: &mut AssistDesk) -> Result<Vec<Request>, String> {
    // It waits for a hand that drags, and for who looks at a version.
    let is_held = desk.editor.is_holding() || desk.files.viewed.is_some();
    let playing = desk.assistant.playing.as_mut().filter(|_| !is_held);
    let Some(playing) = playing else { return Ok(Vec::new()) };
    let next = playing.left.pop_front();
    let is_last = playing.left.is_empty();
    let Some(next) = next else { return Ok(stop(desk)) };
    let taken = take(desk, &[next], Author::AssistantAlone);
    match taken {
        Ok(requests) => {
            let offer = desk.assistant.offer.as_ref();
            let hunk = offer.and_then(|offer| offer.hunks.get(next));
            if let Some(hunk) = hunk {
                let words =
                    format!("{}: {} {}", hunk.name, hunk.value.field.label(), hunk.value.to);
                desk.assistant.did(Author::AssistantAlone, words.trim_end().to_owned());
            }
            if is_last {
                (desk.assistant.playing, desk.assistant.offer) = (None, None);
            }
            Ok(requests)
        }
        // What the changes before brought about by themselves need not be done.
        Err(_) if !is_last => Ok(Vec::new()),
        Err(why) => {
            (desk.assistant.playing, desk.assistant.offer) = (None, None);
            Err(why)
        }
    }
}

/// Stops whatever is under way; what was done stays, and can be undone.
fn stop(desk: &mut AssistDesk) -> Vec<Request> {
    let assistant = &mut desk.assistant;
    (assistant.wish, assistant.waiting) = (None, None);
    if assistant.playing.take().is_some() {
        // What was taken of it is in the ledger, and the rest can be asked for again.
        assistant.offer = None;
    }
    Vec::new()
}

fn say(desk: &mut AssistDesk, launch: &LaunchDialog, text: &str) -> Vec<Request> {
    let text: String = text.trim().chars().take(MOST_SAID).collect();
    if text.is_empty() {
        return Vec::new();
    }
    desk.assistant.say(Speaker::Person, text.clone());
    if let AssistantSource::Model(name) = &desk.assistant.source {
        let choice = launch.model.named(name);
        let kind = RequestKind::Next;
        let mut requests: Vec<Request> =
            note(desk, AssistAct::Request { kind }).into_iter().collect();
        requests.extend(ignore_offer(desk));
        ask_model(desk, choice, Some(text), HelpLevel::Ghost);
        return requests;
    }
    // Without a model there is nobody who understands sentences: words that name a button are taken as that.
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    if words.contains(&"why") && desk.assistant.offer.is_some() {
        return say_why(desk);
    }
    if ["check", "missing", "wrong"].iter().any(|known| words.contains(known)) {
        return arrange(desk, AssistantCommand::CheckWork);
    }
    let is_other = ["another", "other"].iter().any(|known| words.contains(known));
    let kind = if is_other { RequestKind::Another } else { RequestKind::Next };
    desk.assistant.say(
        Speaker::Assistant,
        "Without a model I understand no sentences, only: next, why, another, check. The next step:",
    );
    ask(desk, launch, kind, HelpLevel::default())
}
