//! What the table over all runs needs: what many runs called, and statistics.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::PreparedTask;
use crate::base::CancelToken;
use crate::evaluate::figures::{FIGURES, study_figure_with_marks};
use crate::evaluate::groups::TaskContent;
use crate::evaluate::studies::{
    AgentRun, AgentRuns, CountedRuns, JudgeAgentsError, Judging, StudyMaterial, StudyOfRuns,
};
use crate::evaluate::{Relation, RunDigest};
use crate::run::reader;
use crate::study::{Autonomous, RESAMPLES as STUDY_RESAMPLES, StudyRecord};
use crate::task::runs_at;
use crate::workbench::{
    Difference, Digests, ExploredStudy, ExploredStudyKey, Inputs, PaperFigures, Statistics,
    StatisticsKey, StatisticsOf, TaskContents,
};
use crate::worker::shared::Shared;
use crate::worker::shared::job_border::JobError;

/// Reads what a block of runs called. A run that cannot be read says why, and holds up no other.
pub(super) fn read_digests(
    shared: &Shared,
    inputs: &Inputs,
    cancel: &CancelToken,
) -> Result<Digests, JobError> {
    let mut digests = Digests::with_capacity(inputs.unread.len());
    for (run, dir) in &inputs.unread {
        cancel.check()?;
        let digest = match reader::open(dir) {
            Ok(run) => {
                let mut digest = RunDigest::of_folder(&run, dir);
                shared.tool_names.lock().share(&mut digest);
                Ok(Arc::new(digest))
            }
            Err(error) => Err(error.to_string().into()),
        };
        digests.push((*run, digest));
    }
    Ok(digests)
}

/// Reads what the tasks of a set ask. One that cannot be read has nothing, and holds up no other.
pub(super) fn read_contents(
    inputs: &Inputs,
    cancel: &CancelToken,
) -> Result<TaskContents, JobError> {
    let set = inputs.set.as_ref().ok_or_else(JobError::not_read)?;
    let mut contents = TaskContents::new();
    for task in &set.tasks {
        cancel.check()?;
        if let Ok(content) = TaskContent::of(task) {
            contents.insert(task.id.clone(), content);
        }
    }
    Ok(contents)
}

