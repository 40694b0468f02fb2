//! What tokens cost.

use crate::agent::chat::TokenUsage;

pub use crate::model::endpoint::Prices;

impl Prices {
    /// What these tokens cost, in US dollars; `None` if a price is no amount.
    pub fn cost_usd(&self, usage: &TokenUsage) -> Option<f64> {
        // Counts that do not add up, as some servers send them, must not make a price below zero.
        let cached = usage.cached_input.min(usage.input);
        let written = usage.cache_writes.min(usage.input - cached);
        let cost = (usage.input - cached - written) as f64 * self.input
            + cached as f64 * self.cached_input.unwrap_or(self.input)
            + written as f64 * self.cache_writes.unwrap_or(self.input)
            + usage.output as f64 * self.output;
        (cost.is_finite() && cost >= 0.0).then_some(cost / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_tokens_have_their_own_price() {
        let prices =
            Prices { input: 2.0, output: 10.0, cached_input: Some(0.5), cache_writes: None };
        let usage =
            TokenUsage { input: 1000, output: 100, cached_input: 400, ..TokenUsage::default() };
        let cost = prices.cost_usd(&usage).unwrap();
        assert!((cost - (600.0 * 2.0 + 400.0 * 0.5 + 100.0 * 10.0) / 1e6).abs() < 1e-12);
        let dear = Prices { cached_input: None, ..prices };
        assert!((dear.cost_usd(&usage).unwrap() - 0.003).abs() < 1e-12);
    }

    #[test]
    fn more_cached_tokens_than_tokens_cost_no_less_than_nothing() {
        let prices = Prices { input: 1.0, output: 1.0, cached_input: None, cache_writes: None };
        let usage = TokenUsage { input: 1, cached_input: u64::MAX, ..TokenUsage::default() };
        assert!((prices.cost_usd(&usage).unwrap() - 1e-6).abs() < 1e-18);
        let no_price = Prices { input: f64::NAN, ..prices };
        assert_eq!(no_price.cost_usd(&usage), None);
    }
}
