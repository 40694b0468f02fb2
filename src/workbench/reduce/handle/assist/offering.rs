//! What the assistant offers, and what becomes of that as the design changes: taken in from the worker, kept in the
//! ledger.

use std::sync::Arc;

use crate::agent::assistant::{
    AssistAct, AssistEvent, Author, Freshness, Suggestion, changed_values,
};
use crate::design::hunk::{Field, Hunk};
use crate::editor::EditStep;
use crate::render::TextMeasurer;
use crate::workbench::model::{
    AssistAnswer, AssistDesk, AssistStart, AssistStep, AssistStepKey, DesignStanding, Fetched,
    FoundStep, HelpLevel, Offer, PastOffer, PendingOffer, SinceStep, Speaker, State, StepAsk,
};
use crate::workbench::protocol::{AssistantNews, HandsOrder, Request};

/// Most names of layers in a line of what was done.
const MOST_NAMES: usize = 2;
/// Most designs that are kept for the guides, which learn of them with the next step that is worked out.
const MOST_SINCE: usize = 1_000;
/// Most suggestions that are remembered for the next question.
const MOST_PAST: usize = 50;

/// What is said of an offer that is there again.
const PENDING: &str = "This step was pending when you left: nothing of it was done.";

/// Enters what happened, and has it kept; what cannot have happened is not entered.
pub(super) fn note(desk: &mut AssistDesk, act: AssistAct) -> Option<Request> {
    let event = entered(desk, act)?;
    Some(Request::Hands(HandsOrder::Assist { desk: desk.number, events: vec![event] }))
}

fn entered(desk: &mut AssistDesk, act: AssistAct) -> Option<AssistEvent> {
    let event = desk.assistant.event(act);
    desk.assistant.ledger.record(event.clone()).ok()?;
    Some(event)
}

/// Takes note of a step: what it changed, who did it, and what it makes of the offer.
pub(super) fn stepped(desk: &mut AssistDesk, step: &EditStep) -> Vec<Request> {
    // Together: a step may change hundreds of values, and each thing that is kept is forced to disk.
    let mut events = Vec::new();
    for change in changed_values(&step.before, &step.after) {
        if step.author == Author::Person {
            for past in &mut desk.assistant.past {
                past.is_edited |=
                    past.taken.iter().any(|it| it.node == change.node && it.field == change.field);
            }
        }
        events.extend(entered(desk, AssistAct::Changed { author: step.author, change }));
    }
    let number = desk.number;
    let is_travel = desk.editor.travelled().is_some_and(|travelled| travelled.step == step.number);
    let events = Some(events).filter(|events| !events.is_empty());
    let events = events.map(|events| Request::Hands(HandsOrder::Assist { desk: number, events }));
    let mut requests: Vec<Request> = events.into_iter().collect();
    let assistant = &mut desk.assistant;
    let followed = assistant.following.take();
    let document = step.after.clone();
    assistant.since.push(SinceStep { step: step.number, document, followed });
    // Where nothing can be found there are no guides that learn of them. The first may be the one it began with.
    let surplus = assistant.since.len().saturating_sub(MOST_SINCE);
    assistant.since.drain(1..=surplus);
    // What was taken of an offer is told when it is taken; whatever it was, here when it is done again.
    if step.author == Author::Person || is_travel {
        assistant.did(step.author, line_of(step));
    }
    requests.extend(freshen(desk));
    requests
}

/// A step in one line: what was done to which layers.
fn line_of(step: &EditStep) -> String {
    let document = if step.nodes.iter().any(|id| step.after.get(id).is_some()) {
        &step.after
    } else {
        &step.before
    };
    let names = step.nodes.iter().filter_map(|id| document.get(id)).map(|node| &*node.name);
    let names: Vec<&str> = names.collect();
    match names.as_slice() {
        [] => step.label.clone(),
        few if few.len() <= MOST_NAMES => format!("{} · {}", step.label, few.join(", ")),
        many => format!("{} · {} layers", step.label, many.len()),
    }
}

