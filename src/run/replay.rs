//! (see mod)
