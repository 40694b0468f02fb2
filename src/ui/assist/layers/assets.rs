//! The components of a design and its shared styles.

use std::collections::BTreeMap;

use egui::{
    Align2, Id, Key, Rect, Response, Role, ScrollArea, Sense, StrokeKind, TextEdit, Ui, WidgetInfo,
    pos2, vec2,
};

use crate::base::Rect as PageRect;
use crate::design::{Document, NodeId, NodeKind};
use crate::editor::{
    Act, ComponentAct, SharedStyle, StyleAct, StyleKind, component_of, shared_styles, style_look,
};
use crate::ui::assist::acting::act;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, swatch_color, tokens};
use crate::ui::widgets::{
    Button, Look, allocate_stable_of, count, paint_text, rich_text, section_header_ui,
};
use crate::workbench::AssistDesk;

/// What belongs to the list alone.
#[derive(Debug, Default)]
pub(super) struct Assets {
    /// What it was made of: the design and its state.
    of: Option<(u64, u64)>,
    components: Vec<Component>,
    styles: Vec<Style>,
    /// A style whose name is typed: a new one of a kind, or one that there is.
    named: Option<(StyleNaming, String)>,
}

/// A component, or a set of them.
#[derive(Debug)]
struct Component {
    /// The component that an instance is put in of: of a set the first variant.
    id: NodeId,
    name: String,
    instances: usize,
    /// How many variants a set has; 0 of a component.
    variants: usize,
}

