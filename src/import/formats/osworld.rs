//! OSWorld's results and those of programs that grew from it: `traj.jsonl`, a line an action, `result.txt`
//! and a screenshot after each action. Spider2-V's `trajectory.jsonl` with `screenshots/` is the same.
//!
//! The versions differ: actions are code, words or objects, may be null, several may share a step; there may
//! be no answer of the model, and lines that are no step.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::base::{Limits, read_file_limited};
use crate::environment::EnvironmentKind;
use crate::import::conversation::{paragraphs, usage_of};
use crate::import::error::ImportError;
use crate::import::json::{Lines, count, items, text, words};
use crate::import::report::cut_name;
use crate::import::sink::{
    CallRecord, OutcomeRecord, RunEnd, RunHead, RunWriter, Sink, TurnRecord, UNKNOWN_AGENT,
};
use crate::import::source::{Certainty, Source, name_of};
use crate::run::{ImageRef, Outcome, TaskRef};

use super::python_action::{name_of_code, without_tags};

const TRAJECTORIES: [&str; 2] = ["traj.jsonl", "trajectory.jsonl"];
/// Largest small file beside the trajectory, in bytes.
const SMALL_BYTES: u64 = 4 << 20;
/// Settings of the runner that are kept; others may be keys and addresses.
const SETTINGS: [&str; 10] = [
    "action_space",
    "observation_type",
    "max_steps",
    "max_trajectory_length",
    "temperature",
    "top_p",
    "max_tokens",
    "screen_width",
    "screen_height",
    "sleep_after_execution",
];

/// A folder with a trajectory of this shape, or the trajectory itself.
pub(super) fn sniff(source: &Source) -> Option<Certainty> {
    let outline = match source.outline() {
        Some(outline) => outline.clone(),
        None => source.outline_in(trajectory(source)?)?,
    };
    let is_step = outline.has("action") && (outline.has("step_num") || outline.has("action_index"));
    // In a file of this name what was asked is told by itself, too.
    let is_named = trajectory(source).is_some() || TRAJECTORIES.contains(&source.name().as_str());
    let is_other = outline.has("Error")
        || outline.has_all(&["instruction", "initial_state"])
        || (is_named && outline.has("instruction"));
    (is_step || is_other).then_some(Certainty::Certain)
}

fn trajectory(source: &Source) -> Option<&'static str> {
    TRAJECTORIES.into_iter().find(|name| source.has_file(name))
}

/// Imports the trajectory of one task.
pub(super) fn import(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    if let Some(name) = trajectory(source) {
        let about = About::of(&source.path);
        return import_file(source, &source.path.join(name), about, sink);
    }
    // The file alone: what belongs to it lies beside it.
    let parent = source.path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = Source::look(parent.unwrap_or(Path::new(".")))?;
    let mut about = About::of(&folder.path);
    if !TRAJECTORIES.contains(&source.name().as_str()) {
        about.task = source.stem();
    }
    import_file(&folder, &source.path, about, sink)
}

fn import_file(
    source: &Source,
    path: &Path,
    about: About,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    let mut head = RunHead {
        agent: about.model,
        environment: EnvironmentKind::from("desktop"),
        ..RunHead::new("", "", source.path.display().to_string())
    };
    head.task = TaskRef { set: "osworld".to_owned(), id: about.task };
    let mut reading = TrajectoryReader {
        folder: Pictures::of(source),
        writer: sink.begin(head)?,
        turn: None,
        last_action: None,
        error: None,
    };
    // Facts and instruction before the first step: a run that breaks off has them too.
    reading.writer.about(|record| record.facts = about.facts);
    reading.instruction(source);
    let mut lines = Lines::open(path)?;
    while let Some((number, line)) = lines.next() {
        let place = format!("{}:{number}", path.display());
        match line {
            Ok(line) => reading.take(&line, &place)?,
            Err(why) => reading.writer.warn(format!("{why}: {place}")),
        }
        // To tell of every line would cost more than reading it.
        if number % 16 == 0 {
            sink.doing(place)?;
        }
    }
    // A run that was stopped has no line that ends its last turn.
    reading.end_turn()?;
    let outcome = reading.score(source);
    // A run that failed before its first step was tried, and counts; any other file may have an error in it.
    let has_failed = reading.error.is_some() && TRAJECTORIES.contains(&name_of(path).as_str());
    if reading.writer.is_empty() && !has_failed {
        sink.report.skip(path.display().to_string(), "the trajectory holds no step");
        return Ok(());
    }
    sink.finish(reading.writer, RunEnd { outcome, ..RunEnd::default() })
}

