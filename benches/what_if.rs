//! What each call of a run of a hundred calls brought: all of them left out one by one, and Shapley values.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot be set up has nothing to measure")]

use std::path::Path;
use std::time::Instant;

use pentimento::base::CancelToken;
use pentimento::environment::open_environment;
use pentimento::evaluate::what_if::{
    Base, EndScores, Grouping, ShapleyPlan, groups_of, leave_one_out, shapley,
};
use pentimento::evaluate::{ComparedTask, Scorer};
use pentimento::metric::Registry;
use pentimento::run::reader;
use pentimento::task::TaskFinder;

/// The longest of the sample runs.
const RUN: &str = "sample_runs/runs/own-samples/maker-profile/tracer-01";

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = root.join(RUN);
    let run = reader::open(&dir).unwrap();
    let mut finder = TaskFinder::default();
    finder.search(&root.join("sample_runs")).unwrap();
    let task = finder.task_of(&dir, &run.manifest).unwrap();
    let never = CancelToken::new();
    let compared = ComparedTask::load(&task, &open_environment).unwrap().unwrap();
    let scorer = Scorer::new(Registry::built_in(), None);
    let variants = ["ssim/uniform7"];
    let scores = EndScores { scorer: &scorer, task: &compared, variants: &variants };
    let began = Instant::now();
    let base = Base::of_run(&run, &open_environment, &never).unwrap();
    println!("{} calls made once: {:.2} s", base.calls().len(), began.elapsed().as_secs_f64());
    for grouping in Grouping::ALL {
        let groups = groups_of(&base, grouping);
        let began = Instant::now();
        leave_one_out(&base, &groups, &scores, &open_environment, &never, &|_, _| ()).unwrap();
        let seconds = began.elapsed().as_secs_f64();
        let hold = if grouping == Grouping::Call { "; 10 s are to be held for 100" } else { "" };
        println!(
            "leave out each {}, {} groups: {seconds:.2} s{hold}",
            grouping.name(),
            groups.len()
        );
    }
    let groups = groups_of(&base, Grouping::Node);
    let plan = ShapleyPlan { orders: 4, seed: 1 };
    let began = Instant::now();
    shapley(&base, &groups, &scores, plan, &open_environment, &never, &|_, _| ()).unwrap();
    let seconds = began.elapsed().as_secs_f64();
    println!("Shapley by node, {} groups, 4 orders: {seconds:.2} s", groups.len());
}
