//! The commands, what `run` takes, and the values that several commands take. What the other commands
//! take stands beside them.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::agent::AgentKind;
use crate::agent::batch::LeastTurns;
use crate::agent::model_agent::Mode;
use crate::agent::program::{ANSWER_TIMEOUT, Program};
use crate::environment::{Compat, EnvironmentKind, FontSource};

use super::assist::AssistArguments;
use super::calls::CallsArguments;
use super::compare::CompareArguments;
use super::export::ExportArguments;
use super::import::ImportArguments;
use super::key::KeyArguments;
use super::label::LabelArguments;
use super::mcp::McpArguments;
use super::metric::MetricArguments;
use super::models::ModelsArguments;
use super::render::RenderArguments;
use super::report::ReportArguments;
use super::score::ScoreArguments;
use super::stats::StatsArguments;
use super::study::StudyArguments;
use super::what_if::WhatIfArguments;
use super::window::OpenArguments;

/// A workbench for people who study agents that design.
///
/// Without a command, the window opens: on PATHS, or on the shipped samples.
#[derive(Debug, Parser)]
#[command(name = "pentimento", version, args_conflicts_with_subcommands = true)]
#[command(after_help = TOP_EXAMPLES)]
pub(super) struct Arguments {
    /// What to do; nothing opens the window.
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// Task sets, runs or folders of them to open in the window.
    #[arg(value_name = "PATHS")]
    pub(super) paths: Vec<PathBuf>,
    /// Captions that were made before, for the scores in the window: in the shape of CANVAS's
    /// precomputed_blip_scores.json, as `score` takes them. The window remembers the file.
    #[arg(long, value_name = "FILE.json")]
    pub(super) captions: Option<PathBuf>,
}

/// The commands that need no display.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Run(RunArguments),
    Score(ScoreArguments),
    Metric(MetricArguments),
    Render(RenderArguments),
    Calls(CallsArguments),
    /// The old name of `calls`.
    #[command(hide = true)]
    Script(CallsArguments),
    Report(ReportArguments),
    Stats(StatsArguments),
    Mcp(McpArguments),
    Import(ImportArguments),
    Key(KeyArguments),
    Open(OpenArguments),
    Models(ModelsArguments),
    Label(LabelArguments),
    Study(StudyArguments),
    WhatIf(WhatIfArguments),
    Compare(CompareArguments),
    Assist(AssistArguments),
    Export(ExportArguments),
}

