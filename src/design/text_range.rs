//! Some letters of a text as a text of their own: their style is read there, and changed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::text::{StyleOverride, TextContent, TextStyle};
use super::text_edit::{byte_at, utf16_len};

impl TextContent {
    /// The characters of a range as a text of their own. Where all of them have one style, that is the style of all of
    /// it, so that it reads as any text does. `None` of an empty range, and of one that is not in the text.
    pub fn excerpt(&self, range: Range<usize>) -> Option<Self> {
        let Range { start, end } = range;
        if start >= end || end > self.characters.chars().count() {
            return None;
        }
        let [from, to] = [start, end].map(|at| byte_at(&self.characters, at));
        let characters = self.characters.get(from..to)?.to_owned();
        let first = utf16_len(self.characters.get(..from)?);
        // Where the list ends, none has a style of its own.
        let ids = self.override_ids.iter().copied().chain(std::iter::repeat(0));
        let ids = ids.skip(first).take(utf16_len(&characters));
        let override_ids: Vec<u32> = ids.map(|id| self.known(id)).collect();
        let used: BTreeSet<u32> = override_ids.iter().copied().collect();
        let mut overrides = self.overrides.clone();
        overrides.retain(|key, _| *key != 0 && used.contains(key));
        let mut style = self.style.clone();
        if let (1, Some(own)) = (used.len(), overrides.values_mut().next()) {
            style = own.over(&style);
            // The one thing that no style of a whole text says.
            *own = StyleOverride { fills: own.fills.take(), ..StyleOverride::default() };
        }
        Some(Self { characters, style, override_ids, overrides, ..Self::default() })
    }

    /// Gives the characters of a range the styles that their [`Self::excerpt`] has after it was changed. What is of
    /// lines or of the box, and no letter can have alone (alignment, spacing of paragraphs, truncation), becomes that
    /// of all of the text. Nothing happens to a range that has no excerpt.
    pub fn restyle(&mut self, range: Range<usize>, changed: &Self) {
        let Some(was) = self.excerpt(range.clone()) else { return };
        let start = byte_at(&self.characters, range.start);
        let from = utf16_len(self.characters.get(..start).unwrap_or_default());
        let units = was.override_ids.len();
        let before: BTreeSet<u32> = was.override_ids.iter().copied().collect();
        self.style = self.style.with_lines_of(&changed.style);
        let keys: BTreeMap<u32, u32> =
            before.iter().map(|id| (*id, self.key_for(*id, &was, changed))).collect();
        let end = from + units;
        if self.override_ids.len() < end {
            self.override_ids.resize(end, 0);
        }
        let ids = self.override_ids.iter_mut().skip(from).zip(&was.override_ids);
        for (id, old) in ids {
            *id = keys.get(old).copied().unwrap_or(*old);
        }
        while self.override_ids.last() == Some(&0) {
            self.override_ids.pop();
        }
        // What no letter has any more that had it.
        let used: BTreeSet<u32> = self.override_ids.iter().copied().collect();
        self.overrides.retain(|key, _| used.contains(key) || !before.contains(key));
    }

    /// The characters in runs of one style, each with what it has of its own.
    pub fn runs(&self) -> Vec<(&str, Option<&StyleOverride>)> {
        let mut runs = Vec::new();
        let (mut from, mut unit, mut key) = (0, 0, 0);
        for (at, letter) in self.characters.char_indices() {
            let own = self.known(self.override_ids.get(unit).copied().unwrap_or(0));
            if own != key && at > from {
                runs.push((from..at, key));
                from = at;
            }
            key = own;
            // Files count UTF-16 units, so one letter may take two keys.
            unit += letter.len_utf16();
        }
        if from < self.characters.len() {
            runs.push((from..self.characters.len(), key));
        }
        let runs = runs.into_iter().filter_map(|(range, key)| {
            let own = self.overrides.get(&key).filter(|_| key != 0);
            Some((self.characters.get(range)?, own))
        });
        runs.collect()
    }

    /// The key under which letters of the range that had the key `id` have their style now.
    fn key_for(&mut self, id: u32, was: &Self, changed: &Self) -> u32 {
        let style_in = |text: &Self| match text.overrides.get(&id) {
            Some(own) => own.over(&text.style),
            None => text.style.clone(),
        };
        let own = self.overrides.get(&id).filter(|_| id != 0).cloned().unwrap_or_default();
        let own = own.changed(&self.style, &style_in(was), &style_in(changed));
        if own == StyleOverride::default() {
            return 0;
        }
        let known = self.overrides.iter().find(|(key, known)| **key != 0 && **known == own);
        if let Some((key, _)) = known {
            return *key;
        }
        // Also none that letters have without there being a style of it: they would get this one.
        let is_free =
            |key: &u32| !self.overrides.contains_key(key) && !self.override_ids.contains(key);
        // There are fewer letters than keys.
        let free = (1..=u32::MAX).find(is_free).unwrap_or(u32::MAX);
        self.overrides.insert(free, own);
        free
    }

