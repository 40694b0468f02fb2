//! Instances and their components: the variant, what is overridden, and the properties of a set.

use egui::{Align, Layout, Ui};

use super::component_properties::{definitions_ui, values_ui};
use super::number_field::Fields;
use super::parts::{hint_ui, label_ui, section_ui, small_button_ui, words_menu_ui};
use super::subject::Subject;
use crate::design::{Node, NodeId, NodeKind};
use crate::editor::{
    Act, Common, ComponentAct, Override, SelectAct, SwappedInstance, VariantProperty, component_of,
    kept_overrides, overrides_of, set_of_instance, swapped_instances, variant_properties,
    variant_value, variant_values,
};
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, count, elided_label_ui};

/// The most overrides that are listed.
const MOST: usize = 12;

/// What the section has between frames.
#[derive(Debug, Default)]
pub(super) struct Instance {
    /// What the overrides are of: the design, its state and the instance.
    of: Option<(u64, u64, NodeId)>,
    overrides: Vec<Override>,
    swapped: Vec<SwappedInstance>,
    /// How many overrides it keeps of layers that its component does not have.
    kept: usize,
}

impl Instance {
    /// Draws the section; nothing of what has to do with no component.
    pub(super) fn show(&mut self, ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
        if subject.nodes().all(|node| node.kind == NodeKind::Instance) {
            self.instances_ui(ui, fields, subject);
        } else if subject.nodes().all(|node| node.kind == NodeKind::Component) {
            components_ui(ui, fields, subject);
        } else if let [id] = subject.ids
            && subject.any(|node| node.kind == NodeKind::ComponentSet)
        {
            set_ui(ui, fields, subject, id);
        }
    }

    fn instances_ui(&mut self, ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
        let component = subject.common(component_of);
        section_ui(
            ui,
            "Instance",
            |_| {},
            |ui| {
                main_ui(ui, subject, &component);
                variants_ui(ui, subject);
                values_ui(ui, fields, subject);
                if let [id] = subject.ids {
                    self.overrides_ui(ui, subject, id);
                }
                CommandButton::text(CommandId::DetachInstance).show(ui, subject.cx);
            },
        );
    }

    fn overrides_ui(&mut self, ui: &mut Ui, subject: Subject<'_>, id: &NodeId) {
        let of = (subject.desk.number, subject.desk.editor.steps(), id.clone());
        if self.of.as_ref() != Some(&of) {
            self.overrides = overrides_of(subject.document, id);
            self.swapped = swapped_instances(subject.document, id);
            self.kept = subject.document.get(id).map_or(0, |node| kept_overrides(node));
            self.of = Some(of);
        }
        for one in self.swapped.iter().take(MOST) {
            swapped_ui(ui, subject, one);
        }
        if self.overrides.is_empty() && self.swapped.is_empty() && self.kept == 0 {
            hint_ui(ui, "Nothing is overridden.");
            return;
        }
        for one in self.overrides.iter().take(MOST) {
            override_ui(ui, subject, one);
        }
        let more =
            self.overrides.len().saturating_sub(MOST) + self.swapped.len().saturating_sub(MOST);
        if more > 0 {
            let more = count(more, "more override");
            hint_ui(ui, &format!("{more}."));
        }
        if self.kept > 0 {
            let kept = count(self.kept, "override");
            let words = "of layers that this component does not have, kept for swapping back.";
            hint_ui(ui, &format!("{kept} {words}"));
        }
        let button = Button::text("Reset all overrides").look(Look::Raised);
        let tip = "Make what was changed in the instance as it is in its component.";
        if button.tooltip(tip).show(ui).clicked() {
            subject.act(Act::Component(ComponentAct::Reset));
        }
    }
}

/// The main component, with the way to it.
fn main_ui(ui: &mut Ui, subject: Subject<'_>, component: &Common<NodeId>) {
    let main = match component {
        Common::Same(id) => subject.document.get(id),
        Common::Nothing => None,
        Common::Mixed => {
            hint_ui(ui, "Instances of several components.");
            return;
        }
    };
    let Some(main) = main else {
        hint_ui(ui, "The main component is not in this file: it cannot be swapped or reset.");
        return;
    };
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if small_button_ui(ui, icons::OPEN_ITEM, "Go to main component") {
                subject.act(Act::Select(SelectAct::Only(vec![main.id.clone()])));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                elided_label_ui(ui, &name_of_main(subject, main), Type::Body, tokens(ui).text);
            });
        });
    });
}

/// Variants are called as their set.
fn name_of_main(subject: Subject<'_>, main: &Node) -> String {
    let parent = main.parent.as_ref().and_then(|id| subject.document.get(id));
    let set = parent.filter(|parent| parent.kind == NodeKind::ComponentSet);
    set.map_or_else(|| main.name.clone(), |set| set.name.clone())
}

