//! Python literals as people and models write them, with their mistakes.

use serde_json::{Map, Number, Value};

/// Deepest nesting of brackets.
const DEPTH: usize = 64;
/// Longest text, in bytes.
const BYTES: usize = 4 << 20;

/// What a text says, and what had to be mended to see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// Dictionaries as objects, lists and tuples as arrays, `None` as null.
    pub value: Value,
    /// What was wrong, in order.
    pub repairs: Vec<Repair>,
}

/// Something that is not as Python wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Byte offset in the text.
    pub at: usize,
    /// What was wrong, in words.
    pub what: &'static str,
}

/// Why a text is no literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LiteralError {
    /// There is nothing in it.
    #[error("there is nothing to read")]
    Empty,
    /// Too long to be read.
    #[error("longer than {BYTES} bytes")]
    TooLong,
    /// Brackets in brackets in brackets.
    #[error("nests deeper than {DEPTH} levels (at byte {at})")]
    TooDeep {
        /// Where it went too far.
        at: usize,
    },
    /// So many quotes that could begin something else that reading it would take too long.
    #[error("too tangled to be read (at byte {at})")]
    TooTangled {
        /// Where it was given up.
        at: usize,
    },
    /// A value should stand here.
    #[error("no value begins at byte {at}")]
    NoValue {
        /// Where.
        at: usize,
    },
}

/// Reads a Python literal: dictionaries, lists, tuples, texts, numbers, `True`, `False`, `None`; JSON
/// is one too. Nothing is evaluated.
///
/// It is tolerant where what was meant can be seen, and says so ([`Literal::repairs`]): quotes inside
/// texts that were not escaped, control characters in them, a quote left out before a comma or after
/// a key, a comma in the place of a colon, brackets that are not closed, and text after the end. A
/// list's item that is a bracketed literal in quotes (`'{'id': 1}'`) is what stands inside, with its
/// last quote or, as in the published plans of dayeonki/designbench, without.
///
/// Takes time in proportion to the text's length, whatever it holds.
pub fn read_literal(text: &str) -> Result<Literal, LiteralError> {
    if text.len() > BYTES {
        return Err(LiteralError::TooLong);
    }
    // A bracket in quotes is tried as a literal first and as a text then, so that nested ones could
    // be read twice at each level. Sixty-four readings of every character are far more than an
    // honest text needs.
    let fuel = 64 * text.len() + 4096;
    let mut reader = LiteralReader { text, at: 0, repairs: Vec::new(), fuel };
    reader.skip_space();
    if reader.peek().is_none() {
        return Err(LiteralError::Empty);
    }
    let value = reader.value(LiteralPlace::Item, 0)?.value;
    reader.skip_space();
    if reader.peek().is_some() {
        reader.repair("text after the end");
    }
    Ok(Literal { value, repairs: reader.repairs })
}

/// Where a text in quotes stands, which says what may follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LiteralPlace {
    Key,
    Value,
    Item,
}

/// A value, and the key of the next one if its own closing quote was left out before that.
struct ParsedValue {
    value: Value,
    next_key: Option<String>,
}

impl From<Value> for ParsedValue {
    fn from(value: Value) -> Self {
        Self { value, next_key: None }
    }
}

struct LiteralReader<'a> {
    text: &'a str,
    at: usize,
    repairs: Vec<Repair>,
    /// How many more characters may be looked at.
    fuel: usize,
}

