//! `pentimento assist`: what a designer could do next, and what became of what was suggested.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::agent::assistant::{
    AssistAct, AssistContext, AssistEvent, Author, Guide, HunkValue, Ledger, Level, Measures,
    Names, RequestKind, Suggestion, ghost,
};
use crate::base::{CancelToken, JsonLimitError, Limits, read_file_limited};
use crate::design::{Document, figma};
use crate::environment::FontSource;
use crate::environment::canvas::CanvasSettings;
use crate::graphictown::Query;
use crate::metric::codesign::SuggestionNumbers;
use crate::metric::constraint::{LONGEST_BRIEF, read_brief};
use crate::render::{Fonts, RenderContext, TextMeasurer, all_render_bounds};
use crate::task::DesignBrief;
use crate::worker::Amiss;

use super::environments::fonts;
use super::output::{note, print, print_json, write_atomic};
use super::render::open;

/// Say what a designer could do next, without a model
///
/// With --goal, the assistant knows the answer: each step brings DESIGN nearer to it, in the order of a
/// designer, and following them leads there. Without, it looks for what is amiss whatever the design is
/// to be: texts that overflow or cannot be read, hidden elements, uneven gaps, edges nearly in line. With
/// --brief, what that asks and DESIGN does not meet comes before: texts, colours, sizes, places. Each
/// step comes in words, with the values, with the tool calls of the canvas that do the same, and with
/// why. --apply carries the steps out.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct AssistArguments {
    /// Figma REST JSON: the design as it is.
    #[arg(value_name = "DESIGN.json", required_unless_present = "measures")]
    design: Option<PathBuf>,
    /// Figma REST JSON: the design to arrive at.
    #[arg(long, value_name = "GOAL.json")]
    goal: Option<PathBuf>,
    /// What the design is to have, in words, read as in the window: texts in quotes, where they go, colours.
    #[arg(long, value_name = "TEXT", conflicts_with = "goal")]
    brief: Option<String>,
    /// A file with such words.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["goal", "brief"])]
    brief_file: Option<PathBuf>,
    /// How many steps, each as if the ones before it were taken.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "all")]
    steps: usize,
    /// All steps, to the goal or until nothing is amiss.
    #[arg(long)]
    all: bool,
    /// Names of layers and types of frames are part of the goal.
    #[arg(long, requires = "goal")]
    names: bool,
    /// How much is told: the control; on what; with which value.
    #[arg(long, value_name = "LEVEL", default_value = "value")]
    level: LevelArgument,
    /// Carry the steps out, and write the design there.
    #[arg(long, value_name = "OUT.json")]
    apply: Option<PathBuf>,
    /// Take only these changes of the step, by their numbers: 1,3.
    #[arg(long, value_name = "N,…", value_delimiter = ',', requires = "apply", conflicts_with_all = ["steps", "all"])]
    take: Vec<usize>,
    /// Write down what was suggested and taken, a line of JSON an event, behind what stands in the file.
    #[arg(long, value_name = "LOG.jsonl")]
    log: Option<PathBuf>,
    /// Instead: the measures of what such a file says.
    #[arg(long, value_name = "LOG.jsonl", conflicts_with_all = ["design", "goal", "brief", "brief_file", "apply", "log"])]
    measures: Option<PathBuf>,
    /// Which fonts texts are measured with (see `render`).
    #[arg(long, value_name = "vendored|machine", value_parser = super::arguments::fonts)]
    fonts: Option<FontSource>,
    /// For programs: the steps as JSON.
    #[arg(long)]
    json: bool,
}

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LevelArgument {
    /// The control.
    What,
    /// And the layer.
    Where,
    /// And the value.
    Value,
}

const EXAMPLES: &str = "\
Examples:
  pentimento assist design.json --goal truth.json            the next step
  pentimento assist design.json --goal truth.json --all      all steps to the goal
  pentimento assist design.json --goal truth.json --apply design.json --log work.jsonl
  pentimento assist design.json --all                        what is amiss, without a goal
  pentimento assist design.json --all --brief-file brief.txt   what a brief asks first
  pentimento assist design.json --steps 3 --json             for programs
  pentimento assist --measures work.jsonl                    what became of suggestions";