/// What the folders around a result say: `{action_space}/{observation_type}/{model}/{domain}/{id}`.
struct About {
    task: String,
    model: String,
    facts: Map<String, Value>,
}

impl About {
    fn of(dir: &Path) -> Self {
        // The layout is `…/action space/observation/model/domain/id`, read from the end.
        let mut names = dir.ancestors().map(name_of);
        let [id, domain, of_model, observed, acted] =
            std::array::from_fn(|_| names.next().unwrap_or_default());
        let args = dir.ancestors().skip(1).take(3).find_map(|above| {
            let bytes = read_file_limited(&above.join("args.json"), SMALL_BYTES).ok()?;
            crate::import::json::parse(&bytes).ok()
        });
        // Only known action spaces prove the layout: another folder may lie at any depth, and its parents mean
        // nothing.
        let spaces = ["pyautogui", "computer_13", "claude_computer_use", "autoglm_computer_use"];
        let is_layout = spaces.contains(&acted.as_str());
        let said = args.as_ref().and_then(|args| text(args, "model"));
        let model = said.unwrap_or(if is_layout { &of_model } else { UNKNOWN_AGENT });
        let mut facts = Map::new();
        if is_layout {
            facts.insert("action_space".to_owned(), json!(acted));
            facts.insert("observation_type".to_owned(), json!(observed));
        }
        for setting in SETTINGS {
            if let Some(value) = args.as_ref().and_then(|args| args.get(setting))
                && !value.is_null()
            {
                facts.insert(setting.to_owned(), value.clone());
            }
        }
        // The domain is part of the id: ids are only told apart by it in some forks.
        let has_domain = is_layout || args.is_some();
        let task = if has_domain { format!("{domain}/{id}") } else { id };
        Self { task, model: model.to_owned(), facts }
    }
}

/// Where the screenshots are.
struct Pictures {
    dir: PathBuf,
    /// Those that are there, by name.
    files: Vec<String>,
}

impl Pictures {
    fn of(source: &Source) -> Self {
        let below = source.path.join("screenshots");
        if source.folders().iter().any(|it| it == "screenshots")
            && let Ok(listing) = Source::look(&below)
        {
            return Self { dir: below, files: listing.files().to_vec() };
        }
        Self { dir: source.path.clone(), files: source.files().to_vec() }
    }

    /// The picture that a line names, or else the one of its step and time.
    fn of_line(&self, line: &Value) -> Result<Option<&str>, String> {
        if let Some(named) = text(line, "screenshot_file") {
            // Some name it by its path.
            let file = named.rsplit(['/', '\\']).next().unwrap_or(named);
            let found = self.files.iter().find(|it| *it == file).map(String::as_str);
            return found
                .map(Some)
                .ok_or_else(|| format!("the screenshot {:?} is missing", cut_name(file)));
        }
        let Some(step) = count(&line["step_num"]) else { return Ok(None) };
        let (start, plain) = (format!("step_{step}_"), format!("step_{step}."));
        let time = text(line, "action_timestamp").unwrap_or_default();
        let files = self.files.iter().map(String::as_str);
        let of_step: Vec<&str> =
            files.filter(|it| it.starts_with(&start) || it.starts_with(&plain)).collect();
        let of_time = of_step.iter().find(|it| !time.is_empty() && it.contains(time));
        Ok(match (of_time, of_step.as_slice()) {
            (Some(found), _) | (None, [found]) => Some(*found),
            (None, _) => None,
        })
    }
}

/// A trajectory while its lines are read.
struct TrajectoryReader {
    folder: Pictures,
    writer: RunWriter,
    /// The step that is not whole, with its number: several lines may belong to it.
    turn: Option<(Option<u64>, TurnRecord)>,
    last_action: Option<String>,
    error: Option<String>,
}

