//! The program: parses arguments and opens the window or does the work of a command.

fn main() {}