/// What the runs in these folders come to at the tasks of a study, as `study report --agents` has it; nothing without
/// folders.
pub(in crate::worker) fn judge_agents(
    shared: &Shared,
    material: &StudyMaterial,
    folders: &BTreeSet<PathBuf>,
    cancel: &CancelToken,
) -> Result<Autonomous, JobError> {
    let runs = runs_at(folders).map_err(JobError::failed)?;
    let open_environment = &*shared.open_environment;
    let judging = Judging {
        given_start: &|task| {
            PreparedTask::given_start(task, open_environment).map_err(|error| error.to_string())
        },
        open_environment,
        on_judged: &|_| {},
        cancel,
    };
    let runs = AgentRuns::of(&material.plan, runs.iter().map(AgentRun::from));
    match runs.judge(material, STUDY_RESAMPLES, &judging) {
        // How many are left out and why is in what was found.
        Ok((found, _)) => Ok(found),
        Err(JudgeAgentsError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(error) => Err(JobError::failed(error)),
    }
}

/// What a study comes to, of the runs that are shown and of the agents beside them.
pub(super) fn count_study(
    shared: &Shared,
    key: &ExploredStudyKey,
    cancel: &CancelToken,
) -> Result<ExploredStudy, JobError> {
    let record = StudyRecord::open(&key.dir).map_err(JobError::failed)?;
    cancel.check()?;
    // Questionnaires are no part of the figure.
    let runs = CountedRuns::These(&key.runs);
    let mut of = StudyOfRuns::of(record, runs, &[], key.counted, STUDY_RESAMPLES);
    // Without agents the tasks need not be there.
    if !key.agents.is_empty() {
        let material = StudyMaterial::open(&key.dir).map_err(JobError::failed)?;
        of.results.autonomous = judge_agents(shared, &material, &key.agents, cancel)?;
    }
    let figure = study_figure_with_marks(&of.results);
    Ok(ExploredStudy { of, figure })
}

/// Makes the figures of the papers; one that lacks data says what it lacks.
pub(super) fn paper_figures(
    inputs: &Inputs,
    cancel: &CancelToken,
) -> Result<PaperFigures, JobError> {
    let sources = inputs.figures.as_ref().ok_or_else(JobError::not_read)?.sources();
    let mut figures = Vec::with_capacity(FIGURES.len());
    for kind in &FIGURES {
        cancel.check()?;
        figures.push(kind.make(&sources));
    }
    Ok(PaperFigures(figures))
}

/// Makes the statistics of pairs.
pub(super) fn statistics(
    key: &StatisticsKey,
    cancel: &CancelToken,
) -> Result<Statistics, JobError> {
    Ok(match key.of {
        StatisticsOf::Relation => Statistics::Relation(Relation::of(&key.pairs, cancel)?),
        StatisticsOf::Difference => Statistics::Difference(Difference::of(&key.pairs)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::{EnvironmentKind, ToolCategory};
    use crate::evaluate::figures::{FigureRun, FigureSources};
    use crate::evaluate::{Condition, StepDigest, ToolCount};
    use crate::metric::stats::signed_rank_test;
    use crate::workbench::FigureInput;

    #[test]
    fn figures_tell_runs_apart_by_what_their_digests_say() {
        let category = ToolCategory::Creation;
        let run_in = |mode: &str| FigureRun {
            model: "m".to_owned(),
            environment: EnvironmentKind::Canvas,
            digest: Arc::new(RunDigest {
                steps: vec![StepDigest { tool: 0, turn: 1, category, failure: None, expert: None }],
                tools: vec![ToolCount { name: "t".into(), category, calls: 1, failures: 0 }],
                condition: Condition::of_mode(mode),
                ..RunDigest::default()
            }),
            ..FigureRun::default()
        };
        let runs = vec![run_in("single_turn"), run_in("multi_turn")];
        let known = FigureSources { runs, ..FigureSources::default() };
        let figures = Some(Arc::new(FigureInput { known, labels: None }));
        let inputs = Inputs { figures, ..Inputs::default() };
        let Ok(made) = paper_figures(&inputs, &CancelToken::new()) else { panic!("not made") };
        assert_eq!(made.0.len(), FIGURES.len());
        let tools = FIGURES.iter().position(|kind| kind.id == "canvas-4").unwrap();
        let figure = made.0[tools].as_ref().unwrap();
        let rows: Vec<&str> = figure.numbers[1..].iter().map(|row| row[1].as_str()).collect();
        assert_eq!(rows, ["m · multi_turn", "m · single_turn"]);
        let stopped = CancelToken::new();
        stopped.cancel();
        assert!(matches!(paper_figures(&inputs, &stopped), Err(JobError::Cancelled(_))));
    }

    #[test]
    fn the_statistics_of_pairs_are_those_of_the_functions_they_are_made_by() {
        let pairs: Vec<(f64, f64)> = (0..60)
            .map(|at| (f64::from(at), f64::from(at * 7 % 31) + f64::from(at) / 2.0))
            .collect();
        let never = CancelToken::new();
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let key = StatisticsKey::new(StatisticsOf::Relation, pairs);
        let Ok(Statistics::Relation(found)) = statistics(&key, &never) else {
            panic!("no relation")
        };
        assert_eq!(Ok(found), Relation::of(&key.pairs, &never));
        let key = StatisticsKey { of: StatisticsOf::Difference, ..key };
        let Ok(Statistics::Difference(found)) = statistics(&key, &never) else { panic!("none") };
        assert_eq!(found.signed_rank, signed_rank_test(&a, &b));
        assert_eq!(found.tasks, 60);
    }
}