/// Let an agent work on the tasks of a task set, and record its runs
///
/// Every run is recorded in DIR/<set>/<task>/<agent>-<n> while it happens, and is whole at every moment. Ctrl-C stops
/// the runs when the turns under way are recorded, a second one at once; the same command with --resume goes on, and
/// asks nothing that was answered again. A task that fails does not stop the others. The table at the end (task,
/// outcome, turns, calls, SSIM) goes to stdout, everything else to stderr.
#[derive(Args, Debug)]
#[command(after_help = RUN_EXAMPLES)]
pub(super) struct RunArguments {
    /// Task set, or a folder with task sets in it. With --replay, --again and --continue: where the run's
    /// task is, if it is not where it was.
    #[arg(long, value_name = "PATH", required_unless_present_any = ["replay", "again", "continued", "experiment"])]
    pub(super) tasks: Option<PathBuf>,
    /// Who acts: tracer finds boxes, lines and text in the picture of the ground truth and draws them; rules plans a
    /// design query without a model; scripted plays the calls of --calls; exec:COMMAND asks a program of your own over
    /// its stdin and stdout.
    #[arg(long, value_name = "tracer|rules|scripted|exec:COMMAND", value_parser = agent)]
    #[arg(required_unless_present_any = ["models", "replay", "again", "experiment"], conflicts_with_all = ["models", "replay", "again"])]
    pub(super) agent: Option<AgentArgument>,
    /// Models that act, each on every task: names from the file of models, or KIND:MODEL or
    /// KIND:MODEL@ADDRESS with KIND one of responses, chat_completions, anthropic, gemini, bedrock.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(super) models: Vec<String>,
    /// The file of models: {"models": {"NAME": {"provider": {"kind", "model", …}, …}}}.
    #[arg(long, value_name = "FILE", env = "PENTIMENTO_MODELS")]
    pub(super) models_file: Option<PathBuf>,
    /// How models work: multi_turn; single_turn with all calls in one answer; code, which asks for a
    /// page in HTML instead of calls and draws it with Chromium (PENTIMENTO_CHROMIUM names one); or,
    /// for design queries, the planners agentic (stage by stage) and direct_plan (all at once), with
    /// the query's pictures as agentic_vision and direct_plan_vision.
    #[arg(long, value_name = "MODE", default_value = "multi_turn")]
    pub(super) mode: Mode,
    /// A folder whose files replace prompts (see assets/prompts/README.md).
    #[arg(long, value_name = "DIR")]
    pub(super) prompts: Option<PathBuf>,
    /// Where the pictures of design queries are looked for, at any depth: PNG and JPEG by their names,
    /// SVG by title and keywords too. What is not there is drawn as a placeholder; run.json says which
    /// file each name got. With --again, --continue and --replay: those of the run, if it is not said.
    #[arg(long, value_name = "DIR")]
    pub(super) pictures: Option<PathBuf>,
    /// Folder the runs are recorded in; made if it is missing. With --again and --continue: that of the
    /// run, if it is not said.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["replay", "again", "continued", "dry_run", "experiment"])]
    pub(super) out: Option<PathBuf>,
    /// Go on with what an earlier call with the same settings left in the folder: runs that came to
    /// their end stay, the others are done again with the answers they had, which cost nothing.
    #[arg(long)]
    pub(super) resume: bool,
    /// Stop when the answers have cost this many US dollars, those of runs found by --resume
    /// included. The models need prices.
    #[arg(long, value_name = "USD", value_parser = amount)]
    pub(super) budget: Option<f64>,
    /// Say what it would cost, and ask nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Repeat a run from its record, without a network, and say whether the same comes of it.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["models", "resume", "budget", "dry_run"])]
    pub(super) replay: Option<PathBuf>,
    /// Make a recorded run again: a new run of the same task by the same agent or model with the same
    /// settings, in the same folder or in --out. Other settings are said by --tasks and --models.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["models", "mode", "prompts", "resume", "budget", "dry_run", "replay", "filter", "jobs", "script", "answer_timeout", "max_turns", "max_seconds", "max_tokens", "max_cost", "compat", "fonts"])]
    pub(super) again: Option<PathBuf>,
    /// Go on with a recorded run, whoever made it: each agent begins on its task with what its calls had
    /// come to, behind its last step or the one said. The fonts and tools are those of the run.
    #[arg(long = "continue", value_name = "RUN[@STEP]", conflicts_with_all = ["replay", "again", "experiment", "filter", "fonts"])]
    pub(super) continued: Option<PathBuf>,
    /// Do what an experiment file says: models × modes × prompts × settings on every task, as often as
    /// it is repeated, into one folder. The same command again goes on where it was stopped. See
    /// docs/experiments.md.
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["tasks", "agent", "models", "mode", "prompts", "pictures", "resume", "replay", "again", "filter", "script"])]
    pub(super) experiment: Option<PathBuf>,
    /// Only tasks whose set, id, category or instruction holds TEXT (case does not matter).
    #[arg(long, value_name = "TEXT")]
    pub(super) filter: Option<String>,
    /// Runs at the same time.
    #[arg(long, value_name = "N", default_value = "1")]
    pub(super) jobs: NonZeroUsize,
    /// The calls that the agent `scripted` plays: JSON, or a recorded run.
    #[arg(
        long = "calls",
        alias = "script",
        value_name = "FILE",
        required_if_eq("agent", "scripted")
    )]
    pub(super) script: Option<PathBuf>,
    /// How long the program of exec:COMMAND may take for an answer.
    #[arg(long, value_name = "SECONDS", default_value = "600")]
    pub(super) answer_timeout: NonZeroU32,
    /// Stop a run after so many turns.
    #[arg(long, value_name = "N", default_value = "50")]
    pub(super) max_turns: NonZeroU32,
    /// Make a run again, up to two times, if its agent ended it after fewer turns; the short ones are
    /// kept in its folder. published: 3 to build a screen and 2 to change one, as CANVAS's code.
    #[arg(long, value_name = "N|published")]
    pub(super) least_turns: Option<LeastTurns>,
    /// Stop a run after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = amount)]
    pub(super) max_seconds: Option<f64>,
    /// Stop a run after so many tokens, read and written.
    #[arg(long, value_name = "N")]
    pub(super) max_tokens: Option<u64>,
    /// Stop a run after so many US dollars.
    #[arg(long, value_name = "USD", value_parser = amount)]
    pub(super) max_cost: Option<f64>,
    /// Whose behaviour the tools follow where the published ones do not do what they say:
    /// documented; canvas-2026-01 to reproduce those of the canvas; graphicbench to take the values of
    /// the design suite's actions as its released executor does. The run remembers it.
    #[arg(long, value_name = "NAME", default_value = "documented", value_parser = compat)]
    pub(super) compat: Compat,
    /// Which fonts texts are set in: vendored, the same on every machine; or machine, also those of
    /// this one, which run.json then says. Without it, what PENTIMENTO_FONTS says, or else vendored.
    #[arg(long, value_name = "vendored|machine", value_parser = fonts)]
    pub(super) fonts: Option<FontSource>,
}

