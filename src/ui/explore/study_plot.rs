//! The figure of the study that runs are of: success and time by level and condition, each row and dot to be selected.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use egui::{Align, ComboBox, Id, Layout, Rect, Role, Sense, Ui, vec2};

use super::figures::drawing_at_ui;
use super::parts::{caption_ui, explore, mark_ui};
use super::saving::{save_menu_ui, study_tables_ui};
use crate::evaluate::figures::{STUDY, StudyFigure, StudyMark};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{chosen_look, count, rich_text};
use crate::workbench::{ExploreCommand, ExploredStudy, Fetched, StudySource};

/// How far beside a dot the pointer still is on it.
const REACH: f32 = 2.5;

/// Draws it; nothing where no run that is shown is of a study. Gives what is under the pointer.
pub(super) fn study_ui(ui: &mut Ui, cx: &ViewContext<'_>) -> Option<String> {
    cx.state.explore.table.study.as_ref()?;
    head_ui(ui, cx);
    let tokens = tokens(ui);
    let readout = match cx.state.explored_study() {
        Some(Fetched::Ready(study)) => match &study.figure {
            Ok(figure) => {
                let readout = figure_ui(ui, cx, study, figure);
                ui.horizontal_wrapped(|ui| study_tables_ui(ui, cx, StudySource::Shown));
                readout
            }
            Err(why) => {
                caption_ui(ui, &format!("No figure: {why}."), tokens.dim);
                None
            }
        },
        Some(Fetched::Failed(why)) => {
            caption_ui(ui, &format!("The study cannot be read: {why}"), tokens.warn);
            None
        }
        Some(Fetched::Pending) | None => {
            caption_ui(ui, "Working out what the study comes to…", tokens.dim);
            None
        }
    };
    ui.add_space(8.0);
    readout
}

/// Which study, and where its figure goes.
fn head_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let table = &cx.state.explore.table;
    let Some(key) = &table.study else { return };
    ui.horizontal(|ui| {
        ui.label(rich_text("Study", Type::Section, tokens(ui).dim));
        let name = study_name(&key.dir);
        if table.studies.len() > 1 {
            let combo = ComboBox::from_id_salt("explore_study").selected_text(name.clone());
            let response = combo.show_ui(ui, |ui| {
                chosen_look(ui);
                for (dir, runs) in &table.studies {
                    let words = format!("{} · {}", study_name(dir), count(*runs, "run"));
                    let choice = ui.selectable_label(**dir == *key.dir, words);
                    if choice.on_hover_text(dir.display().to_string()).clicked() {
                        explore(cx, ExploreCommand::Study(dir.to_path_buf()));
                    }
                }
            });
            let words = format!("Study: {name}");
            response
                .response
                .widget_info(|| egui::WidgetInfo::labeled(Role::ComboBox, true, words.clone()));
        } else {
            let label = ui.label(rich_text(name, Type::Strong, tokens(ui).text));
            label.on_hover_text(key.dir.display().to_string());
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            save_menu_ui(ui, cx, "Save the figure of the study", STUDY);
        });
    });
}

fn study_name(dir: &Path) -> String {
    dir.file_name().map_or_else(|| dir.display().to_string(), |it| it.to_string_lossy().into())
}

fn figure_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    study: &ExploredStudy,
    figure: &StudyFigure,
) -> Option<String> {
    let (rect, scale) = drawing_at_ui(ui, &figure.figure);
    let state = cx.state;
    let selected = state.explore.selected.iter().filter_map(|run| state.library.runs.get(run));
    let selected: BTreeSet<&Path> = selected.map(|run| run.dir.as_path()).collect();
    let shown = state.explore.table.shown.iter().filter_map(|run| state.library.runs.get(run));
    // Of agents some runs may not be open: those that are, are what a click selects.
    let has_agents = !study.of.results.autonomous.is_empty();
    let shown = (has_agents && !selected.is_empty())
        .then(|| shown.map(|run| run.dir.as_path()).collect::<HashSet<&Path>>());
    let mut readout = None;
    // Dots come last, and lie above their rows.
    for (at, mark) in figure.marks.iter().enumerate() {
        let [x, y, width, height] = mark.area.map(|value| value as f32 * scale);
        let mut area = Rect::from_min_size(rect.min + vec2(x, y), vec2(width, height));
        let sense = match mark.person {
            Some(_) => {
                // Sidewards only, as others stand right above and below it.
                area = area.expand2(vec2(REACH, 0.0));
                // By pointer only: hundreds of dots would stand between two rows.
                Sense::CLICK
            }
            None => Sense::click(),
        };
        let response = ui.interact(area, Id::unique(("explore_study_mark", at)), sense);
        let words = format!("Select {}", mark.words);
        response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, words.clone()));
        let runs = study.runs_of(mark.cell, participant_of(study, mark));
        let is_open = |dir: &&Path| shown.as_ref().is_none_or(|shown| shown.contains(dir));
        let mut runs = runs.filter(is_open).peekable();
        let is_selected =
            !selected.is_empty() && runs.peek().is_some() && runs.all(|dir| selected.contains(dir));
        mark_ui(ui, &[area], &response, is_selected);
        if response.hovered() {
            readout = Some(mark.words.clone());
        }
        let (clicked, words) = (response.clicked(), mark.words.clone());
        response.on_hover_text_at_pointer(words);
        if clicked {
            let is_added = ui.input(|input| input.modifiers.shift || input.modifiers.command);
            let participant = participant_of(study, mark).map(str::to_owned);
            let cell = mark.cell;
            explore(cx, ExploreCommand::SelectStudyCell { cell, participant, is_added });
        }
    }
    readout
}

fn participant_of<'a>(study: &'a ExploredStudy, mark: &StudyMark) -> Option<&'a str> {
    let cell = study.of.results.cell(mark.cell)?;
    Some(cell.individuals.get(mark.person?)?.participant.as_str())
}
