//! One picture of the stage with its title.

use std::sync::Arc;

use egui::{Align2, Color32, Rect, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::geometry::PaneBox;
use super::textures::Textures;
use super::{Shown, documents, is_compared, is_held, pixel_grid, screen_scale};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Tokens, Type, picture_tint, tokens};
use crate::ui::widgets::{paint_numbers, paint_text, score_words, text_width};
use crate::workbench::protocol::StagePicture;
use crate::workbench::views::{Heat, Pane, PaneStatus};
use crate::workbench::{PictureKey, StagePane, State};

const WHOLE: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(1.0, 1.0) };

/// Draws one pane.
pub(super) fn pane_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    textures: &mut Textures,
    pane: &PaneBox,
    shown: &Shown<'_>,
    scale: f32,
) {
    title_ui(ui, cx, pane, shown);
    let tokens = tokens(ui);
    let painter = ui.painter().with_clip_rect(pane.visible.expand(24.0).intersect(ui.clip_rect()));
    painter.add(tokens.picture_shadow().as_shape(pane.visible, 2));
    painter.rect(pane.visible, 0, ground(tokens, pane), tokens.line(), StrokeKind::Outside);
    match pane.pane {
        which if is_held(cx, which) && shown.ground_truth.picture.is_some() => {
            picture_ui(ui, textures, pane, &shown.ground_truth, scale);
        }
        which @ (StagePane::Run | StagePane::Program(_)) => {
            picture_ui(ui, textures, pane, shown.pane(which), scale);
            let opacity = cx.state.stage.heat_opacity;
            if opacity > 0.0 && is_compared(cx, which) {
                heat_ui(ui, cx, textures, pane, &shown.heat, opacity);
            }
        }
        StagePane::GroundTruth => picture_ui(ui, textures, pane, &shown.ground_truth, scale),
        StagePane::Heat => heat_ui(ui, cx, textures, pane, &shown.heat, 1.0),
    }
    status_ui(ui, pane, shown);
}

fn ground(tokens: &Tokens, pane: &PaneBox) -> Color32 {
    match pane.pane {
        StagePane::Heat => tokens.heat_ground,
        StagePane::Run | StagePane::GroundTruth | StagePane::Program(_) => tokens.panel,
    }
}

fn picture_ui(ui: &Ui, textures: &mut Textures, pane: &PaneBox, shown: &Pane<'_>, scale: f32) {
    let (Some(picture), Some(key)) = (shown.picture, &shown.key) else { return };
    let per_pixel = screen_scale(ui, pane, picture.pixels.width());
    let texture = textures.picture(ui.ctx(), key, picture, per_pixel);
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    painter.image(texture, pane.picture, WHOLE, picture_tint(1.0));
    if scale >= pixel_grid::FROM_SCALE {
        pixel_grid::paint(&painter, tokens(ui), pane, &picture.pixels);
    }
    announce(ui, pane, key, picture);
}

fn announce(ui: &Ui, pane: &PaneBox, key: &PictureKey, picture: &Arc<StagePicture>) {
    let what = match key {
        PictureKey::Start(_) => "the start state".to_owned(),
        PictureKey::GroundTruth(_) => "the ground truth".to_owned(),
        PictureKey::Step(_, step) | PictureKey::Thumbnail(_, step) => format!("step {step}"),
        PictureKey::Document(_, step, program) => {
            format!("the document of program {}, as step {step} left it", program + 1)
        }
    };
    let (width, height) = (picture.pixels.width(), picture.pixels.height());
    let name = format!("Picture of {what}, {width} by {height} pixels");
    let id = egui::Id::unique(("stage_picture", pane.pane));
    let response = ui.interact(pane.visible, id, egui::Sense::empty());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &name));
}

fn heat_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    textures: &mut Textures,
    pane: &PaneBox,
    heat: &Heat<'_>,
    opacity: f32,
) {
    let (Some(map), Some(key)) = (heat.map, &heat.key) else { return };
    let per_pixel = screen_scale(ui, pane, map.width);
    let threshold = cx.state.stage.heat_threshold;
    let texture = textures.heat(ui.ctx(), key, (map, heat.scale), threshold, per_pixel);
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    painter.image(texture, pane.picture, WHOLE, picture_tint(opacity));
}

