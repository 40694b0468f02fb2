//! The values of a call: found by name or place, and of the right type.

use serde_json::{Map, Value};

use crate::base::{Limits, Rgba};
use crate::graphictown::{Expert, Parameter, ParameterKind};

use super::catalogue::{Catalogue, SuiteAction};
use super::compat::Compat;
use super::failure::{Failure, shorten};

/// The longest text a layer takes, in characters.
pub(super) const MOST_CHARACTERS: usize = 20_000;
/// The longest name of a layer, file, font …, in characters.
const MOST_NAME: usize = 1_000;

/// A call, checked.
#[derive(Debug)]
pub(super) struct CheckedCall {
    /// Who acts.
    pub(super) expert: Expert,
    /// What he does.
    pub(super) action: &'static SuiteAction,
    /// The values, by the parameters' places.
    values: Vec<Taken>,
}

/// A value of its parameter's type.
#[derive(Clone, Debug, PartialEq)]
enum Taken {
    Text(String),
    Number(f64),
}

impl CheckedCall {
    /// Reads the arguments of a call: an object with `expert` and the parameters by their names, or
    /// with `parameters`, an object of them or a list in their order.
    pub(super) fn read(
        name: &str,
        arguments: &Value,
        compat: Compat,
    ) -> Result<Option<Self>, Failure> {
        // Plans write names with spaces around them.
        let Some(action) = Catalogue::get().find(name.trim()) else { return Ok(None) };
        let fields = arguments.as_object().ok_or_else(|| {
            Failure::BadArguments("the arguments must be an object with an expert".to_owned())
        })?;
        // Who is asked comes first: an action of another's is a failure of its own.
        let expert = expert(fields)?;
        if !action.experts.contains(&expert) {
            let others = action.experts.to_vec();
            return Err(Failure::NotOfExpert { expert, action: action.name, others });
        }
        let values = values(action, fields, compat)?;
        Ok(Some(Self { expert, action, values }))
    }

    /// The number of this parameter.
    pub(super) fn number(&self, name: &str) -> Result<f64, Failure> {
        match self.value(name)? {
            Taken::Number(number) => Ok(*number),
            Taken::Text(_) => Err(self.lacks(name)),
        }
    }

    /// The text of this parameter.
    pub(super) fn text(&self, name: &str) -> Result<&str, Failure> {
        match self.value(name)? {
            Taken::Text(text) => Ok(text),
            Taken::Number(_) => Err(self.lacks(name)),
        }
    }

    /// The number of this parameter as a whole one.
    pub(super) fn whole(&self, name: &str) -> Result<i32, Failure> {
        Ok(self.number(name)?.round().clamp(-1e9, 1e9) as i32)
    }

    /// The colour that `red`, `green` and `blue` give.
    pub(super) fn color(&self) -> Result<Rgba, Failure> {
        let channels = [self.number("red")?, self.number("green")?, self.number("blue")?];
        let [r, g, b] = channels.map(|channel| channel.round().clamp(0.0, 255.0) as u8);
        Ok(Rgba::from_u8([r, g, b, 255]))
    }

    /// The name of the layer it is about.
    pub(super) fn layer(&self) -> Result<&str, Failure> {
        self.text("layerName")
    }

    fn value(&self, name: &str) -> Result<&Taken, Failure> {
        let at = self.action.parameters.iter().position(|parameter| parameter.is_named(name));
        at.and_then(|at| self.values.get(at)).ok_or_else(|| self.lacks(name))
    }

    fn lacks(&self, name: &str) -> Failure {
        lacks(self.action, name)
    }
}

fn lacks(action: &SuiteAction, name: &str) -> Failure {
    Failure::MissingParameter {
        action: action.name,
        parameter: name.to_owned(),
        takes: action.takes(),
    }
}

fn expert(fields: &Map<String, Value>) -> Result<Expert, Failure> {
    let name = match fields.get("expert") {
        Some(Value::String(name)) => name,
        Some(other) => return Err(Failure::UnknownExpert(shorten(&other.to_string()))),
        None => return Err(Failure::BadArguments("the arguments lack the expert".to_owned())),
    };
    Expert::from_name(name).ok_or_else(|| Failure::UnknownExpert(shorten(name)))
}

