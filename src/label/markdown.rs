//! The pictures in Markdown texts of a study.

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkdownPart<'a> {
    /// Words, with their line ends.
    Words(&'a str),
    /// A picture: `![caption](target)`.
    Picture {
        /// What is said of it.
        caption: &'a str,
        /// Which it is.
        target: &'a str,
    },
}

/// The parts of a text, in order. What only begins like a picture is words.
pub fn markdown_parts(text: &str) -> Vec<MarkdownPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut words = 0;
    while let Some(found) = rest.get(words..).and_then(|behind| behind.find("![")) {
        let begin = words + found;
        match rest.get(begin..).and_then(picture) {
            Some((caption, target, length)) => {
                let before = rest.get(..begin).unwrap_or_default();
                if !before.is_empty() {
                    parts.push(MarkdownPart::Words(before));
                }
                parts.push(MarkdownPart::Picture { caption, target });
                rest = rest.get(begin + length..).unwrap_or_default();
                words = 0;
            }
            // No picture: the sign stays among the words, and the search goes on behind it.
            None => words = begin + 2,
        }
    }
    if !rest.is_empty() {
        parts.push(MarkdownPart::Words(rest));
    }
    parts
}

/// Caption, target and length of the picture that a text begins with: all on one line.
fn picture(text: &str) -> Option<(&str, &str, usize)> {
    let line = text.lines().next()?;
    let (caption, behind) = line.strip_prefix("![")?.split_once("](")?;
    let (target, _) = behind.split_once(')')?;
    Some((caption, target.trim(), 2 + caption.len() + 2 + target.len() + 1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pictures_are_told_from_words() {
        let text = "# Good\n![a pair](good.png)\nand ![no end](x and ![](b.jpg )";
        let parts = [
            MarkdownPart::Words("# Good\n"),
            MarkdownPart::Picture { caption: "a pair", target: "good.png" },
            MarkdownPart::Words("\nand "),
            MarkdownPart::Picture { caption: "no end", target: "x and ![](b.jpg" },
        ];
        assert_eq!(markdown_parts(text), parts);
        assert_eq!(markdown_parts("![x]\n(y)"), [MarkdownPart::Words("![x]\n(y)")]);
        assert!(markdown_parts("").is_empty());
    }

    proptest! {
        #[test]
        fn nothing_of_a_text_is_lost(text in r"([!\[\]\(\)ab é\n]|!\[|\]\(){0,40}") {
            let parts = markdown_parts(&text);
            let pictures = parts.iter().filter(|part| matches!(part, MarkdownPart::Picture { .. }));
            let mut words = 0;
            for part in &parts {
                match part {
                    MarkdownPart::Words(part) => words += part.len(),
                    MarkdownPart::Picture { caption, target } => words += caption.len() + target.len(),
                }
            }
            // Five characters are the picture's own; blanks around its target are not kept.
            prop_assert!(words + 5 * pictures.count() <= text.len());
            if !text.contains("![") {
                prop_assert_eq!(words, text.len());
            }
        }
    }
}