impl TrajectoryReader {
    fn instruction(&mut self, source: &Source) {
        for name in ["instruction.txt", "task_instruction.txt"] {
            if source.has_file(name)
                && let Ok(bytes) = read_file_limited(&source.path.join(name), SMALL_BYTES)
            {
                self.writer.set_instruction(String::from_utf8_lossy(&bytes).trim());
            }
        }
        let first = source
            .has_file("task_instruction.jsonl")
            .then(|| Lines::open(&source.path.join("task_instruction.jsonl")).ok()?.next()?.1.ok());
        if let Some(line) = first.flatten() {
            let said = ["instruction", "task_instruction", "task"];
            let said = said.iter().find_map(|name| text(&line, name));
            self.writer.set_instruction(said.unwrap_or_default());
        }
        // The state before the first action, where it was kept.
        let start = ["initial_state.png", "step_0.png"];
        let start = start.into_iter().find(|name| self.folder.files.iter().any(|it| it == name));
        if let Some(name) = start {
            self.start_picture(name).ok();
        }
    }

    fn start_picture(&mut self, name: &str) -> Result<(), ImportError> {
        let image = self.picture(name)?;
        self.writer.set_start_picture(image);
        Ok(())
    }

    fn picture(&mut self, name: &str) -> Result<Option<ImageRef>, ImportError> {
        let path = self.folder.dir.join(name);
        match read_file_limited(&path, Limits::IMAGE_BYTES) {
            Ok(bytes) => self.writer.picture(&bytes, &path.display().to_string()),
            Err(error) => {
                self.writer.warn(error.to_string());
                Ok(None)
            }
        }
    }

    fn take(&mut self, line: &Value, place: &str) -> Result<(), ImportError> {
        if let Some(error) = line.get("Error") {
            self.end_turn()?;
            let error = words(error);
            self.writer.error(error.clone())?;
            self.error = Some(error);
            return Ok(());
        }
        if let (Some(instruction), None) = (text(line, "instruction"), line.get("action")) {
            self.writer.set_instruction(instruction);
            if let Some(name) = text(line, "initial_state")
                && self.folder.files.iter().any(|it| it == name)
            {
                self.start_picture(name)?;
            }
            return Ok(());
        }
        if !line.is_object() || !["action", "step_num"].iter().any(|name| line.get(*name).is_some())
        {
            self.writer.warn(format!("a line is no step: {place}"));
            return Ok(());
        }
        self.take_step(line, place)
    }

    fn take_step(&mut self, line: &Value, place: &str) -> Result<(), ImportError> {
        let number = count(&line["step_num"]);
        let belongs =
            number.is_some() && self.turn.as_ref().is_some_and(|(open, _)| *open == number);
        if !belongs {
            self.end_turn()?;
            let turn = TurnRecord {
                thought: thought_of(line),
                usage: line.get("model_usage").and_then(usage_of),
                ..TurnRecord::default()
            };
            self.turn = Some((number, turn));
        }
        let image = match self.folder.of_line(line).map(|name| name.map(str::to_owned)) {
            Ok(Some(name)) => self.picture(&name)?,
            Ok(None) => None,
            Err(why) => {
                self.writer.warn(format!("{why}: {place}"));
                None
            }
        };
        let Some((name, arguments)) = action_of(&line["action"]) else {
            // An answer without an action: what was seen is the turn's.
            if let Some((_, turn)) = &mut self.turn {
                turn.observation = image.or(turn.observation.take());
            }
            return Ok(());
        };
        self.last_action = Some(name.clone());
        if self.writer.turns() == 0
            && let Some(at) = text(line, "action_timestamp")
        {
            // In which time zone the machine was is not written down.
            let at = at.to_owned();
            self.writer.about(|record| {
                record.facts.entry("first_action_local_time").or_insert(Value::String(at));
            });
        }
        let outcome = outcome_of(line, image);
        if let Some((_, turn)) = &mut self.turn {
            let id = format!("{}-{}", number.unwrap_or_default(), turn.calls.len() + 1);
            turn.calls.push(CallRecord { id, name, arguments, outcome: Some(outcome) });
        }
        Ok(())
    }