impl LiteralReader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The next character, passed over.
    fn take(&mut self) -> Result<Option<char>, LiteralError> {
        self.fuel = self.fuel.checked_sub(1).ok_or(LiteralError::TooTangled { at: self.at })?;
        let next = self.peek();
        self.at += next.map_or(0, char::len_utf8);
        Ok(next)
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn repair(&mut self, what: &'static str) {
        self.repairs.push(Repair { at: self.at, what });
    }

    fn value(&mut self, place: LiteralPlace, depth: usize) -> Result<ParsedValue, LiteralError> {
        let at = self.at;
        if depth > DEPTH {
            return Err(LiteralError::TooDeep { at });
        }
        match self.peek() {
            Some('{') => Ok(self.dictionary(depth)?.into()),
            Some('[' | '(') => Ok(self.list(depth)?.into()),
            Some('\'' | '"') => match self.wrapped(place, depth)? {
                Some(value) => Ok(value.into()),
                None => self.text_value(place),
            },
            Some(c) if is_bare(c) => Ok(self.bare()?.into()),
            _ => Err(LiteralError::NoValue { at }),
        }
    }

    /// A bracketed literal in quotes, in a list; `None`, with nothing read, if it is a plain text.
    fn wrapped(
        &mut self,
        place: LiteralPlace,
        depth: usize,
    ) -> Result<Option<Value>, LiteralError> {
        let (start, repairs) = (self.at, self.repairs.len());
        let quote = self.take()?;
        if place == LiteralPlace::Item && matches!(self.peek(), Some('{' | '[')) {
            match self.value(LiteralPlace::Item, depth + 1) {
                // The quote that opened it closes it, or, as in the published plans, is left out
                // before what may follow an item. Anything else shows that it was a text that only
                // begins with a bracket.
                Ok(found) => {
                    self.skip_space();
                    match self.peek() {
                        next if next == quote => drop(self.take()?),
                        None | Some(',' | ']' | ')') => self.repair("no quote after a literal"),
                        _ => return Ok(self.back_to(start, repairs)),
                    }
                    return Ok(Some(found.value));
                }
                // Trying it as a text would start the same search again one level up, for each
                // level.
                Err(error @ (LiteralError::TooTangled { .. } | LiteralError::TooDeep { .. })) => {
                    return Err(error);
                }
                // No literal stands there, so it is a text, such as `'[draft] title'`.
                Err(_) => {}
            }
        }
        Ok(self.back_to(start, repairs))
    }

    /// Nothing was read from there on.
    fn back_to(&mut self, at: usize, repairs: usize) -> Option<Value> {
        self.at = at;
        self.repairs.truncate(repairs);
        None
    }

    fn list(&mut self, depth: usize) -> Result<Value, LiteralError> {
        self.take()?;
        let mut items = Vec::new();
        loop {
            self.skip_separators()?;
            match self.peek() {
                Some(']' | ')') => {
                    self.take()?;
                    return Ok(Value::Array(items));
                }
                None | Some('}') => {
                    self.repair("a list is not closed");
                    return Ok(Value::Array(items));
                }
                _ => items.push(self.value(LiteralPlace::Item, depth + 1)?.value),
            }
        }
    }

    fn skip_separators(&mut self) -> Result<(), LiteralError> {
        self.skip_space();
        while self.peek() == Some(',') {
            self.take()?;
            self.skip_space();
        }
        Ok(())
    }

    fn dictionary(&mut self, depth: usize) -> Result<Value, LiteralError> {
        self.take()?;
        let mut fields = Map::new();
        let mut known_key = None;
        loop {
            // A key that was found at the end of the last value was read with it.
            if known_key.is_none() {
                self.skip_separators()?;
                match self.peek() {
                    Some('}') => {
                        self.take()?;
                        return Ok(Value::Object(fields));
                    }
                    None | Some(']' | ')') => {
                        self.repair("a dictionary is not closed");
                        return Ok(Value::Object(fields));
                    }
                    _ => {}
                }
            }
            let key = match known_key.take() {
                Some(key) => key,
                None => match self.key()? {
                    Key::Alone(key) => key,
                    Key::WithValue(key, value) => {
                        fields.insert(key, Value::String(value));
                        continue;
                    }
                },
            };
            self.colon()?;
            let found = match self.peek() {
                // Nothing follows: the value was left out.
                None | Some('}') => Value::Null.into(),
                _ => self.value(LiteralPlace::Value, depth + 1)?,
            };
            known_key = found.next_key;
            fields.insert(key, found.value);
        }
    }

    fn colon(&mut self) -> Result<(), LiteralError> {
        self.skip_space();
        match self.peek() {
            Some(':') => drop(self.take()?),
            Some(',') => {
                self.repair("a comma in the place of a colon");
                self.take()?;
            }
            _ => self.repair("no colon after a key"),
        }
        self.skip_space();
        Ok(())
    }

    fn key(&mut self) -> Result<Key, LiteralError> {
        if !matches!(self.peek(), Some('\'' | '"')) {
            let key = self.bare_key()?;
            return Ok(Key::Alone(key));
        }
        let (text, end) = self.quoted(LiteralPlace::Key)?;
        // 'size: 'large', … — the quote after the key was left out.
        let split = text.split_once(": '").or_else(|| text.split_once(": \""));
        match (end, split) {
            (End::BeforeComma, Some((key, value))) => {
                self.repair("no quote after a key");
                Ok(Key::WithValue(key.to_owned(), value.to_owned()))
            }
            _ => Ok(Key::Alone(text)),
        }
    }

    /// A key without a quote before it, or without any.
    fn bare_key(&mut self) -> Result<String, LiteralError> {
        let start = self.at;
        let mut key = String::new();
        // Unlike a bare value a bare key may be of several words: a quote or a colon ends it.
        while let Some(c) = self.peek().filter(|c| is_bare(*c) || *c == ' ') {
            key.push(c);
            self.take()?;
        }
        if self.at == start {
            return Err(LiteralError::NoValue { at: start });
        }
        self.repair("no quote before a key");
        if matches!(self.peek(), Some('\'' | '"')) {
            self.take()?;
        }
        Ok(key.trim().to_owned())
    }

    fn text_value(&mut self, place: LiteralPlace) -> Result<ParsedValue, LiteralError> {
        let (mut text, end) = self.quoted(place)?;
        let mut next_key = None;
        if let End::BeforeColon { value_end, key_start } = end {
            self.repair("no quote after a text");
            next_key = text.get(key_start..).map(str::to_owned);
            text.truncate(value_end);
        }
        Ok(ParsedValue { value: Value::String(text), next_key })
    }

    /// A text in quotes, and what ended it. A quote ends it if what follows can follow a text there.
    fn quoted(&mut self, place: LiteralPlace) -> Result<(String, End), LiteralError> {
        let quote = self.take()?.unwrap_or('\'');
        let mut text = String::new();
        loop {
            match self.take()? {
                None => {
                    self.repair("a text is not closed");
                    return Ok((text, End::Usual));
                }
                Some('\\') => self.escape(&mut text)?,
                Some(c) if c == quote => {
                    if let Some(end) = self.end_of(place, &text, quote) {
                        return Ok((text, end));
                    }
                    self.repair("a quote in a text");
                    text.push(c);
                }
                Some(c) => {
                    if c.is_control() {
                        self.repair("a control character in a text");
                    }
                    text.push(c);
                }
            }
        }
    }

    /// How a quote ends the text before it, if it does.
    fn end_of(&self, place: LiteralPlace, text: &str, quote: char) -> Option<End> {
        let rest = self.rest().trim_start();
        let mut after = rest.chars();
        match (after.next(), place) {
            // At the end, before a bracket, or before a colon after a key, it can be nothing else.
            (None, _)
            | (Some('}' | ']' | ')'), LiteralPlace::Value | LiteralPlace::Item)
            | (Some(':'), LiteralPlace::Key) => Some(End::Usual),
            // A colon never follows a value: the text has run on over the next key.
            (Some(':'), LiteralPlace::Value) => cut_before_key(text, quote),
            (Some(','), LiteralPlace::Key) => Some(End::BeforeComma),
            // A comma may also go on within a text ('it's', she said'): what follows it decides.
            (Some(','), _) => begins_next(after.as_str().trim_start(), place).then_some(End::Usual),
            _ => None,
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<(), LiteralError> {
        match self.take()? {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('u') => self.code(4, text)?,
            Some('x') => self.code(2, text)?,
            Some(c @ ('\\' | '\'' | '"' | '/')) => text.push(c),
            // Python goes on in the next line, and keeps what it does not know.
            Some('\n') => {}
            Some(c) => text.extend(['\\', c]),
            None => text.push('\\'),
        }
        Ok(())
    }

    /// A character by so many hexadecimal digits; what is none stays as it stands.
    fn code(&mut self, digits: usize, text: &mut String) -> Result<(), LiteralError> {
        let code = self.rest().get(..digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        if let Some(c) = code.and_then(char::from_u32) {
            text.push(c);
            (0..digits).try_for_each(|_| self.take().map(drop))
        } else {
            self.repair("an escape that is no character");
            // Python refuses it; the letters are kept, for they may be a path such as `\users`.
            text.push_str(if digits == 4 { "\\u" } else { "\\x" });
            Ok(())
        }
    }

    /// A number or a word.
    fn bare(&mut self) -> Result<Value, LiteralError> {
        let start = self.at;
        while self.peek().is_some_and(is_bare) {
            self.take()?;
        }
        let word = self.text.get(start..self.at).unwrap_or_default();
        Ok(match word {
            "True" | "true" => Value::Bool(true),
            "False" | "false" => Value::Bool(false),
            "None" | "null" => Value::Null,
            _ => {
                if let Some(number) = number(word) {
                    return Ok(Value::Number(number));
                }
                self.repairs.push(Repair { at: start, what: "a text without quotes" });
                Value::String(word.to_owned())
            }
        })
    }
}

/// Python writes 1_000 for 1000; what is no whole number of 64 bits is taken for a float.
fn number(word: &str) -> Option<Number> {
    let digits = word.replace('_', "");
    let whole = digits.parse::<i64>().ok().map(Number::from);
    whole.or_else(|| Number::from_f64(digits.parse().ok()?))
}

/// A key, and its value where it could only be seen with it.
enum Key {
    Alone(String),
    WithValue(String, String),
}

/// What ended a text in quotes.
enum End {
    /// What may follow a text there.
    Usual,
    /// A comma after a key.
    BeforeComma,
    /// A colon after a value: it ends at one offset, and from the other on is the next key.
    BeforeColon { value_end: usize, key_start: usize },
}

fn is_bare(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.')
}

/// Whether something new begins after a comma: a key in a dictionary, else any value.
fn begins_next(rest: &str, place: LiteralPlace) -> bool {
    match rest.chars().next() {
        None | Some('\'' | '"' | '}' | ']' | ')') => true,
        Some('{' | '[' | '(') => place != LiteralPlace::Value,
        Some(c) if place == LiteralPlace::Value => c.is_alphabetic() && begins_with_key(rest),
        Some(c) => c.is_ascii_digit() || c == '-' || begins_with_word(rest),
    }
}

/// Whether a key without a quote before it comes: a word, a quote and a colon.
fn begins_with_key(rest: &str) -> bool {
    let after = rest.trim_start_matches(is_bare);
    after.strip_prefix(['\'', '"']).is_some_and(|after| after.trim_start().starts_with(':'))
}

fn begins_with_word(rest: &str) -> bool {
    ["True", "False", "None", "true", "false", "null"].iter().any(|word| rest.starts_with(word))
}

/// Where a text that goes on to a colon was meant to end: before the last comma, quote and word.
fn cut_before_key(text: &str, quote: char) -> Option<End> {
    let key = text.trim_end_matches(is_bare);
    let value = key.strip_suffix(quote)?.trim_end().strip_suffix(',')?;
    (key.len() < text.len())
        .then_some(End::BeforeColon { value_end: value.len(), key_start: key.len() })
}

#[cfg(test)]
mod tests;
