//! What an SVG says that it shows: its title and keywords.
//!
//! The title is the `<title>` of the picture, or the `dc:title` of the work that its metadata
//! describes (and not those of its publisher or creator); keywords are the `dc:subject`, a list or a
//! text. They are found by their tags, whether the rest is well-formed or not, in the first
//! [`HEAD`] bytes: of the 8,121 files of Debian's `openclipart-svg` all have theirs there.

use std::io::Read as _;
use std::path::Path;

use crate::base::open_file;

/// How much of a file is looked at, in bytes.
pub(super) const HEAD: u64 = 64 << 10;
/// Deepest tag that is looked at.
const DEPTH: usize = 64;
/// Longest title or keyword that is kept, in characters.
const LETTERS: usize = 200;
/// Most keywords that are kept.
const KEYWORDS: usize = 100;

/// What an SVG says that it shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SvgWords {
    /// Its title; empty if it has none.
    pub(super) title: String,
    /// Its keywords, in order.
    pub(super) keywords: Vec<String>,
}

impl SvgWords {
    /// What a file says; nothing if it cannot be read.
    pub(super) fn of_file(path: &Path) -> Self {
        let mut head = Vec::new();
        let read = open_file(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
        if read.is_err() { Self::default() } else { Self::of(&String::from_utf8_lossy(&head)) }
    }

    /// What a text says.
    pub(super) fn of(svg: &str) -> Self {
        let mut words = Self::default();
        let mut open: Vec<&str> = Vec::new();
        let mut rest = svg;
        while let Some((text, tag)) = rest.split_once('<') {
            words.hear(&open, text);
            let Some(Tag { name, role, after }) = Tag::of(tag) else { break };
            match role {
                // Only the end of this stack is ever looked at, but a file of nothing but open tags
                // would make it as long as the file.
                Role::Opens if open.len() < DEPTH => open.push(name),
                Role::Opens => break,
                // What was not closed is closed with what is around it.
                Role::Closes => {
                    if let Some(at) = open.iter().rposition(|it| *it == name) {
                        open.truncate(at);
                    }
                }
                Role::Neither => {}
            }
            rest = after;
        }
        words
    }

    fn hear(&mut self, open: &[&str], text: &str) {
        // Of the titles only that of the whole picture: shapes have tooltips in titles of their
        // own, and publishers and licences have names.
        let is_title = matches!(open, ["svg", "title"] | [.., "Work", "title"]);
        let is_keyword = matches!(open, [.., "subject"] | [.., "subject", _, "li"]);
        if !is_title && !is_keyword {
            return;
        }
        let text = plain(text.trim());
        if is_title && self.title.is_empty() {
            self.title.clone_from(&text);
        }
        if is_keyword && !text.is_empty() && self.keywords.len() < KEYWORDS {
            self.keywords.push(text);
        }
    }
}

/// A tag, up to what comes after it.
struct Tag<'a> {
    /// Its name without a prefix.
    name: &'a str,
    role: Role,
    after: &'a str,
}

enum Role {
    Opens,
    Closes,
    /// It is empty, a comment or a declaration.
    Neither,
}

impl<'a> Tag<'a> {
    /// The tag that begins with `text`, which comes after its `<`; `None` if it does not end.
    fn of(text: &'a str) -> Option<Self> {
        // Comments and CDATA may hold `>` and whole tags, so they end at their own sign.
        let aside = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!", ">")];
        if let Some((_, end)) = aside.iter().find(|(begin, _)| text.starts_with(begin)) {
            let (_, after) = text.split_once(end)?;
            return Some(Self { name: "", role: Role::Neither, after });
        }
        let (inside, after) = text.split_once('>')?;
        let role = match (inside.starts_with('/'), inside.ends_with('/')) {
            (true, _) => Role::Closes,
            (false, true) => Role::Neither,
            (false, false) => Role::Opens,
        };
        let name = inside.trim_start_matches('/').split([' ', '\t', '\r', '\n']).next()?;
        let name = name.rsplit(':').next().unwrap_or(name);
        Some(Self { name, role, after })
    }
}

/// The text with the entities that everybody knows as their letters, not longer than is kept.
fn plain(text: &str) -> String {
    // Cut first: a text of a megabyte of entities is not to be replaced five times.
    let text: String = text.chars().take(LETTERS).collect();
    if !text.contains('&') {
        return text;
    }
    // The ampersand last, or `&amp;lt;` would become `<`.
    let known = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    known.iter().fold(text, |text, (entity, letter)| text.replace(entity, letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOON: &str = "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a 'b'>]><!-- <title>no</title> -->
        <svg xmlns='x'><metadata><rdf:RDF><cc:Work rdf:about=''><dc:title>Full &amp; new
        Moon</dc:title><dc:subject><rdf:Bag><rdf:li>moon</rdf:li><rdf:li/><rdf:li> night sky </rdf:li>
        </rdf:Bag></dc:subject><dc:publisher><cc:Agent><dc:title>A library</dc:title></cc:Agent>
        </dc:publisher></cc:Work></rdf:RDF></metadata><g><title>a crater</title></g></svg>";

    #[test]
    fn a_title_is_that_of_the_work_and_not_of_its_publisher() {
        let words = SvgWords::of(MOON);
        assert!(words.title.starts_with("Full & new"), "{}", words.title);
        assert_eq!(words.keywords, ["moon", "night sky"]);
        let own = SvgWords::of("<svg:svg><svg:title>Sun</svg:title><g/></svg:svg>");
        assert_eq!(own, SvgWords { title: "Sun".to_owned(), keywords: Vec::new() });
        let listed = SvgWords::of("<svg><dc:subject>sun, star</dc:subject></svg>");
        assert_eq!(listed.keywords, ["sun, star"]);
    }

    #[test]
    fn what_is_not_well_formed_says_what_can_be_read() {
        for (text, title) in [
            ("<svg><title>Sun", ""),
            ("<svg><title>Sun<g></svg>", "Sun"),
            ("<svg><title></title><title>Sun</title>", "Sun"),
            ("<<<>>>&&&", ""),
            ("</title></svg><svg><title>Sun</title>", "Sun"),
            ("<title>Sun</title>", ""),
        ] {
            assert_eq!(SvgWords::of(text).title, title, "{text}");
        }
        let deep = "<a>".repeat(100_000);
        assert_eq!(SvgWords::of(&deep), SvgWords::default());
        assert_eq!(SvgWords::of_file(Path::new("/no/such/file")), SvgWords::default());
    }

    proptest! {
        #[test]
        fn any_text_gives_words_of_bounded_length(
            text in "(<|>|/|svg|title|subject|li|Work|:| |&amp;|é|<svg><title>|</title>|-->|<!--){0,60}"
        ) {
            let words = SvgWords::of(&text);
            prop_assert!(words.title.chars().count() <= LETTERS && words.keywords.len() <= KEYWORDS);
        }
    }
}
