//! The characters that are set, in which style each is, and their paragraphs.

use std::collections::HashMap;
use std::ops::Range;

use crate::design::{TextCase, TextContent};
use crate::render::text::font::library::Fonts;

use super::family::{Measures, Typeface};
use super::list::{Counter, ListItem};
use super::style::{LetterForm, Style};

/// Characters of one text beyond this many are not laid out.
pub const MAX_CHARACTERS: usize = 200_000;

/// What a tab is set as. Figma has tab stops; this is their usual distance.
const TAB: &str = "    ";

/// A style with the face it is set in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    pub(crate) style: Style,
    pub(crate) face: Typeface,
    pub(crate) measures: Measures,
}

/// Text ready to be shaped.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prepared {
    /// Paragraphs are parted by `\n`.
    pub(crate) text: String,
    /// The styles that spans and paragraphs count.
    pub(crate) settings: Vec<Setting>,
    /// Byte ranges with their style; they cover the text in order.
    pub(crate) spans: Vec<(Range<usize>, usize)>,
    /// At least one, from the top.
    pub(crate) paragraphs: Vec<Paragraph>,
    /// Whether characters were left out at the end.
    pub(crate) is_cut: bool,
}

/// What stands between two ends of paragraphs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Paragraph {
    /// Its bytes, without the end of the paragraph.
    pub(crate) range: Range<usize>,
    /// The style of its first character, or of its end if it has none.
    pub(crate) setting: usize,
    /// What it is in a list.
    pub(crate) item: Option<ListItem>,
}

impl Prepared {
    /// The text of `content`, in the letters it is shown in, without control characters.
    pub(crate) fn new(fonts: &Fonts, content: &TextContent) -> Self {
        let mut preparation = Preparation::new(fonts, content);
        let (mut unit, mut before) = (0, None);
        for (count, character) in content.characters.chars().enumerate() {
            if count >= MAX_CHARACTERS {
                preparation.prepared.is_cut = true;
                break;
            }
            preparation.push(character, before, unit);
            // Figma counts style overrides in UTF-16 units.
            unit += character.len_utf16();
            before = Some(character);
        }
        preparation.end_paragraph(unit.saturating_sub(1));
        preparation.prepared
    }

    /// The spans within `range`, counted from its start.
    pub(crate) fn spans_in(&self, range: &Range<usize>) -> Vec<(Range<usize>, usize)> {
        let first = self.spans.partition_point(|(span, _)| span.end <= range.start);
        let within = self.spans.iter().skip(first).take_while(|(span, _)| span.start < range.end);
        let shifted = within.map(|(span, setting)| {
            let start = span.start.max(range.start) - range.start;
            (start..span.end.min(range.end) - range.start, *setting)
        });
        shifted.collect()
    }

    /// The text up to byte `end` of paragraph `last`, without the space before it, and an ellipsis
    /// in the last style. What follows is left out.
    pub(crate) fn with_ellipsis_at(&self, last: usize, end: usize) -> Self {
        let Some(paragraph) = self.paragraphs.get(last) else { return self.clone() };
        let start = paragraph.range.start;
        let kept = self.text.get(start..end).unwrap_or_default().trim_end();
        let end = start + kept.len();
        let spans = self.spans.iter().take_while(|(range, _)| range.start < end);
        let mut cut = Self {
            text: self.text.get(..end).unwrap_or_default().to_owned(),
            settings: self.settings.clone(),
            spans: spans.map(|(range, key)| (range.start..range.end.min(end), *key)).collect(),
            paragraphs: self.paragraphs.get(..=last).unwrap_or_default().to_vec(),
            is_cut: self.is_cut,
        };
        // Of an empty rest, the style of the paragraph.
        let inside = cut.spans.last().filter(|_| !kept.is_empty());
        let setting = inside.map_or(paragraph.setting, |(_, setting)| *setting);
        cut.text.push('…');
        cut.extend_span(end, setting);
        if let Some(paragraph) = cut.paragraphs.last_mut() {
            paragraph.range.end = cut.text.len();
        }
        cut
    }

    /// Gives what was added from byte `start` on the style `setting`.
    fn extend_span(&mut self, start: usize, setting: usize) {
        let end = self.text.len();
        match self.spans.last_mut() {
            Some((range, last)) if *last == setting => range.end = end,
            _ if end > start => self.spans.push((start..end, setting)),
            _ => {}
        }
    }
}

/// A text while it is read.
struct Preparation<'c> {
    fonts: &'c Fonts,
    content: &'c TextContent,
    prepared: Prepared,
    /// Which settings were made.
    known: HashMap<(u32, LetterForm), usize>,
    items: Counter,
    /// Of the current paragraph: where it begins, and which line of the list fields it is.
    start: usize,
    line: usize,
    lines_so_far: usize,
}