#[derive(Debug)]
struct Style {
    style: SharedStyle,
    /// Its colour, of one that is of one colour.
    color: Option<[u8; 4]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum StyleNaming {
    New(StyleKind),
    Old(String),
}

impl Assets {
    /// Draws the list. `visible`: the part of the page that is seen.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        visible: Option<PageRect>,
    ) {
        let of = (desk.number, desk.editor.steps());
        if self.of != Some(of) {
            self.of = Some(of);
            self.components = components(desk.editor.document());
            self.styles = styles(desk.editor.document());
        }
        ScrollArea::vertical().id_salt("assets").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            inset(ui, |ui| section_header_ui(ui, "Components", &self.components.len().to_string()));
            self.components_ui(ui, cx, desk, visible);
            for kind in StyleKind::ALL {
                ui.add_space(8.0);
                self.styles_ui(ui, cx, kind);
            }
        });
    }

    fn components_ui(
        &self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        visible: Option<PageRect>,
    ) {
        for component in &self.components {
            let words = match component.variants {
                0 => count(component.instances, "instance"),
                variants => count(variants, "variant"),
            };
            let response = row_ui(ui, &component.name, &words, icons::NODE_COMPONENT, None);
            let tip = "Put an instance where you look; more by the right button.";
            if response.on_hover_text(tip).clicked() {
                let (component, at) = (component.id.clone(), desk.place_to_insert(visible));
                act(cx, Act::Component(ComponentAct::Insert { component, at }));
            }
        }
        if self.components.is_empty() {
            inset(ui, |ui| {
                let words = "None yet. Select a layer and make it one.";
                ui.add(egui::Label::new(rich_text(words, Type::Caption, tokens(ui).dim)).wrap());
            });
        }
        inset(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                CommandButton::text(CommandId::CreateComponent).show(ui, cx);
                if self.has_instance(desk) {
                    CommandButton::text(CommandId::DetachInstance).show(ui, cx);
                    CommandButton::text(CommandId::ResetInstance).show(ui, cx);
                    self.swap_ui(ui, cx);
                }
            });
        });
    }

    fn has_instance(&self, desk: &AssistDesk) -> bool {
        let document = desk.editor.document();
        let mut selected = desk.editor.selection().nodes.iter();
        !self.components.is_empty()
            && selected.any(|id| document.get(id).is_some_and(|it| component_of(it).is_some()))
    }

    /// The menu of other components for the selected instances.
    fn swap_ui(&self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let button = Button::text("Swap").with_icon(icons::SWAP);
        let button = button.tooltip("Make the selected instances those of another component.");
        let button = button.show(ui);
        egui::Popup::menu(&button).show(|ui| {
            ui.set_min_width(160.0);
            for component in &self.components {
                if ui.button(&component.name).clicked() {
                    act(cx, Act::Component(ComponentAct::Swap(component.id.clone())));
                }
            }
        });
    }

    fn styles_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, kind: StyleKind) {
        let title = format!("{} styles", kind.label());
        let styles = self.styles.iter().filter(|style| style.style.kind == kind).count();
        inset(ui, |ui| section_header_ui(ui, &title, &styles.to_string()));
        let mut begins = None;
        for Style { style, color } in self.styles.iter().filter(|it| it.style.kind == kind) {
            let is_named = Some(StyleNaming::Old(style.id.clone()));
            if self.named.as_ref().map(|(named, _)| named.clone()) == is_named {
                continue;
            }
            let words = count(style.users.len(), "layer");
            let icon = if kind == StyleKind::Text { icons::NODE_TEXT } else { icons::RESTYLED };
            let response = row_ui(ui, &style.name, &words, icon, *color);
            let id = style.id.clone();
            if response.clicked() {
                act(cx, Act::Style(StyleAct::Apply(id.clone())));
            }
            response.context_menu(|ui| {
                ui.set_min_width(180.0);
                if ui.button("Rename").clicked() {
                    begins = Some((StyleNaming::Old(id.clone()), style.name.clone()));
                }
                if ui.button("Update from selection").clicked() {
                    act(cx, Act::Style(StyleAct::Redefine(id.clone())));
                }
            });
            response.on_hover_text("Apply to the selected layers; more by the right button.");
        }
        if begins.is_some() {
            self.named = begins;
        }
        self.name_ui(ui, cx, kind);
    }

    /// The field of a name, or the buttons that begin one.
    fn name_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, kind: StyleKind) {
        let is_here = match &self.named {
            Some((StyleNaming::New(of), _)) => *of == kind,
            Some((StyleNaming::Old(id), _)) => {
                self.styles.iter().any(|it| it.style.id == *id && it.style.kind == kind)
            }
            None => false,
        };
        let mut named = self.named.take_if(|_| is_here);
        inset(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                let Some((what, name)) = &mut named else {
                    let create = Button::text("Create style").look(Look::Raised);
                    let tip = "Make a style of how the selected layer looks.";
                    if create.tooltip(tip).show(ui).clicked() {
                        self.named = Some((StyleNaming::New(kind), String::new()));
                    }
                    let detach = Button::text("Detach").look(Look::Tool);
                    let tip = "The selected layers keep their look without the style.";
                    if detach.tooltip(tip).show(ui).clicked() {
                        act(cx, Act::Style(StyleAct::Detach(kind)));
                    }
                    return;
                };
                let edit = TextEdit::singleline(name)
                    .id(Id::unique(("style_name", kind.label())))
                    .char_limit(200)
                    .desired_width(ui.available_width() - 130.0)
                    .hint_text("Name");
                let field = ui.add(edit).accessible_name("Name of the style");
                let is_entered = field.lost_focus() && ui.input(|it| it.key_pressed(Key::Enter));
                let can = !name.trim().is_empty();
                let save = Button::text("Save").look(Look::Primary).enabled(can);
                let save = save.show(ui).clicked() || (can && is_entered);
                let cancel = Button::text("Cancel").show(ui).clicked();
                if save {
                    let name = name.clone();
                    act(
                        cx,
                        Act::Style(match what.clone() {
                            StyleNaming::New(kind) => StyleAct::Create { kind, name },
                            StyleNaming::Old(id) => StyleAct::Rename { id, name },
                        }),
                    );
                }
                if !save && !cancel {
                    self.named = Some((what.clone(), name.clone()));
                }
            });
        });
    }
}

/// With room at both sides.
fn inset(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let margin = egui::Margin::symmetric(12, 2);
    egui::Frame::new().inner_margin(margin).show(ui, add);
}

