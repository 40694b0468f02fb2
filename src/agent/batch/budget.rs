//! What a batch may cost.

use parking_lot::Mutex;

use crate::base::CancelToken;

/// What a batch has cost, and what it may cost at most. When that is reached, no run begins and those
/// under way end after the turn they are at: `--resume` goes on with them.
#[derive(Debug)]
pub struct Budget {
    most_usd: Option<f64>,
    spent_usd: Mutex<f64>,
    stop: CancelToken,
}

impl Budget {
    /// A budget of which so much is spent already; `None`: without end.
    pub fn new(most_usd: Option<f64>, spent_usd: f64) -> Self {
        let budget = Self { most_usd, spent_usd: Mutex::new(0.0), stop: CancelToken::new() };
        budget.spend(spent_usd);
        budget
    }

    /// Asks runs to end when the budget is spent, or is raised by whoever wants the batch to end.
    pub fn stop(&self) -> &CancelToken {
        &self.stop
    }

    /// Counts more.
    pub fn spend(&self, usd: f64) {
        let mut spent = self.spent_usd.lock();
        // Prices of a user's file may be anything; a batch never gets cheaper.
        *spent += usd.max(0.0);
        if self.most_usd.is_some_and(|most| *spent >= most) {
            self.stop.stop_after_turn();
        }
    }

    /// What it may cost at most.
    pub fn most_usd(&self) -> Option<f64> {
        self.most_usd
    }

    /// Whether nothing is left.
    pub fn is_spent(&self) -> bool {
        self.most_usd.is_some_and(|most| self.spent_usd() >= most)
    }

    /// What the batch has cost so far, in US dollars.
    pub fn spent_usd(&self) -> f64 {
        *self.spent_usd.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_stops_when_it_is_spent_and_no_budget_never() {
        let budget = Budget::new(Some(1.0), 0.25);
        budget.spend(0.5);
        assert!(!budget.stop().is_stopping());
        budget.spend(0.25);
        assert!(budget.stop().is_stopping());
        let free = Budget::new(None, 1e9);
        assert!(!free.stop().is_stopping());
        assert!(Budget::new(Some(1.0), 1.0).stop().is_stopping());
    }
}
