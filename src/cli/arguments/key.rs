//! What `pentimento key` takes.

use clap::{Args, Subcommand};

/// Keep keys of providers in the system's keyring
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct KeyArguments {
    /// What to do.
    #[command(subcommand)]
    pub(in crate::cli) command: KeyCommand,
}

/// What can be done with a key.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum KeyCommand {
    /// Put a key there, in place of one that may be there: from stdin, or typed without being shown.
    Store {
        /// The name that files of models use for it.
        name: String,
    },
    /// Say whether it is there and can be used; it is not printed.
    Check {
        /// The name that files of models use for it.
        name: String,
    },
    /// Take a key out for good.
    Forget {
        /// The name that files of models use for it.
        name: String,
    },
}

const EXAMPLES: &str = "\
Examples:
  pentimento key store work
  pass show api/work | pentimento key store work
  pentimento key forget work

A file of models then says {\"provider\": {…, \"key\": {\"keyring\": \"work\"}}}.";