/// A line of the list.
fn row_ui(
    ui: &mut Ui,
    name: &str,
    aside: &str,
    icon: &'static str,
    color: Option<[u8; 4]>,
) -> Response {
    let tokens = tokens(ui);
    let wanted = vec2(ui.available_width(), size::ROW);
    let (rect, response) = allocate_stable_of(ui, name, wanted, Sense::click());
    let words = format!("{name}, {aside}");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &words));
    let body = rect.shrink2(vec2(6.0, 0.0));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(body, size::RADIUS_SMALL, tokens.raised);
    }
    let middle = rect.center().y;
    let at = pos2(rect.left() + 16.0, middle);
    if let Some(color) = color {
        let swatch = Rect::from_min_size(pos2(at.x, middle - 7.0), vec2(14.0, 14.0));
        let (fill, line) = (swatch_color(color), tokens.line());
        ui.painter().rect(swatch, 3, fill, line, StrokeKind::Inside);
    } else {
        let style = (Type::IconSmall, tokens.dim);
        paint_text(ui.painter(), at, Align2::LEFT_CENTER, icon, style, 18.0);
    }
    let right = pos2(rect.right() - 14.0, middle);
    let style = (Type::Caption, tokens.dim);
    let said = paint_text(ui.painter(), right, Align2::RIGHT_CENTER, aside, style, 90.0);
    let at = pos2(at.x + 22.0, middle);
    let room = said.left() - at.x - 8.0;
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, name, (Type::Body, tokens.text), room);
    response
}

fn components(document: &Document) -> Vec<Component> {
    let mut components: Vec<Component> = Vec::new();
    // Which entry counts the instances of a component.
    let mut entry_of: BTreeMap<NodeId, usize> = BTreeMap::new();
    for node in document.iter_depth_first() {
        let variants: Vec<&NodeId> = match node.kind {
            NodeKind::ComponentSet => node
                .children
                .iter()
                .filter(|id| document.get(id).is_some_and(|it| it.kind == NodeKind::Component))
                .collect(),
            NodeKind::Component if !entry_of.contains_key(&node.id) => vec![&node.id],
            _ => Vec::new(),
        };
        let Some(first) = variants.first() else { continue };
        for id in &variants {
            entry_of.insert((*id).clone(), components.len());
        }
        let is_set = node.kind == NodeKind::ComponentSet;
        components.push(Component {
            id: (*first).clone(),
            name: node.name.clone(),
            instances: 0,
            variants: if is_set { variants.len() } else { 0 },
        });
    }
    for used in document.iter_depth_first().filter_map(|node| component_of(node)) {
        if let Some(component) = entry_of.get(&used).and_then(|at| components.get_mut(*at)) {
            component.instances += 1;
        }
    }
    components
}

fn styles(document: &Document) -> Vec<Style> {
    let styles = shared_styles(document).into_iter();
    let colored = styles.map(|style| {
        let look = style_look(document, &style).filter(|_| style.kind == StyleKind::Fill);
        let color = look.and_then(|look| match look.fills.as_slice() {
            [only] => only.solid_color(),
            _ => None,
        });
        let color = color.map(crate::base::Rgba::to_u8);
        Style { style, color }
    });
    colored.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Node;

    #[test]
    fn a_set_is_listed_once_with_its_variants_and_a_component_with_its_instances() {
        let node = |id: &str, kind: NodeKind, parent: Option<&str>| {
            let parent = parent.map(NodeId::from);
            Node { parent, ..Node::new(id.into(), id, kind) }
        };
        let document = Document::from_nodes([
            node("empty", NodeKind::ComponentSet, None),
            node("set", NodeKind::ComponentSet, None),
            node("on", NodeKind::Component, Some("set")),
            node("off", NodeKind::Component, Some("set")),
            node("card", NodeKind::Component, None),
        ]);
        let listed = components(&document.unwrap());
        let listed: Vec<(&str, &str, usize)> =
            listed.iter().map(|it| (it.name.as_str(), it.id.as_str(), it.variants)).collect();
        assert_eq!(listed, [("set", "on", 2), ("card", "card", 0)]);
    }
}
