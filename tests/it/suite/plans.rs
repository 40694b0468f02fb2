//! The four hand-made plans of GraphicBench's figures 5 to 8: who does what with which values. They
//! are the scripts of the sample tasks, too.

use std::path::PathBuf;

use serde_json::Value;

/// A plan: what the query hands out, and the steps: expert, action, values.
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    pub(crate) pictures: &'static [&'static str],
    pub(crate) steps: Vec<(String, String, Value)>,
}

/// The sample tasks of the suite.
pub(crate) fn samples() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/sample_runs/suite"))
}

fn plan(name: &'static str, pictures: &'static [&'static str]) -> Plan {
    let text = std::fs::read_to_string(samples().join(format!("scripts/{name}.json"))).unwrap();
    let turns: Value = serde_json::from_str(&text).unwrap();
    let calls = turns.as_array().unwrap().iter().flat_map(|turn| turn["calls"].as_array().unwrap());
    let step = |call: &Value| {
        let mut values = call["arguments"].clone();
        let expert = values.as_object_mut().unwrap().shift_remove("expert").unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&expert), text(&call["name"]), values)
    };
    Plan { name, pictures, steps: calls.map(step).collect() }
}

/// Figure 5.
pub(crate) fn book_cover() -> Plan {
    plan("book-cover", &["pink_moonlit", "couple_silhouette"])
}

/// Figure 6. Its name has three spaces where the cactus goes, of which the figure's print shows one.
pub(crate) fn business_card() -> Plan {
    plan("business-card", &["cactus_shaped_T"])
}

/// Figure 7.
pub(crate) fn postcard() -> Plan {
    plan("postcard", &["floral_background"])
}

/// Figure 8.
pub(crate) fn poster() -> Plan {
    plan("poster", &["jellyfish_illustration"])
}

/// All four.
pub(crate) fn all() -> [Plan; 4] {
    [book_cover(), business_card(), postcard(), poster()]
}
