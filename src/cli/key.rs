//! `pentimento key`: keys of providers in the system's keyring.

use std::io::{self, IsTerminal as _, Read as _};

use anyhow::Context as _;
use clap::{Args, Subcommand};

use crate::agent::providers::{KEYRING_SERVICE, KeySource, forget_key, store_key};

use super::environments::variables;
use super::output::{note, print};

/// Keep keys of providers in the system's keyring
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct KeyArguments {
    /// What to do.
    #[command(subcommand)]
    command: KeyCommand,
}

/// What can be done with a key.
#[derive(Debug, Subcommand)]
enum KeyCommand {
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

/// Longest key, in bytes.
const KEY_BYTES: u64 = 64 << 10;

/// Does the command. A key is never printed.
pub(super) fn key(arguments: &KeyArguments) -> anyhow::Result<()> {
    match &arguments.command {
        KeyCommand::Store { name } => {
            store_key(name, &read()?)?;
            Ok(print(&format!("{name} is in the system's keyring, of {KEYRING_SERVICE}\n"))?)
        }
        KeyCommand::Check { name } => {
            // Taken as a run would take it, so that what is checked is what a run will find.
            KeySource::Keyring(name.clone()).take(&variables())?;
            Ok(print(&format!("{name} is there\n"))?)
        }
        KeyCommand::Forget { name } => {
            forget_key(name)?;
            Ok(print(&format!("{name} is forgotten\n"))?)
        }
    }
}

/// The key from stdin: what is piped in, or what is typed, which is not shown.
fn read() -> anyhow::Result<String> {
    if io::stdin().is_terminal() {
        note("Type or paste the key and press Enter; it is not shown.");
        return rpassword::read_password().context("no key was read");
    }
    // Bounded: a wrong redirection would otherwise be read into memory whole.
    let mut key = String::new();
    io::stdin().take(KEY_BYTES).read_to_string(&mut key).context("no key was read")?;
    Ok(key)
}
