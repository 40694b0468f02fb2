//! Where the papers contradict themselves or the data they released: what is printed, what comes out,
//! and why, shown beside ours wherever the number stands, in a table or a figure, and never put right in silence.

/// One such place.
#[derive(Clone, Copy, Debug)]
pub struct Slip {
    /// Which paper.
    pub paper: &'static str,
    /// Where in it.
    pub place: &'static str,
    /// What stands there.
    pub printed: &'static str,
    /// What comes out.
    pub recomputed: &'static str,
    /// Why, or by what.
    pub why: &'static str,
    /// The ids of our tables in which the number stands.
    pub tables: &'static [&'static str],
    /// The ids of our figures in which it does: some are called as a table is.
    pub figures: &'static [&'static str],
}

impl Slip {
    /// In a sentence, to stand below a table or a figure.
    pub fn sentence(&self) -> String {
        let Self { paper, place, printed, recomputed, why, .. } = self;
        format!("{paper}, {place}: printed {printed} | recomputed {recomputed} | {why}.")
    }
}

/// All of them, paper by paper.
pub const SLIPS: [Slip; 23] = [
    Slip {
        paper: "CANVAS",
        place: "SSIM",
        printed: "a Gaussian window",
        recomputed: "a uniform window of 7 × 7",
        why: "the text says the one, the released code computes the other",
        tables: &["canvas-1", "canvas-5", "canvas-15", "canvas-16"],
        figures: &["canvas-35"],
    },
    Slip {
        paper: "CANVAS",
        place: "saliency",
        printed: "one similarity",
        recomputed: "a correlation or a histogram intersection",
        why: "the text does not decide which of the two the column is; here it is the intersection",
        tables: &["canvas-1", "canvas-5", "canvas-15", "canvas-16"],
        figures: &["canvas-35"],
    },
    Slip {
        paper: "CANVAS",
        place: "Table 4",
        printed: "p = 0.03506 of Z = 2.080",
        recomputed: "p = 0.0375",
        why: "the two-sided probability of that Z",
        tables: &[],
        figures: &[],
    },
    Slip {
        paper: "CANVAS",
        place: "appendix B.2",
        printed: "15.5 % and 29.0 %",
        recomputed: "15.6 % and 29.1 %",
        why: "93 and 174 of 598",
        tables: &[],
        figures: &[],
    },
    Slip {
        paper: "GraphicBench",
        place: "Table 9, GEMMA-2 27B, book covers, delivery",
        printed: "0.842",
        recomputed: "45 of 260 plans parsed",
        why: "the 215 that did not are NOT RETRIEVED, whose 13 characters are under the limit of 30 steps",
        tables: &["graphicbench-9"],
        figures: &["graphicbench-2"],
    },
    Slip {
        paper: "GraphicBench",
        place: "Table 9, QWEN-2.5 7B, book covers, delivery",
        printed: "0.358",
        recomputed: "0.362",
        why: "the released file has 94 of 260 delivered, one more",
        tables: &["graphicbench-9"],
        figures: &["graphicbench-2"],
    },
    Slip {
        paper: "GraphicBench",
        place: "Table 10, QWEN-2.5 7B, business cards",
        printed: "two cells",
        recomputed: "the same two, exchanged",
        why: "the released plans",
        tables: &["graphicbench-10"],
        figures: &[],
    },
    Slip {
        paper: "GraphicBench",
        place: "Table 12, GPT-3.5",
        printed: "30, 21 and 13",
        recomputed: "10, 9 and 8",
        why: "the printed rows are QWEN-2.5 7B's; GPT-3.5's released plans begin with ImportObject",
        tables: &["graphicbench-12"],
        figures: &[],
    },
    Slip {
        paper: "GraphicBench",
        place: "questions a query",
        printed: "9.07, 10.0, 7.89 and 8.70",
        recomputed: "9.04, 9.74, 7.68 and 8.62",
        why: "over the published lines",
        tables: &["graphicbench-3", "graphicbench-13"],
        figures: &[],
    },
    Slip {
        paper: "GraphicBench",
        place: "the rule of pairs of words",
        printed: "1,059 queries",
        recomputed: "510 of them pass it",
        why: "the rule read as it is written",
        tables: &[],
        figures: &[],
    },
    Slip {
        paper: "GraphicBench",
        place: "Table 3, success: GEMMA-2 9B, GEMMA-2 27B, QWEN-2.5 7B, QWEN-2.5 14B",
        printed: "82.23, 57.60, 46.47 and 90.51",
        recomputed: "82.06, 57.60, 46.55 and 90.46",
        why: "plans as they stand by what the released scripts can write; 13 of 16 cells of Table 13 are \
              the same number of plans",
        tables: &["graphicbench-3", "graphicbench-13"],
        figures: &[],
    },
    Slip {
        paper: "GraphicBench",
        place: "Table 3, success, GPT-3.5",
        printed: "69.68",
        recomputed: "29.18",
        why: "the same rule over the released plans, and what the paper's own columns Content and VQA imply",
        tables: &["graphicbench-3", "graphicbench-13"],
        figures: &[],
    },
    Slip {
        paper: "GraphicBench",
        place: "Table 3, LLaMA-3 8B",
        printed: "the figures of its posters",
        recomputed: "business cards and postcards about 5 points below Table 13",
        why: "two of four files of plans are not released; the row repeats that of the posters",
        tables: &["graphicbench-3", "graphicbench-13"],
        figures: &[],
    },
    Slip {
        paper: "GraphicWeaver",
        place: "Tables 9 and 10, creativity",
        printed: "ratings from 1 to 5",
        recomputed: "14 of 48 are below 1",
        why: "no mean over designs is, and no mean with zeros for failures gives them",
        tables: &["graphicweaver-4", "graphicweaver-9", "graphicweaver-10"],
        figures: &[],
    },
    Slip {
        paper: "GraphicWeaver",
        place: "Tables 9 and 10, delivery and success by type",
        printed: "shares of plans",
        recomputed: "60 of 96 are no count over the type's queries",
        why: "neither rounded nor cut",
        tables: &["graphicweaver-4", "graphicweaver-9", "graphicweaver-10"],
        figures: &[],
    },
    Slip {
        paper: "GraphicWeaver",
        place: "section 5.3, success of QWEN-2.5-VL 32B",
        printed: "39.4 %",
        recomputed: "61.3 %",
        why: "39.4 % is the 7B's in the table",
        tables: &["graphicweaver-4"],
        figures: &[],
    },
    Slip {
        paper: "GraphicWeaver",
        place: "footnote 6, pictures a query",
        printed: "of covers and of cards",
        recomputed: "the same two, exchanged",
        why: "the data have 1.33 and 1.00",
        tables: &[],
        figures: &[],
    },
    Slip {
        paper: "PSBench",
        place: "the study with people",
        printed: "17.5 % of easy and 11.8 % of medium tasks by the agent",
        recomputed: "17.5 % of all 200 easy tasks; Table 3 has 2.5 % of medium ones",
        why: "the study was of 20 tasks",
        tables: &["psbench-3"],
        figures: &["psbench-3", "psbench-4"],
    },
    Slip {
        paper: "PSBench",
        place: "drag",
        printed: "four numbers, called wrong and then used",
        recomputed: "a TypeError",
        why: "what the real library does",
        tables: &[],
        figures: &[],
    },
    Slip {
        paper: "PSBench",
        place: "NDEC",
        printed: "judged on the run (section 3.3)",
        recomputed: "judged on the plan (appendix D.1)",
        why: "both stand there",
        tables: &["psbench-4"],
        figures: &[],
    },
    Slip {
        paper: "Skill Discovery",
        place: "Table 3",
        printed: "9.8, 55.9 and 40.2 %",
        recomputed: "9.6, 55.3 and 39.1 %",
        why: "9 and 52 of 94, 9 of 23",
        tables: &[],
        figures: &[],
    },
    Slip {
        paper: "Skill Discovery",
        place: "agreement",
        printed: "a weighted κ of 0.176 is substantial",
        recomputed: "slight",
        why: "by the usual words for κ",
        tables: &[],
        figures: &[],
    },
    Slip {
        paper: "Skill Discovery",
        place: "Table 6, Hit@5",
        printed: "16.7 → 37.3 %",
        recomputed: "common neighbours are better than the network",
        why: "every script is a clique, so that edges divided at random leak from one part to the other",
        tables: &[],
        figures: &[],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::figures::FIGURES;

    #[test]
    fn every_figure_that_a_slip_names_is_there() {
        let named = SLIPS.iter().flat_map(|slip| slip.figures);
        assert!(named.clone().count() > 5);
        for id in named {
            assert!(FIGURES.iter().any(|kind| kind.id == *id), "{id}");
        }
    }
}
