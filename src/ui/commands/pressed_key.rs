//! A key that was pressed, by what it writes and by where it lies.
//!
//! What arrives (egui-winit 0.37, `State::on_keyboard_input`): `physical_key` is what lies there on a US keyboard; `key`
//! is what the layout writes there if egui has a name for that, else the same as `physical_key`. So keys that write `&`,
//! as the French `1`, or `ü`, as the German `[`, come as `1` and `[` by themselves, but the French `4` writes `'` and
//! comes as `Quote`. Digits and brackets mean a row and a pair of keys: there, a key that means nothing by what it
//! writes means what lies there. Letters mean what is written on them, wherever they lie.

use egui::{Event, Key, KeyboardShortcut, Modifiers};

/// Keys that are meant by their place, too.
const BY_PLACE: [Key; 12] = [
    Key::Num0,
    Key::Num1,
    Key::Num2,
    Key::Num3,
    Key::Num4,
    Key::Num5,
    Key::Num6,
    Key::Num7,
    Key::Num8,
    Key::Num9,
    Key::OpenBracket,
    Key::CloseBracket,
];

/// A key that went down, with what was held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PressedKey {
    pub(super) key: Key,
    pub(super) modifiers: Modifiers,
    /// What lies there on a US keyboard, if that is another one of [`BY_PLACE`].
    place: Option<Key>,
    /// Whether it writes the digit that it is, with Shift, as French keyboards have them.
    is_shifted_digit: bool,
    /// Whether `key` is what lies there, and not what it writes.
    is_by_place: bool,
}

impl PressedKey {
    /// The key of an event, with the event right behind it: a text is what the key writes. `None`: no key went down, or
    /// one with a sign of its own on it, which some keyboards write with Ctrl and Alt.
    pub(super) fn of(event: &Event, behind: Option<&Event>) -> Option<Self> {
        let Event::Key { key, physical_key, pressed: true, modifiers, .. } = event else {
            return None;
        };
        let written = match behind {
            Some(Event::Text(text)) => Some(text.as_str()),
            _ => None,
        };
        if written.is_some() && modifiers.ctrl && modifiers.alt {
            return None;
        }
        // Arrows are no signs: the number pad has them on its digits while NumLock is off.
        let is_sign = (Key::Colon..=Key::Quote).contains(key);
        Some(Self {
            key: *key,
            modifiers: *modifiers,
            place: physical_key.filter(|place| is_sign && place != key && BY_PLACE.contains(place)),
            is_shifted_digit: modifiers.shift_only()
                && is_digit(*key)
                && written == Some(key.name()),
            is_by_place: false,
        })
    }

    /// What it may stand for, what is meant first: the key by what it writes, its digit, what lies there.
    pub(super) fn readings(self) -> impl Iterator<Item = Self> {
        let digit = self.is_shifted_digit.then_some(Self { modifiers: Modifiers::NONE, ..self });
        let place = self.place.map(|key| Self { key, is_by_place: true, ..self });
        std::iter::once(self).chain(digit).chain(place)
    }

    /// Whether it is the key of a command. By what it writes egui lets more be held, as `?` needs Shift on many
    /// keyboards.
    pub(super) fn is(self, shortcut: KeyboardShortcut) -> bool {
        let is_held = if self.is_by_place {
            self.modifiers.matches_exact(shortcut.modifiers)
        } else {
            self.modifiers.matches_logically(shortcut.modifiers)
        };
        is_held && self.key == shortcut.logical_key
    }

    /// The letter or digit by which it answers a question, with nothing held.
    pub(super) fn letter(self) -> Option<char> {
        let mut name = self.key.name().chars();
        let letter = name.next().filter(|_| name.next().is_none() && self.modifiers.is_none());
        letter.map(|letter| letter.to_ascii_lowercase())
    }

    /// Whether it is Escape, whatever is held but Ctrl.
    pub(super) fn is_escape(self) -> bool {
        self.key == Key::Escape && self.modifiers.matches_logically(Modifiers::NONE)
    }
}

/// The key of a digit that went down with nothing held, by what it writes or by where it lies.
pub(crate) fn digit_key(event: &Event) -> Option<Key> {
    let readings = PressedKey::of(event, None)?.readings();
    let mut keys = readings.filter(|it| it.modifiers.is_none()).map(|it| it.key);
    keys.find(|key| is_digit(*key))
}

