//! `label judge`: a model answers the forms of a project, marked as a machine's.
//!
//! - `work`: which items are asked in which orders, and which were before;
//! - `asking`: one item asked, its answer read and held against the form;
//! - `record`: what went over the wire, in a folder beside the project;
//! - `estimate`: what it would cost (`--dry-run`).

mod asking;
mod estimate;
mod record;
mod session;
mod work;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use parking_lot::Mutex;

use super::exchange::open;
use super::rows::form_named;
use crate::agent::batch::Budget;
use crate::agent::model_agent::{AgentPrompts, Mode};
use crate::agent::models::{ModelsFile, OpenedModel};
use crate::cli::environments::variables;
use crate::cli::interrupt::stop_on_interrupt;
use crate::cli::output::print;
use crate::cli::progress::SharedProgress;
use crate::label::{Act, Form, Item, JudgeIdentity, Judged, Judgement};
use crate::model::prompts::PromptSet;
use crate::store::labels::{LabelFile, NewEvent};

use asking::{AskError, JudgeContext};
use record::Record;
use session::JudgeSession;
use work::{JudgingQueue, Orders, work};

/// Who is asked what.
#[derive(Args, Debug)]
pub(super) struct JudgeArguments {
    /// The project.
    project: PathBuf,
    /// The model: a name of the file of models, or KIND:MODEL or KIND:MODEL@ADDRESS.
    #[arg(long, value_name = "NAME")]
    model: String,
    /// The file of models, which also says what they cost.
    #[arg(long, value_name = "FILE", env = "PENTIMENTO_MODELS")]
    models_file: Option<PathBuf>,
    /// Only this form.
    #[arg(long)]
    form: Option<String>,
    /// What the judge is called in the project; else as the model is.
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// Ask about so many more items at most.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Ask pairs in both orders, which shows whether a side is preferred; so it is unless --one-order is given.
    #[arg(long, conflicts_with = "one_order")]
    both_orders: bool,
    /// Ask pairs in one order only: half as many requests, and nothing shows whether a side is preferred.
    #[arg(long)]
    one_order: bool,
    /// Another order of items and sides.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Most pictures of one run's steps that are shown: the start, the end and as many between.
    #[arg(long, value_name = "N", default_value_t = 12)]
    pictures: usize,
    /// A folder with prompts of your own (label_item.md, label_again.md).
    #[arg(long, value_name = "DIR")]
    prompts: Option<PathBuf>,
    /// Ask again where the answer was none.
    #[arg(long)]
    again_failed: bool,
    /// Most requests at once.
    #[arg(long, value_name = "N", default_value = "4")]
    jobs: NonZeroUsize,
    /// Stop asking once so much is spent, in US dollars.
    #[arg(long, value_name = "USD", value_parser = dollars)]
    max_cost: Option<f64>,
    /// Say what it would cost, and ask nothing.
    #[arg(long)]
    dry_run: bool,
}

fn dollars(text: &str) -> Result<f64, String> {
    let dollars = text.parse().ok().filter(|usd: &f64| usd.is_finite() && *usd >= 0.0);
    dollars.ok_or_else(|| "an amount of US dollars, from 0".to_owned())
}

/// What came of it all.
#[derive(Default)]
struct Counts {
    answered: AtomicUsize,
    failed: AtomicUsize,
    left_out: AtomicUsize,
}

