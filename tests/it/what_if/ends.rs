//! What leaving calls out does to the end, beside a slow and obvious way to find out.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use pentimento::base::Pixels;
use pentimento::environment::open_environment;
use pentimento::evaluate::what_if::{
    Base, Branch, EndScores, Grouping, Looks, ShapleyPlan, groups_of, leave_one_out, shapley,
};
use pentimento::evaluate::{ComparedSide, ComparedTask, Scorer};
use pentimento::metric::stats::ShapleyMethod;
use pentimento::metric::{Registry, Score};
use pentimento::run::{CallEdit, Run, reader};

use super::{colour, never, picture, recorded, rectangle, sample_run};

const VARIANTS: [&str; 1] = ["ssim/uniform7"];

/// A task that wants the canvas all red.
fn red() -> ComparedTask {
    let picture = Some(Pixels::filled(200, 200, [200, 50, 25, 255]).unwrap());
    ComparedTask::new(ComparedSide { picture, ..ComparedSide::default() }, Vec::new(), None)
}

fn small_run(dir: &std::path::Path) -> Run {
    let calls = [
        rectangle(10.0, "A"),
        rectangle(50.0, "B"),
        colour("1:2", 0.8),
        colour("1:3", 0.8),
        ("move_node", serde_json::json!({ "nodeId": "1:3", "x": 100, "y": 100 })),
        ("get_node_info", serde_json::json!({ "nodeIds": ["1:2"] })),
    ];
    recorded(dir, &calls)
}

#[test]
fn leaving_one_out_is_making_all_others_from_the_start() {
    let scorer = Scorer::new(Registry::built_in(), None);
    let task = red();
    let scores = EndScores { scorer: &scorer, task: &task, variants: &VARIANTS };
    let dir = tempfile::tempdir().unwrap();
    let small = small_run(&dir.path().join("small"));
    let sample = reader::open(&sample_run("recipe-tip/scripted-01")).unwrap();
    for run in [small, sample] {
        let base = Base::of_run(&run, &open_environment, &never()).unwrap();
        for grouping in Grouping::ALL {
            let groups = groups_of(&base, grouping);
            let all: BTreeSet<u32> = groups.iter().flat_map(|group| group.steps.clone()).collect();
            assert_eq!(all.len(), run.steps.len(), "each call is in one group");
            let told = AtomicUsize::new(0);
            let progress = |_: usize, total: usize| {
                assert_eq!(total, groups.len());
                told.fetch_add(1, Ordering::Relaxed);
            };
            let found =
                leave_one_out(&base, &groups, &scores, &open_environment, &never(), &progress)
                    .unwrap();
            assert_eq!(told.into_inner(), groups.len());
            for (group, effect) in groups.iter().zip(&found.effects) {
                let edits: Vec<CallEdit> =
                    group.steps.iter().map(|step| CallEdit::Drop { step: *step }).collect();
                let mut slow = Branch::from_start(&base, &open_environment).unwrap();
                slow.run(&base.planned(&edits).unwrap(), &never(), |_, _| ()).unwrap();
                let wanted = scores.of(slow.environment(), &never()).unwrap();
                assert_eq!(effect.without, wanted, "{grouping:?} {group:?}");
                assert_eq!(effect.broke, slow.newly_failed());
                let full = found.full[0].value().unwrap();
                let brought = effect.brought[0].unwrap();
                assert!((brought - (full - wanted[0].value().unwrap())).abs() < 1e-15);
            }
        }
    }
}

#[test]
fn what_fails_without_a_call_is_counted_to_it() {
    let dir = tempfile::tempdir().unwrap();
    let run = small_run(&dir.path().join("run"));
    let base = Base::of_run(&run, &open_environment, &never()).unwrap();
    let (scorer, task) = (Scorer::new(Registry::built_in(), None), red());
    let scores = EndScores { scorer: &scorer, task: &task, variants: &VARIANTS };
    let groups = groups_of(&base, Grouping::Call);
    let found =
        leave_one_out(&base, &groups, &scores, &open_environment, &never(), &|_, _| ()).unwrap();
    let broke: Vec<&[u32]> = found.effects.iter().map(|effect| &*effect.broke).collect();
    assert_eq!(broke, [&[3, 6][..], &[4, 5], &[], &[], &[], &[]]);
    let looked = &found.effects[5];
    assert_eq!(looked.brought, [Some(0.0)], "to look changes nothing");
    let nodes = groups_of(&base, Grouping::Node);
    let steps: Vec<&[u32]> = nodes.iter().map(|group| &*group.steps).collect();
    assert_eq!(steps, [&[1, 3, 6][..], &[2, 4, 5]]);
    assert_eq!(nodes[0].label, "A (1:2)");
}

