//! Escape in a field of a form: it gives up what was typed and leaves the field. The form hears of the next one.

use egui::{Context, Id, Key, Modifiers, Response, Ui};

/// Notes whether a field is typed into. Once a frame in each window, before anything is drawn.
pub(crate) fn note_typing(ctx: &Context) {
    let now = ctx.text_edit_focused();
    let escape = ctx.input(|input| input.key_pressed(Key::Escape));
    let (typing, left) = (typing_id(ctx), left_id(ctx));
    ctx.data_mut(|data| {
        let before = data.get_temp(typing).unwrap_or(false);
        data.insert_temp(typing, now);
        data.insert_temp(left, before && !now && escape);
    });
}

/// Whether Escape has taken the keyboard from a field in this frame, which is then all that it does.
pub(crate) fn escape_left_field(ctx: &Context) -> bool {
    let left = left_id(ctx);
    ctx.data(|data| data.get_temp(left)).unwrap_or(false)
}

fn typing_id(ctx: &Context) -> Id {
    Id::unique("a_field_is_typed_into").with(ctx.viewport_id())
}

fn left_id(ctx: &Context) -> Id {
    Id::unique("a_field_was_left_by_escape").with(ctx.viewport_id())
}

/// Has Escape give up what was typed into a field since it got the keyboard. `before` is what stood there before the
/// field was drawn in this frame.
pub(crate) fn give_up_on_escape(ui: &Ui, response: &mut Response, text: &mut String, before: &str) {
    let kept = response.id.with("before_typing");
    let escape = ui.input(|input| input.key_pressed(Key::Escape));
    // A field that keeps Escape for itself has not lost the keyboard by it.
    let keeps_it = response.has_focus() && escape;
    if keeps_it {
        ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        response.surrender_focus();
        // The next Escape is the form's, however soon it comes.
        let typing = typing_id(ui.ctx());
        ui.data_mut(|data| data.insert_temp(typing, false));
    }
    if keeps_it || (response.lost_focus() && escape) {
        let begun = ui.data_mut(|data| data.remove_temp::<String>(kept));
        if let Some(begun) = begun.filter(|begun| begun != text) {
            *text = begun;
            response.mark_changed();
        }
    } else if response.has_focus() {
        ui.data_mut(|data| {
            data.get_temp_mut_or_insert_with(kept, || before.to_owned());
        });
    } else {
        ui.data_mut(|data| data.remove::<String>(kept));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::widgets::with_escape;
    use egui::{Event, EventFilter, RawInput, TextEdit};

    /// Draws the field in a frame with these events; whether it has the keyboard behind it.
    fn frame(ctx: &Context, text: &mut String, filter: EventFilter, events: Vec<Event>) -> bool {
        let mut has_focus = false;
        let mut output = ctx.run_ui(RawInput { events, ..RawInput::default() }, |ui| {
            note_typing(ui.ctx());
            let before = text.clone();
            let field = TextEdit::singleline(text).id(Id::unique("a_field")).event_filter(filter);
            let mut response = ui.add(field);
            give_up_on_escape(ui, &mut response, text, &before);
            has_focus = response.has_focus();
        });
        output.textures_delta.clear();
        has_focus
    }

    #[test]
    fn escape_gives_up_what_was_typed_whether_the_field_keeps_the_key_or_not() {
        for filter in [EventFilter::default(), with_escape()] {
            let ctx = Context::default();
            crate::ui::theme::install(&ctx);
            let mut text = "old".to_owned();
            frame(&ctx, &mut text, filter, Vec::new());
            ctx.memory_mut(|memory| memory.request_focus(Id::unique("a_field")));
            assert!(frame(&ctx, &mut text, filter, Vec::new()));
            for letter in ["a", "b"] {
                frame(&ctx, &mut text, filter, vec![Event::Text(letter.to_owned())]);
            }
            assert!(text.contains("ab"), "{text}");
            let escape = Event::Key {
                key: Key::Escape,
                physical_key: None,
                pressed: true,
                repeat: false,
                modifiers: Modifiers::NONE,
            };
            assert!(!frame(&ctx, &mut text, filter, vec![escape.clone()]));
            assert_eq!(text, "old");
            // Of one that keeps the key, nobody else hears of it; of the other this says what it did.
            assert_eq!(escape_left_field(&ctx), !filter.escape);
            frame(&ctx, &mut text, filter, vec![escape]);
            assert!(!escape_left_field(&ctx), "the next one is the form's");
        }
    }
}
