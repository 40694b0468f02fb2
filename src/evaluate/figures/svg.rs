//! A drawing as SVG that needs nothing else: text stays text.

use std::fmt::Write as _;

use super::data::Figure;
use super::drawing::{Anchor, Ink, Shape};
use crate::evaluate::made_by::made_by;

/// Colours of series on white, told apart also by people who see fewer colours, and when printed grey.
const SERIES: [&str; 8] =
    ["#157D8A", "#A85B0E", "#8445B8", "#4A7D22", "#2F6BEB", "#C23140", "#8A7A12", "#6F7580"];
/// Room around the drawing, and for a line of words below it.
const MARGIN: f64 = 16.0;
const LINE: f64 = 15.0;
const TITLE: f64 = 26.0;
/// Letters of a remark that fit in a line.
const LETTERS: usize = 118;

/// The figure as SVG: its title, the drawing, what is to be said of it, and which program made it by which command.
pub fn to_svg(figure: &Figure, command: &str) -> String {
    let drawing = &figure.drawing;
    // How it was made is a line of the picture itself, as figures are copied without what stood around them.
    let made = made_by(command);
    let lines: Vec<String> =
        figure.remarks.iter().chain([&made]).flat_map(|remark| wrapped(remark)).collect();
    let width = drawing.width + 2.0 * MARGIN;
    let height = drawing.height + 2.0 * MARGIN + TITLE + 8.0 + LINE * lines.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"Inter, Helvetica, Arial, sans-serif\">\n\
         <title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n",
        escaped(figure.title)
    );
    // Writing to a String cannot fail, here and below.
    writeln!(
        svg,
        "<text x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"13\" font-weight=\"600\" fill=\"#1A1C20\">{}</text>",
        MARGIN + 11.0,
        escaped(figure.title)
    )
    .ok();
    writeln!(svg, "<g transform=\"translate({MARGIN} {:.1})\">", MARGIN + TITLE).ok();
    for shape in &drawing.shapes {
        push_shape(&mut svg, shape);
    }
    svg += "</g>\n";
    for (at, line) in lines.iter().enumerate() {
        writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"10\" fill=\"#5F6671\">{}</text>",
            MARGIN + TITLE + drawing.height + 18.0 + LINE * at as f64,
            escaped(line)
        )
        .ok();
    }
    svg + "</svg>\n"
}

fn push_shape(svg: &mut String, shape: &Shape) {
    match shape {
        Shape::Rect { area: [x, y, width, height], ink } => writeln!(
            svg,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" {}/>",
            paint("fill", *ink)
        ),
        Shape::Line { points, ink, width } => writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" {} stroke-width=\"{width}\" stroke-linejoin=\"round\"/>",
            joined(points),
            paint("stroke", *ink)
        ),
        Shape::Area { points, ink } => {
            writeln!(svg, "<polygon points=\"{}\" {}/>", joined(points), paint("fill", *ink))
        }
        Shape::Text { at: [x, y], text, anchor, size, ink } => writeln!(
            svg,
            "<text x=\"{x:.2}\" y=\"{:.2}\" font-size=\"{size}\" text-anchor=\"{}\" {}>{}</text>",
            // SVG sets text on its baseline, and the drawing says where its middle is.
            y + size * 0.35,
            match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            },
            paint("fill", *ink),
            escaped(text)
        ),
    }
    .ok();
}

fn paint(what: &str, ink: Ink) -> String {
    match ink {
        Ink::Text => format!("{what}=\"#1A1C20\""),
        Ink::Dim => format!("{what}=\"#5F6671\""),
        Ink::Grid => format!("{what}=\"#E0E2E6\""),
        Ink::Series(at) => format!("{what}=\"{}\"", SERIES[at % SERIES.len()]),
        Ink::Wash(at) => {
            format!("{what}=\"{}\" {what}-opacity=\"0.3\"", SERIES[at % SERIES.len()])
        }
    }
}

fn joined(points: &[[f64; 2]]) -> String {
    points.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ")
}

/// The text in lines that fit, broken between words.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let Some(last) = lines.last_mut() else { continue };
        if last.chars().count() + word.chars().count() >= LETTERS && !last.is_empty() {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            // What XML has no place for.
            letter if letter.is_control() || matches!(letter, '\u{FFFE}' | '\u{FFFF}') => {
                out.push(' ');
            }
            letter => out.push(letter),
        }
    }
    out
}