/// Does the command.
pub(super) fn judge(arguments: &JudgeArguments) -> anyhow::Result<()> {
    let file = open(&arguments.project)?;
    let (project, forms, items) = (file.project(), file.forms()?, file.items()?);
    ensure!(project.packet.is_none(), "that is a packet: models are asked in the project itself");
    let forms: Vec<&Form> = match &arguments.form {
        Some(_) => vec![form_named(&forms, arguments.form.as_deref())?],
        None => forms.iter().collect(),
    };
    let prompts = match &arguments.prompts {
        Some(folder) => PromptSet::from_folder(folder)?,
        None => PromptSet::built_in(),
    };
    let model = opened(arguments)?;
    let identity = identity(&model, &prompts, arguments.pictures);
    let name = arguments.name.as_deref().unwrap_or(model.name()).trim().to_owned();
    let ledger = file.ledger()?;
    check_name(&file, &ledger, &name, &identity)?;
    let orders = if arguments.one_order { Orders::One } else { Orders::Both };
    let work = work(
        (&file, &ledger, &forms, &items),
        (&name, arguments.seed),
        (orders, arguments.again_failed, arguments.limit),
    );
    let session = JudgeSession::new(&file, &arguments.project, arguments.pictures);
    // Before the record is opened: an estimate leaves no trace.
    if arguments.dry_run {
        return estimate::estimate(&session, &work, &prompts, &model);
    }
    if work.requests() == 0 {
        return Ok(print(&format!("{name} was asked about everything already: nothing to do"))?);
    }
    // A limit that cannot be watched would be believed and not kept.
    ensure!(
        arguments.max_cost.is_none() || model.entry().provider.prices.is_some(),
        "--max-cost needs to know what {} costs: give it \"prices\" in the file of models",
        model.name()
    );
    let record = Record::open(&arguments.project, &name)?;
    let budget = Budget::new(arguments.max_cost, 0.0);
    stop_on_interrupt(budget.stop(), "the answers under way are recorded");
    let (chat, settings) = model.chat().context("the model cannot be asked")?;
    let asking = JudgeContext {
        model: &chat,
        settings,
        prompts: &prompts,
        identity: &identity,
        record: &record,
        budget: &budget,
    };
    let (counts, ended) = ask_all(&session, &asking, &work, &name, arguments.jobs);
    conclude(&name, &work, &counts, (&record, &budget), ended)
}

/// The model made ready; what is only estimated needs no key.
fn opened(arguments: &JudgeArguments) -> anyhow::Result<OpenedModel> {
    let models = arguments.models_file.as_deref().map(ModelsFile::open).transpose()?;
    let (called, entry) = models.unwrap_or_default().named_entry(&arguments.model)?;
    // How agents work and what they are told is nothing to a judge.
    let (mode, prompts) = (Mode::SingleTurn, Arc::new(AgentPrompts::built_in()));
    let variables = variables();
    let model = if arguments.dry_run {
        OpenedModel::unasked(called, entry, mode, prompts, &variables)
    } else {
        OpenedModel::new(called, entry, mode, prompts, &variables)
    };
    model.with_context(|| format!("the model {}", arguments.model))
}

/// Which model, and the hash of all that could change its answers. Where it answers is none of that: a server of one's
/// own may move.
fn identity(model: &OpenedModel, prompts: &PromptSet, pictures: usize) -> JudgeIdentity {
    let entry = model.entry();
    let mut hasher = blake3::Hasher::new();
    let [item, again] = prompts.label_wording();
    let told = serde_json::json!([
        item,
        again,
        entry.temperature,
        entry.max_tokens,
        entry.extra,
        pictures,
    ]);
    hasher.update(told.to_string().as_bytes());
    let prompt = hasher.finalize().to_hex()[..16].to_owned();
    let provider = entry.provider.kind.name().to_owned();
    JudgeIdentity { provider, model: entry.provider.model.clone(), prompt }
}

/// A judge has a name of its own, and one name is one model asked in one way.
fn check_name(
    file: &LabelFile,
    ledger: &crate::label::Ledger,
    name: &str,
    identity: &JudgeIdentity,
) -> anyhow::Result<()> {
    ensure!(!name.is_empty(), "the judge has a name");
    let judges = ledger.judges();
    // Judges write events under their names as people do.
    let is_person = file.project().people.iter().any(|person| person == name)
        || (ledger.people().any(|person| person == name) && !judges.contains(name));
    ensure!(
        !is_person,
        "{name:?} is a person of this project; give the judge another name with --as"
    );
    for hash in &file.project().forms {
        for known in ledger.judgements(*hash) {
            let other = &known.judged.judge;
            ensure!(
                known.event.person != name || other == identity,
                "{name:?} was asked otherwise before ({}:{}, prompt {}; now {}:{}, prompt {}): give this \
                 judge another name with --as",
                other.provider,
                other.model,
                other.prompt,
                identity.provider,
                identity.model,
                identity.prompt
            );
        }
    }
    Ok(())
}