/// Over a picture that is on its way, or in place of one that cannot be had.
fn status_ui(ui: &Ui, pane: &PaneBox, shown: &Shown<'_>) {
    let (status, has_picture) = match pane.pane {
        StagePane::Heat => (shown.heat.status, shown.heat.map.is_some()),
        which => (shown.pane(which).status, shown.pane(which).picture.is_some()),
    };
    let dark_ground = pane.pane == StagePane::Heat;
    match status {
        PaneStatus::Current => {}
        PaneStatus::Loading if has_picture => badge(ui, pane, "loading…"),
        PaneStatus::Loading => {
            let words = if dark_ground { "Being compared…" } else { "Picture loading…" };
            message(ui, pane, icons::PICTURE, "", words, dark_ground);
        }
        PaneStatus::Failed(why) => {
            message(ui, pane, icons::PICTURE_BROKEN, "Cannot be drawn", why, dark_ground);
        }
        PaneStatus::Nothing(why) => {
            message(ui, pane, icons::PICTURE, "", &capitalised(why), dark_ground);
        }
        PaneStatus::Asked(words) => asked_ui(ui, pane, words),
    }
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

fn badge(ui: &Ui, pane: &PaneBox, words: &str) {
    let tokens = tokens(ui);
    let width = text_width(ui, words, Type::Caption) + 16.0;
    let rect = Rect::from_min_size(pane.visible.min + vec2(8.0, 8.0), vec2(width, 20.0));
    ui.painter().rect(rect, 10, tokens.overlay, tokens.line(), StrokeKind::Outside);
    let style = (Type::Caption, tokens.dim);
    paint_text(ui.painter(), rect.center(), Align2::CENTER_CENTER, words, style, width);
}

/// What the task asks for, where a picture of it would be.
fn asked_ui(ui: &Ui, pane: &PaneBox, words: &str) {
    /// Height of a line.
    const LINE: f32 = 18.0;
    let tokens = tokens(ui);
    let page = pane.visible.shrink(16.0);
    let mut job = egui::text::LayoutJob::simple(
        words.to_owned(),
        Type::Body.font(),
        tokens.text,
        page.width().max(20.0),
    );
    // Whatever does not fit is in the Inspector, and read out.
    job.wrap.max_rows = ((page.height() / LINE) as usize).max(1);
    job.sections.iter_mut().for_each(|section| section.format.line_height = Some(LINE));
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    painter.galley(page.min, painter.layout_job(job), tokens.text);
    crate::ui::widgets::say(ui, ("stage_message", pane.pane), pane.visible, words);
}

fn message(ui: &Ui, pane: &PaneBox, icon: &str, title: &str, words: &str, dark_ground: bool) {
    let tokens = tokens(ui);
    let (strong, quiet) = if dark_ground {
        (picture_tint(0.85), picture_tint(0.6))
    } else {
        (tokens.text, tokens.dim)
    };
    let room = (pane.visible.width() - 24.0).max(20.0);
    let job = |text: &str, font: Type, color| {
        let mut job = egui::text::LayoutJob::simple(text.to_owned(), font.font(), color, room);
        job.halign = egui::Align::Center;
        job.wrap.max_rows = 6;
        job
    };
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let parts = [
        painter.layout_job(job(icon, Type::IconLarge, quiet)),
        painter.layout_job(job(title, Type::Strong, strong)),
        painter.layout_job(job(words, Type::Body, quiet)),
    ];
    let height: f32 = parts.iter().map(|galley| galley.size().y + 6.0).sum();
    let mut at = pos2(pane.visible.center().x, pane.visible.center().y - height * 0.5);
    for galley in parts.into_iter().filter(|galley| !galley.is_empty()) {
        let step = galley.size().y + 6.0;
        painter.galley(at, galley, quiet);
        at.y += step;
    }
    crate::ui::widgets::say(
        ui,
        ("stage_message", pane.pane),
        pane.visible,
        &format!("{title} {words}"),
    );
}

fn title_ui(ui: &Ui, cx: &ViewContext<'_>, pane: &PaneBox, shown: &Shown<'_>) {
    let tokens = tokens(ui);
    let title = title(cx, pane.pane, shown);
    let middle = pane.title.center().y;
    let mut right = pane.title.right();
    if let Some(score) = &title.score {
        let style = (Type::Strong, tokens.text);
        let at = pos2(right, middle);
        right = paint_numbers(ui.painter(), at, Align2::RIGHT_CENTER, score, style).left() - 8.0;
    }
    let mut left = pane.title.left();
    if title.is_current {
        documents::current_mark(ui.painter(), pos2(left + 4.0, middle), tokens);
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
    crate::ui::widgets::say(ui, ("stage_title", pane.pane), pane.title, words.join(" ").trim())
        .on_hover_text(words.join(" "));
}

/// What stands above a pane.
#[derive(Default)]
pub(super) struct Title {
    pub(super) name: String,
    pub(super) detail: String,
    /// The detail where there is no room for all of it.
    pub(super) short: String,
    pub(super) score: Option<String>,
    /// The detail is about something odd.
    pub(super) odd: bool,
    /// It is the one of several that was worked in last.
    pub(super) is_current: bool,
}

fn title(cx: &ViewContext<'_>, pane: StagePane, shown: &Shown<'_>) -> Title {
    let plain = |name: &str, detail: &str| Title {
        name: name.to_owned(),
        detail: detail.to_owned(),
        ..Title::default()
    };
    match pane {
        which if is_held(cx, which) => plain("Ground truth", "held"),
        StagePane::Program(program) => documents::title(cx, program).unwrap_or_default(),
        StagePane::Run if !cx.state.shows_compared_document() => {
            documents::chosen_title(cx).unwrap_or_default()
        }
        StagePane::Run => run_title(cx, shown)
            .unwrap_or_else(|| plain("Start state", "what an agent begins with")),
        StagePane::GroundTruth => {
            let asked = matches!(shown.ground_truth.status, PaneStatus::Asked(_));
            let name = if asked { "Asked for" } else { "Ground truth" };
            plain(name, cx.state.selection.task.as_ref().map_or("", |task| &task.id))
        }
        StagePane::Heat => match shown.heat.variant {
            Some(variant) => plain(&format!("{} heat", variant.label), &variant.variant_label),
            None => plain("Heat", ""),
        },
    }
}

fn run_title(cx: &ViewContext<'_>, shown: &Shown<'_>) -> Option<Title> {
    let run = cx.state.selected_run()?;
    let step = cx.state.selection.step;
    let odd = sizes_that_differ(shown);
    let (detail, short) = match (&odd, step) {
        (Some(words), _) => (words.clone(), String::new()),
        (None, 0) => ("start state".to_owned(), "start".to_owned()),
        (None, step) => {
            (format!("step {step} of {}", run.steps), format!("{step} / {}", run.steps))
        }
    };
    Some(Title {
        name: run.manifest.agent.name.clone(),
        detail,
        short,
        score: score_of(cx.state).map(score_words),
        odd: odd.is_some(),
        ..Title::default()
    })
}

/// The score of the step by the variant the timeline shows.
fn score_of(state: &State) -> Option<f64> {
    state.step_score(state.selection.run?, state.selection.step)?.score.value()
}

/// Said when the two pictures are not of one shape, since a score means less then. A scaled copy is
/// of the same shape: rounding to whole pixels may move its sides by a hundredth.
fn sizes_that_differ(shown: &Shown<'_>) -> Option<String> {
    let (run, truth) = (shown.pixels(StagePane::Run)?, shown.pixels(StagePane::GroundTruth)?);
    let aspect = |[width, height]: [u32; 2]| f64::from(width) / f64::from(height);
    let stretch = aspect(run) / aspect(truth);
    (stretch - 1.0)
        .abs()
        .gt(&0.01)
        .then(|| format!("{}×{}, not {}×{}", run[0], run[1], truth[0], truth[1]))
}