/// Looks again at what of the offer holds.
fn freshen(desk: &mut AssistDesk) -> Option<Request> {
    let AssistDesk { editor, render, assistant, .. } = desk;
    let offer = assistant.offer.as_mut()?;
    let before = offer.freshness;
    offer.refresh(editor.document(), &TextMeasurer(render));
    // What is being carried out overtakes itself.
    if offer.freshness == before || assistant.playing.is_some() {
        return None;
    }
    let (suggestion, now) = (offer.number, offer.freshness);
    match now {
        Freshness::Fresh => None,
        Freshness::Stale => note(desk, AssistAct::Stale { suggestion }),
        Freshness::Withdrawn => {
            assistant.offer = None;
            assistant.say(Speaker::Assistant, "You did that otherwise: I take my step back.");
            note(desk, AssistAct::Withdrawn { suggestion })
        }
    }
}

/// What the offer is replaced by something else means.
pub(super) fn ignore_offer(desk: &mut AssistDesk) -> Option<Request> {
    let suggestion = desk.assistant.offer.take()?.number;
    desk.assistant.playing = None;
    note(desk, AssistAct::Ignored { suggestion })
}

/// The work is over.
pub(super) fn end(desk: &mut AssistDesk) -> Vec<Request> {
    let ignored = ignore_offer(desk);
    ignored.into_iter().chain(note(desk, AssistAct::TaskEnded)).collect()
}

/// Takes in what is heard of a model; of a question that nobody waits for any more nothing.
pub(super) fn heard(state: &mut State, news: AssistantNews) {
    let AssistantNews::Growing { desk, number, words } = news;
    let Some(open) = state.assist.desk.as_mut().filter(|open| open.number == desk) else { return };
    if let Some(waiting) = &mut open.assistant.waiting
        && waiting.key.number == number
    {
        waiting.heard = words;
    }
}

/// Takes in what the worker found since the last time.
pub(in crate::workbench::reduce) fn refresh_assistant(state: &mut State) -> Vec<Request> {
    let State { assist, derived, .. } = state;
    let Some(desk) = assist.desk.as_deref_mut() else { return Vec::new() };
    let mut requests = Vec::new();
    let key = desk.assistant.step_key(desk.number, desk.editor.steps());
    // Each once: this is called after every drain, and a step that was refused must not come back.
    if let Some(key) = key.filter(|key| desk.assistant.seen != Some(*key)) {
        match derived.assist_steps.get(&key) {
            Some(Fetched::Ready(step)) => {
                desk.assistant.seen = Some(key);
                requests.extend(take_in_step(desk, key, step));
            }
            Some(Fetched::Failed(why)) => {
                desk.assistant.seen = Some(key);
                if desk.assistant.wish.take().is_some() {
                    desk.assistant.say(Speaker::Problem, format!("No step was found: {why}."));
                }
            }
            Some(Fetched::Pending) | None => {}
        }
    }
    // A model answers in its own time; the design may be another by then, which taking it in looks at.
    let answer = desk.assistant.answer_key().and_then(|key| derived.assist_answers.get(key));
    match answer {
        Some(Fetched::Ready(answer)) => requests.extend(take_in_answer(desk, answer)),
        Some(Fetched::Failed(why)) => {
            desk.assistant.waiting = None;
            desk.assistant.say(Speaker::Problem, format!("The model did not answer: {why}."));
        }
        Some(Fetched::Pending) | None => {}
    }
    // Once the time is told and the work has begun: the record is in that order.
    let assistant = &mut desk.assistant;
    if assistant.began_secs.is_some()
        && assistant.seen.is_some()
        && let Some(left) = assistant.left.take()
        && assistant.offer.is_none()
        && !assistant.is_thinking()
    {
        requests.extend(take_up(desk, *left));
    }
    if assist.study.desk.is_none() && desk.assistant.left.is_none() {
        requests.extend(keep_offer(desk));
    }
    requests
}