/// Asks about everything, several at once; what was done, and the error that ended it early.
fn ask_all(
    session: &JudgeSession<'_>,
    asking: &JudgeContext<'_>,
    work: &JudgingQueue<'_>,
    name: &str,
    jobs: NonZeroUsize,
) -> (Counts, Option<anyhow::Error>) {
    let (counts, next) = (Counts::default(), AtomicUsize::new(0));
    let ended: Mutex<Option<anyhow::Error>> = Mutex::new(None);
    let progress = SharedProgress::start(work.requests(), "requests");
    let worker = || {
        while !asking.budget.stop().is_stopping() {
            // Each thread takes the next item that nobody took; which one it is does not matter.
            let Some(item) = work.items.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let Some(evidence) = session.evidence(item.item) else {
                counts.left_out.fetch_add(1, Ordering::Relaxed);
                continue;
            };
            for order in &item.orders {
                // Asked between the two orders too: a stop should not cost one more request.
                if asking.budget.stop().is_stopping() {
                    return;
                }
                let candidates = &item.candidates;
                let shown = evidence.shown(*order, candidates, session.most_pictures);
                let asked = asking
                    .ask((item.form, item.item), (*order, candidates), &shown)
                    .map_err(anyhow::Error::from)
                    .and_then(|judged| write(session.file, name, (item.form, item.item), judged));
                match asked {
                    Ok(said) => {
                        let count = if said.is_answer { &counts.answered } else { &counts.failed };
                        count.fetch_add(1, Ordering::Relaxed);
                        progress.done(&format!("{} {}", item.item.id.0, said.words));
                    }
                    Err(error) => {
                        // What is wrong with one request is wrong with all: a server that is down, a key.
                        let is_stop = matches!(error.downcast_ref(), Some(AskError::Stopped));
                        asking.budget.stop().stop_after_turn();
                        // The first error explains those that follow from it.
                        if !is_stop {
                            ended.lock().get_or_insert(error);
                        }
                        return;
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let count = jobs.get().min(work.items.len());
        for at in 1..count {
            let builder = std::thread::Builder::new().name(format!("judge-{at}"));
            // With fewer threads it takes longer, and that is all.
            if builder.spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        // This thread works too: if none could be started it does everything.
        worker();
    });
    drop(progress);
    (counts, ended.into_inner())
}

/// What is told of an answer.
struct AnswerSummary {
    is_answer: bool,
    words: String,
}

/// Writes down what came of asking; when it returns, that is on disk.
fn write(
    file: &LabelFile,
    name: &str,
    (form, item): (&Form, &Item),
    judged: Judged,
) -> anyhow::Result<AnswerSummary> {
    // The first question alone: the line in the terminal shows that it goes on, and how.
    let told = match &judged.outcome {
        Judgement::Answered { answer, .. } => {
            let first = form.questions.iter().find_map(|it| answer.values.get(&it.id));
            let words = first.map(|it| it.words().join(", ")).unwrap_or_default();
            let order = if judged.is_swapped { " (second left)" } else { "" };
            AnswerSummary { is_answer: true, words: format!("{words}{order}") }
        }
        Judgement::Failed { reason } => {
            AnswerSummary { is_answer: false, words: format!("no answer: {reason}") }
        }
    };
    file.record(NewEvent {
        at: jiff::Timestamp::now().to_string(),
        person: name.to_owned(),
        item: item.id.clone(),
        form: form.hash(),
        act: Act::Judged(Box::new(judged)),
    })?;
    Ok(told)
}

/// The last word: an error if not everything was asked.
fn conclude(
    name: &str,
    work: &JudgingQueue<'_>,
    counts: &Counts,
    (record, budget): (&Record, &Budget),
    ended: Option<anyhow::Error>,
) -> anyhow::Result<()> {
    let [answered, failed, left_out] =
        [&counts.answered, &counts.failed, &counts.left_out].map(|it| it.load(Ordering::Relaxed));
    let (tokens, cost) = record.spent();
    let cost = cost.map_or_else(|| "no prices".to_owned(), |usd| format!("${usd:.4}"));
    let left_out_words =
        if left_out > 0 { format!(", {left_out} items left out") } else { String::new() };
    print(&format!(
        "{name}: {answered} answers, {failed} without one{left_out_words}; {} tokens read, {} written, {cost}; \
         requests and answers: {}",
        tokens[0],
        tokens[1],
        record.dir().display()
    ))?;
    // After the sums, which are to be known however it ended.
    if let Some(error) = ended {
        return Err(error.context("asking ended; the same command goes on where it stopped"));
    }
    if answered + failed < work.requests() && budget.stop().is_stopping() {
        let why = if budget.is_spent() { "--max-cost is spent" } else { "it was stopped" };
        bail!(
            "{why}: {answered} of {} requests were answered; the same command goes on",
            work.requests()
        );
    }
    Ok(())
}
