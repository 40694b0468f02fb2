//! The link to the design tool. The design is in this process, so there is one channel and it is
//! always open; the tools are there because the published list has them.

use serde::Deserialize;
use serde_json::json;

use super::error::ToolError;
use super::reply::Reply;

/// The one channel, named as the published server names its first.
const CHANNEL: &str = "1-A";

#[derive(Debug, Deserialize)]
pub(super) struct SelectChannel {
    channel: String,
}

pub(super) fn get_channels() -> Reply {
    let text = format!("Available channels: {CHANNEL}");
    Reply::new(text, json!({"availableChannels": [CHANNEL], "currentChannel": CHANNEL}))
}

pub(super) fn select_channel(arguments: &SelectChannel) -> Result<Reply, ToolError> {
    let channel = arguments.channel.as_str();
    if channel != CHANNEL {
        // The caller's words come back in the answer, and may be of any length.
        let asked: String = channel.chars().take(80).collect();
        return Err(ToolError::Refused(format!(
            "there is no channel \"{asked}\"; the only one is \"{CHANNEL}\""
        )));
    }
    Ok(Reply::new(format!("Successfully joined channel: {CHANNEL}"), json!({"channel": CHANNEL})))
}

pub(super) fn check_connection_status() -> Reply {
    Reply::new(
        format!("Connected on channel: {CHANNEL}"),
        json!({"currentChannel": CHANNEL, "availableChannels": [CHANNEL]}),
    )
}
