//! Draws what it sees: the honest baseline that needs no model.
