//! `pentimento key`: keys of providers in the system's keyring.

use std::io::{self, IsTerminal as _, Read as _};

use anyhow::Context as _;

use crate::agent::providers::{KEYRING_SERVICE, KeySource, forget_key, store_key};

use super::arguments::{KeyArguments, KeyCommand};
use super::output::{note, print};

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
            KeySource::Keyring(name.clone()).take()?;
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
    let mut key = String::new();
    io::stdin().take(KEY_BYTES).read_to_string(&mut key).context("no key was read")?;
    Ok(key)
}