fn values(
    action: &'static SuiteAction,
    fields: &Map<String, Value>,
    compat: Compat,
) -> Result<Vec<Taken>, Failure> {
    let own: Map<String, Value>;
    // Beside `expert`, in an object, or in a list: models write all three.
    let named = match fields.get("parameters") {
        Some(Value::Array(list)) => {
            return by_place(action, &list.iter().collect::<Vec<_>>(), compat);
        }
        Some(Value::Object(named)) => named,
        Some(other) => {
            let message =
                format!("parameters must be an object or a list, not {}", describe(other));
            return Err(Failure::BadArguments(message));
        }
        None => {
            let values = fields.iter().filter(|(name, _)| *name != "expert");
            own = values.map(|(name, value)| (name.clone(), value.clone())).collect();
            &own
        }
    };
    match compat {
        // The released executor passes values by their place, whatever they are called.
        Compat::GraphicBench => by_place(action, &named.values().collect::<Vec<_>>(), compat),
        Compat::Documented => by_name(action, named, compat),
    }
}

fn by_place(
    action: &'static SuiteAction,
    list: &[&Value],
    compat: Compat,
) -> Result<Vec<Taken>, Failure> {
    if let Some(extra) = list.get(action.parameters.len())
        && compat == Compat::Documented
    {
        let parameter = shorten(&extra.to_string());
        return Err(Failure::ExtraParameter {
            action: action.name,
            parameter,
            takes: action.takes(),
        });
    }
    let taken = action.parameters.iter().enumerate().map(|(at, parameter)| {
        // In the order of the action's parameters, whatever order they were written in.
        let value = list.get(at).ok_or_else(|| lacks(action, &parameter.name))?;
        take(action, parameter, value, compat)
    });
    taken.collect()
}

fn by_name(
    action: &'static SuiteAction,
    named: &Map<String, Value>,
    compat: Compat,
) -> Result<Vec<Taken>, Failure> {
    let mut names = named.keys();
    if let Some(extra) =
        names.find(|name| !action.parameters.iter().any(|parameter| parameter.is_named(name)))
    {
        let parameter = shorten(extra);
        return Err(Failure::ExtraParameter {
            action: action.name,
            parameter,
            takes: action.takes(),
        });
    }
    let taken = action.parameters.iter().map(|parameter| {
        let value = named.iter().find(|(name, _)| parameter.is_named(name));
        let (_, value) = value.ok_or_else(|| lacks(action, &parameter.name))?;
        take(action, parameter, value, compat)
    });
    taken.collect()
}

fn take(
    action: &SuiteAction,
    parameter: &Parameter,
    value: &Value,
    compat: Compat,
) -> Result<Taken, Failure> {
    match parameter.kind {
        ParameterKind::Text => take_text(action, parameter, value).map(Taken::Text),
        ParameterKind::Integer | ParameterKind::Number => {
            take_number(action, parameter, value, compat).map(Taken::Number)
        }
    }
}

fn take_text(
    action: &SuiteAction,
    parameter: &Parameter,
    value: &Value,
) -> Result<String, Failure> {
    let name = &parameter.name;
    let text = match value {
        Value::String(text) => text.clone(),
        // The released executor writes numbers out.
        Value::Number(number) => number.to_string(),
        other => {
            let message = format!("{name} must be a text, not {}", describe(other));
            return Err(Failure::IllTyped(message));
        }
    };
    let most = if name == "textString" { MOST_CHARACTERS } else { MOST_NAME };
    // Bytes first: they are known, and characters have to be counted.
    if text.len() > most && text.chars().nth(most).is_some() {
        let message = format!("{name} has more than {most} characters");
        return Err(Failure::TooLarge(message));
    }
    // An empty name would mean every layer without one.
    let is_name = matches!(name.as_str(), "layerName" | "fileName" | "fontName");
    if is_name && text.trim().is_empty() {
        return Err(Failure::OutOfRange(format!("{name} is empty")));
    }
    let choices = parameter.choices.as_deref().unwrap_or_default();
    let word = text.trim().to_lowercase();
    let is_choice = choices.is_empty() || choices.contains(&word);
    // The released scripts say `forward` where the tables say `frontward`.
    if is_choice || (action.name == "ArrangeText" && word == "forward") {
        return Ok(text);
    }
    let message = format!("{name} must be one of {}, not {:?}", choices.join(", "), shorten(&text));
    Err(Failure::OutOfRange(message))
}

