//! The Figma plugin (`assets/figma-plugin`): its script runs in Node beside a mock of Figma's API, and what it makes of
//! a design and writes out again is read here and is the same design.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use pentimento::base::Rect;
use pentimento::design::{Document, Node, NodeKind, Paint, PaintKind, TextContent, figma};
use pentimento::environment::add_pictures;
use serde_json::{Value, json};

use crate::figma_schema::Schema;
use crate::label::text;
use crate::tools;

/// Where the plugin's types and compiler are, as `tests/run` fetches them; where they are, Node is as well.
pub(crate) fn installed() -> Option<PathBuf> {
    tools::path("figma-plugin/node_modules")
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn node(script: &Path, arguments: &[&Path]) -> Output {
    Command::new("node")
        .arg(script)
        .args(arguments)
        .output()
        .expect("tests/run installs npm, which has node")
}

/// What the plugin makes of a design and writes out again, and what it says of it.
pub(crate) fn there_and_back(design: &Path, out: &Path) -> (Document, Value) {
    let said = node(&repository("tests/data/figma_plugin/round_trip.mjs"), &[design, out]);
    assert!(said.status.success(), "{}: {}", design.display(), text(&said.stderr));
    (document(&out.join("design.json")), serde_json::from_slice(&said.stdout).unwrap())
}

fn document(path: &Path) -> Document {
    let json = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let loaded = figma::from_json(json).unwrap();
    assert!(loaded.warnings.is_empty(), "{}: {:?}", path.display(), loaded.warnings);
    loaded.document
}

/// The layers in paint order, without the file and its pages.
pub(crate) fn layers(document: &Document) -> Vec<&Arc<Node>> {
    document.iter_depth_first().filter(|node| !node.kind.is_file_or_page()).collect()
}

#[test]
fn designs_come_back_from_figma_as_they_were() {
    let Some(schema) = installed().and_then(|_| Schema::open()) else { return };
    let dir = tempfile::tempdir().unwrap();
    let (mut designs, mut tighter) = (0, 0);
    for entry in fs::read_dir(repository("sample_runs/replication")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let out = dir.path().join(designs.to_string());
        let (after, said) = there_and_back(&path, &out);
        assert_valid(&schema, &out.join("design.json"));
        let before = document(&path);
        assert_eq!((&said["notes"], &said["undoSteps"]), (&json!([]), &json!(1)), "{said}");
        assert_eq!(layers(&before).len(), layers(&after).len(), "{}", path.display());
        for (old, new) in layers(&before).into_iter().zip(layers(&after)) {
            let place = format!("{} {:?}", path.display(), old.name);
            assert_same_layer(old, new, &place);
            assert_eq!(depth(&before, old), depth(&after, new), "{place}");
            let boxes =
                [before.absolute_box(&old.id).unwrap(), after.absolute_box(&new.id).unwrap()];
            if far(boxes) > 0.01 {
                // Figma's vectors are as large as their outlines, and have no other box.
                assert!(matches!(old.kind, NodeKind::Vector(_)), "{place}: {boxes:?}");
                assert!(holds(boxes), "{place}: {boxes:?}");
                tighter += 1;
            }
        }
        designs += 1;
    }
    // The hills and waves of three designs, whose boxes were drawn around their control points.
    assert_eq!((designs, tighter), (10, 5));
}

/// What the official description of REST says against a file: nothing.
fn assert_valid(schema: &Schema, path: &Path) {
    let written: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let mut errors = schema.errors_in(&written["document"]);
    errors.retain(|_, errors| !errors.is_empty());
    assert!(errors.is_empty(), "{errors:#?}");
}

fn depth(document: &Document, node: &Node) -> usize {
    document.ancestors(&node.id).filter(|above| !above.kind.is_file_or_page()).count()
}

/// By how much two boxes differ, in pixels.
fn far([one, other]: [Rect; 2]) -> f64 {
    let sides =
        [one.x - other.x, one.y - other.y, one.width - other.width, one.height - other.height];
    sides.into_iter().map(f64::abs).fold(0.0, f64::max)
}

/// Whether the second box lies in the first.
fn holds([outer, inner]: [Rect; 2]) -> bool {
    let edge = 0.01;
    inner.x >= outer.x - edge
        && inner.y >= outer.y - edge
        && inner.x + inner.width <= outer.x + outer.width + edge
        && inner.y + inner.height <= outer.y + outer.height + edge
}

fn assert_same_layer(old: &Node, new: &Node, place: &str) {
    assert_eq!(old.name, new.name, "{place}");
    assert_eq!(old.kind.type_name(), new.kind.type_name(), "{place}");
    assert_eq!(
        (old.visible, old.locked, old.opacity),
        (new.visible, new.locked, new.opacity),
        "{place}"
    );
    assert_eq!(old.blend_mode, new.blend_mode, "{place}");
    assert_eq!(old.effects, new.effects, "{place}");
    assert_eq!(old.corner_radii, new.corner_radii, "{place}");
    assert_same_paints(&old.fills, &new.fills, place);
    assert_same_paints(&old.stroke.paints, &new.stroke.paints, place);
    if !old.stroke.paints.is_empty() {
        assert_eq!(
            (old.stroke.weight, old.stroke.align),
            (new.stroke.weight, new.stroke.align),
            "{place}"
        );
    }
    // A group has neither of its own there.
    if !matches!(old.kind, NodeKind::Group) {
        assert_eq!(old.constraints, new.constraints, "{place}");
        assert_eq!(old.clips_content, new.clips_content, "{place}");
    }
    assert_eq!(old.text().map(unnamed), new.text().map(unnamed), "{place}");
}

/// The text without the names of its font's styles, which Figma always says.
fn unnamed(text: &TextContent) -> TextContent {
    let mut text = text.clone();
    text.style.font_style = None;
    text
}

fn assert_same_paints(old: &[Paint], new: &[Paint], place: &str) {
    assert_eq!(old.len(), new.len(), "{place}");
    for (old, new) in old.iter().zip(new) {
        assert_eq!((old.visible, old.blend_mode), (new.visible, new.blend_mode), "{place}");
        match (&old.kind, &new.kind) {
            // Alpha of the colour or of the paint: what is drawn is the same.
            (PaintKind::Solid(_), PaintKind::Solid(_)) => {
                assert_eq!(old.solid_color(), new.solid_color(), "{place}");
            }
            (PaintKind::Gradient(one), PaintKind::Gradient(other)) => {
                assert_eq!(
                    (one.kind, &one.stops, old.opacity),
                    (other.kind, &other.stops, new.opacity),
                    "{place}"
                );
                for (one, other) in one.handles.iter().zip(&other.handles) {
                    let off = (one.x - other.x).abs().max((one.y - other.y).abs());
                    assert!(off < 1e-9, "{place}: {one:?} and {other:?}");
                }
            }
            (one, other) => assert_eq!(one, other, "{place}"),
        }
    }
}

#[test]
fn pictures_are_written_where_they_are_looked_for() {
    if installed().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let design = dir.path().join("design.json");
    let fill =
        json!({"type": "IMAGE", "scaleMode": "FIT", "blendMode": "NORMAL", "imageRef": "photo"});
    let around = json!({"x": 3, "y": 4, "width": 30, "height": 40});
    let layer = json!({"id": "1:2", "name": "Photo", "type": "RECTANGLE", "absoluteBoundingBox": around, "fills": [fill]});
    fs::write(&design, json!({"document": layer}).to_string()).unwrap();
    fs::create_dir(dir.path().join("images")).unwrap();
    fs::copy(repository("assets/icon.png"), dir.path().join("images/photo.png")).unwrap();
    let out = dir.path().join("out");
    let (mut after, said) = there_and_back(&design, &out);
    assert_eq!((&said["notes"], &said["pictures"]), (&json!([]), &json!(1)), "{said}");
    let missing = add_pictures(&mut after, &out.join("images"));
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(after.images().len(), 1);
    let fills = &layers(&after)[0].fills;
    let PaintKind::Image(image) = &fills[0].kind else { panic!("{fills:?}") };
    assert_eq!(image.scale_mode, "FIT");
    assert!(after.images().get(image.image_ref.as_deref().unwrap()).is_some());
}

/// Every kind of node and field, 10,000 gradients, hostile files, stopping, and what Figma refuses.
#[test]
fn the_plugin_keeps_figmas_rules() {
    if installed().is_none() {
        return;
    }
    let said = node(&repository("tests/data/figma_plugin/checks.mjs"), &[]);
    assert!(said.status.success(), "{}", text(&said.stderr));
    assert_eq!(text(&said.stdout).lines().count(), 13, "{}", text(&said.stdout));
}

/// What TypeScript says of a script, which may use what Figma's types know.
fn judged(modules: &Path, script: &Path) -> Output {
    let mut command = Command::new("node");
    command.arg(modules.join("typescript/bin/tsc"));
    command.args(["--allowJs", "--checkJs", "--noEmit", "--strict", "--target", "es2018"]);
    command.args(["--lib", "es2018", "--types", "plugin-typings", "--typeRoots"]);
    command.arg(modules.join("@figma")).arg(script).output().unwrap()
}

#[test]
fn the_script_fits_figmas_own_types() {
    let Some(modules) = installed() else { return };
    let said = judged(&modules, &repository("assets/figma-plugin/code.js"));
    assert!(said.status.success(), "{}", text(&said.stdout));
    // The judge can say no.
    let dir = tempfile::tempdir().unwrap();
    let wrong = dir.path().join("wrong.js");
    fs::write(&wrong, "figma.createFrame().opacity = 'half';\n").unwrap();
    let said = judged(&modules, &wrong);
    assert!(text(&said.stdout).contains("not assignable"), "{}", text(&said.stdout));
}

#[test]
fn the_manifest_asks_for_no_network_and_names_files_that_are_there() {
    let folder = repository("assets/figma-plugin");
    let manifest: Value =
        serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["networkAccess"]["allowedDomains"], json!(["none"]));
    for key in ["main", "ui"] {
        assert!(folder.join(manifest[key].as_str().unwrap()).is_file(), "{key}");
    }
    let page = fs::read_to_string(folder.join("ui.html")).unwrap();
    assert!(!page.contains("http"), "the window loads nothing from outside");
}