    /// The key, if there is a style of that key; else 0.
    fn known(&self, id: u32) -> u32 {
        if id != 0 && self.overrides.contains_key(&id) { id } else { 0 }
    }
}

impl StyleOverride {
    /// The style of letters that have this over the style of all of the text.
    pub fn over(&self, base: &TextStyle) -> TextStyle {
        fn own<T: Clone>(own: Option<&T>, base: &T) -> T {
            own.unwrap_or(base).clone()
        }
        // The name is that of another face where weight or slant say so.
        let is_named = self.font_weight.is_none() && self.italic.is_none();
        let font_style =
            self.font_style.clone().or_else(|| base.font_style.clone().filter(|_| is_named));
        TextStyle {
            font_family: own(self.font_family.as_ref(), &base.font_family),
            font_style,
            font_weight: self.font_weight.unwrap_or(base.font_weight),
            italic: self.italic.unwrap_or(base.italic),
            font_size: self.font_size.unwrap_or(base.font_size),
            letter_spacing: self.letter_spacing.unwrap_or(base.letter_spacing),
            line_height: self.line_height.unwrap_or(base.line_height),
            case: self.case.unwrap_or(base.case),
            decoration: self.decoration.unwrap_or(base.decoration),
            opentype: own(self.opentype.as_ref(), &base.opentype),
            ..base.clone()
        }
    }

    /// The same after letters that had the style `was` have the style `now`: a field that is another now is kept where
    /// it is not that of the text's own style.
    fn changed(self, base: &TextStyle, was: &TextStyle, now: &TextStyle) -> Self {
        /// A field of it.
        fn field<T: PartialEq + Clone>(own: Option<T>, [base, was, now]: [&T; 3]) -> Option<T> {
            if was == now { own } else { (now != base).then(|| now.clone()) }
        }
        let is_other_face = was.font_style != now.font_style
            || was.font_weight != now.font_weight
            || was.italic != now.italic;
        // Beside a name that is not meant any more the numbers have to be there.
        let is_other_name = now.font_style != base.font_style;
        let (font_style, font_weight, italic) = if is_other_face {
            (
                now.font_style.clone().filter(|_| is_other_name),
                (is_other_name || now.font_weight != base.font_weight).then_some(now.font_weight),
                (is_other_name || now.italic != base.italic).then_some(now.italic),
            )
        } else {
            (self.font_style, self.font_weight, self.italic)
        };
        let three = [base, was, now];
        Self {
            font_family: field(self.font_family, three.map(|style| &style.font_family)),
            font_style,
            font_weight,
            italic,
            font_size: field(self.font_size, three.map(|style| &style.font_size)),
            letter_spacing: field(self.letter_spacing, three.map(|style| &style.letter_spacing)),
            line_height: field(self.line_height, three.map(|style| &style.line_height)),
            case: field(self.case, three.map(|style| &style.case)),
            decoration: field(self.decoration, three.map(|style| &style.decoration)),
            opentype: field(self.opentype, three.map(|style| &style.opentype)),
            fills: self.fills,
        }
    }
}

