//! `label new`: a project of runs and forms.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::{Args, ValueEnum};

use crate::agent::batch::seen_from;
use crate::base::read_file_limited;
use crate::cli::collection::Collection;
use crate::cli::environments::environments;
use crate::cli::output::{note, print};
use crate::evaluate::{ItemRun, KnownTable, LabelPlan, StudySources, TextSource, run_content};
use crate::label::form::builtin_form;
use crate::label::sample::{Allocation, Sample};
use crate::label::{
    Form, ItemKind, ItemRole, LabelledRun, PassMark, Proposals, QueueSettings, Sides, WriterId,
};
use crate::run::Manifest;

/// Most bytes of guidelines.
const MOST_GUIDELINES: u64 = 1 << 20;

/// What a new project is made of.
#[derive(Args, Debug)]
pub(super) struct NewArguments {
    /// The project's file; nothing may be there yet.
    project: PathBuf,
    /// Runs, or folders with runs in them.
    #[arg(required_unless_present_any = ["texts", "queries"])]
    runs: Vec<PathBuf>,
    /// Words to be labelled by a form about texts, one a line: such as the questions that designs are tested by.
    #[arg(long, value_name = "FILE")]
    texts: Option<PathBuf>,
    /// Queries with candidate pictures to be ranked, for a form about queries: a folder with a folder for each, which
    /// holds its words (query.txt) and its pictures, called after who made them; or a table with the columns query,
    /// and folder or pictures.
    #[arg(long, value_name = "DIR|FILE")]
    queries: Option<PathBuf>,
    /// A form: one that comes with the program, by its name, or a file. May be given several times.
    #[arg(long, required = true, value_name = "FORM")]
    form: Vec<String>,
    /// Where the runs' task sets lie, if not beside them.
    #[arg(long)]
    tasks: Vec<PathBuf>,
    /// What people call the project; else as its file.
    #[arg(long)]
    name: Option<String>,
    /// Somebody who labels. May be given several times.
    #[arg(long, value_name = "NAME")]
    person: Vec<String>,
    /// How many people label each item.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    per_item: u32,
    /// The first of a pair always on the left, as published studies have it.
    #[arg(long)]
    fixed_sides: bool,
    /// Items whose answer is known, which people are asked without being told: a table as `import` takes it,
    /// without a person. May be given several times.
    #[arg(long, value_name = "FILE")]
    known: Vec<PathBuf>,
    /// Items to learn by, whose answer is told, asked first and left out of every result: a table likewise.
    #[arg(long, value_name = "FILE")]
    practice: Vec<PathBuf>,
    /// Items that decide who labels, asked after practice and before all others, and left out of every result: a
    /// table likewise. May be given several times.
    #[arg(long, value_name = "FILE", requires = "pass")]
    qualification: Vec<PathBuf>,
    /// The share of the qualification that has to be answered as is known, such as 0.8.
    #[arg(long, value_name = "SHARE", requires = "qualification", value_parser = pass_mark)]
    pass: Option<PassMark>,
    /// A text to agree to before anything is answered: Markdown, with the pictures that lie beside it.
    #[arg(long, value_name = "FILE.md")]
    consent: Option<PathBuf>,
    /// Good and bad examples, shown before the first item: Markdown, with the pictures that lie beside it.
    #[arg(long, value_name = "FILE.md")]
    examples: Option<PathBuf>,
    /// A form that each person answers once, about themselves, before the first item: one that comes with the
    /// program, by its name, or a file.
    #[arg(long, value_name = "FORM")]
    pre_survey: Option<String>,
    /// When a program's proposal is shown to who labels, where there is one: of plan-errors. One that is seen
    /// first is an anchor.
    #[arg(long, value_enum, default_value_t = ProposalsArgument::After)]
    proposals: ProposalsArgument,
    /// So many items are asked once more, to see whether people say the same again.
    #[arg(long, default_value_t = 0, value_name = "N")]
    repeat: usize,
    /// Only so many tasks, drawn at random by strata: with every item of theirs.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// What strata are made of.
    #[arg(long, value_delimiter = ',', default_value = "type,difficulty", requires = "sample")]
    by: Vec<String>,
    /// As many tasks of each stratum; else in proportion to how many there are.
    #[arg(long, requires = "sample")]
    equal: bool,
    /// Which tasks are drawn: the same number draws the same.
    #[arg(long, default_value_t = 0, requires = "sample")]
    seed: u64,
    /// How to label, a Markdown file that people read before they begin.
    #[arg(long, value_name = "FILE.md")]
    guidelines: Option<PathBuf>,
    /// Names, scores and costs are not kept from who labels.
    #[arg(long)]
    not_blind: bool,
}