fn is_digit(key: Key) -> bool {
    (Key::Num0..=Key::Num9).contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn down(key: Key, place: Key, modifiers: Modifiers) -> Event {
        Event::Key { key, physical_key: Some(place), pressed: true, repeat: false, modifiers }
    }

    /// What a key may stand for, where it writes that.
    fn read(key: Key, place: Key, modifiers: Modifiers, written: &str) -> Vec<(Key, Modifiers)> {
        let text = Event::Text(written.to_owned());
        let behind = Some(&text).filter(|_| !written.is_empty());
        let pressed = PressedKey::of(&down(key, place, modifiers), behind);
        let readings = pressed.into_iter().flat_map(PressedKey::readings);
        readings.map(|it| (it.key, it.modifiers)).collect()
    }

    #[test]
    fn signs_on_the_row_of_digits_and_on_brackets_are_read_by_place_behind_what_they_write() {
        let none = Modifiers::NONE;
        assert_eq!(
            read(Key::Quote, Key::Num4, none, "'"),
            [Key::Quote, Key::Num4].map(|it| (it, none))
        );
        let bracket = [Key::Plus, Key::CloseBracket].map(|it| (it, none));
        assert_eq!(read(Key::Plus, Key::CloseBracket, none, "+"), bracket);
        // What egui has no name for comes by place alone, and so does what a US keyboard writes.
        assert_eq!(read(Key::Num1, Key::Num1, none, "&"), [(Key::Num1, none)]);
        // Letters mean what is written on them: the French A, and the z of Bépo.
        assert_eq!(read(Key::A, Key::Q, none, "a"), [(Key::A, none)]);
        assert_eq!(read(Key::Z, Key::OpenBracket, none, "z"), [(Key::Z, none)]);
        assert_eq!(read(Key::Semicolon, Key::Comma, none, ";"), [(Key::Semicolon, none)]);
        // The number pad without NumLock.
        assert_eq!(read(Key::Home, Key::Num7, none, ""), [(Key::Home, none)]);
    }

    #[test]
    fn what_is_held_is_kept_apart() {
        let (none, alt, shift) = (Modifiers::NONE, Modifiers::ALT, Modifiers::SHIFT);
        let is = |pressed: &Event, modifiers, key| {
            let readings = PressedKey::of(pressed, None).into_iter().flat_map(PressedKey::readings);
            readings.filter(|it| it.is(KeyboardShortcut::new(modifiers, key))).count() == 1
        };
        let four = down(Key::Quote, Key::Num4, alt);
        assert!(is(&four, alt, Key::Num4) && !is(&four, none, Key::Num4), "exactly, by place");
        let question = down(Key::Questionmark, Key::Slash, shift);
        assert!(is(&question, none, Key::Questionmark));
        // What Ctrl and Alt write is typed, and no command.
        let alt_gr = Modifiers::CTRL | Modifiers::COMMAND | alt;
        assert!(read(Key::OpenBracket, Key::Num8, alt_gr, "[").is_empty());
        assert!(read(Key::Num2, Key::Num2, alt_gr, "@").is_empty());
        assert_eq!(read(Key::Num2, Key::Num2, alt_gr, ""), [(Key::Num2, alt_gr)]);
    }

    #[test]
    fn a_digit_that_is_written_with_shift_answers_like_any_other() {
        let letters = |key, place, modifiers, written: &str| -> Vec<char> {
            let text = Event::Text(written.to_owned());
            let pressed = PressedKey::of(&down(key, place, modifiers), Some(&text)).unwrap();
            pressed.readings().filter_map(PressedKey::letter).collect()
        };
        assert_eq!(letters(Key::Num6, Key::Num6, Modifiers::SHIFT, "6"), ['6']);
        assert_eq!(letters(Key::Minus, Key::Num6, Modifiers::NONE, "-"), ['6']);
        assert!(letters(Key::Num2, Key::Num2, Modifiers::SHIFT, "@").is_empty(), "in the US");
        assert!(letters(Key::Num6, Key::Num6, Modifiers::ALT, "6").is_empty());
        assert_eq!(letters(Key::Y, Key::Y, Modifiers::NONE, "y"), ['y']);
        assert_eq!(digit_key(&down(Key::Quote, Key::Num4, Modifiers::NONE)), Some(Key::Num4));
        assert_eq!(digit_key(&down(Key::Quote, Key::Num4, Modifiers::ALT)), None);
    }
}
