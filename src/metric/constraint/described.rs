//! A brief in somebody's own words, as a query.
//!
//! Read by rules, as the check reads positions and colours: what stands in quotes is a text, and the words around it
//! say what it is, how large, in which colour and where; `a picture of …` is a visual; a colour beside `background` is
//! that of the background. A line may name its component first: `Title: Blue Notes, huge, white, top center`. A size of
//! two sides, before any component or beside a word for a page, is that of the page. What says nothing by these rules
//! is given back word for word, so that whoever typed it sees it.
//!
//! Limitations: English; one component a piece of a sentence; sides of a card are not told apart.

mod page_size;

use super::color_name::colors_in;
use super::heuristic::{ANY_TEXT, ANY_VISUAL};
use super::position::{Clause, clauses};
use super::words::{TextClass, name_words};
use crate::base::Size;
use crate::graphictown::{DesignType, Query, WantedSize, WantedText, WantedVisual};

use page_size::page_size_in;

/// The longest brief that is read, in characters.
pub const LONGEST_BRIEF: usize = 4_000;
/// The longest stretch of words in which a position is looked for.
const LONGEST_STRETCH: usize = 24;
/// What quotes begin with.
const OPENING: [char; 6] = ['"', '\'', '\u{201C}', '\u{201E}', '\u{2018}', '\u{AB}'];
/// The longest name of a component, in words.
const LONGEST_NAME: usize = 4;

/// What begins something else in a sentence, if it names a component.
const JOINTS: [&str; 5] = ["and", "with", "plus", "on", "over"];
/// What says that something is a picture.
const PICTURES: [&str; 9] = [
    "picture",
    "photo",
    "photograph",
    "image",
    "illustration",
    "drawing",
    "logo",
    "icon",
    "graphic",
];
/// What stands between the name of a text and the text.
const SAYING: [&str; 12] = [
    "says", "saying", "reads", "reading", "that", "which", "is", "called", "named", "text",
    "words", "word",
];
/// Words that are no name of anything.
const NO_NAMES: [&str; 18] = [
    "a", "an", "the", "in", "at", "of", "for", "with", "and", "its", "it", "this", "one", "bold",
    "letters", "to", "as", "on",
];
/// Words for a page and its size.
const PAGE_WORDS: [&str; 8] =
    ["page", "canvas", "frame", "artboard", "screen", "size", "format", "dimensions"];
/// Words of place, one of which every position has.
const PLACES: [&str; 29] = [
    "top",
    "bottom",
    "left",
    "right",
    "center",
    "centered",
    "centre",
    "central",
    "middle",
    "upper",
    "lower",
    "below",
    "above",
    "under",
    "underneath",
    "beneath",
    "between",
    "behind",
    "around",
    "surrounding",
    "inside",
    "corner",
    "corners",
    "edge",
    "edges",
    "scattered",
    "spread",
    "covering",
    "full",
];
/// Words of size, with what the check calls them.
const SIZES: [(&str, &str); 7] = [
    ("tiny", "small"),
    ("small", "small"),
    ("medium", "medium"),
    ("big", "large"),
    ("large", "large"),
    ("huge", "huge"),
    ("giant", "huge"),
];