/// A menu for each property of the set, where all are of one.
fn variants_ui(ui: &mut Ui, subject: Subject<'_>) {
    let document = subject.document;
    let sets = subject.common(|node| set_of_instance(document, &node.id));
    let is_all = subject.nodes().all(|node| set_of_instance(document, &node.id).is_some());
    let Some(set) = sets.same().filter(|_| is_all) else { return };
    for VariantProperty { name, values } in variant_properties(document, &set) {
        let now = subject.common(|node| variant_value(document, &node.id, &name));
        let words = match &now {
            Common::Same(value) => value.as_str(),
            Common::Mixed => "Mixed",
            Common::Nothing => "–",
        };
        let mut chosen = None;
        ui.horizontal(|ui| {
            label_ui(ui, &name);
            let width = ui.available_width();
            // A property may be called as any menu of the panel.
            ui.push_id("variant", |ui| {
                words_menu_ui(ui, &name, words, width, |ui| {
                    for value in &values {
                        if ui.selectable_label(now.is(value), value).clicked() {
                            chosen = Some(value.clone());
                        }
                    }
                });
            });
        });
        if let Some(value) = chosen {
            subject.act(Act::Component(ComponentAct::SetVariant { property: name, value }));
        }
    }
}

/// A field that is overridden, with the way back.
fn override_ui(ui: &mut Ui, subject: Subject<'_>, one: &Override) {
    let reset = ComponentAct::ResetOverrides(vec![one.clone()]);
    resettable_ui(ui, subject, &one.node, one.field.label(), reset);
}

/// An instance in the instance that was swapped, with the way back.
fn swapped_ui(ui: &mut Ui, subject: Subject<'_>, one: &SwappedInstance) {
    let reset = ComponentAct::ResetSwap(one.node.clone());
    resettable_ui(ui, subject, &one.node, "component", reset);
}

fn resettable_ui(
    ui: &mut Ui,
    subject: Subject<'_>,
    node: &NodeId,
    what: &str,
    reset: ComponentAct,
) {
    let name = subject.document.get(node).map(|node| node.name.as_str()).unwrap_or_default();
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if small_button_ui(ui, icons::UNDO, &format!("Reset {what} of {name}")) {
                subject.act(Act::Component(reset));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let words = format!("{name} · {what}");
                elided_label_ui(ui, &words, Type::Body, tokens(ui).text);
            });
        });
    });
}

/// What a variant is, the properties of a component, and the way from several to a set.
fn components_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    let document = subject.document;
    let in_set = |node: &Node| {
        let parent = node.parent.as_ref().and_then(|id| document.get(id));
        parent.is_some_and(|parent| parent.kind == NodeKind::ComponentSet)
    };
    let in_none = !subject.any(in_set);
    let only = subject.nodes().next().filter(|node| subject.ids.len() == 1 && in_set(node));
    if let Some(variant) = only {
        section_ui(
            ui,
            "Variant",
            |_| {},
            |ui| {
                let Some(values) = variant_values(&variant.name) else {
                    let words = "Its name says no property: call it such as State=Hover, \
                                 Size=Large.";
                    hint_ui(ui, words);
                    return;
                };
                for (name, value) in values {
                    property_ui(ui, &name, &value);
                }
            },
        );
    } else if let [id] = subject.ids {
        section_ui(ui, "Properties", |_| {}, |ui| definitions_ui(ui, fields, subject, id));
    } else if in_none {
        section_ui(
            ui,
            "Components",
            |_| {},
            |ui| {
                let button = Button::text("Create component set").look(Look::Raised);
                let tip = "Make the selected components variants of a set, by their names.";
                if button.tooltip(tip).show(ui).clicked() {
                    subject.act(Act::Component(ComponentAct::Create));
                }
            },
        );
    }
}

/// The properties of a set, with the values that there are.
fn set_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>, set: &NodeId) {
    let properties = variant_properties(subject.document, set);
    section_ui(
        ui,
        "Properties",
        |_| {},
        |ui| {
            if properties.is_empty() {
                let words = "No variant says a property: call them such as State=Hover.";
                hint_ui(ui, words);
            }
            for VariantProperty { name, values } in &properties {
                property_ui(ui, name, &values.join(", "));
            }
            definitions_ui(ui, fields, subject, set);
        },
    );
}

fn property_ui(ui: &mut Ui, name: &str, value: &str) {
    ui.horizontal(|ui| {
        label_ui(ui, name);
        elided_label_ui(ui, value, Type::Body, tokens(ui).text);
    });
}
