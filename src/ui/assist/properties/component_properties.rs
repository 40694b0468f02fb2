//! Properties of components: set at instances, listed with their defaults at components, referred to by layers.

use egui::{Id, Ui};

use super::number_field::Fields;
use super::parts::{WordsField, hint_ui, label_ui, section_ui, small_button_ui, words_menu_ui};
use super::subject::Subject;
use crate::design::{Document, NodeId};
use crate::editor::{
    Act, Common, ComponentAct, ComponentProperty, ComponentPropertyAct, PropertyKind,
    PropertyValue, component_properties, property_holder, property_holder_around, reference_of,
    swap_choices,
};
use crate::ui::icons;
use crate::ui::widgets::tick_ui;

/// The most properties that are listed.
const MOST: usize = 60;

/// Draws a control for each property that all of the instances have.
pub(super) fn values_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    let nodes = subject.nodes();
    let of_each: Vec<Vec<ComponentProperty>> =
        nodes.map(|node| component_properties(subject.document, &node.id)).collect();
    let Some((first, others)) = of_each.split_first() else { return };
    for property in first.iter().take(MOST) {
        let same = |it: &&ComponentProperty| {
            it.key == property.key && it.value.kind() == property.value.kind()
        };
        let others: Option<Vec<&ComponentProperty>> =
            others.iter().map(|all| all.iter().find(same)).collect();
        let Some(others) = others else { continue };
        let all = others.into_iter().chain([property]);
        let now = Common::of(all.map(|it| Common::Same(&it.value)));
        let (label, name) = (property.name(), property.name());
        let control = ValueControl { property, now, label, name, nodes: subject.ids };
        control.show(ui, fields, subject);
    }
    more_ui(ui, first.len());
}

/// Draws the properties that a component or set defines: their names, what they are at first, and the way to be rid of
/// them.
pub(super) fn definitions_ui(
    ui: &mut Ui,
    fields: &mut Fields,
    subject: Subject<'_>,
    holder: &NodeId,
) {
    let properties = component_properties(subject.document, holder);
    let nodes = std::slice::from_ref(holder);
    for property in properties.iter().take(MOST) {
        let (shown, kind) = (property.name(), property.value.kind().label());
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 28.0).max(40.0);
            let name = format!("Name of {kind} {shown}");
            let id = Id::unique(("component_property_name", &property.key));
            let field = WordsField { id, name: &name, shown, empty: "", width };
            if let Some(done) = field.show(ui, fields, nodes) {
                if done.text.trim().is_empty() {
                    fields.typing.refuse(id, "a property has a name");
                } else {
                    let (holder, key) = (holder.clone(), property.key.clone());
                    send(subject, ComponentPropertyAct::Rename { holder, key, name: done.text });
                }
            }
            if small_button_ui(ui, icons::MINUS, &format!("Delete {kind} {shown}")) {
                let (holder, key) = (holder.clone(), property.key.clone());
                send(subject, ComponentPropertyAct::Delete { holder, key });
            }
        });
        let now = Common::Same(&property.value);
        let name = format!("Default of {shown}");
        let control = ValueControl { property, now, label: "Default", name: &name, nodes };
        control.show(ui, fields, subject);
    }
    more_ui(ui, properties.len());
    if properties.is_empty() {
        let words = "Select layers of the component to make properties of their text, whether they \
                     are shown, or the component they are of.";
        hint_ui(ui, words);
    }
}

fn more_ui(ui: &mut Ui, properties: usize) {
    if properties > MOST {
        hint_ui(ui, &format!("{} more properties are not listed.", properties - MOST));
    }
}

/// Draws what of layers of a component its properties set; nothing of other layers.
pub(super) fn references_ui(ui: &mut Ui, subject: Subject<'_>) {
    let document = subject.document;
    let is_in_component = |id: &NodeId| property_holder_around(document, id).is_some();
    if !subject.ids.iter().all(is_in_component) {
        return;
    }
    let holder = subject
        .common(|node| property_holder_around(document, &node.id).map(|holder| holder.id.clone()));
    let Some(holder) = holder.same() else { return };
    section_ui(
        ui,
        "Component properties",
        |_| {},
        |ui| {
            for kind in PropertyKind::ALL {
                if subject.nodes().all(|node| kind.value_of(node).is_some()) {
                    reference_ui(ui, subject, &holder, kind);
                }
            }
        },
    );
}