/// What a brief asks for, and the pieces of it that say nothing by the rules.
///
/// Only the first [`LONGEST_BRIEF`] characters are read.
pub fn read_brief(words: &str) -> (Query, Vec<String>) {
    let words: String = words.chars().take(LONGEST_BRIEF).collect();
    let mut statements = statements(&words);
    let page = statements.iter_mut().find_map(take_page);
    let mut pieces: Vec<BriefPiece> = statements.iter().flat_map(|it| pieces_of(it)).collect();
    name_pieces(&mut pieces);
    let names: Vec<String> = pieces.iter().flat_map(|piece| name_words(&piece.name)).collect();
    let lower = words.to_lowercase();
    let design = DesignType::ALL.into_iter().find(|design| lower.contains(design.words()));
    let mut query = Query { design, page, ..Query::default() };
    let mut unread = Vec::new();
    for piece in pieces {
        let told = piece.told(&names);
        match piece.what {
            What::Background => query.background = told.color.or(query.background),
            What::Text(content) => query.texts.push(WantedText {
                role: piece.name,
                content: Some(content),
                size: told.size,
                color: told.color,
                position: told.position,
                font: None,
            }),
            What::Visual => {
                let (mut size, position) = (told.size, told.position);
                // What the check calls such a picture.
                if size == Some(WantedSize::Words("huge".to_owned())) {
                    size = Some(WantedSize::Words("extra large".to_owned()));
                }
                query.visuals.push(WantedVisual { name: piece.name, size, position });
            }
            // What is to be designed is said by its first words.
            What::Nothing if DesignType::ALL.iter().any(|it| piece.says(it.words())) => {}
            What::Nothing => unread.push(piece.words.join(" ").trim().to_owned()),
        }
    }
    // What is left of `Size: 1080 × 1350` was read.
    unread.retain(|words| {
        let mut words = words.split_whitespace();
        words.any(|word| {
            let is_of_page =
                [&PAGE_WORDS[..], &NO_NAMES, &SAYING].iter().any(|it| it.contains(&word));
            page.is_none() || !is_of_page
        })
    });
    (query, unread)
}

/// The size of the page, if a statement says it: what says it is taken out. Behind a component it is that of the page
/// only beside a word for a page.
fn take_page(statement: &mut Vec<Token>) -> Option<Size> {
    let words = statement.iter().map(|token| match token {
        Token::Word(word) => Some(word.as_str()),
        Token::Quote(_) | Token::Comma | Token::Colon => None,
    });
    let words: Vec<Option<&str>> = words.collect();
    let (size, said) = page_size_in(&words)?;
    let next = words.get(said.end).copied().flatten().map(str::to_lowercase);
    let is_named = next.is_some_and(|next| PAGE_WORDS.contains(&next.as_str()));
    let is_of_component = statement.iter().take(said.start).any(is_anchor);
    if is_of_component && !is_named {
        return None;
    }
    statement.drain(said);
    Some(size)
}

/// A word, or what stands in quotes.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// In lower case.
    Word(String),
    Quote(String),
    Comma,
    Colon,
}

/// What a piece of a brief is about.
#[derive(Clone, Debug, PartialEq)]
enum What {
    Background,
    Text(String),
    Visual,
    Nothing,
}

/// A piece of a brief that is about one component.
#[derive(Clone, Debug)]
struct BriefPiece {
    what: What,
    name: String,
    /// Its words without the quote; an empty one stands for a comma.
    words: Vec<String>,
}

/// What a piece says of its component.
#[derive(Debug, Default)]
struct PieceDetails {
    size: Option<WantedSize>,
    color: Option<String>,
    position: Option<String>,
}

/// The sentences and lines, as words.
fn statements(text: &str) -> Vec<Vec<Token>> {
    let mut statements = vec![Vec::new()];
    let chars: Vec<char> = text.chars().collect();
    let (mut word, mut at) = (String::new(), 0);
    while let Some(c) = chars.get(at).copied() {
        at += 1;
        let is_after_word = !word.is_empty();
        let closes = match c {
            '"' => Some('"'),
            '\u{201C}' | '\u{201E}' => Some('\u{201D}'),
            '\u{AB}' => Some('\u{BB}'),
            // Behind a letter it is an apostrophe.
            '\'' | '\u{2018}' if !is_after_word => Some(if c == '\'' { '\'' } else { '\u{2019}' }),
            _ => None,
        };
        if let Some(quote) = closes.and_then(|close| quoted(&chars, at, close)) {
            end_word(&mut word, &mut statements);
            at += quote.chars().count() + 1;
            if !quote.trim().is_empty() {
                push(&mut statements, Token::Quote(quote));
            }
            continue;
        }
        let next = chars.get(at).copied().unwrap_or(' ');
        match c {
            '\n' | ';' | '!' | '?' => {
                end_word(&mut word, &mut statements);
                statements.push(Vec::new());
            }
            // Not within a number or an address.
            '.' if next.is_whitespace() => {
                end_word(&mut word, &mut statements);
                statements.push(Vec::new());
            }
            ',' | ':' if next.is_whitespace() || OPENING.contains(&next) => {
                end_word(&mut word, &mut statements);
                push(&mut statements, if c == ',' { Token::Comma } else { Token::Colon });
            }
            c if c.is_whitespace() || c == '(' || c == ')' || c == '"' => {
                end_word(&mut word, &mut statements);
            }
            c => word.push(c),
        }
    }
    end_word(&mut word, &mut statements);
    statements.retain(|statement| !statement.is_empty());
    statements
}