/// Agents that can be run from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AgentArgument {
    /// Finds boxes, lines and text in the picture of the ground truth and draws them.
    Tracer,
    /// Plans a design query by rules.
    Rules,
    /// Plays the calls of --calls.
    Scripted,
    /// Asks a program.
    Exec(String),
}

impl AgentArgument {
    /// The kind of agent.
    pub(super) fn kind(&self) -> AgentKind {
        match self {
            Self::Tracer => AgentKind::Tracer,
            Self::Rules => AgentKind::Rules,
            Self::Scripted => AgentKind::Scripted,
            Self::Exec(_) => AgentKind::Exec,
        }
    }

    /// The command of `exec`.
    pub(super) fn command(&self) -> Option<&str> {
        match self {
            Self::Exec(command) => Some(command),
            Self::Tracer | Self::Rules | Self::Scripted => None,
        }
    }
}

/// A number above 0.
fn amount(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_not_one| "not a number".to_owned())?;
    // `inf` is a number to the parser, and would be no limit at all.
    if number.is_finite() && number > 0.0 { Ok(number) } else { Err("must be above 0".to_owned()) }
}

pub(super) fn agent(text: &str) -> Result<AgentArgument, String> {
    // At the first colon alone: a command may have more of them.
    let (kind, command) = text.split_once(':').map_or((text, None), |(a, b)| (a, Some(b)));
    match (AgentKind::from_name(kind), command) {
        (Some(AgentKind::Tracer), None) => Ok(AgentArgument::Tracer),
        (Some(AgentKind::Rules), None) => Ok(AgentArgument::Rules),
        (Some(AgentKind::Scripted), None) => Ok(AgentArgument::Scripted),
        (Some(AgentKind::Exec), Some(command)) => {
            // Split here too, so that a bad command is wrong usage.
            Program::new(command, ANSWER_TIMEOUT).map_err(|error| error.to_string())?;
            Ok(AgentArgument::Exec(command.to_owned()))
        }
        // Also of a kind that there is but with a command too many or too few: the message shows all forms.
        _ => Err("must be tracer, rules, scripted or exec:COMMAND".to_owned()),
    }
}