    fn end_turn(&mut self) -> Result<(), ImportError> {
        self.turn.take().map_or(Ok(()), |(_, turn)| self.writer.turn(turn))
    }

    /// Takes the score in, and says how the run ended if that can be told.
    fn score(&mut self, source: &Source) -> Option<(Outcome, String)> {
        let mut is_finished = false;
        if source.has_file("result.txt") {
            let path = source.path.join("result.txt");
            match read_file_limited(&path, SMALL_BYTES) {
                Ok(bytes) => {
                    let said = String::from_utf8_lossy(&bytes);
                    let said = said.trim_start_matches('\u{feff}').trim().to_owned();
                    if let Some(score) = score_of(&said) {
                        is_finished = true;
                        self.writer.about(|record| {
                            record.scores.insert("result".to_owned(), score);
                        });
                    } else {
                        let said: String = said.chars().take(80).collect();
                        self.writer.warn(format!("{said:?} is no score: {}", path.display()));
                    }
                }
                Err(error) => self.writer.warn(error.to_string()),
            }
        }
        if let Some(error) = &self.error {
            let is_limit = error.to_lowercase().contains("time limit");
            let outcome = if is_limit { Outcome::LimitReached } else { Outcome::Failed };
            return Some((outcome(error.clone()), error.clone()));
        }
        // The agent's own last word, if it said one.
        let word = self.last_action.as_deref().filter(|word| matches!(*word, "DONE" | "FAIL"));
        match (word, is_finished) {
            (Some(word), true) => Some((Outcome::Completed, word.to_owned())),
            // It met its limit of steps, or the agent ended without a word: which of them is not written down.
            (None, true) => None,
            // The runner was stopped before it had looked at what came of it, and does the task again.
            (word, false) => {
                let missing = if source.has_file("result.txt") {
                    "no score in result.txt"
                } else {
                    "no result.txt"
                };
                let said = match word {
                    Some(word) => format!("{word}, {missing}: not scored"),
                    None => format!("{missing}: not finished"),
                };
                Some((Outcome::Cancelled, said))
            }
        }
    }
}

/// One number, or what Python's `bool` writes.
fn score_of(said: &str) -> Option<Value> {
    match said {
        "True" | "true" => Some(json!(1.0)),
        "False" | "false" => Some(json!(0.0)),
        _ => said.parse::<f64>().ok().filter(|score| score.is_finite()).map(|score| json!(score)),
    }
}

/// What the model said, wherever the runner put it.
fn thought_of(line: &Value) -> String {
    let mut parts: Vec<String> = Vec::new();
    match &line["response"] {
        Value::String(text) => parts.push(text.clone()),
        Value::Object(fields) => {
            let names = ["response", "content", "text", "thought", "output_text", "message"];
            match names.iter().find_map(|name| fields.get(*name)?.as_str()) {
                Some(text) => parts.push(text.to_owned()),
                None if fields.is_empty() => {}
                None => parts.push(line["response"].to_string()),
            }
        }
        _ => {}
    }
    // Where the response was merged into the line.
    for name in ["thought", "natural_language_action", "llm_response"] {
        if let Some(said) = text(line, name)
            && !parts.iter().any(|part| part.contains(said))
        {
            parts.push(said.to_owned());
        }
    }
    paragraphs(parts)
}

/// The name and arguments of an action; `None` where there is none.
fn action_of(action: &Value) -> Option<(String, Value)> {
    match action {
        Value::Null => None,
        Value::String(code) => Some(action_of_code(code)),
        Value::Object(fields) => {
            // What a model asked of its computer, beside the code that was made of it.
            if let Some(input) = fields.get("input").filter(|input| input.is_object()) {
                let name = text(input, "action").or_else(|| text(action, "name"));
                let mut arguments = input.clone();
                if let Some(code) = text(action, "command") {
                    arguments["code"] = json!(code);
                }
                return Some((name.unwrap_or("action").to_owned(), arguments));
            }
            // The agent of OpenAI's computer says in which language its code is.
            if let (Some(code), Some(_)) = (text(action, "action"), fields.get("action_space")) {
                return Some(action_of_code(code));
            }
            // Forks name the same thing in four ways; the first that is a text is the action's name.
            let names = ["action_type", "type", "name", "action"];
            let named = names.iter().find_map(|name| Some((*name, fields.get(*name)?.as_str()?)));
            let Some((key, name)) = named else {
                let code = fields.get("command").and_then(Value::as_str);
                let name = code.map_or_else(|| "action".to_owned(), name_of_code);
                return Some((name, action.clone()));
            };
            let arguments = if let Some(parameters @ Value::Object(_)) = fields.get("parameters") {
                parameters.clone()
            } else {
                // Arguments that stand beside the name: all fields but the name itself.
                let mut rest = fields.clone();
                rest.shift_remove(key);
                Value::Object(rest)
            };
            Some((name.to_owned(), arguments))
        }
        other => Some(("action".to_owned(), json!({ "value": other }))),
    }
}

