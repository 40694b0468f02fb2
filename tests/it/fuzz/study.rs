//! A study's plan and the log of a task, as anybody may have changed them.

use pentimento::metric::codesign::CoDesign;
use pentimento::study::{
    Balance, ReadLog, StudyPlan, TaskClock, Trial, schedule, suggestion_ledger,
};
use serde_json::Value;

use super::{campaign, kept_inputs};

#[test]
fn study_plans() {
    let corpus: Vec<Value> =
        kept_inputs("study-plans").iter().map(|it| serde_json::from_slice(it).unwrap()).collect();
    campaign(
        "study-plans",
        |mutator| mutator.json(&corpus),
        |input| {
            let Ok(plan) = pentimento::base::parse_json::<StudyPlan>(input) else { return };
            // What passes the check can be run, whoever comes.
            if plan.check().is_err() || plan.tasks.len() > 500 {
                return;
            }
            for row in [0, 1, 5, 12, 1_000, u32::MAX] {
                let blocks = schedule(&plan, row);
                let mut tasks: Vec<usize> = blocks.into_iter().flat_map(|it| it.tasks).collect();
                tasks.sort_unstable();
                assert_eq!(tasks, (0..plan.tasks.len()).collect::<Vec<_>>(), "each once");
            }
            assert_eq!(Balance::of(&plan, 0..6).people, 6);
            let written = serde_json::to_vec(&plan).unwrap();
            assert_eq!(serde_json::from_slice::<StudyPlan>(&written).unwrap(), plan);
        },
    );
}

#[test]
fn study_events() {
    let corpus = kept_inputs("study-events");
    campaign(
        "study-events",
        |mutator| mutator.text(&corpus),
        |input| {
            let read = ReadLog::of(input).unwrap();
            assert!(read.whole_bytes <= input.len() as u64);
            let clock = TaskClock::of(&read.events);
            let times = TaskClock::active_at(&read.events);
            assert!(times.is_sorted() && times.last().copied().unwrap_or(0) == clock.active_ms);
            let ledger = suggestion_ledger(&read.events);
            let told = ledger.as_ref().map(|ledger| CoDesign::of(ledger).measures());
            let shares = told.iter().flat_map(|told| [told.acceptance, told.kept, told.undone]);
            assert!(shares.flatten().all(|share| (0.0..=1.0).contains(&share)), "{told:?}");
            if let Some(trial) = Trial::of(&read.events) {
                assert!(
                    trial.seconds() <= trial.facts.limit_secs || trial.facts.limit_secs.is_nan()
                );
            }
            // What was read is written and read as the same.
            let lines = read.events.iter().flat_map(|event| {
                let mut line = serde_json::to_vec(event).unwrap();
                line.push(b'\n');
                line
            });
            let again = ReadLog::of(lines.collect::<Vec<u8>>().as_slice()).unwrap();
            assert_eq!(again.events, read.events);
        },
    );
}