fn take_number(
    action: &SuiteAction,
    parameter: &Parameter,
    value: &Value,
    compat: Compat,
) -> Result<f64, Failure> {
    let name = &parameter.name;
    let number = match value {
        Value::Number(number) => number.as_f64(),
        // Numbers in quotation marks are taken, as the released executor pastes values into scripts.
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let number = number.filter(|number| number.is_finite()).ok_or_else(|| {
        Failure::IllTyped(format!("{name} must be a number, not {}", describe(value)))
    })?;
    if let Some((least, most)) = compat.range((action.name, name), parameter.range)
        && !(least..=most).contains(&number)
    {
        let message = format!("{name} must be within {least} and {most}, not {number}");
        return Err(Failure::OutOfRange(message));
    }
    // Also where the released executor checks nothing: geometry beyond it has no pixels.
    if number.abs() > Limits::COORDINATE {
        let most = Limits::COORDINATE;
        return Err(Failure::OutOfRange(format!("{name} must lie within ±{most}, not {number:e}")));
    }
    Ok(number)
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("{:?}", shorten(text)),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::environment::FailureClass;

    use super::*;

    fn read(name: &str, arguments: &Value, compat: Compat) -> Result<CheckedCall, FailureClass> {
        CheckedCall::read(name, arguments, compat)
            .map(Option::unwrap)
            .map_err(|error| error.class())
    }

    #[test]
    fn values_come_by_name_in_an_object_or_in_a_list() {
        let expert = "Layout Designer";
        for arguments in [
            json!({"expert": expert, "fontSize": "24", "layerName": "Title"}),
            json!({"expert": expert, "parameters": {"layerName": "Title", "fontSize": 24}}),
            json!({"expert": expert, "parameters": ["Title", 24]}),
        ] {
            let given = read("ResizeText", &arguments, Compat::Documented).unwrap();
            assert_eq!((given.layer(), given.number("fontSize")), (Ok("Title"), Ok(24.0)));
        }
    }

    #[test]
    fn every_fault_has_its_class() {
        use FailureClass as Class;
        for (name, arguments, class) in [
            ("ResizeText", json!({"expert": "Text Editor"}), Class::UnknownExpert),
            ("ResizeText", json!({}), Class::BadArguments),
            ("ResizeText", json!([]), Class::BadArguments),
            ("DrawStar", json!({"expert": "Photo Editor"}), Class::NotOfExpert),
            ("AdjustBW", json!({"expert": "Photo Editor"}), Class::MissingParameter),
            (
                "AdjustBW",
                json!({"expert": "Photo Editor", "layerName": "a", "amount": 1}),
                Class::ExtraParameter,
            ),
            (
                "BlurObject",
                json!({"expert": "Photo Editor", "layerName": "a", "blurAmount": "much"}),
                Class::IllTypedParameter,
            ),
            (
                "BlurObject",
                json!({"expert": "Photo Editor", "layerName": "a", "blurAmount": "NaN"}),
                Class::IllTypedParameter,
            ),
            (
                "BlurObject",
                json!({"expert": "Photo Editor", "layerName": "a", "blurAmount": 101}),
                Class::OutOfRange,
            ),
            (
                "CreateText",
                json!({"expert": "Photo Editor", "layerName": "a", "textString": "x".repeat(1_000_000)}),
                Class::TooLarge,
            ),
        ] {
            assert_eq!(read(name, &arguments, Compat::Documented).unwrap_err(), class, "{name}");
        }
        assert!(CheckedCall::read("Nothing", &json!({}), Compat::Documented).unwrap().is_none());
    }

    #[test]
    fn the_released_executor_takes_values_by_place_and_drops_the_rest() {
        let arguments = json!({"expert": "Vector Graphic Editor", "name": "c", "size": 300,
            "r": 1, "g": 2, "b": 3, "more": true});
        let given = read("DrawCircle", &arguments, Compat::GraphicBench).unwrap();
        assert_eq!((given.layer(), given.number("radius")), (Ok("c"), Ok(300.0)));
        let documented = read("DrawCircle", &arguments, Compat::Documented);
        assert_eq!(documented.unwrap_err(), FailureClass::ExtraParameter);
    }
}