impl<'c> Preparation<'c> {
    fn new(fonts: &'c Fonts, content: &'c TextContent) -> Self {
        let prepared = Prepared {
            text: String::with_capacity(content.characters.len()),
            settings: Vec::new(),
            spans: Vec::new(),
            paragraphs: Vec::new(),
            is_cut: false,
        };
        let (known, items) = (HashMap::new(), Counter::default());
        Self { fonts, content, prepared, known, items, start: 0, line: 0, lines_so_far: 0 }
    }

    fn push(&mut self, character: char, before: Option<char>, unit: usize) {
        match character {
            // The carriage return before it has ended the paragraph.
            '\n' if before == Some('\r') => {}
            '\n' | '\r' => {
                self.end_paragraph(unit);
                let (start, setting) = (self.prepared.text.len(), self.setting_at(unit));
                self.prepared.text.push('\n');
                self.prepared.extend_span(start, setting);
                self.lines_so_far += 1;
                (self.start, self.line) = (self.prepared.text.len(), self.lines_so_far);
            }
            '\t' => self.push_text(unit, |text| text.push_str(TAB)),
            control if control.is_control() => {}
            letter => {
                // A line within a paragraph counts in Figma's list fields, though it ends no
                // paragraph.
                self.lines_so_far += usize::from(letter == '\u{2028}');
                self.push_letter(letter, before, unit);
            }
        }
    }

    fn push_letter(&mut self, letter: char, before: Option<char>, unit: usize) {
        let full = self.setting_at(unit);
        let Some(case) = self.prepared.settings.get(full).map(|s| s.style.case) else { return };
        // A font with drawn small capitals sets the letters themselves; shaping asks it for them.
        let shows_capital = is_small_capital(case, letter)
            && !self.prepared.settings.get(full).is_some_and(|s| s.face.has_small_capitals());
        if shows_capital {
            let start = self.prepared.text.len();
            let setting = self.setting(self.key_at(unit), LetterForm::SmallCapitals);
            self.prepared.text.extend(letter.to_uppercase());
            self.prepared.extend_span(start, setting);
        } else {
            self.push_text(unit, |text| push_cased(case, letter, before, text));
        }
    }

    fn push_text(&mut self, unit: usize, push: impl FnOnce(&mut String)) {
        let (start, setting) = (self.prepared.text.len(), self.setting_at(unit));
        push(&mut self.prepared.text);
        self.prepared.extend_span(start, setting);
    }

    /// Ends the paragraph; `unit` is the UTF-16 unit of its end.
    fn end_paragraph(&mut self, unit: usize) {
        let range = self.start..self.prepared.text.len();
        let first = self.prepared.spans_in(&range).first().map(|(_, setting)| *setting);
        let setting = first.unwrap_or_else(|| self.setting_at(unit));
        let item = self.items.next(self.content, self.line);
        self.prepared.paragraphs.push(Paragraph { range, setting, item });
    }

    fn key_at(&self, unit: usize) -> u32 {
        let key = self.content.override_ids.get(unit).copied().unwrap_or(0);
        if self.content.overrides.contains_key(&key) { key } else { 0 }
    }

    fn setting_at(&mut self, unit: usize) -> usize {
        self.setting(self.key_at(unit), LetterForm::Full)
    }

    fn setting(&mut self, key: u32, form: LetterForm) -> usize {
        if let Some(known) = self.known.get(&(key, form)) {
            return *known;
        }
        let full = Style::of(self.content, key);
        let style = if form == LetterForm::Full { full } else { full.in_small_capitals() };
        let face = Typeface::of(self.fonts, &style);
        let measures = face.measures(&style);
        self.prepared.settings.push(Setting { style, face, measures });
        let index = self.prepared.settings.len() - 1;
        self.known.insert((key, form), index);
        index
    }
}

/// Adds `character` as it is shown after `before`.
fn push_cased(case: TextCase, character: char, before: Option<char>, to: &mut String) {
    let begins_word =
        !before.is_some_and(|before| before.is_alphanumeric() || before == '\'' || before == '’');
    match case {
        TextCase::Upper => to.extend(character.to_uppercase()),
        TextCase::Lower => to.extend(character.to_lowercase()),
        TextCase::Title if begins_word => to.extend(character.to_uppercase()),
        _ => to.push(character),
    }
}