/// What stands up to a closing quote, which a letter does not follow; `None` if there is none.
fn quoted(chars: &[char], from: usize, close: char) -> Option<String> {
    let rest = chars.get(from..)?;
    let length = rest.iter().enumerate().position(|(at, c)| {
        let is_within_word = rest.get(at + 1).is_some_and(|next| next.is_alphanumeric());
        *c == close && !is_within_word
    })?;
    Some(rest.iter().take(length).collect())
}

fn push(statements: &mut [Vec<Token>], token: Token) {
    if let Some(statement) = statements.last_mut() {
        statement.push(token);
    }
}

fn end_word(word: &mut String, statements: &mut [Vec<Token>]) {
    if !word.is_empty() {
        push(statements, Token::Word(std::mem::take(word)));
    }
}

/// The pieces of a statement: a new one begins where a joint is followed by another component.
fn pieces_of(statement: &[Token]) -> Vec<BriefPiece> {
    if let Some(piece) = labelled(statement) {
        return vec![piece];
    }
    let mut pieces = Vec::new();
    let mut current: Vec<Token> = Vec::new();
    for (at, token) in statement.iter().enumerate() {
        let rest = statement.get(at + 1..).unwrap_or_default();
        let length = rest.iter().position(is_joint).unwrap_or(rest.len());
        let names_another = rest.iter().take(length).any(is_anchor);
        if is_joint(token) && names_another && current.iter().any(is_anchor) {
            pieces.push(piece_of(&std::mem::take(&mut current)));
            continue;
        }
        current.push(token.clone());
    }
    pieces.push(piece_of(&current));
    pieces
}

fn is_joint(token: &Token) -> bool {
    match token {
        Token::Comma => true,
        Token::Word(word) => JOINTS.contains(&word.to_lowercase().as_str()),
        Token::Quote(_) | Token::Colon => false,
    }
}

/// Whether it says that a component is meant.
fn is_anchor(token: &Token) -> bool {
    match token {
        Token::Quote(_) => true,
        Token::Word(word) => {
            let word = word.to_lowercase();
            word == "background" || PICTURES.contains(&word.as_str())
        }
        Token::Comma | Token::Colon => false,
    }
}

/// A line that begins with the name of its component: `Title: Blue Notes, huge`.
fn labelled(statement: &[Token]) -> Option<BriefPiece> {
    let colon = statement.iter().position(|token| *token == Token::Colon)?;
    let (label, rest) = (statement.get(..colon)?, statement.get(colon + 1..)?);
    let label = label.iter().map(|token| match token {
        Token::Word(word) => Some(word.to_lowercase()),
        _ => None,
    });
    let label: Vec<String> = label.collect::<Option<_>>()?;
    if label.is_empty() || label.len() > LONGEST_NAME {
        return None;
    }
    let is_picture = label.iter().any(|word| PICTURES.contains(&word.as_str()));
    if label.iter().any(|word| word == "background") {
        let words = plain_words(rest);
        return Some(BriefPiece { what: What::Background, name: "background".to_owned(), words });
    }
    let mut said: Vec<&str> = label.iter().map(String::as_str).collect();
    said.retain(|word| !NO_NAMES.contains(word) && !SAYING.contains(word));
    let name = said.join(" ");
    let quote = rest.iter().find_map(|token| match token {
        Token::Quote(quote) => Some(quote.clone()),
        _ => None,
    });
    // Without quotes, what stands before the first comma is it.
    let comma = rest.iter().position(|token| *token == Token::Comma).unwrap_or(rest.len());
    let first = rest.get(..comma).unwrap_or_default();
    let (content, behind) = match quote {
        Some(quote) => (quote, rest),
        None => (said_words(first), rest.get(comma..).unwrap_or_default()),
    };
    let words = plain_words(behind);
    if content.is_empty() && !is_picture {
        return None;
    }
    let name = if name.is_empty() { "text".to_owned() } else { name };
    if is_picture {
        let is_bare = said.len() == 1;
        let name = if is_bare && !content.is_empty() { content } else { name };
        return Some(BriefPiece { what: What::Visual, name, words });
    }
    Some(BriefPiece { what: What::Text(content), name, words })
}