fn take_in_step(desk: &mut AssistDesk, key: AssistStepKey, step: &Arc<AssistStep>) -> Vec<Request> {
    let mut requests = Vec::new();
    let assistant = &mut desk.assistant;
    if step.guides.is_some() {
        assistant.guides.clone_from(&step.guides);
    }
    // What the guides know by now need not be told again.
    assistant.since.retain(|since| since.step > key.step);
    if step.goal.is_some() {
        assistant.goal_picture.clone_from(&step.goal);
    }
    let before = assistant.standing.replace((key.step, Arc::clone(step)));
    let wish = assistant.wish.take();
    if before.is_none() {
        let least_steps = step.least_steps;
        requests.extend(note(desk, AssistAct::TaskBegan { least_steps }));
    }
    if let DesignStanding::Distance(value) = step.standing
        && before.is_none_or(|(_, before)| before.standing != step.standing)
    {
        let value = f64::from(value);
        requests.extend(note(desk, AssistAct::Distance { value }));
    }
    let Some(wish) = wish else { return requests };
    match (wish.asks, &step.step) {
        (StepAsk::Check, _) => say_what_was_found(desk, step),
        (StepAsk::Standing, _) => {}
        (StepAsk::Answer(_) | StepAsk::Flaws(_), Some(found)) => {
            requests.extend(offer(desk, found, wish.level));
        }
        (asks, None) => {
            let is_flaws = matches!(asks, StepAsk::Flaws(_));
            let words = nothing_words(desk, step.standing, is_flaws);
            desk.assistant.say(Speaker::Assistant, words);
        }
    }
    requests
}

fn say_what_was_found(desk: &mut AssistDesk, step: &AssistStep) {
    if step.found.is_empty() {
        let words = nothing_words(desk, step.standing, false);
        desk.assistant.say(Speaker::Assistant, words);
        return;
    }
    for line in &step.found {
        desk.assistant.say(Speaker::Assistant, line.as_str());
    }
}

/// Why there is no step.
fn nothing_words(desk: &AssistDesk, standing: DesignStanding, is_flaws: bool) -> &'static str {
    let has_brief = desk.brief.is_some();
    match standing {
        DesignStanding::Flaws(0) if has_brief => {
            "All of the brief that can be checked is met, and nothing else is amiss."
        }
        DesignStanding::Flaws(_) if has_brief && is_flaws => {
            "I know no step for what is left: \"Check my work\" lists it."
        }
        DesignStanding::Distance(_) | DesignStanding::Flaws(_) if is_flaws => {
            "I find nothing amiss that I could mend."
        }
        DesignStanding::Distance(0) => "Nothing that counts differs from the goal.",
        DesignStanding::Flaws(0) => "I find nothing amiss. Without a goal that is all I look for.",
        DesignStanding::Distance(_) | DesignStanding::Flaws(_) => {
            "I know no step from here: go on by hand."
        }
    }
}

/// Offers a step.
pub(super) fn offer(desk: &mut AssistDesk, found: &FoundStep, level: HelpLevel) -> Vec<Request> {
    let mut requests: Vec<Request> = ignore_offer(desk).into_iter().collect();
    let number = desk.assistant.ledger.next_number();
    let (found, design) = (found.clone(), desk.editor.document().clone());
    let Some(offered) = put_forward(desk, PendingOffer { number, level, found, design }) else {
        return requests;
    };
    requests.extend(note(desk, offered));
    // It was found for the design that is there; one that changed meanwhile is another key.
    requests.extend(freshen(desk));
    requests
}

/// Offers again what nobody had decided of when the design was left.
fn take_up(desk: &mut AssistDesk, left: PendingOffer) -> Vec<Request> {
    let freshness = left.found.suggestion.freshness(desk.editor.document());
    // Another run, whose record does not know of it.
    if !matches!(desk.start, AssistStart::Again(_)) {
        if freshness == Freshness::Withdrawn {
            return Vec::new();
        }
        desk.assistant.say(Speaker::Assistant, PENDING);
        return offer(desk, &left.found, left.level);
    }
    let Some(offered) = put_forward(desk, left) else { return Vec::new() };
    desk.assistant.say(Speaker::Assistant, PENDING);
    // The run's own record has it already.
    entered(desk, offered);
    freshen(desk).into_iter().collect()
}

