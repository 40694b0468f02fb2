//! The 48 actions: whose they are and what they take.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

use super::expert::Expert;

/// An action.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Action {
    /// Its name, unique.
    pub name: String,
    /// Who can do it by the released planner's table; see [`Self::who_can`].
    pub experts: Vec<Expert>,
    /// What it takes, in order; all of it is required.
    pub parameters: Vec<Parameter>,
}

/// A parameter of an action.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Other names that the released tables use for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// Smallest and largest value of a number, where the documentation gives them.
    pub range: Option<(f64, f64)>,
    /// What a text may be, where it is one of few.
    pub choices: Option<Vec<String>>,
}

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ParameterKind {
    /// A whole number; the released executor takes any number.
    #[serde(rename = "int")]
    Integer,
    /// A number.
    #[serde(rename = "float")]
    Number,
    /// A text.
    #[serde(rename = "str")]
    Text,
}

#[derive(Deserialize)]
struct Table {
    actions: Vec<Action>,
}

static TABLE: LazyLock<Vec<Action>> = LazyLock::new(|| {
    let text = include_str!("../../assets/suite/actions.json");
    // A test reads the file too; should it break all the same, no action is known.
    serde_json::from_str(text).map(|table: Table| table.actions).unwrap_or_default()
});

/// All 48 actions.
pub fn all() -> &'static [Action] {
    &TABLE
}

/// The action of this name.
pub fn find(name: &str) -> Option<&'static Action> {
    // Forty-eight names are searched as quickly as hashed.
    TABLE.iter().find(|action| action.name == name)
}

impl Action {
    /// Who can do it. Everybody can save: the papers' table has `SaveDocument` for all three, as have
    /// the released scripts and the plans of people; the released planner's table gives the layout
    /// designer `ExportDocument` instead.
    pub fn who_can(&self) -> &[Expert] {
        if self.name == "SaveDocument" { &Expert::ALL } else { &self.experts }
    }
}

impl Parameter {
    /// Whether this is its name or another of its names.
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// What is wrong with a value, if anything. A number may be written as a text, as the released
    /// executor reads it.
    pub fn fault_of(&self, value: &Value) -> Option<String> {
        match self.kind {
            ParameterKind::Text => self.fault_of_text(value),
            ParameterKind::Integer | ParameterKind::Number => self.fault_of_number(value),
        }
    }

    fn fault_of_text(&self, value: &Value) -> Option<String> {
        // A list, an object or nothing cannot be meant for a text; anything that prints as one can.
        let text = match value {
            // The choices are in lower case in the table; the programs take any case.
            Value::String(text) => text.trim().to_lowercase(),
            // A text such as "2024" is often written without its quotes.
            Value::Number(number) => number.to_string(),
            _ => return Some(format!("{} must be a text, not {value}", self.name)),
        };
        let choices = self.choices.as_deref().unwrap_or_default();
        let fits = choices.is_empty() || choices.contains(&text);
        (!fits).then(|| format!("{} must be one of {}, not {text}", self.name, choices.join(", ")))
    }

    fn fault_of_number(&self, value: &Value) -> Option<String> {
        let number = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let Some(number) = number.filter(|number: &f64| number.is_finite()) else {
            return Some(format!("{} must be a number, not {value}", self.name));
        };
        // Without a documented range any number is good: the executor takes it as it is.
        let (least, most) = self.range?;
        let fits = (least..=most).contains(&number);
        (!fits).then(|| format!("{} must be within {least} and {most}, not {number}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn there_are_48_actions_of_three_experts() {
        assert_eq!(all().len(), 48);
        let counts = Expert::ALL
            .map(|expert| all().iter().filter(|action| action.experts.contains(&expert)).count());
        assert_eq!(counts, [31, 35, 20]);
    }

    #[test]
    fn everybody_can_save_and_only_the_layout_designer_exports() {
        assert_eq!(find("SaveDocument").unwrap().who_can(), Expert::ALL);
        assert_eq!(find("ExportDocument").unwrap().who_can(), [Expert::LayoutDesigner]);
    }

    #[test]
    fn values_are_checked_by_kind_range_and_choice() {
        let action = find("AdjustBC").unwrap();
        let brightness = &action.parameters[1];
        assert_eq!(brightness.fault_of(&json!(150)), None);
        assert_eq!(brightness.fault_of(&json!("-20")), None);
        for bad in [json!(151), json!("bright"), json!([1]), json!(null), json!("NaN")] {
            assert!(brightness.fault_of(&bad).is_some(), "{bad}");
        }
        let alignment = &find("AlignText").unwrap().parameters[1];
        assert_eq!(alignment.fault_of(&json!("Center")), None);
        assert!(alignment.fault_of(&json!("middle")).is_some());
    }
}
