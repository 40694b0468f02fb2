//! Plays a list of tool calls.