/// Does the command.
pub(super) fn assist(arguments: &AssistArguments) -> anyhow::Result<()> {
    if let Some(log) = &arguments.measures {
        return measure(log, arguments.json);
    }
    let path = arguments.design.as_deref().context("say which design: DESIGN.json")?;
    let mut design = open(path).with_context(|| format!("cannot open {}", path.display()))?;
    anyhow::ensure!(
        arguments.apply.is_none() || arguments.apply != arguments.goal,
        "--apply would replace the goal: write the design elsewhere"
    );
    let goal = arguments
        .goal
        .as_deref()
        .map(|path| open(path).with_context(|| format!("cannot open the goal {}", path.display())));
    let goal = goal.transpose()?;
    if let Some(goal) = &goal {
        // What is put in from it may show its pictures.
        design.add_images_of(goal);
    }
    let brief = Brief::of(arguments)?;
    let log = arguments.log.as_deref().map(Log::open).transpose()?;
    let render = RenderContext::new(Fonts::new(fonts(arguments.fonts)));
    let canvas = CanvasSettings { render, ..CanvasSettings::default() };
    let measure = TextMeasurer(&canvas.render);
    let context = AssistContext { measure: &measure, canvas: &canvas };
    let mut session = AssistSession { design, guide: None, brief, context, log };
    if session.brief.is_some() && !session.amiss().has_brief() {
        anyhow::bail!("{} has no page with an area to hold against a brief", path.display());
    }
    if let Some(goal) = goal {
        let names = if arguments.names { Names::Counted } else { Names::Ignored };
        let guide = Guide::new(&session.design, goal, names).context("the goal is empty")?;
        session.guide = Some(guide);
    }
    let steps = session.run(arguments)?;
    if let Some(out) = &arguments.apply {
        write(out, &session.design, &canvas)?;
    }
    if let Some(log) = &session.log {
        log.save()?;
    }
    if arguments.json {
        return print_json(&session.to_json(&steps));
    }
    Ok(print(&session.to_text(arguments, &steps))?)
}

/// A design on its way.
struct AssistSession<'a> {
    design: Document,
    guide: Option<Guide>,
    brief: Option<Brief>,
    context: AssistContext<'a>,
    log: Option<Log>,
}

/// A step as it is told.
struct ToldStep {
    suggestion: Suggestion,
    words: String,
    /// What it changes, as JSON, and where that would be seen.
    changes: Value,
    ghost: Value,
}

impl AssistSession<'_> {
    /// Finds the steps, one after the other, each taken before the next is asked for.
    fn run(&mut self, arguments: &AssistArguments) -> anyhow::Result<Vec<ToldStep>> {
        let most = if arguments.all { usize::MAX } else { arguments.steps };
        let is_applied = arguments.apply.is_some();
        if let (Some(log), Some(guide)) = (&mut self.log, &self.guide) {
            log.begin(&self.design, guide, self.context)?;
        }
        let mut steps = Vec::new();
        // Each step is worked out on what the one before left, whether or not it is written: so they can be followed
        // in order.
        while steps.len() < most {
            let Some(suggestion) = self.next_step() else { break };
            let taken = taken(&suggestion, &arguments.take)?;
            let before = self.design.clone();
            let seen = ghost(&before, &suggestion, &taken, self.context.measure)?;
            self.design = seen.after.clone();
            if let Some(guide) = &mut self.guide {
                guide.followed(&suggestion, &self.design);
            }
            let level = match arguments.level {
                LevelArgument::What => Level::What,
                LevelArgument::Where => Level::Where,
                LevelArgument::Value => Level::Value,
            };
            // What is logged are the values as they were and became, from which the log can be read without the file.
            let values = suggestion.values(&before, &seen.after);
            if let Some(log) = &mut self.log {
                let distance = self.guide.as_ref().map(|guide| guide.distance(&self.design));
                log.step(&values, is_applied.then_some(taken.as_slice()), distance)?;
            }
            let words = suggestion.told(level, &before);
            let (changes, ghost) = (json!(values), json!(seen.nodes));
            steps.push(ToldStep { suggestion, words, changes, ghost });
        }
        Ok(steps)
    }

    /// The next step; without a goal, the first mend of what is amiss.
    fn next_step(&self) -> Option<Suggestion> {
        match &self.guide {
            Some(guide) => guide.next_step(&self.design, self.context),
            None => self.amiss().mends().next(),
        }
    }

    fn amiss(&self) -> Amiss<'_> {
        let query = self.brief.as_ref().map(|brief| &brief.query);
        Amiss::of(&self.design, query, self.context)
    }

    fn to_json(&self, steps: &[ToldStep]) -> Value {
        let told = steps.iter().map(|step| {
            let Suggestion { stage, control, calls, .. } = &step.suggestion;
            let calls =
                calls.iter().map(|call| json!({"name": call.name, "arguments": call.arguments}));
            json!({
                "stage": stage, "control": control, "words": step.words,
                "why": step.suggestion.why(), "nodes": step.suggestion.nodes(),
                "hunks": step.changes, "calls": calls.collect::<Vec<Value>>(),
                "ghost": step.ghost,
            })
        });
        let distance = self.guide.as_ref().map(|guide| guide.distance(&self.design));
        // With a goal the distance says what is left; rules of thumb would say something else.
        let amiss = self.guide.is_none().then(|| self.amiss());
        let brief = self.brief.as_ref().zip(amiss.as_ref()).map(|(brief, amiss)| {
            json!({
                "words": brief.words, "not_checked": brief.unread,
                "unmet_after": amiss.unmet_lines().collect::<Vec<String>>(),
            })
        });
        json!({
            "knows_the_goal": self.guide.is_some(), "distance_after": distance,
            "brief": brief, "amiss_after": amiss.map(|amiss| amiss.count()),
            "steps": told.collect::<Vec<Value>>(),
        })
    }

    fn to_text(&self, arguments: &AssistArguments, steps: &[ToldStep]) -> String {
        let mut text = match (&arguments.goal, &self.brief) {
            (Some(goal), _) => format!("The assistant knows the answer: {}.\n", goal.display()),
            (None, Some(brief)) => brief.to_text(),
            (None, None) => {
                "Without a goal: what is amiss whatever the design is to be.\n".to_owned()
            }
        };
        for (number, step) in (1..).zip(steps) {
            let suggestion = &step.suggestion;
            writeln!(text, "\n{number}. {}", step.words).ok();
            writeln!(text, "   {} · {}", suggestion.stage.label(), suggestion.why()).ok();
            let calls = suggestion.calls.iter().map(|call| call.name.as_str());
            let calls = calls.collect::<Vec<&str>>().join(", ");
            // Taken all the same: by hand and by --apply every change can be made.
            let none = "no tool of the canvas does exactly this";
            writeln!(text, "   {}", if calls.is_empty() { none } else { &calls }).ok();
            if suggestion.hunks.len() > 1 {
                let nodes = suggestion.hunks.iter().map(|hunk| hunk.node.as_str());
                writeln!(text, "   changes of: {}", nodes.collect::<Vec<&str>>().join(", ")).ok();
            }
        }
        text + &self.left(steps, if arguments.apply.is_some() { "now" } else { "then" })
    }

    /// What is left once the steps are taken.
    fn left(&self, steps: &[ToldStep], when: &str) -> String {
        if let Some(guide) = &self.guide {
            return match guide.distance(&self.design) {
                0 if steps.is_empty() => "\nNothing is different from the goal.\n".to_owned(),
                distance => format!("\nDistance to the goal {when}: {distance}.\n"),
            };
        }
        let amiss = self.amiss();
        let mut text = if steps.is_empty() {
            "\nNothing is amiss that can be mended.\n".to_owned()
        } else {
            format!("\nAmiss {when}: {}.\n", amiss.count())
        };
        for line in amiss.unmet_lines() {
            writeln!(text, "Not met {when}: {line}").ok();
        }
        text
    }
}