/// Which property sets the text of the layers, whether they are shown, or the component they are of.
fn reference_ui(ui: &mut Ui, subject: Subject<'_>, holder: &NodeId, kind: PropertyKind) {
    let (label, name) = match kind {
        PropertyKind::Text => ("Text", "Text property"),
        PropertyKind::Boolean => ("Visible", "Boolean property"),
        PropertyKind::InstanceSwap => ("Instance", "Instance swap property"),
    };
    let now = subject.common(|node| Some(reference_of(node, kind)));
    let mut properties = component_properties(subject.document, holder);
    properties.retain(|it| it.value.kind() == kind);
    let words = match &now {
        Common::Mixed => "Mixed",
        Common::Nothing | Common::Same(None) => "None",
        Common::Same(Some(key)) => {
            properties.iter().find(|it| it.key == *key).map_or(*key, ComponentProperty::name)
        }
    };
    let layers = || subject.ids.to_vec();
    ui.horizontal(|ui| {
        label_ui(ui, label);
        let width = ui.available_width();
        words_menu_ui(ui, name, words, width, |ui| {
            if ui.selectable_label(now.is(&None), "None").clicked() {
                send(subject, ComponentPropertyAct::Refer { layers: layers(), kind, key: None });
            }
            for property in properties.iter().take(MOST) {
                let is_now = now.is(&Some(property.key.as_str()));
                if ui.selectable_label(is_now, property.name()).clicked() {
                    let key = Some(property.key.clone());
                    send(subject, ComponentPropertyAct::Refer { layers: layers(), kind, key });
                }
            }
            ui.separator();
            let tip = "Make a property of the component that instances set.";
            let create = ui.button(format!("Create {}", kind.label()));
            if create.on_hover_text(tip).clicked() {
                send(subject, ComponentPropertyAct::Create { layers: layers(), kind });
            }
        });
    });
}

/// What a property is set to, or is at first.
#[derive(Clone, Copy, Debug)]
struct ValueControl<'a> {
    property: &'a ComponentProperty,
    now: Common<&'a PropertyValue>,
    /// What stands before it.
    label: &'a str,
    /// What it is in full words.
    name: &'a str,
    /// Whose it is.
    nodes: &'a [NodeId],
}

impl ValueControl<'_> {
    fn show(self, ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
        match self.property.value.kind() {
            PropertyKind::Text => self.text_ui(ui, fields, subject),
            PropertyKind::Boolean => self.boolean_ui(ui, subject),
            PropertyKind::InstanceSwap => self.swap_ui(ui, subject),
        }
    }

    fn set(self, subject: Subject<'_>, nodes: Vec<NodeId>, value: PropertyValue) {
        let property = ComponentProperty { key: self.property.key.clone(), value };
        send(subject, ComponentPropertyAct::Set { nodes, property });
    }

    fn text_ui(self, ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
        let (shown, empty) = match self.now {
            Common::Same(PropertyValue::Text(words)) => (words.as_str(), "Empty"),
            Common::Mixed => ("Mixed", ""),
            Common::Same(_) | Common::Nothing => ("", ""),
        };
        ui.horizontal(|ui| {
            label_ui(ui, self.label);
            let id = Id::unique(("component_property", &self.property.key));
            let width = ui.available_width();
            let field = WordsField { id, name: self.name, shown, empty, width };
            if let Some(done) = field.show(ui, fields, self.nodes) {
                self.set(subject, done.nodes, PropertyValue::Text(done.text));
            }
        });
    }

    fn boolean_ui(self, ui: &mut Ui, subject: Subject<'_>) {
        let is_mixed = self.now == Common::Mixed;
        let words = if is_mixed { format!("{} (mixed)", self.name) } else { self.name.to_owned() };
        let tip = "Show the layers that the property is of, or hide them.";
        let is_on = self.now.is(&&PropertyValue::Boolean(true));
        // Names of properties are people's own, and may be those of other boxes.
        let ticked = ui.push_id(("component_property", &self.property.key), |ui| {
            tick_ui(ui, &words, tip, is_on)
        });
        if let Some(on) = ticked.inner {
            self.set(subject, self.nodes.to_vec(), PropertyValue::Boolean(on));
        }
    }

    /// What is preferred comes first, then all other components of the file.
    fn swap_ui(self, ui: &mut Ui, subject: Subject<'_>) {
        let document = subject.document;
        let now = match self.now {
            Common::Same(PropertyValue::Component(id)) => Common::Same(id),
            Common::Mixed => Common::Mixed,
            Common::Same(_) | Common::Nothing => Common::Nothing,
        };
        let words = match now {
            Common::Same(id) => name_of_component(document, id),
            Common::Mixed => "Mixed".to_owned(),
            Common::Nothing => "–".to_owned(),
        };
        let holder = now.same().and_then(|id| property_holder(document, id));
        let mut chosen = None;
        ui.horizontal(|ui| {
            label_ui(ui, self.label);
            let width = ui.available_width();
            ui.push_id(("component_property", &self.property.key), |ui| {
                words_menu_ui(ui, self.name, &words, width, |ui| {
                    let Some(of) = self.nodes.first() else { return };
                    let mut was_preferred = false;
                    for choice in swap_choices(document, of, &self.property.key) {
                        if was_preferred && !choice.is_preferred {
                            ui.separator();
                        }
                        was_preferred = choice.is_preferred;
                        let own = property_holder(document, &choice.component);
                        let is_now =
                            holder.is_some_and(|now| own.is_some_and(|it| it.id == now.id));
                        if ui.selectable_label(is_now, &choice.name).clicked() && !is_now {
                            chosen = Some(choice.component);
                        }
                    }
                });
            });
        });
        if let Some(component) = chosen {
            self.set(subject, self.nodes.to_vec(), PropertyValue::Component(component));
        }
    }
}

/// Variants are called as their set.
fn name_of_component(document: &Document, component: &NodeId) -> String {
    let holder = property_holder(document, component);
    holder.map_or_else(|| "Not in this file".to_owned(), |node| node.name.clone())
}

fn send(subject: Subject<'_>, act: ComponentPropertyAct) {
    subject.act(Act::Component(ComponentAct::Property(act)));
}
