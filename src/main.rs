//! The program: parses arguments and opens the window or does the work of a command.

use std::process::ExitCode;

fn main() -> ExitCode {
    pentimento::cli::main()
}
