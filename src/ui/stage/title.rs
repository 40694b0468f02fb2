//! What stands above a pane: what it shows, and the score of it.

use egui::{Align2, Ui, pos2};

use super::documents::{current_mark, saved_words, size_words};
use super::geometry::PaneBox;
use super::shown::{ShownPanes, is_held, slot_name};
use super::view_bar;
use crate::metric::Score;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{paint_numbers, paint_text, say, score_words, text_width};
use crate::workbench::views::{self, PaneStatus};
use crate::workbench::{DocumentChoice, PictureKey, SLOT_NAMES, Slot, StagePane};

/// Width of a button at the end of a title.
const SLOT_BUTTON: f32 = 26.0;

/// What stands above a pane.
#[derive(Default)]
struct Title {
    name: String,
    detail: String,
    /// The detail where there is no room for all of it.
    short: String,
    score: Option<String>,
    /// The detail is about something odd.
    odd: bool,
    /// It is the one of several that was worked in last.
    is_current: bool,
}

impl Title {
    fn plain(name: &str, detail: &str) -> Self {
        Self { name: name.to_owned(), detail: detail.to_owned(), ..Self::default() }
    }
}

/// Draws the title.
pub(super) fn title_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    pane: &PaneBox<StagePane>,
    shown: &ShownPanes<'_>,
) {
    let tokens = tokens(ui);
    let title = title(cx, pane.pane, shown);
    let middle = pane.title.center().y;
    // From both ends: the score keeps its place at the right, the name begins at the left, and the
    // detail gets what is between.
    let mut right = pane.title.right();
    if let StagePane::Slot(at) = pane.pane {
        view_bar::slot_buttons_ui(ui, cx, at, pane.title);
        right -= match cx.state.stage.slots.get(usize::from(at)) {
            Some(Slot::Run { .. }) => 3.0 * SLOT_BUTTON,
            _ => SLOT_BUTTON,
        } + 4.0;
    }
    if let Some(score) = &title.score {
        let style = (Type::Strong, tokens.text);
        let at = pos2(right, middle);
        right = paint_numbers(ui.painter(), at, Align2::RIGHT_CENTER, score, style).left() - 8.0;
    }
    let mut left = pane.title.left();
    if title.is_current {
        current_mark(ui.painter(), pos2(left + 4.0, middle), tokens);
        left += 14.0;
    }
    let room = right - left;
    let style = (Type::Strong, tokens.text);
    let name =
        paint_text(ui.painter(), pos2(left, middle), Align2::LEFT_CENTER, &title.name, style, room);
    let at = pos2(name.right() + 8.0, middle);
    let color = if title.odd { tokens.warn } else { tokens.dim };
    let room = right - at.x;
    let fits = text_width(ui, &title.detail, Type::Body) <= room;
    let detail = if fits || title.short.is_empty() { &title.detail } else { &title.short };
    // Half a number is worse than none; whoever points at the title is told all of it.
    let is_number = !fits && !title.short.is_empty();
    if room > 24.0 && (!is_number || text_width(ui, detail, Type::Body) <= room) {
        paint_text(ui.painter(), at, Align2::LEFT_CENTER, detail, (Type::Body, color), room);
    }
    let words = [title.name.as_str(), &title.detail, title.score.as_deref().unwrap_or_default()];
    say(ui, ("stage_title", pane.pane), pane.title, words.join(" ").trim())
        .on_hover_text(words.join(" "));
}

fn title(cx: &ViewContext<'_>, pane: StagePane, shown: &ShownPanes<'_>) -> Title {
    match pane {
        // Before all others: the key that is held puts the ground truth in their place.
        which if is_held(cx, which) => Title::plain("Ground truth", "held"),
        StagePane::Program(program) => document_title(cx, program).unwrap_or_default(),
        StagePane::Run if !cx.state.shows_compared_document() => {
            // One was chosen in place of the document worked in last.
            match cx.state.settings.documents {
                DocumentChoice::Program(at) => document_title(cx, at).unwrap_or_default(),
                DocumentChoice::Current | DocumentChoice::All => Title::default(),
            }
        }
        StagePane::Run => run_title(cx, shown)
            .unwrap_or_else(|| Title::plain("Start state", "what an agent begins with")),
        StagePane::Slot(at) => slot_title(cx, at, shown).unwrap_or_default(),
        StagePane::Overlaid => run_title(cx, shown).unwrap_or_default(),
        StagePane::Branch => branch_title(cx, shown),
        StagePane::GroundTruth => {
            let asked = matches!(shown.ground_truth.status, PaneStatus::Asked(_));
            let name = if asked { "Asked for" } else { "Ground truth" };
            Title::plain(name, cx.state.selection.task.as_ref().map_or("", |task| &task.id))
        }
        StagePane::Heat => match shown.heat.variant {
            Some(variant) => Title::plain(&shown.heat.name(), &variant.variant_label),
            None => Title::plain("Heat", ""),
        },
    }
}