/// Puts a step on its card; gives the event that it is offered, `None` where it cannot be.
fn put_forward(desk: &mut AssistDesk, pending: PendingOffer) -> Option<AssistAct> {
    let AssistDesk { editor, render, assistant, .. } = desk;
    let PendingOffer { number, level, found, design } = &pending;
    let number = *number;
    let suggestion: Arc<Suggestion> = Arc::clone(&found.suggestion);
    let words = suggestion.words.clone();
    let offer = match Offer::new(number, suggestion, *level, design, &TextMeasurer(render)) {
        Ok(offer) => offer,
        Err(why) => {
            assistant.say(Speaker::Problem, format!("The step cannot be done: {why}."));
            return None;
        }
    };
    let hunks = offer.hunks.iter().map(|hunk| hunk.value.clone()).collect();
    let (taken, is_edited) = (Vec::new(), false);
    assistant.past.push(PastOffer { number, words, taken, is_edited });
    let surplus = assistant.past.len().saturating_sub(MOST_PAST);
    assistant.past.drain(..surplus);
    assistant.offer = Some(offer);
    assistant.ways.offered(editor.steps(), found);
    let (is_right, are_right) = (found.is_right, found.are_right.clone());
    assistant.pending = Some(Arc::new(pending));
    Some(AssistAct::Offered { suggestion: number, hunks, is_right, are_right })
}

/// Has the offer kept with the run as long as nobody has decided of it. In a study it is ignored with its task.
fn keep_offer(desk: &mut AssistDesk) -> Option<Request> {
    let AssistDesk { number, assistant, .. } = desk;
    let now = assistant.offer.as_ref().map(|offer| (offer.number, offer.level));
    if now == assistant.kept_offer {
        return None;
    }
    assistant.kept_offer = now;
    let pending = now.and_then(|(number, level)| {
        let pending = assistant.pending.as_deref().filter(|pending| pending.number == number)?;
        Some(Arc::new(PendingOffer { level, ..pending.clone() }))
    });
    Some(Request::Hands(HandsOrder::Offer { desk: *number, offer: pending }))
}

fn take_in_answer(desk: &mut AssistDesk, answer: &Arc<AssistAnswer>) -> Vec<Request> {
    let assistant = &mut desk.assistant;
    let Some(waiting) = assistant.waiting.take() else { return Vec::new() };
    assistant.costs.answers += 1;
    match answer.cost_usd {
        Some(cost) => assistant.costs.known_usd += cost,
        None => assistant.costs.unknown += 1,
    }
    if let Some([read, written]) = answer.tokens {
        assistant.costs.tokens[0] += read;
        assistant.costs.tokens[1] += written;
    }
    // The words of a step stand on its card.
    if answer.step.is_none() && !answer.words.is_empty() {
        assistant.say(Speaker::Assistant, answer.words.as_str());
    }
    if let Some(problem) = &answer.problem {
        let words = format!("The model's answer cannot be used: {problem}. Nothing was changed.");
        assistant.say(Speaker::Problem, words);
    }
    if let Some(last) = assistant.talk.last_mut()
        && (answer.step.is_none() || answer.problem.is_some())
    {
        last.cost_usd = answer.cost_usd;
    }
    match &answer.step {
        Some(found) => offer(desk, found, waiting.level),
        None => Vec::new(),
    }
}

/// What people call the field that a hunk changes, as a label of a step.
pub(super) fn step_label(suggestion: &Suggestion, hunks: &[usize]) -> String {
    let fields = hunks.iter().filter_map(|at| suggestion.hunks.get(*at)).map(Hunk::field);
    let mut fields: Vec<Field> = fields.collect();
    fields.dedup();
    match fields.as_slice() {
        [_] => suggestion.control.to_owned(),
        _ => "Suggestion".to_owned(),
    }
}