/// The name and arguments of an action that is a word or lines of Python.
fn action_of_code(code: &str) -> (String, Value) {
    let word = code.trim();
    if matches!(word, "WAIT" | "DONE" | "FAIL") {
        return (word.to_owned(), json!({}));
    }
    let plain = without_tags(code);
    let mut arguments = json!({ "code": plain.code });
    // The text as it was recorded stays beside the code without its tags, so that nothing is lost.
    if plain.is_changed {
        arguments["recorded"] = json!(code);
    }
    (name_of_code(&plain.code), arguments)
}

/// What came of an action: the picture, and what the runner wrote of it.
fn outcome_of(line: &Value, image: Option<ImageRef>) -> OutcomeRecord {
    let mut structured = Map::new();
    for name in ["reward", "done", "info", "action_timestamp", "step_info"] {
        let value = &line[name];
        let is_empty = value.is_null() || value.as_object().is_some_and(Map::is_empty);
        if !is_empty {
            structured.insert(name.to_owned(), value.clone());
        }
    }
    let failed = line["info"].get("error").map(words).filter(|error| !error.is_empty());
    // Kept, as the model saw them, but not in the run's own words.
    if !items(line, "messages").is_empty() {
        structured.insert("messages".to_owned(), json!(items(line, "messages").len()));
    }
    OutcomeRecord {
        structured: Some(Value::Object(structured)),
        image,
        error: failed,
        ..OutcomeRecord::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_of_an_action_gets_a_name_and_arguments() {
        for (action, name, arguments) in [
            (json!("DONE"), "DONE", json!({})),
            (
                json!("pyautogui.click(3, 4)"),
                "pyautogui.click",
                json!({"code": "pyautogui.click(3, 4)"}),
            ),
            (json!({"action_type": "CLICK", "parameters": {"x": 1}}), "CLICK", json!({"x": 1})),
            (json!({"action_type": "CLICK", "x": 1}), "CLICK", json!({"x": 1})),
            (
                json!({"command": "pyautogui.press('a')"}),
                "pyautogui.press",
                json!({"command": "pyautogui.press('a')"}),
            ),
            (
                json!({"action_space": "pyautogui", "action": "import pyautogui\npyautogui.click(3, 4)", "call_id": "c"}),
                "pyautogui.click",
                json!({"code": "import pyautogui\npyautogui.click(3, 4)"}),
            ),
            (
                json!({"name": "computer", "input": {"action": "left_click", "coordinate": [1, 2]}, "action_type": "tool_use", "command": "pyautogui.click(1, 2)"}),
                "left_click",
                json!({"action": "left_click", "coordinate": [1, 2], "code": "pyautogui.click(1, 2)"}),
            ),
            (json!({"x": 1}), "action", json!({"x": 1})),
            (json!(7), "action", json!({"value": 7})),
        ] {
            assert_eq!(action_of(&action), Some((name.to_owned(), arguments)), "{action}");
        }
        assert_eq!(action_of(&Value::Null), None);
    }

    #[test]
    fn a_score_is_a_number_or_what_python_calls_true() {
        assert_eq!(score_of("0.5"), Some(json!(0.5)));
        assert_eq!(score_of("True"), Some(json!(1.0)));
        for none in ["", "nan", "inf", "one"] {
            assert_eq!(score_of(none), None, "{none}");
        }
    }
}
