//! Letters that look alike, told apart by what stands around them.
//!
//! In Inter a capital I and a small l are one upright stroke each. Which one is meant is a matter of
//! spelling: the rules here are a heuristic for English and for languages that are spelled like it.

/// A line with its look-alikes as they are probably meant.
pub(super) fn spelled(line: &str) -> String {
    let letters: Vec<char> = line.chars().collect();
    let mut spelled = String::with_capacity(line.len());
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| letters.get(before)).copied();
        let after = letters.get(at + 1).copied();
        spelled.push(match letter {
            'I' | 'l' | '|' => stroke(*letter, before, after, letters.get(at + 2).copied()),
            '\'' if is_digit(before) && is_digit(after) => ':',
            letter => *letter,
        });
    }
    spelled
}

/// An upright stroke between two letters, with the one after the next.
fn stroke(read: char, before: Option<char>, after: Option<char>, later: Option<char>) -> char {
    let stroke_after = matches!(after, Some('I' | 'l' | '|'));
    match (is_letter(before), is_letter(after) || stroke_after) {
        // Before a capital, wherever it is.
        (_, true) if is_capital(after) && before != Some('l') && !is_small(before) => 'I',
        // By itself, or before an apostrophe: I, I'm.
        (false, false) => match read {
            '|' => '|',
            _ => 'I',
        },
        // In or after a word: by the case of its neighbours.
        (true, _) if is_small(before) && before != Some('l') => 'l',
        (true, _) if is_capital(before) && (is_capital(after) || !is_letter(after)) => 'I',
        (true, _) if is_small(after) => 'l',
        (true, _) => read,
        // At the start of a word: small letters after l are vowels, after I consonants.
        (false, true) if stroke_after => {
            if is_small(later) {
                'I'
            } else {
                'l'
            }
        }
        (false, true) => {
            if matches!(after, Some('a' | 'e' | 'i' | 'o' | 'u' | 'y')) {
                'l'
            } else {
                'I'
            }
        }
    }
}

/// Not I, which may be a small l.
fn is_capital(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| letter.is_uppercase() && letter != 'I')
}

fn is_small(letter: Option<char>) -> bool {
    letter.is_some_and(char::is_lowercase)
}

fn is_letter(letter: Option<char>) -> bool {
    letter.is_some_and(char::is_alphabetic)
}

fn is_digit(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_are_spelled_as_english_words_are() {
        for (read, meant) in [
            ("EmaiI", "Email"),
            ("ltems (4)", "Items (4)"),
            ("Iongest run of the year.", "longest run of the year."),
            ("PLAYlNG FROM ALBUM", "PLAYING FROM ALBUM"),
            ("CIose to you", "Close to you"),
            ("l already have one", "I already have one"),
            ("signaI.", "signal."),
            ("$84 a nlght", "$84 a nlght"),
            ("9'41", "9:41"),
            ("Training Ioad", "Training load"),
            ("lnvoice", "Invoice"),
            ("allow", "allow"),
            ("A | B", "A | B"),
        ] {
            assert_eq!(spelled(read), meant);
        }
    }
}