fn slot_title(cx: &ViewContext<'_>, at: u8, shown: &ShownPanes<'_>) -> Option<Title> {
    let slot = cx.state.stage.slots.get(usize::from(at))?;
    let letter = SLOT_NAMES.get(usize::from(at)).copied().unwrap_or_default();
    let name = format!("{letter} · {}", slot_name(cx, at));
    let Slot::Run { run, pinned } = slot else {
        let size = shown.pixels(StagePane::Slot(at));
        let size = size.map(|[width, height]| format!("{width} × {height}"));
        return Some(Title { name, ..Title::plain("", &size.unwrap_or_default()) });
    };
    let entry = cx.state.library.runs.get(run)?;
    let step = pinned.or_else(|| cx.state.locked_step(*run, cx.state.selection.step));
    let (detail, short) = match step {
        None => (String::new(), String::new()),
        Some(0) => ("start state".to_owned(), "start".to_owned()),
        Some(step) => {
            (format!("step {step} of {}", entry.steps), format!("{step} / {}", entry.steps))
        }
    };
    let score = step.and_then(|step| cx.state.step_score(*run, step));
    let score = score.and_then(|it| it.score.value()).map(score_words);
    Some(Title { name, detail, short, score, ..Title::default() })
}

/// The run with other calls: after which of them it is, and the score there.
fn branch_title(cx: &ViewContext<'_>, shown: &ShownPanes<'_>) -> Title {
    let Some(PictureKey::Branch(key, made)) = &shown.branch.key else {
        return Title::plain("What-if", "");
    };
    let curve = views::branch_curve(cx.state);
    let score = curve.and_then(|curve| curve.get(*made as usize)).and_then(Score::value);
    let edited = cx.state.what_if.of(&key.subject);
    let all =
        edited.map_or(0, |edited| edited.now.items.iter().filter(|item| !item.is_dropped).count());
    let by_hand = edited.and_then(|edited| edited.now.by_hand);
    let name = if by_hand.is_some() { "By hand" } else { "What-if" };
    Title {
        score: score.map(score_words),
        short: format!("{made} / {all}"),
        ..Title::plain(name, &format!("after {made} of {all} calls"))
    }
}

fn run_title(cx: &ViewContext<'_>, shown: &ShownPanes<'_>) -> Option<Title> {
    let run = cx.state.selected_run()?;
    let step = cx.state.selection.step;
    // In place of the step, which the timeline says too: a score means less where shapes differ.
    let odd = sizes_that_differ(shown);
    let (detail, short) = match (&odd, step) {
        (Some(words), _) => (words.clone(), String::new()),
        (None, 0) => ("start state".to_owned(), "start".to_owned()),
        (None, step) => {
            (format!("step {step} of {}", run.steps), format!("{step} / {}", run.steps))
        }
    };
    // By the variant whose curve the timeline shows.
    let score = cx.state.step_score(cx.state.selection.run?, step);
    Some(Title {
        name: run.manifest.agent.name.clone(),
        detail,
        short,
        score: score.and_then(|it| it.score.value()).map(score_words),
        odd: odd.is_some(),
        ..Title::default()
    })
}

/// Said when the two pictures are not of one shape, since a score means less then. A scaled copy is
/// of the same shape: rounding to whole pixels may move its sides by a hundredth.
fn sizes_that_differ(shown: &ShownPanes<'_>) -> Option<String> {
    let (run, truth) = (shown.pixels(StagePane::Run)?, shown.pixels(StagePane::GroundTruth)?);
    let [run_aspect, aspect] =
        [run, truth].map(|[width, height]| f64::from(width) / f64::from(height));
    let stretch = run_aspect / aspect;
    (stretch - 1.0)
        .abs()
        .gt(&0.01)
        .then(|| format!("{}×{}, not {}×{}", run[0], run[1], truth[0], truth[1]))
}

/// What stands above the document of a program among those side by side.
fn document_title(cx: &ViewContext<'_>, program: u8) -> Option<Title> {
    let known = cx.state.documents().and_then(|documents| documents.program(program));
    let Some(program) = known else {
        let name = cx.state.programs().nth(usize::from(program))?.to_owned();
        return Some(Title { name, ..Title::default() });
    };
    let mut title = Title { is_current: program.is_current, ..Title::plain(&program.name, "") };
    if let Some(document) = &program.document {
        title.short = size_words(document);
        title.detail = format!("{} · {} · {}", document.title, title.short, saved_words(document));
    }
    Some(title)
}
