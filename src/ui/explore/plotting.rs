//! What the plots of the room share: a plot that stays where it is, the menu of its columns, and what is selected by a
//! drag over it.

use egui::{
    ComboBox, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2b, WidgetInfo,
};
use egui_plot::{Line, LineStyle, Plot, PlotPoint, PlotTransform};

use super::parts::look_of;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Tokens, Type, tokens};
use crate::ui::widgets::{chosen_look, rich_text};
use crate::workbench::{Column, ColumnKind, RunId, Selecting};

/// How near the pointer has to be to a dot or a line.
pub(super) const NEAR: f32 = 10.0;

/// A drag over a plot, from where it began.
#[derive(Debug, Default)]
pub(super) struct AreaDrag(Option<Pos2>);

impl AreaDrag {
    /// The rectangle of a drag that has ended, and was not given up by Escape; one that goes on is painted.
    pub(super) fn area(&mut self, ui: &Ui, response: &Response) -> Option<Rect> {
        if response.drag_started() {
            self.0 = response.interact_pointer_pos();
        }
        let from = self.0?;
        let (to, is_down) =
            ui.input(|input| (input.pointer.latest_pos(), input.pointer.any_down()));
        let area = Rect::from_two_pos(from, to.unwrap_or(from));
        if !response.dragged() {
            self.0 = None;
            // One that ended while the plot was not there selects nothing either.
            return (response.drag_stopped() && !is_down).then_some(area);
        }
        let tokens = tokens(ui);
        let painter = ui.painter().with_clip_rect(response.rect);
        let stroke = Stroke::new(1.0, tokens.accent);
        painter.rect(area, 2, tokens.accent.gamma_multiply(0.15), stroke, StrokeKind::Inside);
        None
    }
}

pub(super) fn on_screen(transform: &PlotTransform, [x, y]: [f64; 2]) -> Pos2 {
    transform.position_from_point(&PlotPoint::new(x, y))
}

/// With Shift or Ctrl what is chosen in a plot comes beside what is selected.
pub(super) fn selecting_runs(ui: &Ui, runs: Vec<RunId>) -> Selecting {
    let adds = ui.input(|input| input.modifiers.shift || input.modifiers.command);
    if adds { Selecting::Add(runs) } else { Selecting::These(runs) }
}

/// A plot that stays where it is: dragging selects.
pub(super) fn base_plot(ui: &Ui, name: &'static str, height: f32) -> Plot<'static> {
    Plot::new(name)
        .grid_color(tokens(ui).hairline)
        .height(height)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .auto_bounds(Vec2b::TRUE)
        .show_x(false)
        .show_y(false)
        .show_background(false)
        .sense(Sense::click_and_drag())
        .label_formatter(|_| None)
}

/// A line as the model looks that it is of.
pub(super) fn styled<'a>(line: Line<'a>, tokens: &Tokens, series: Option<usize>) -> Line<'a> {
    let (color, _) = look_of(tokens, series);
    let style = match series {
        Some(1) => LineStyle::dashed_dense(),
        Some(2) => LineStyle::dotted_dense(),
        Some(3) => LineStyle::dashed_loose(),
        _ => LineStyle::Solid,
    };
    line.color(color).width(1.6).style(style).allow_hover(false)
}

/// A menu of columns of numbers, settings and what was imported among them, and yes and no as 1 and 0; gives what was
/// chosen.
pub(super) fn column_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    name: &str,
    now: &Column,
) -> Option<Column> {
    let mut chosen = None;
    let shown = rich_text(cx.state.column_heading(now), Type::Strong, tokens(ui).text);
    let combo = ComboBox::from_id_salt(("explore_column", name)).selected_text(shown);
    let response = combo.show_ui(ui, |ui| {
        chosen_look(ui);
        let numbers = Column::all().filter(|column| column.kind() != ColumnKind::Text);
        let table = &cx.state.explore.table;
        let settings = table.number_settings().map(Column::setting);
        let imported = table.number_imported().map(Column::imported);
        let scores = cx.state.variants.iter().map(|it| Column::Score(it.id.clone()));
        for column in numbers.chain(settings).chain(imported).chain(scores) {
            let row = ui.selectable_label(column == *now, cx.state.column_heading(&column));
            if row.on_hover_text(column.id()).clicked() {
                chosen = Some(column);
            }
        }
    });
    response.response.widget_info(|| {
        WidgetInfo::labeled(Role::ComboBox, true, format!("{name}: {}", now.heading()))
    });
    chosen
}

#[cfg(test)]
mod tests {
    use egui::{Context, Event, Id, Key, Modifiers, PointerButton, RawInput, pos2, vec2};

    use super::*;

    /// A plot, which is drawn or not in a frame with these events; gives the area of a drag that has ended.
    fn frame(
        ctx: &Context,
        drag: &mut AreaDrag,
        is_drawn: bool,
        events: Vec<Event>,
    ) -> Option<Rect> {
        let mut area = None;
        let mut output = ctx.run_ui(RawInput { events, ..RawInput::default() }, |ui| {
            if is_drawn {
                let rect = Rect::from_min_size(Pos2::ZERO, vec2(300.0, 200.0));
                let plot = ui.interact(rect, Id::unique("a_plot"), Sense::click_and_drag());
                area = drag.area(ui, &plot);
            }
        });
        output.textures_delta.clear();
        area
    }

    fn button(pos: Pos2, pressed: bool) -> Vec<Event> {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        vec![Event::PointerButton { pos, button, pressed, modifiers }]
    }

    /// A drag that has begun, and the context it is in.
    fn begun() -> (Context, AreaDrag) {
        let (ctx, mut drag) = (Context::default(), AreaDrag::default());
        crate::ui::theme::install(&ctx);
        let moved = |x| vec![Event::PointerMoved(pos2(x, 50.0))];
        for events in [moved(50.0), button(pos2(50.0, 50.0), true), moved(90.0), moved(150.0)] {
            assert_eq!(frame(&ctx, &mut drag, true, events), None);
        }
        assert!(drag.0.is_some());
        (ctx, drag)
    }

    #[test]
    fn a_drag_over_a_plot_selects_once_it_ends() {
        let (ctx, mut drag) = begun();
        let area = frame(&ctx, &mut drag, true, button(pos2(150.0, 50.0), false));
        assert!(area.is_some_and(|area| area.right() == 150.0), "{area:?}");
        assert_eq!((drag.0, frame(&ctx, &mut drag, true, Vec::new())), (None, None));
    }

    #[test]
    fn a_drag_that_is_given_up_or_ends_without_the_plot_selects_nothing() {
        let (ctx, mut drag) = begun();
        let (key, modifiers) = (Key::Escape, Modifiers::NONE);
        let escape =
            Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        assert_eq!(frame(&ctx, &mut drag, true, vec![escape]), None);
        assert_eq!(drag.0, None);
        assert_eq!(frame(&ctx, &mut drag, true, button(pos2(150.0, 50.0), false)), None);
        let (ctx, mut drag) = begun();
        assert_eq!(frame(&ctx, &mut drag, false, button(pos2(150.0, 50.0), false)), None);
        assert_eq!(frame(&ctx, &mut drag, true, Vec::new()), None);
        assert_eq!(drag.0, None);
    }
}