impl TextStyle {
    /// The letters of this style, and of another one all else.
    fn with_lines_of(&self, lines: &Self) -> Self {
        Self {
            font_family: self.font_family.clone(),
            font_style: self.font_style.clone(),
            font_weight: self.font_weight,
            italic: self.italic,
            font_size: self.font_size,
            letter_spacing: self.letter_spacing,
            line_height: self.line_height,
            case: self.case,
            decoration: self.decoration,
            opentype: self.opentype.clone(),
            ..lines.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::Rgba;
    use crate::design::{Paint, TextAlign};

    fn text(characters: &str, override_ids: &[u32]) -> TextContent {
        let large = StyleOverride { font_size: Some(30.0), ..StyleOverride::default() };
        let red = vec![Paint::solid(Rgba::BLACK)];
        let red = StyleOverride { fills: Some(red), ..StyleOverride::default() };
        TextContent {
            characters: characters.to_owned(),
            override_ids: override_ids.to_vec(),
            overrides: [(1, large), (2, red)].into(),
            ..TextContent::default()
        }
    }

    /// Each character with the style it has.
    fn styles(text: &TextContent) -> Vec<(char, TextStyle, Option<Vec<Paint>>)> {
        let mut unit = 0;
        let each = text.characters.chars().map(|c| {
            let id = text.override_ids.get(unit).copied().unwrap_or(0);
            unit += c.len_utf16();
            let own = text.overrides.get(&id).filter(|_| id != 0).cloned().unwrap_or_default();
            (c, own.over(&text.style), own.fills)
        });
        each.collect()
    }

    #[test]
    fn letters_are_read_as_a_text_of_their_own() {
        let text = text("a😀bc", &[0, 1, 1, 2]);
        let pair = text.excerpt(1..2).unwrap();
        assert_eq!((pair.characters.as_str(), pair.style.font_size), ("😀", 30.0));
        assert_eq!(pair.override_ids, [1, 1]);
        let mixed = text.excerpt(0..4).unwrap();
        assert_eq!((mixed.style.font_size, mixed.override_ids.len()), (12.0, 5));
        let behind = text.excerpt(3..4).unwrap();
        assert_eq!((behind.characters.as_str(), behind.override_ids), ("c", vec![0]));
        for range in [1..1, 3..5, Range { start: 2, end: 1 }] {
            assert_eq!(text.excerpt(range.clone()), None, "{range:?}");
        }
    }

    #[test]
    fn what_letters_have_of_their_own_stays_and_goes_again_without_a_trace() {
        let start = text("abcd", &[1, 2]);
        let bold = |text: &mut TextContent, weight: f64| {
            let mut part = text.excerpt(1..3).unwrap();
            part.style.font_weight = weight;
            part.overrides.values_mut().for_each(|own| own.font_weight = None);
            text.restyle(1..3, &part);
        };
        let mut text = start.clone();
        bold(&mut text, 700.0);
        let weights: Vec<f64> = styles(&text).iter().map(|(_, it, _)| it.font_weight).collect();
        assert_eq!(weights, [400.0, 700.0, 700.0, 400.0]);
        let fills: Vec<bool> = styles(&text).iter().map(|(.., fills)| fills.is_some()).collect();
        assert_eq!(fills, [false, true, false, false]);
        assert_eq!(styles(&text)[0].1.font_size, 30.0);
        bold(&mut text, 400.0);
        assert_eq!(styles(&text), styles(&start));
        assert!(text.overrides.len() <= 2, "{:?}", text.overrides);
    }

    #[test]
    fn runs_are_as_long_as_they_can_be_and_together_the_text() {
        let text = text("a😀bc", &[0, 1, 1, 7]);
        let runs: Vec<(&str, Option<f64>)> = text
            .runs()
            .into_iter()
            .map(|(run, own)| (run, own.and_then(|it| it.font_size)))
            .collect();
        assert_eq!(runs, [("a", None), ("😀", Some(30.0)), ("bc", None)]);
        assert!(TextContent::default().runs().is_empty());
    }

    #[test]
    fn weight_and_slant_win_over_the_name_of_the_face_that_all_have() {
        let mut text = text("ab", &[]);
        text.style.font_style = Some("Bold".to_owned());
        let mut part = text.excerpt(0..1).unwrap();
        (part.style.font_style, part.style.italic) = (None, false);
        text.restyle(0..1, &part);
        // Without the number the name would still say bold.
        let own = &text.overrides[&text.override_ids[0]];
        assert_eq!((own.font_weight, own.italic), (Some(400.0), Some(false)));
    }

    #[test]
    fn what_is_of_lines_is_of_all_of_the_text() {
        let mut text = text("abcd", &[]);
        let mut part = text.excerpt(0..1).unwrap();
        (part.style.align, part.style.font_size) = (TextAlign::Right, 20.0);
        text.restyle(0..1, &part);
        assert_eq!((text.style.align, text.style.font_size), (TextAlign::Right, 12.0));
        assert_eq!(styles(&text)[0].1.font_size, 20.0);
    }

    proptest! {
        /// Letter by letter: those of the range have the size, all else is as it was.
        #[test]
        fn only_the_range_changes(
            ids in prop::collection::vec(0..4_u32, 0..9),
            (a, b) in (0..5_usize, 0..5_usize),
            size in prop::sample::select(vec![12.0, 30.0, 44.0]),
        ) {
            let start = text("a😀bé", &ids);
            let range = a.min(b)..a.max(b).min(4);
            let mut changed = start.clone();
            if let Some(mut part) = start.excerpt(range.clone()) {
                part.style.font_size = size;
                part.overrides.values_mut().for_each(|own| own.font_size = None);
                changed.restyle(range.clone(), &part);
            }
            for (at, (was, now)) in styles(&start).into_iter().zip(styles(&changed)).enumerate() {
                let mut wanted = was;
                if range.contains(&at) {
                    wanted.1.font_size = size;
                }
                prop_assert_eq!(wanted, now, "{}", at);
            }
        }
    }
}