/// Whether the letter is shown as a small capital.
fn is_small_capital(case: TextCase, letter: char) -> bool {
    match case {
        TextCase::SmallCaps => letter.is_lowercase(),
        TextCase::SmallCapsForced => letter.is_alphabetic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{LineType, StyleOverride};

    fn prepare(content: &TextContent) -> Prepared {
        Prepared::new(&Fonts::default(), content)
    }

    /// The spans with the keys of their overrides.
    fn keys(prepared: &Prepared) -> Vec<(Range<usize>, u32)> {
        let spans = prepared.spans.iter();
        spans.map(|(range, index)| (range.clone(), prepared.settings[*index].style.key)).collect()
    }

    fn styled(characters: &str, ids: &[u32]) -> TextContent {
        let overrides = [(7, StyleOverride::default())].into_iter().collect();
        let override_ids = ids.to_vec();
        TextContent {
            characters: characters.to_owned(),
            override_ids,
            overrides,
            ..TextContent::default()
        }
    }

    fn cased(characters: &str, ids: &[u32], case: TextCase) -> TextContent {
        let mut content = styled(characters, ids);
        content.style.case = case;
        content
    }

    #[test]
    fn overrides_count_utf16_units_and_may_end_early() {
        let prepared = prepare(&styled("a😀bc", &[0, 7, 7, 7]));
        assert_eq!(keys(&prepared), [(0..1, 0), (1..6, 7), (6..7, 0)]);
    }

    #[test]
    fn an_override_without_an_entry_is_none() {
        let prepared = prepare(&styled("ab", &[9, 9]));
        assert_eq!(keys(&prepared), [(0..2, 0)]);
    }

    #[test]
    fn letters_that_grow_in_capitals_keep_their_style() {
        let prepared = prepare(&cased("aßb", &[0, 7, 0], TextCase::Upper));
        assert_eq!((prepared.text.as_str(), prepared.spans.len()), ("ASSB", 3));
    }

    #[test]
    fn line_ends_of_every_system_are_one_and_control_characters_none() {
        let prepared = prepare(&styled("a\r\nb\rc\u{7}\td", &[]));
        assert_eq!(prepared.text, "a\nb\nc    d");
    }

    #[test]
    fn an_ellipsis_takes_the_place_of_trailing_space() {
        let prepared = prepare(&styled("one two", &[7, 7, 7]));
        let cut = prepared.with_ellipsis_at(0, 4);
        assert_eq!((cut.text.as_str(), keys(&cut)), ("one…", vec![(0..6, 7)]));
    }

    #[test]
    fn an_ellipsis_stays_in_an_empty_paragraph_and_ends_the_text() {
        let cut = prepare(&styled("one\n\ntwo", &[])).with_ellipsis_at(1, 4);
        assert_eq!((cut.text.as_str(), cut.paragraphs.len()), ("one\n…", 2));
        assert_eq!(cut.paragraphs[1].range, 4..7);
    }

    #[test]
    fn an_empty_paragraph_has_the_style_of_its_end() {
        let prepared = prepare(&styled("a\n\nb\n", &[0, 0, 7, 0, 7]));
        let settings = prepared.paragraphs.iter().map(|it| &prepared.settings[it.setting]);
        assert_eq!(settings.map(|it| it.style.key).collect::<Vec<_>>(), [0, 7, 0, 7]);
    }

    #[test]
    fn lines_of_a_paragraph_count_in_the_list_fields() {
        let mut content = styled("a\u{2028}b\nc", &[]);
        content.line_types = vec![LineType::Ordered, LineType::None, LineType::Unordered];
        let items = prepare(&content).paragraphs.into_iter().map(|paragraph| paragraph.item);
        let markers: Vec<_> = items.take(2).map(|item| item.unwrap().marker).collect();
        assert_eq!(markers, ["1.", "•"]);
    }

    #[test]
    fn small_capitals_are_smaller_capitals_of_the_small_letters() {
        let prepared = prepare(&cased("aB ß", &[], TextCase::SmallCaps));
        let settings = prepared.spans.iter().map(|(_, index)| &prepared.settings[*index]);
        let sizes: Vec<_> = settings.map(|setting| setting.style.glyph_size()).collect();
        assert_eq!(prepared.text, "AB SS");
        assert!(sizes.len() == 3 && sizes[0] < sizes[1] && sizes[0] == sizes[2], "{sizes:?}");
        let forced = prepare(&cased("aB 1", &[], TextCase::SmallCapsForced));
        assert_eq!((forced.text.as_str(), forced.spans.len()), ("AB 1", 2));
    }

    #[test]
    fn title_case_leaves_the_letter_after_an_apostrophe() {
        let prepared = prepare(&cased("don't stop", &[], TextCase::Title));
        assert_eq!(prepared.text, "Don't Stop");
    }
}
