//! Things to tell, in the corner of the stage (above the launch dialog while it is open), for a while or
//! until they are dismissed; the list of jobs keeps them.

use std::collections::BTreeMap;
use std::time::Duration;

use egui::{Align, Align2, Area, Frame, Id, Layout, Margin, Order, Rect, Stroke, Ui, vec2};

use super::context::ViewContext;
use super::icons;
use super::theme::{Type, size, tokens};
use super::widgets::{Button, Look, rich_text, sentence};
use crate::editor::{Act, SelectAct};
use crate::workbench::{AssistCommand, Command, Notice, NoticeLevel, NoticeSubject, Overlay};

/// More than this many at once would hide the window.
const SHOWN: usize = 4;
const WIDTH: f32 = 340.0;

/// How long a warning or a word in passing stands, in seconds; an error stands until it is dismissed.
const STANDS: f64 = 8.0;

/// Draws the newest notices in the stage's corner, so that neither timeline nor inspector is covered;
/// the newest is lowest.
pub(super) fn notices_ui(ui: &mut Ui, cx: &ViewContext<'_>, stage: Rect) {
    // Where people label blindly, notices of runs would name who made them.
    let is_blind = cx.state.shows_blind_project();
    let notices = cx.state.notices.iter().filter(|notice| {
        !notice.is_hidden && (!is_blind || notice.about == Some(NoticeSubject::Labelling))
    });
    let notices: Vec<&Notice> = notices.collect();
    if notices.is_empty() {
        return;
    }
    hide_old(ui, cx, &notices);
    let area = Area::new(Id::unique("notices")).order(Order::Tooltip);
    // In a small window the launch dialog's buttons reach into the corner.
    let (shown, area) = if cx.state.overlay == Some(Overlay::Launch) {
        (1, area.anchor(Align2::CENTER_TOP, vec2(0.0, 8.0)))
    } else {
        let corner = stage.right_bottom() - vec2(12.0, 12.0);
        (SHOWN, area.pivot(Align2::RIGHT_BOTTOM).fixed_pos(corner))
    };
    let hidden = notices.len().saturating_sub(shown);
    area.show(ui.ctx(), |ui| {
        let tokens = tokens(ui);
        ui.set_width(WIDTH);
        if notices.len() > 1 && shown > 1 {
            ui.horizontal(|ui| {
                if hidden > 0 {
                    let words = format!("{hidden} earlier");
                    ui.label(rich_text(words, Type::Caption, tokens.dim));
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let all = Button::text("Dismiss all").look(Look::Raised).height(24.0);
                    if all.tooltip("They stay in the list of jobs.").show(ui).clicked() {
                        for notice in &notices {
                            cx.send(Command::HideNotice(notice.id));
                        }
                    }
                });
            });
        }
        // The newest are kept in sight: older ones are counted above.
        for notice in notices.iter().skip(hidden) {
            notice_ui(ui, cx, notice);
        }
    });
}

/// Hides what stood long enough, errors aside, and sees to it that there is a frame when the next is
/// due. Nothing goes while the pointer is over it: what is below would move under the hand.
fn hide_old(ui: &Ui, cx: &ViewContext<'_>, notices: &[&Notice]) {
    let now = ui.input(|input| input.time);
    let id = Id::unique("notices_since");
    let area = ui.memory(|memory| memory.area_rect(Id::unique("notices")));
    let is_read = area.zip(ui.input(|input| input.pointer.hover_pos()));
    let is_read = is_read.is_some_and(|(area, at)| area.contains(at));
    let mut since: BTreeMap<u64, f64> = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    since.retain(|known, _| notices.iter().any(|notice| notice.id == *known));
    for notice in notices.iter().filter(|notice| notice.level != NoticeLevel::Error) {
        let began = since.entry(notice.id).or_insert(now);
        let left = *began + STANDS - now;
        if left > 0.0 {
            ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
        } else if is_read {
            *began = now;
        } else {
            cx.send(Command::HideNotice(notice.id));
        }
    }
    ui.data_mut(|data| data.insert_temp(id, since));
}

fn notice_ui(ui: &mut Ui, cx: &ViewContext<'_>, notice: &Notice) {
    let tokens = tokens(ui);
    let (icon, color) = match notice.level {
        NoticeLevel::Info => (icons::INFO, tokens.dim),
        NoticeLevel::Warning => (icons::WARNING, tokens.warn),
        NoticeLevel::Error => (icons::ERROR, tokens.loss),
    };
    let frame = Frame::new()
        .fill(tokens.overlay)
        .stroke(Stroke::new(1.0, tokens.hairline))
        .corner_radius(size::RADIUS_LARGE)
        .shadow(tokens.overlay_shadow())
        .inner_margin(Margin { left: 12, right: 6, top: 6, bottom: 8 });
    frame.show(ui, |ui| {
        // Without the margins of the frame, which come on top.
        ui.set_width(WIDTH - 18.0);
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.add_space(5.0);
                ui.label(rich_text(icon, Type::Icon, color));
            });
            ui.vertical(|ui| {
                ui.set_width(WIDTH - 84.0);
                ui.add_space(5.0);
                ui.add(egui::Label::new(sentence(&notice.text)).wrap().selectable(true));
                if let Some(NoticeSubject::MissingFonts { desk, nodes }) = &notice.about
                    && let Some(open) = cx.state.assist.desk.as_deref()
                    && open.number == *desk
                {
                    ui.add_space(4.0);
                    let select = Button::text("Select them").look(Look::Raised).height(24.0);
                    let tip = "Select the texts whose fonts are missing.";
                    if select.tooltip(tip).show(ui).clicked() {
                        let document = open.editor.document();
                        let there = nodes.iter().filter(|id| document.get(id).is_some());
                        let select = Act::Select(SelectAct::Only(there.cloned().collect()));
                        cx.send(Command::Assist(AssistCommand::Act(Box::new(select))));
                    }
                }
                if let Some(NoticeSubject::NotOpened { paths }) = &notice.about {
                    ui.add_space(4.0);
                    let forget = Button::text("Do not open it again").look(Look::Raised);
                    let tip = "Without this, the next start tries again.";
                    if forget.height(24.0).tooltip(tip).show(ui).clicked() {
                        cx.send(Command::ForgetPaths(paths.clone()));
                    }
                }
                if let Some(NoticeSubject::Saved { folder, .. }) = &notice.about {
                    ui.add_space(4.0);
                    let show = Button::text("Show in file manager").look(Look::Raised).height(24.0);
                    if show.tooltip("Show the folder that it lies in.").show(ui).clicked() {
                        cx.send(Command::Reveal(folder.clone()));
                    }
                }
            });
            let close = Button::icon(icons::CLOSE, "Dismiss").look(Look::Tool).height(24.0);
            if close.tooltip("Dismiss this notice.").show(ui).clicked() {
                cx.send(Command::HideNotice(notice.id));
            }
        });
    });
}
