//! `pentimento stats`: agreement, correlation, regression, proportions, votes, comparisons of models
//! and rankings from a table.

mod agreement;
mod columns;
mod findings;
mod logit;
mod pairs;
mod ranking;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::metric::stats::BootstrapPlan;

use super::made_by::{command_words, made_by, program_words};
use super::output::{print, print_json};
use super::table_file::{TABLE_FILE, TablePath};
use crate::evaluate::MadeBy;
use crate::evaluate::data_table::DataTable;
use crate::evaluate::typed_table::TypedTable;
use findings::Findings;

/// Compute agreement, correlation, regression, votes, differences or rankings from a table
///
/// FILE.csv has a header, one item a row and one rater or variable a column, with commas, semicolons or tabs between
/// them; an empty cell is missing. FILE.jsonl has an object a line instead, its keys the columns. Labels may be numbers
/// or, for kappa, alpha and fleiss, words. All variants of the coefficient are computed; of more than two columns,
/// kappa, tau, spearman, pearson, bootstrap and sign give each pair and the mean. What has no value says why; that is
/// no failure.
#[derive(Args, Debug)]
#[command(after_help = STATS_EXAMPLES)]
pub(super) struct StatsArguments {
    /// What to compute.
    #[arg(value_name = "COEFFICIENT")]
    coefficient: Coefficient,
    /// The table.
    #[arg(value_name = "FILE.csv")]
    file: PathBuf,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Which random halves logit is tested on, and which resamples are drawn.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many resamples describe and bootstrap draw.
    #[arg(long, value_name = "N", default_value = "10000", value_parser = resamples)]
    resamples: NonZeroUsize,
    /// Write what is found to this file, too; its ending says as what.
    #[arg(long, value_name = TABLE_FILE, value_parser = TablePath::parse)]
    table: Option<TablePath>,
}

/// What can be computed from a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Coefficient {
    /// Cohen's κ: plain, linear and quadratic weights.
    Kappa,
    /// Krippendorff's α: nominal, ordinal, interval and ratio.
    Alpha,
    /// Fleiss' κ, and Randolph's.
    Fleiss,
    /// Kendall's τ-b, its p as SciPy has it.
    Tau,
    /// Spearman's ρ.
    Spearman,
    /// Pearson's r.
    Pearson,
    /// Logistic regression of the last column, 0 or 1, on the others: without and with intercept,
    /// and with standardised columns.
    Logit,
    /// Wilson's interval of columns of 0 and 1, or of each line of two columns named
    /// `successes,trials`.
    Wilson,
    /// The label that most raters give each item, ties named.
    Majority,
    /// Mean, standard deviation and bootstrap interval of each column.
    Describe,
    /// Paired bootstrap of two models: the mean difference of two columns.
    Bootstrap,
    /// Sign test of two models: how often one of two columns is larger.
    Sign,
    /// Bradley–Terry ranking with intervals, from columns `left`, `right` and `preferred`: left,
    /// right, tie, or one of the two names.
    BradleyTerry,
}

/// Most resamples: more tell nobody more.
const MOST_RESAMPLES: usize = 10_000_000;

fn resamples(text: &str) -> Result<NonZeroUsize, String> {
    // Of no resamples there is no interval.
    let count: NonZeroUsize = text.parse().map_err(|error| format!("{error}: {text}"))?;
    if count.get() > MOST_RESAMPLES {
        return Err(format!("must be at most {MOST_RESAMPLES}"));
    }
    Ok(count)
}

const STATS_EXAMPLES: &str = "\
Examples:
  pentimento stats kappa labels.csv
  pentimento stats alpha labels.csv --json | jq .alpha.ordinal.value
  pentimento stats logit runs.csv --seed 7
  pentimento stats spearman scores.csv --table correlations.tex
  pentimento stats bootstrap two-models.csv --json | jq .bootstrap.mean_difference.p
  printf 'left,right,preferred\na,b,a\nb,a,a\na,b,b\n' > won.csv && pentimento stats bradley-terry won.csv
  printf 'successes,trials\\n7,20\\n' > won.csv && pentimento stats wilson won.csv

JSON, with the program and the command: {\"COEFFICIENT\": {\"VARIANT\": {\"value\", …, \"n\", \"left_out\"} or {\"missing\": \"why\"}}}, with
\"pairs\": [{\"columns\": [\"a\", \"b\"], \"COEFFICIENT\": …}] for more than two columns; of more than
10,000 pairs there are only the means, and \"unlisted_pairs\", how many they are.
  kappa     plain, linear, quadratic
  alpha     nominal, ordinal, interval, ratio
  fleiss    fleiss, randolph
  tau       b: value, p, method
  spearman  rho: value, p
  pearson   r: value, p
  logit     without_intercept, with_intercept, standardised_with_intercept: terms and, in their
            order, coef, std_err, z, p, low, high; log_likelihood, accuracy_train, accuracy_split
  wilson    the names of the columns, or `line 2` and on: value, low, high, successes
  majority  items: value (with a majority), ties; `line 2` and on: value, votes, or null and tie
  describe  the names of the columns: value (the mean), sd, low, high, min, max
  bootstrap mean_difference (first minus second): value, low, high, p
  sign      share_of_wins (of the first, ties aside): value, wins, losses, ties, p
  bradley-terry
            the names, the strongest first: value (log strength), std_err, low, high, rank, wins";

/// Does the command.
pub(super) fn compute(arguments: &StatsArguments) -> anyhow::Result<()> {
    let data = DataTable::open(&arguments.file)?;
    let findings = findings(&data, arguments)?;
    if let Some(file) = &arguments.table {
        let made_by = MadeBy {
            command: command_words(),
            choices: vec![("coefficient", findings.coefficient.to_owned())],
            ..MadeBy::default()
        };
        let (columns, about) = (findings.to_columns(), made_by.entries());
        file.write(&TypedTable { columns, about })?;
    }
    if arguments.json {
        let mut json = findings.to_json();
        if let Some(members) = json.as_object_mut() {
            members.insert("program".to_owned(), program_words().into());
            members.insert("command".to_owned(), command_words().into());
        }
        return print_json(&json);
    }
    Ok(print(&format!("{}\n{}\n", findings.to_text(), made_by()))?)
}

fn findings(data: &DataTable, arguments: &StatsArguments) -> anyhow::Result<Findings> {
    // The confidence is no option: it stays the usual 95 %.
    let plan = BootstrapPlan {
        resamples: arguments.resamples.get(),
        seed: arguments.seed,
        ..BootstrapPlan::default()
    };
    Ok(match arguments.coefficient {
        Coefficient::Kappa => agreement::kappa(data),
        Coefficient::Alpha => agreement::alpha(data),
        Coefficient::Fleiss => agreement::fleiss(data),
        Coefficient::Tau => pairs::tau(data)?,
        Coefficient::Spearman => pairs::spearman(data)?,
        Coefficient::Pearson => pairs::pearson(data)?,
        Coefficient::Logit => logit::logit(data, arguments.seed)?,
        Coefficient::Wilson => columns::wilson(data)?,
        Coefficient::Majority => agreement::majority(data),
        Coefficient::Describe => columns::describe(data, &plan)?,
        Coefficient::Bootstrap => pairs::bootstrap(data, &plan)?,
        Coefficient::Sign => pairs::sign(data)?,
        Coefficient::BradleyTerry => ranking::ranking(data)?,
    })
}