pub(super) fn fonts(text: &str) -> Result<FontSource, String> {
    FontSource::from_name(text).ok_or_else(|| "must be vendored or machine".to_owned())
}

pub(super) fn compat(text: &str) -> Result<Compat, String> {
    let names = Compat::ALL.map(Compat::name).join(", ");
    Compat::from_name(text).ok_or_else(|| format!("must be one of {names}"))
}

/// A behaviour of the suite's actions.
pub(super) fn suite_compat(text: &str) -> Result<Compat, String> {
    // Apart from the others, so that the message names only what fits here.
    let known = Compat::ALL.into_iter().filter(|compat| compat.fits(&EnvironmentKind::Suite));
    let names: Vec<_> = known.map(Compat::name).collect();
    let found = compat(text).ok().filter(|compat| compat.fits(&EnvironmentKind::Suite));
    found.ok_or_else(|| format!("must be one of {}", names.join(", ")))
}

const TOP_EXAMPLES: &str = "\
Examples:
  pentimento                                  open the window on the shipped samples
  pentimento my-tasks runs                    open task sets and runs in the window
  pentimento run --tasks sample_runs --agent tracer --out runs --jobs 2
  pentimento score runs
  pentimento report runs --out report.html
  pentimento what-if runs/own-samples/sign-in/tracer-01 --leave-one-out
  pentimento mcp --task sample_runs#sign-in --out runs

`pentimento help COMMAND` shows more of each.

Exit codes: 0 done, 1 the work failed (stderr says what), 2 wrong usage or no display.";

const RUN_EXAMPLES: &str = "\
Examples:
  Every task, two at a time:
    pentimento run --tasks sample_runs --agent tracer --out runs --jobs 2
  Only some tasks:
    pentimento run --tasks sample_runs --agent tracer --out runs --filter checkout
  Play calls from a file, one task:
    pentimento run --tasks sample_runs --agent scripted --calls calls.json --out runs --filter login
  Two models on every task, for ten dollars at most; then on with what is left:
    pentimento run --tasks sample_runs --models-file models.json --models a,b --jobs 4 \\
      --budget 10 --out runs
    pentimento run … --budget 20 --out runs --resume
  The same run once more:
    pentimento run --again runs/samples/sign-in/a-01
  With the faults of the published tools:
    pentimento run --tasks sample_runs --agent tracer --out runs --compat canvas-2026-01
  Design queries, with pictures of one's own, their actions as GraphicBench's executor takes them:
    pentimento run --tasks test.jsonl --models a --out runs --compat graphicbench \\
      --pictures /usr/share/openclipart/svg

  Let a program of your own draw:
    pentimento run --tasks sample_runs --agent 'exec:python3 sample_runs/agents/card.py' \\
      --out runs --filter sign-in

COMMAND is split at blanks, without a shell: '…' keeps everything as it is, \"…\" all but \\\" and
\\\\, and a \\ takes the meaning from a blank, a quote or a \\ after it. It is recorded in the run:
give secrets by environment variables. The program's messages are in sample_runs/agents/README.md.

A file of calls is a JSON list of turns, [{\"thought\": \"…\", \"calls\": [{\"name\": \"create_frame\",
\"arguments\": {…}}]}], or a flat list of calls.";

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn scripted_needs_calls_by_their_new_name_or_the_old() {
        let line = ["pentimento", "run", "--tasks", "t", "--out", "o", "--agent", "scripted"];
        assert!(Arguments::try_parse_from(line).is_err());
        assert!(Arguments::try_parse_from(line.iter().chain(&["--calls", "s"])).is_ok());
        assert!(Arguments::try_parse_from(line.iter().chain(&["--script", "s"])).is_ok());
        for command in ["calls", "script"] {
            assert!(Arguments::try_parse_from(["pentimento", command, "d.json", "o.json"]).is_ok());
        }
    }
}