/// What the design is to have, as it was said and as it was read.
struct Brief {
    words: String,
    query: Query,
    /// What of the words says nothing by the rules.
    unread: Vec<String>,
}

impl Brief {
    /// Reads the brief that is said or in a file, if one is.
    fn of(arguments: &AssistArguments) -> anyhow::Result<Option<Self>> {
        let words = match (&arguments.brief, &arguments.brief_file) {
            (Some(words), _) => words.clone(),
            (None, Some(path)) => {
                let bytes = read_file_limited(path, Limits::JSON_BYTES)
                    .with_context(|| format!("cannot read the brief {}", path.display()))?;
                String::from_utf8(bytes)
                    .with_context(|| format!("the brief {} is not UTF-8", path.display()))?
            }
            (None, None) => return Ok(None),
        };
        // Looked at before it is read: what is read of a brief grows with it.
        let characters = words.chars().count();
        anyhow::ensure!(
            characters <= LONGEST_BRIEF,
            "the brief has {characters} characters: at most {LONGEST_BRIEF} are read"
        );
        let (query, unread) = read_brief(&words);
        let brief = DesignBrief { query, questions: Vec::new() };
        anyhow::ensure!(
            !brief.asks_nothing(),
            "nothing was read of the brief: put texts in quotes, say where they go, or name a background"
        );
        Ok(Some(Self { words, query: brief.query, unread }))
    }

    fn to_text(&self) -> String {
        let mut text =
            "With a brief: what it asks comes first, then what is amiss whatever is asked.\n"
                .to_owned();
        for words in &self.unread {
            writeln!(text, "Not checked: {words}").ok();
        }
        text
    }
}

/// The places of the hunks that are taken: all, or those that were named, from 1.
fn taken(suggestion: &Suggestion, named: &[usize]) -> anyhow::Result<Vec<usize>> {
    if named.is_empty() {
        return Ok(suggestion.all());
    }
    let count = suggestion.hunks.len();
    let places = named.iter().map(|number| {
        let place = number.checked_sub(1).filter(|place| *place < count);
        place.with_context(|| format!("the step has {count} changes, and no number {number}"))
    });
    places.collect()
}

