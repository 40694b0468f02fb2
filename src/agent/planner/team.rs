//! The experts there are, by what the environment's tools say.

use std::fmt::Write as _;

use serde_json::Value;

use crate::environment::ToolSpec;

/// The experts that a tool may be used by.
fn experts_of(tool: &ToolSpec) -> impl Iterator<Item = &str> {
    let experts = tool.schema["properties"]["expert"]["enum"].as_array();
    experts.into_iter().flatten().filter_map(Value::as_str)
}

/// All experts, in the order in which the tools name them; none if the environment has none.
pub(super) fn experts(tools: &[ToolSpec]) -> Vec<&str> {
    let mut experts: Vec<&str> = Vec::new();
    for expert in tools.iter().flat_map(experts_of) {
        if !experts.contains(&expert) {
            experts.push(expert);
        }
    }
    experts
}

/// The expert of this name, however it is spelled.
pub(super) fn named<'a>(experts: &[&'a str], name: &str) -> Option<&'a str> {
    experts.iter().find(|expert| expert.eq_ignore_ascii_case(name.trim())).copied()
}

/// The actions of an expert, a line each, with what they take.
pub(super) fn actions_text(tools: &[ToolSpec], expert: &str) -> String {
    let mut text = String::new();
    for tool in tools.iter().filter(|tool| experts_of(tool).any(|name| name == expert)) {
        let (name, description) = (tool.name, tool.description);
        // Writing to a String cannot fail.
        writeln!(text, "- {name}({}): {description}", parameters(tool)).ok();
    }
    text.trim_end().to_owned()
}

/// The actions of all experts, each under his name.
pub(super) fn all_actions_text(tools: &[ToolSpec]) -> String {
    let mut parts = Vec::new();
    for expert in experts(tools) {
        parts.push(format!("{expert}:\n{}", actions_text(tools, expert)));
    }
    parts.join("\n\n")
}

fn parameters(tool: &ToolSpec) -> String {
    let properties = tool.schema["properties"].as_object();
    // Whose action it is says the heading above it.
    let named = properties.into_iter().flatten().filter(|(name, _)| *name != "expert");
    named.map(|(name, schema)| parameter(name, schema)).collect::<Vec<_>>().join(", ")
}

fn parameter(name: &str, schema: &Value) -> String {
    let kind = schema["type"].as_str().unwrap_or("any");
    let range = match (&schema["minimum"], &schema["maximum"]) {
        (Value::Number(least), Value::Number(most)) => format!(" {least} to {most}"),
        (Value::Number(least), _) => format!(" from {least}"),
        (_, Value::Number(most)) => format!(" up to {most}"),
        _ => String::new(),
    };
    let words = schema["enum"].as_array();
    let words: Vec<&str> = words.into_iter().flatten().filter_map(Value::as_str).collect();
    let words = if words.is_empty() { String::new() } else { format!(" {}", words.join(" | ")) };
    format!("{name}: {kind}{range}{words}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::environment::ToolCategory;

    fn tool(name: &'static str, experts: &[&str]) -> ToolSpec {
        let schema = json!({"type": "object", "properties": {
            "expert": {"type": "string", "enum": experts},
            "size": {"type": "integer", "minimum": 1, "maximum": 9},
            "way": {"type": "string", "enum": ["up", "down"]},
        }});
        ToolSpec { name, description: "Does it.", schema, category: ToolCategory::Other }
    }

    #[test]
    fn experts_and_their_actions_are_read_off_the_tools() {
        let tools = [tool("Draw", &["Vector"]), tool("Save", &["Photo", "Vector"])];
        assert_eq!(experts(&tools), ["Vector", "Photo"]);
        assert_eq!(named(&experts(&tools), " photo "), Some("Photo"));
        assert_eq!(
            actions_text(&tools, "Photo"),
            "- Save(size: integer 1 to 9, way: string up | down): Does it."
        );
        assert_eq!(actions_text(&tools, "Vector").lines().count(), 2);
        assert!(all_actions_text(&tools).contains("Photo:\n- Save"));
    }
}
