//! What nodes are exported as, in and out.

use serde_json::{Value, json};

use super::value::{Names, Notes, Object, json_number, list, name_of, put_unless};
use crate::design::export_setting::{ExportFileFormat, ExportSetting, ExportSize};
use crate::design::node::Node;

const KEY: &str = "exportSettings";

const FORMATS: &Names<ExportFileFormat> = &[
    ("PNG", ExportFileFormat::Png),
    ("JPG", ExportFileFormat::Jpg),
    ("SVG", ExportFileFormat::Svg),
    ("PDF", ExportFileFormat::Pdf),
];

/// A node's rows. One that cannot be read is noted, stays in the file and is no row.
pub(super) fn read_export_settings(object: &Object, notes: &mut Notes) -> Vec<ExportSetting> {
    let mut settings = Vec::new();
    for value in list(object, KEY, notes) {
        match read_one(value) {
            Some(setting) => settings.push(setting),
            None => notes.add("exportSettings has an entry that is kept and not exported"),
        }
    }
    settings
}

fn read_one(value: &Value) -> Option<ExportSetting> {
    let format = value.get("format")?.as_str()?;
    let (_, format) = FORMATS.iter().find(|(name, _)| *name == format)?;
    let suffix = value.get("suffix").and_then(Value::as_str).unwrap_or_default().to_owned();
    let size = match value.get("constraint") {
        None | Some(Value::Null) => ExportSize::Scale(1.0),
        Some(constraint) => {
            let number = constraint.get("value")?.as_f64()?;
            let size = match constraint.get("type")?.as_str()? {
                "SCALE" => ExportSize::Scale(number),
                "WIDTH" => ExportSize::Width(number),
                "HEIGHT" => ExportSize::Height(number),
                _ => return None,
            };
            size.checked()?
        }
    };
    Some(ExportSetting { suffix, format: *format, size })
}

/// Writes the rows. One that means what an entry there means is that entry, and entries that cannot be read stay behind
/// the others.
pub(super) fn write_export_settings(node: &Node, _: Option<&Node>, object: &mut Object) {
    let there = object.get(KEY).and_then(Value::as_array).cloned().unwrap_or_default();
    let (mut known, kept): (Vec<Value>, Vec<Value>) =
        there.into_iter().partition(|entry| read_one(entry).is_some());
    let mut written = Vec::with_capacity(node.export_settings.len());
    for setting in &node.export_settings {
        let same = known.iter().position(|entry| read_one(entry).as_ref() == Some(setting));
        written.push(same.map_or_else(|| write_one(setting), |at| known.remove(at)));
    }
    written.extend(kept);
    put_unless(object, KEY, written.is_empty(), written);
}

fn write_one(setting: &ExportSetting) -> Value {
    let (kind, value) = match setting.size {
        ExportSize::Scale(value) => ("SCALE", value),
        ExportSize::Width(value) => ("WIDTH", value),
        ExportSize::Height(value) => ("HEIGHT", value),
    };
    json!({
        "suffix": setting.suffix,
        "format": name_of(FORMATS, &setting.format),
        "constraint": { "type": kind, "value": json_number(value) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::edit::Transaction;
    use crate::design::figma::{from_json, to_json};

    /// A frame with these rows.
    fn file(settings: &Value) -> Value {
        let place = json!({ "x": 0, "y": 0, "width": 10, "height": 10 });
        json!({
            "id": "1:1", "name": "Card", "type": "FRAME", "absoluteBoundingBox": place,
            "exportSettings": settings, "children": [],
        })
    }

    #[test]
    fn rows_are_read_and_written_and_what_is_odd_stays() {
        let twice = json!({
            "suffix": "@2x", "format": "PNG", "constraint": { "type": "SCALE", "value": 2 },
            "contentsOnly": true,
        });
        let odd = [
            json!({ "suffix": "", "format": "WEBP", "constraint": { "type": "SCALE", "value": 1 } }),
            json!({ "suffix": "", "format": "PNG", "constraint": { "type": "WIDTH", "value": -4 } }),
            json!("PNG"),
        ];
        let [webp, narrow, words] = odd;
        let file = file(&json!([webp, twice, narrow, words]));
        let loaded = from_json(file.clone()).unwrap();
        assert_eq!(to_json(&loaded.document), file, "untouched, it is as it was");
        assert_eq!(loaded.warnings.len(), 3, "{:?}", loaded.warnings);
        let mut document = loaded.document;
        let id = "1:1".into();
        let read = document.get(&id).unwrap().export_settings.clone();
        let size = ExportSize::Scale(2.0);
        let suffix = "@2x".to_owned();
        assert_eq!(read, [ExportSetting { suffix, format: ExportFileFormat::Png, size }]);
        let mut change = Transaction::begin(&mut document);
        change
            .update(&id, |node| {
                node.export_settings.push(ExportSetting {
                    suffix: String::new(),
                    format: ExportFileFormat::Svg,
                    size: ExportSize::Scale(1.0),
                });
            })
            .unwrap();
        change.commit();
        let vector = json!({
            "suffix": "", "format": "SVG", "constraint": { "type": "SCALE", "value": 1 },
        });
        let written = to_json(&document);
        assert_eq!(written["exportSettings"], json!([twice, vector, webp, narrow, words]));
        // Read again they are the same rows.
        let again = from_json(written).unwrap().document;
        assert_eq!(again.get(&id).unwrap().export_settings.len(), 2);
    }

    #[test]
    fn a_node_without_rows_has_no_list_and_one_that_loses_them_neither() {
        let one = json!({ "suffix": "", "format": "PDF", "constraint": null });
        let mut document = from_json(file(&json!([one]))).unwrap().document;
        let id = "1:1".into();
        let mut change = Transaction::begin(&mut document);
        change.update(&id, |node| node.export_settings.clear()).unwrap();
        change.commit();
        assert!(to_json(&document).get("exportSettings").is_none());
    }
}