fn write(out: &Path, design: &Document, canvas: &CanvasSettings) -> anyhow::Result<()> {
    let drawn = all_render_bounds(&canvas.render, design);
    let json = serde_json::to_string_pretty(&figma::to_json_with(design, &drawn))?;
    write_atomic(out, (json + "\n").as_bytes())
}

/// A file of events, and what they come to.
struct Log {
    path: PathBuf,
    text: String,
    ledger: Ledger,
}

impl Log {
    /// A file that is not there is an empty one.
    fn open(path: &Path) -> anyhow::Result<Self> {
        let bytes = match read_file_limited(path, Limits::JSON_BYTES) {
            Err(JsonLimitError::Read { source, .. })
                if source.kind() == io::ErrorKind::NotFound =>
            {
                Vec::new()
            }
            read => read.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let text =
            String::from_utf8(bytes).with_context(|| format!("{} is no text", path.display()))?;
        let mut ledger = Ledger::new();
        // Whoever goes on with a design numbers suggestions from 1 again.
        let mut numbers = SuggestionNumbers::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let read = serde_json::from_str::<AssistEvent>(line).map_err(anyhow::Error::from);
            read.and_then(|AssistEvent { at, act }| {
                let act = numbers.renumbered(act, &ledger);
                Ok(ledger.record(AssistEvent { at, act })?)
            })
            .with_context(|| format!("line {number} of {}", path.display()))?;
        }
        Ok(Self { path: path.to_owned(), text, ledger })
    }

    fn record(&mut self, at: f64, act: AssistAct) -> anyhow::Result<()> {
        let event = AssistEvent { at, act };
        let line = serde_json::to_string(&event)?;
        self.ledger.record(event)?;
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text += &line;
        self.text.push('\n');
        Ok(())
    }

    fn begin(
        &mut self,
        design: &Document,
        guide: &Guide,
        context: AssistContext<'_>,
    ) -> anyhow::Result<()> {
        if !self.ledger.is_empty() {
            return Ok(());
        }
        let least_steps = guide.least_steps(design, context.measure, &CancelToken::default())?;
        let at = now();
        self.record(at, AssistAct::TaskBegan { least_steps })?;
        self.record(at, AssistAct::Distance { value: f64::from(guide.distance(design)) })
    }

    /// Writes down a step that was told and, if so, taken: all of it at one time, as it is one step.
    fn step(
        &mut self,
        hunks: &[HunkValue],
        taken: Option<&[usize]>,
        distance: Option<u32>,
    ) -> anyhow::Result<()> {
        let suggestion = self.ledger.next_number();
        // Of mends nobody knows whether they are right; of a step to the goal each part is as the goal has it.
        let is_right = distance.map(|_| true);
        let at = now();
        self.record(at, AssistAct::Request { kind: RequestKind::Next })?;
        let (hunks_told, are_right) = (hunks.to_vec(), Vec::new());
        let offered = AssistAct::Offered { suggestion, hunks: hunks_told, is_right, are_right };
        self.record(at, offered)?;
        self.record(at, AssistAct::Shown { suggestion })?;
        let Some(taken) = taken else { return Ok(()) };
        self.record(at, AssistAct::Taken { suggestion, hunks: taken.to_vec() })?;
        for change in taken.iter().filter_map(|place| hunks.get(*place)) {
            let change = change.clone();
            self.record(at, AssistAct::Changed { author: Author::Assistant, change })?;
        }
        let distance = distance.map(f64::from);
        distance.map_or(Ok(()), |value| self.record(at, AssistAct::Distance { value }))
    }

    fn save(&self) -> anyhow::Result<()> {
        write_atomic(&self.path, self.text.as_bytes())
    }
}

/// The time in seconds since 1970, in whole milliseconds.
fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_secs_f64() * 1e3).round() / 1e3
}

/// Prints what a file of events comes to.
fn measure(path: &Path, json: bool) -> anyhow::Result<()> {
    let log = Log::open(path)?;
    anyhow::ensure!(!log.ledger.is_empty(), "{} holds no events", path.display());
    let measures = Measures::of(&log.ledger);
    if json {
        return print_json(&measures);
    }
    let mut text = format!("{} suggestions shown\n", measures.shown);
    for (name, value, unit) in measures.rows() {
        writeln!(text, "{name:<28} {}", unit.words(value)).ok();
    }
    if measures.idle_requests > 0 {
        note(&format!("{} requests came after ten idle seconds", measures.idle_requests));
    }
    Ok(print(&text)?)
}