/// Makes the project, and says how many items it has.
pub(super) fn new_project(arguments: &NewArguments) -> anyhow::Result<()> {
    let forms: Vec<Form> =
        arguments.form.iter().map(|form| open_form(form)).collect::<anyhow::Result<_>>()?;
    for form in &forms {
        for warning in form.warnings() {
            note(&format!("warning: form {}: {warning}", form.id));
        }
    }
    let home = arguments.project.parent().unwrap_or_else(|| Path::new(""));
    let stem = arguments.project.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let plan = LabelPlan {
        name: arguments.name.clone().or(stem).unwrap_or_default(),
        forms,
        guidelines: arguments
            .guidelines
            .as_deref()
            .map(read_guidelines)
            .transpose()?
            .unwrap_or_default(),
        people: arguments.person.clone(),
        queue: QueueSettings {
            labels_per_item: arguments.per_item,
            sides: if arguments.fixed_sides { Sides::AsGiven } else { Sides::Balanced },
            is_blind: !arguments.not_blind,
            proposals: arguments.proposals.of_queue(),
        },
        sample: arguments.sample(),
        repeat: arguments.repeat,
        task_sets: arguments.tasks.iter().map(|path| seen_from(home, path)).collect(),
        study: arguments.study()?.read()?,
        known: arguments.known_tables(),
        texts: arguments.texts.as_deref().map(read_texts).transpose()?.unwrap_or_default(),
        queries: arguments.queries.clone(),
    };
    // Before the runs are read, which may take long.
    plan.check()?;
    ensure!(
        plan.texts.is_empty() || plan.forms.iter().any(|form| form.about == ItemKind::Text),
        "--texts is for a form about texts, such as question-check, and none of the forms is"
    );
    let mut collection = match arguments.runs[..] {
        // Words and queries need no run.
        [] => Collection::default(),
        _ => Collection::open(&arguments.runs, &arguments.tasks)?,
    };
    let runs = std::mem::take(&mut collection.runs);
    let mut found = Vec::with_capacity(runs.len());
    for run in &runs {
        found.push(ItemRun {
            run: described(&run.dir, &run.manifest, home)?,
            task_ref: run.manifest.task.clone(),
            task: collection.task_of(&run.dir, &run.manifest),
            steps: run.steps.unwrap_or(0),
        });
    }
    let planned = plan.all_items(&found, home, &environments().opener())?;
    if planned.copies > 0 {
        note(&format!("{} items of copied runs or queries are left out", planned.copies));
    }
    if planned.proposed > 0 {
        note(&format!("{} items have a proposal", planned.proposed));
    }
    // Random, and not made from a name or the time: two projects must never be taken for copies of one.
    let id = format!("{:016x}{:016x}", getrandom::u64()?, getrandom::u64()?);
    plan.write(&arguments.project, &planned, (id, WriterId(getrandom::u64()?)))?;
    Ok(print(&format!("{} items: {}", planned.items.len(), arguments.project.display()))?)
}

/// When a proposal is shown.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ProposalsArgument {
    /// Before the answer.
    Before,
    /// Once the answer is given, which can still be changed.
    After,
    /// Not at all.
    Never,
}

impl ProposalsArgument {
    fn of_queue(self) -> Proposals {
        match self {
            Self::Before => Proposals::Before,
            Self::After => Proposals::After,
            Self::Never => Proposals::Never,
        }
    }
}

fn pass_mark(text: &str) -> Result<PassMark, String> {
    let share: f64 = text.trim().parse().ok().ok_or("a share, such as 0.8")?;
    PassMark::try_from(share).map_err(|error| error.to_string())
}

impl NewArguments {
    fn study(&self) -> anyhow::Result<StudySources> {
        let text = |path: &Option<PathBuf>| match path {
            Some(path) => TextSource::File(path.clone()),
            None => TextSource::default(),
        };
        Ok(StudySources {
            consent: text(&self.consent),
            examples: text(&self.examples),
            pre_survey: self.pre_survey.as_deref().map(open_form).transpose()?,
            pass_mark: self.pass,
        })
    }

    fn known_tables(&self) -> Vec<KnownTable> {
        let of_role = [
            (&self.known, ItemRole::KnownAnswer),
            (&self.practice, ItemRole::Practice),
            (&self.qualification, ItemRole::Qualification),
        ];
        let tables = of_role.into_iter().flat_map(|(paths, role)| {
            paths.iter().map(move |path| KnownTable { path: path.clone(), role, most: None })
        });
        tables.collect()
    }

    fn sample(&self) -> Option<Sample> {
        Some(Sample {
            count: self.sample?,
            by: self.by.clone(),
            allocation: if self.equal { Allocation::Equal } else { Allocation::Proportional },
            seed: self.seed,
        })
    }
}

/// The lines of a file that hold anything.
fn read_texts(path: &Path) -> anyhow::Result<Vec<String>> {
    let text = read_guidelines(path)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    ensure!(!lines.is_empty(), "{} holds no text: one a line", path.display());
    Ok(lines)
}

fn read_guidelines(path: &Path) -> anyhow::Result<String> {
    let bytes = read_file_limited(path, MOST_GUIDELINES)?;
    String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8", path.display()))
}

/// A form that comes with the program, or a file.
fn open_form(form: &str) -> anyhow::Result<Form> {
    match builtin_form(form) {
        Some(form) => Ok(form.clone()),
        None if Path::new(form).exists() => Ok(Form::open(Path::new(form))?),
        None => anyhow::bail!(
            "no form that comes with the program and no file is called {form:?}: see pentimento label forms"
        ),
    }
}

/// The run as the project knows it: by what happened in it, wherever it lies.
fn described(dir: &Path, manifest: &Manifest, home: &Path) -> anyhow::Result<LabelledRun> {
    Ok(LabelledRun {
        path: seen_from(home, dir),
        content: run_content(dir, manifest)?,
        model: manifest.agent.name.clone(),
    })
}