#[test]
fn shapley_values_sum_to_what_all_calls_brought() {
    let dir = tempfile::tempdir().unwrap();
    let run = small_run(&dir.path().join("run"));
    let base = Base::of_run(&run, &open_environment, &never()).unwrap();
    let (scorer, task) = (Scorer::new(Registry::built_in(), None), red());
    let scores = EndScores { scorer: &scorer, task: &task, variants: &VARIANTS };
    let plan = ShapleyPlan { orders: 8, seed: 5 };
    let values = |groups: &[_]| {
        shapley(&base, groups, &scores, plan, &open_environment, &never(), &|_, _| ()).unwrap()
    };
    let exact = values(&groups_of(&base, Grouping::Call));
    assert_eq!(exact.method, ShapleyMethod::Exact);
    let mut branch = Branch::new(&base, Looks::Made, &open_environment).unwrap();
    let full = scores.of(branch.environment_at(6), &never()).unwrap();
    let empty = scores.of(branch.environment_at(0), &never()).unwrap();
    let of = exact.of_variants[0].as_ref().unwrap();
    assert_eq!(
        (Score::Value(of.full), Score::Value(of.empty)),
        (full[0].clone(), empty[0].clone())
    );
    let sum: f64 = of.values.iter().map(|value| value.value).sum();
    assert!((sum - (of.full - of.empty)).abs() < 1e-12, "{sum}");
    let sample = reader::open(&sample_run("wallet-colors/scripted-01")).unwrap();
    let base = Base::of_run(&sample, &open_environment, &never()).unwrap();
    let groups = groups_of(&base, Grouping::Call);
    let found = |seed| {
        let plan = ShapleyPlan { orders: 3, seed };
        shapley(&base, &groups, &scores, plan, &open_environment, &never(), &|_, _| ()).unwrap()
    };
    let sampled = found(1);
    if groups.len() > 8 {
        assert_eq!(sampled.method, ShapleyMethod::Sampled { orders: 4 });
    }
    let of = sampled.of_variants[0].as_ref().unwrap();
    let sum: f64 = of.values.iter().map(|value| value.value).sum();
    assert!((sum - (of.full - of.empty)).abs() < 1e-9);
    assert_eq!(sampled, found(1), "the same seed gives the same values");
}

#[test]
fn an_end_without_a_score_costs_its_own_metric_its_shapley_values_alone() {
    let dir = tempfile::tempdir().unwrap();
    let run = small_run(&dir.path().join("run"));
    let base = Base::of_run(&run, &open_environment, &never()).unwrap();
    let groups = groups_of(&base, Grouping::Call);
    let scorer = Scorer::new(Registry::built_in(), None);
    // Of two pictures that are the same there is no PSNR.
    let variants = ["psnr/skimage", "ssim/uniform7"];
    let mut branch = Branch::new(&base, Looks::Made, &open_environment).unwrap();
    for (step, left_out, said) in [
        (0, vec![1, 2, 3, 4, 5, 6], "the end without any call has no score: undefined"),
        // The last call only looks.
        (6, vec![6], "the end without call 6 has no score: undefined"),
    ] {
        let truth = Some(picture(branch.environment_at(step)));
        let truth = ComparedSide { picture: truth, ..ComparedSide::default() };
        let task = ComparedTask::new(truth, Vec::new(), None);
        let scores = EndScores { scorer: &scorer, task: &task, variants: &variants };
        let plan = ShapleyPlan { orders: 4, seed: 1 };
        let found = shapley(&base, &groups, &scores, plan, &open_environment, &never(), &|_, _| ());
        let [psnr, ssim] = found.unwrap().of_variants.try_into().unwrap();
        let gap = psnr.unwrap_err();
        assert_eq!((&gap.left_out, gap.is_start), (&left_out, step == 0));
        assert!(gap.to_string().contains(said), "{gap}");
        let ssim = ssim.unwrap();
        let sum: f64 = ssim.values.iter().map(|value| value.value).sum();
        assert!((sum - (ssim.full - ssim.empty)).abs() < 1e-12, "{sum}");
    }
}

#[test]
fn leaving_out_can_be_stopped() {
    let run = reader::open(&sample_run("recipe-tip/scripted-01")).unwrap();
    let base = Base::of_run(&run, &open_environment, &never()).unwrap();
    let (scorer, task) = (Scorer::new(Registry::built_in(), None), red());
    let scores = EndScores { scorer: &scorer, task: &task, variants: &VARIANTS };
    let groups = groups_of(&base, Grouping::Call);
    let stop = never();
    let progress = |_: usize, _: usize| stop.cancel();
    let found = leave_one_out(&base, &groups, &scores, &open_environment, &stop, &progress);
    assert!(found.is_err());
}