/// The words as they were typed.
fn said_words(tokens: &[Token]) -> String {
    let words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(word.as_str()),
        Token::Quote(quote) => Some(quote.as_str()),
        Token::Comma | Token::Colon => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The words in lower case, an empty one for each comma; quotes left out.
fn plain_words(tokens: &[Token]) -> Vec<String> {
    let words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(word.to_lowercase()),
        Token::Comma | Token::Colon => Some(String::new()),
        Token::Quote(_) => None,
    });
    words.collect()
}

fn piece_of(tokens: &[Token]) -> BriefPiece {
    let words = plain_words(tokens);
    let quote = tokens.iter().enumerate().find_map(|(at, token)| match token {
        Token::Quote(quote) => Some((at, quote.clone())),
        _ => None,
    });
    if let Some((at, quote)) = quote {
        let before = plain_words(tokens.get(..at).unwrap_or_default());
        let name = name_before(&before).unwrap_or_else(|| "text".to_owned());
        return BriefPiece { what: What::Text(quote), name, words };
    }
    if words.iter().any(|word| word == "background") {
        return BriefPiece { what: What::Background, name: "background".to_owned(), words };
    }
    if let Some(at) = words.iter().position(|word| PICTURES.contains(&word.as_str())) {
        let name = picture_name(&words, at);
        return BriefPiece { what: What::Visual, name, words };
    }
    BriefPiece { what: What::Nothing, name: String::new(), words }
}

/// What a text is called by the words before it: the last that is a name.
fn name_before(words: &[String]) -> Option<String> {
    let mut names = words.iter().rev().filter(|word| {
        let word = word.as_str();
        !word.is_empty() && !SAYING.contains(&word) && !NO_NAMES.contains(&word)
    });
    let name = names.next()?;
    // "Titled" is the title; a colour, a size or a kind of design before the quote names nothing.
    let name = name.strip_suffix("d").filter(|stem| *stem == "title").unwrap_or(name);
    let is_kind =
        DesignType::ALL.iter().any(|design| design.words().split(' ').any(|it| it == name));
    let is_said = is_size(name) || is_kind || !colors_in(&[name.to_owned()]).is_empty();
    (!is_said && name.chars().any(char::is_alphabetic)).then(|| name.to_owned())
}

/// What a picture shows: `of a …` behind it, or the word before it.
fn picture_name(words: &[String], at: usize) -> String {
    let behind = words.get(at + 1..).unwrap_or_default();
    let of = behind.first().is_some_and(|word| word == "of");
    let named = behind.iter().skip(1).skip_while(|word| NO_NAMES.contains(&word.as_str()));
    let named = named.take_while(|word| {
        let word = word.as_str();
        !word.is_empty() && !PLACES.contains(&word) && !NO_NAMES.contains(&word) && !is_size(word)
    });
    let named: Vec<&str> = named.take(LONGEST_NAME).map(String::as_str).collect();
    if of && !named.is_empty() {
        return named.join(" ");
    }
    let kind = words.get(at).map(String::as_str).unwrap_or_default();
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    let before = before.filter(|word| {
        let word = word.as_str();
        !word.is_empty() && !NO_NAMES.contains(&word) && !is_size(word)
    });
    before.map_or(kind.to_owned(), |word| format!("{word} {kind}"))
}

