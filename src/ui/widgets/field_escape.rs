//! Which keys are a field's own. Escape in a field of a form gives up what was typed and leaves the field; the form hears
//! of the next one. What was typed into a field is no key of what lies around it, though the field be left in the same
//! frame.

use egui::{Context, Event, Id, Key, Modifiers, Response, Ui};

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

/// The events of this frame that no field has taken, for what is drawn behind all fields: of a frame in which one was
/// left, those from then on.
pub(crate) fn events_of_no_field(ctx: &Context) -> Vec<Event> {
    if ctx.text_edit_focused() {
        return Vec::new();
    }
    let typing = ctx.data(|data| data.get_temp(typing_id(ctx))).unwrap_or(false);
    let was_typing = typing || escape_left_field(ctx);
    ctx.input(|input| {
        let events = input.events.iter();
        if !was_typing {
            return events.cloned().collect();
        }
        let left = input.events.iter().rposition(leaves_field);
        left.map_or_else(Vec::new, |left| events.skip(left + 1).cloned().collect())
    })
}

/// Whether an event may take the keyboard from a field.
fn leaves_field(event: &Event) -> bool {
    match event {
        Event::Key { key, pressed: true, .. } => {
            matches!(key, Key::Enter | Key::Escape | Key::Tab)
        }
        Event::PointerButton { pressed: true, .. } => true,
        _ => false,
    }
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
    use egui::{EventFilter, RawInput, TextEdit};

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

    fn pressed(key: Key) -> Event {
        let modifiers = Modifiers::NONE;
        Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
    }

    #[test]
    fn what_is_typed_and_confirmed_in_one_frame_is_the_field_s_alone() {
        let ctx = Context::default();
        crate::ui::theme::install(&ctx);
        let mut text = String::new();
        let mut frame_of = |events: &[Event], is_typed_into: bool| {
            if is_typed_into {
                ctx.memory_mut(|memory| memory.request_focus(Id::unique("a_field")));
                frame(&ctx, &mut text, EventFilter::default(), Vec::new());
            }
            let has_focus = frame(&ctx, &mut text, EventFilter::default(), events.to_vec());
            (has_focus, events_of_no_field(&ctx))
        };
        let four = [pressed(Key::Num4), Event::Text("4".to_owned())];
        let [digit, letter] = four.clone();
        let seven = pressed(Key::Num7);
        let typed = [digit.clone(), letter.clone(), pressed(Key::Enter), seven.clone()];
        assert_eq!(frame_of(&typed, true), (false, vec![seven]), "what follows counts");
        assert_eq!(frame_of(&four, true), (true, Vec::new()));
        let escaped = [digit, letter, pressed(Key::Escape)];
        assert_eq!(frame_of(&escaped, true), (false, Vec::new()));
        let five = [pressed(Key::Num5), Event::Text("5".to_owned())];
        assert_eq!(frame_of(&five, false), (false, five.to_vec()), "no field had it");
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
            let escape = pressed(Key::Escape);
            assert!(!frame(&ctx, &mut text, filter, vec![escape.clone()]));
            assert_eq!(text, "old");
            // Of one that keeps the key, nobody else hears of it; of the other this says what it did.
            assert_eq!(escape_left_field(&ctx), !filter.escape);
            frame(&ctx, &mut text, filter, vec![escape]);
            assert!(!escape_left_field(&ctx), "the next one is the form's");
        }
    }
}
