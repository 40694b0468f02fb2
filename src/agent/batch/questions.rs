//! What single questions to models would read, write and cost, before any of them is sent.

use crate::agent::chat::TokenUsage;
use crate::agent::providers::Prices;

use super::estimate::request_tokens;

/// Tokens of an answer to a question, about.
const ANSWER_TOKENS: f64 = 200.0;

/// What questions would read and write, each of which is a request of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QuestionsEstimate {
    /// How many; no whole number where it is worked out from some of them.
    pub requests: f64,
    /// Tokens that are read, about.
    pub read: f64,
}

impl QuestionsEstimate {
    /// Counts a question of so many bytes of words and so many pixels of pictures.
    pub fn add(&mut self, bytes: f64, pixels: f64) {
        self.requests += 1.0;
        self.read += request_tokens(bytes, pixels);
    }

    /// So many times as much.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { requests: self.requests * factor, read: self.read * factor }
    }

    /// Tokens that are written, about.
    pub fn written(&self) -> f64 {
        self.requests * ANSWER_TOKENS
    }

    /// Tokens that are written where each answer is as long as it may be, in tokens.
    pub fn most_written(&self, most_tokens: f64) -> f64 {
        self.requests * most_tokens
    }
}

/// What so many tokens cost that are read and written, in US dollars; `None`: nobody said the prices, or one is no
/// amount.
pub fn tokens_cost_usd(prices: Option<&Prices>, read: f64, written: f64) -> Option<f64> {
    let usage = TokenUsage {
        input: read.round() as u64,
        output: written.round() as u64,
        ..TokenUsage::default()
    };
    prices?.cost_usd(&usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_cost_what_they_hold_and_what_their_answers_do() {
        let mut asked = QuestionsEstimate::default();
        asked.add(400.0, 7500.0);
        asked.add(400.0, 0.0);
        assert_eq!((asked.requests, asked.read, asked.written()), (2.0, 210.0, 400.0));
        assert_eq!(asked.times(3.0).most_written(512.0), 3072.0);
        let prices = Prices { input: 1.0, output: 2.0, cached_input: None, cache_writes: None };
        let cost = tokens_cost_usd(Some(&prices), asked.read, asked.written()).unwrap();
        assert!((cost - (210.0 + 800.0) / 1e6).abs() < 1e-12);
        assert_eq!(tokens_cost_usd(None, 1.0, 1.0), None);
    }
}