/// Gives those of one name numbers: findings are told apart by it.
fn name_pieces(pieces: &mut [BriefPiece]) {
    let mut seen: Vec<String> = Vec::new();
    for piece in pieces.iter_mut().filter(|it| matches!(it.what, What::Text(_) | What::Visual)) {
        let count = seen.iter().filter(|name| **name == piece.name).count();
        seen.push(piece.name.clone());
        if count > 0 {
            piece.name = format!("{} {}", piece.name, count + 1);
        }
    }
}

fn is_size(word: &str) -> bool {
    SIZES.iter().any(|(size, _)| *size == word)
}

impl BriefPiece {
    fn says(&self, words: &str) -> bool {
        self.words.join(" ").contains(words)
    }

    /// What its words say; `names` are those that positions may refer to.
    fn told(&self, names: &[String]) -> PieceDetails {
        let (size, sized) = self.size();
        let color = self.words.split(String::is_empty).find_map(|part| {
            let words: Vec<String> = part.to_vec();
            colors_in(&words).into_iter().next().map(|(name, _)| name)
        });
        let colored: Vec<&str> =
            color.as_deref().map(|color| color.split(' ').collect()).unwrap_or_default();
        let mut places = Vec::new();
        let mut stretch: Vec<&str> = Vec::new();
        for (at, word) in self.words.iter().enumerate() {
            // No position goes on over a comma, a size or a colour.
            if word.is_empty() || sized.contains(&at) || colored.contains(&word.as_str()) {
                places.extend(position_in(&std::mem::take(&mut stretch), names));
            } else {
                stretch.push(word);
            }
        }
        places.extend(position_in(&stretch, names));
        let position = (!places.is_empty()).then(|| places.join(", "));
        PieceDetails { size, color, position }
    }

    /// The size that it says, and which of its words do.
    fn size(&self) -> (Option<WantedSize>, Vec<usize>) {
        let word_at = |at: usize| self.words.get(at).map(String::as_str).unwrap_or_default();
        for (at, word) in self.words.iter().enumerate() {
            let next = word_at(at + 1);
            let number = word.trim_end_matches("pt").trim_end_matches("px");
            let is_unit = ["pt", "px", "point", "points", "pixels"].contains(&next);
            let is_joined = number.len() < word.len();
            if let Some(points) = number
                .parse::<f64>()
                .ok()
                .filter(|points| points.is_finite() && *points > 0.0 && (is_unit || is_joined))
            {
                let taken = if is_joined { vec![at] } else { vec![at, at + 1] };
                return (Some(WantedSize::Points(points)), taken);
            }
            if ["very", "extra"].contains(&word.as_str()) && next == "large" {
                return (Some(WantedSize::Words("huge".to_owned())), vec![at, at + 1]);
            }
            if let Some((_, class)) = SIZES.iter().find(|(size, _)| size == word) {
                let is_class = TextClass::named(class).is_some();
                let class = WantedSize::Words((*class).to_owned());
                return (is_class.then_some(class), vec![at]);
            }
        }
        (None, Vec::new())
    }
}

/// The longest part of a stretch of words that is a position throughout.
fn position_in(stretch: &[&str], names: &[String]) -> Option<String> {
    let stretch = stretch.get(..stretch.len().min(LONGEST_STRETCH)).unwrap_or_default();
    for length in (1..=stretch.len()).rev() {
        let found = stretch.windows(length).find(|words| is_position(words, names));
        if let Some(words) = found {
            return Some(words.join(" "));
        }
    }
    None
}

fn is_position(words: &[&str], names: &[String]) -> bool {
    if !words.iter().any(|word| PLACES.contains(word)) {
        return false;
    }
    let found = clauses(&words.join(" "));
    let is_known = |name: &String| {
        let words = name_words(name);
        let any = ANY_TEXT.contains(&name.as_str()) || ANY_VISUAL.contains(&name.as_str());
        any || (!words.is_empty() && words.iter().all(|word| names.contains(word)))
    };
    let mut clauses = found.iter();
    !found.is_empty()
        && clauses.all(|clause| match clause {
            Err(_) => false,
            Ok(Clause::Relation(_, name)) => is_known(name),
            Ok(Clause::Between(a, b)) => is_known(a) && is_known(b),
            Ok(_) => true,
        })
}

#[cfg(test)]
mod tests;
