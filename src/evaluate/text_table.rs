//! Tables that people read, as Markdown and LaTeX: the one writer of both, so that what a model or a task calls itself
//! is escaped alike wherever it is printed.

use crate::base::one_line;

/// A table of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTable {
    /// What its columns are.
    pub columns: Vec<TextColumn>,
    /// As many cells a row as there are columns.
    pub rows: Vec<Vec<TextCell>>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextColumn {
    /// What stands above it.
    pub heading: String,
    /// On which side its cells stand.
    pub side: TextSide,
}

/// On which side the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextSide {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextCell {
    /// What stands there.
    pub words: String,
    /// The number of a footnote, which whoever prints the table writes below it.
    pub footnote: Option<usize>,
}

impl From<String> for TextCell {
    fn from(words: String) -> Self {
        Self { words, footnote: None }
    }
}

impl TextTable {
    /// A table of Markdown as GitHub reads it; a footnote is its number in brackets.
    pub fn to_markdown(&self) -> String {
        let headings = self.columns.iter().map(|column| escaped_markdown(&column.heading));
        let sides = self.columns.iter().map(|column| match column.side {
            TextSide::Left => "---".to_owned(),
            TextSide::Right => "---:".to_owned(),
        });
        let rows = self.rows.iter().map(|row| {
            markdown_line(row.iter().map(|cell| {
                let words = escaped_markdown(&cell.words);
                cell.footnote.map_or(words.clone(), |number| format!("{words}[{number}]"))
            }))
        });
        markdown_line(headings) + &markdown_line(sides) + &rows.collect::<String>()
    }

    /// A `tabular` with the rules of the package booktabs, each line behind `indent`; a footnote is its raised number.
    pub fn to_latex(&self, indent: &str) -> String {
        let sides: String = self
            .columns
            .iter()
            .map(|column| if column.side == TextSide::Left { 'l' } else { 'r' })
            .collect();
        let headings = self.columns.iter().map(|column| escaped_latex(&column.heading));
        let rows = self.rows.iter().map(|row| {
            latex_line(
                indent,
                row.iter().map(|cell| {
                    let words = escaped_latex(&cell.words);
                    // Not `\footnote`, which puts nothing below a table that floats.
                    cell.footnote.map_or(words.clone(), |number| {
                        format!("{words}\\textsuperscript{{{number}}}")
                    })
                }),
            )
        });
        let rows: String = rows.collect();
        format!(
            "{indent}\\begin{{tabular}}{{{sides}}}\n{indent}  \\toprule\n{}{indent}  \\midrule\n{rows}\
             {indent}  \\bottomrule\n{indent}\\end{{tabular}}\n",
            latex_line(indent, headings)
        )
    }
}

fn markdown_line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

fn latex_line(indent: &str, cells: impl Iterator<Item = String>) -> String {
    format!("{indent}  {} \\\\\n", cells.collect::<Vec<_>>().join(" & "))
}

/// Text as a cell or a line of Markdown: no HTML, no link, no end of a cell.
pub fn escaped_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '|' | '\\' | '`' => escaped.extend(['\\', c]),
            // `](` alone makes a link; brackets and parentheses by themselves stay readable.
            '(' if escaped.ends_with(']') => escaped += "\\(",
            c => escaped.push(c),
        }
    }
    escaped
}

/// Text as code in Markdown, to be copied as it is: in one line, between as many backticks as it takes.
pub fn markdown_code(text: &str) -> String {
    let text = one_line(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // A backtick at its end would be taken for one of the fence.
    let room = if longest > 0 { " " } else { "" };
    format!("{fence}{room}{text}{room}{fence}")
}

/// Text as LaTeX sets it, for the package textcomp: in one line, with what means something there escaped.
pub fn escaped_latex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out += "\\textbackslash{}",
            // At the beginning of a row they would belong to the `\\` or the rule before it.
            '[' | '*' if out.trim_ascii_start().is_empty() => out.extend(['{', c, '}']),
            // In the fonts that LaTeX begins with, these are other signs.
            '<' => out += "\\textless{}",
            '>' => out += "\\textgreater{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            // Signs that pdflatex has no glyph for in most text fonts.
            'Δ' => out += "$\\Delta$",
            '±' => out += "$\\pm$",
            '−' => out += "$-$",
            '→' => out += "$\\rightarrow$",
            '≥' => out += "$\\ge$",
            '≤' => out += "$\\le$",
            '≈' => out += "$\\approx$",
            '≠' => out += "$\\ne$",
            '∞' => out += "$\\infty$",
            'α' => out += "$\\alpha$",
            'κ' => out += "$\\kappa$",
            'ρ' => out += "$\\rho$",
            'σ' => out += "$\\sigma$",
            'τ' => out += "$\\tau$",
            'χ' => out += "$\\chi$",
            '·' => out += "$\\cdot$",
            '—' => out += "---",
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Text behind `%`: a line end in it would end the comment.
pub fn latex_comment(text: &str) -> String {
    format!("% {}\n", one_line(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TextTable {
        let column = |heading: &str, side| TextColumn { heading: heading.to_owned(), side };
        let cell = |words: &str, footnote| TextCell { words: words.to_owned(), footnote };
        TextTable {
            columns: vec![column("Model", TextSide::Left), column("SSIM", TextSide::Right)],
            rows: vec![vec![cell("gpt_4|o", None), cell("0.7 ± 0.1", Some(1))]],
        }
    }

    #[test]
    fn markdown_and_latex_are_the_same_table_each_escaped_in_its_way() {
        let markdown = "| Model | SSIM |\n| --- | ---: |\n| gpt_4\\|o | 0.7 ± 0.1[1] |\n";
        assert_eq!(table().to_markdown(), markdown);
        let latex = " \\begin{tabular}{lr}\n   \\toprule\n   Model & SSIM \\\\\n   \\midrule\n   \
                     gpt\\_4|o & 0.7 $\\pm$ 0.1\\textsuperscript{1} \\\\\n   \\bottomrule\n \\end{tabular}\n";
        assert_eq!(table().to_latex(" "), latex);
    }

    #[test]
    fn markdown_holds_no_tag_no_link_and_no_end_of_a_cell() {
        let odd = "<b>&lt;|a\\|![x](y)\nz`";
        let shown = "&lt;b&gt;&amp;lt;\\|a\\\\\\|![x]\\(y) z\\`";
        assert_eq!(escaped_markdown(odd), shown);
        assert_eq!(markdown_code("a < 'b'"), "`a < 'b'`");
        assert_eq!(markdown_code("a ``b`"), "``` a ``b` ```");
    }

    #[test]
    fn latex_escapes_what_means_something_there() {
        let escaped = "50\\% of a\\_b\\textbackslash{}\\textasciitilde{} ---";
        assert_eq!(escaped_latex("50% of a_b\\~\n—"), escaped);
        assert_eq!(escaped_latex("[a] < b"), "{[}a] \\textless{} b");
        assert_eq!(escaped_latex("*a*"), "{*}a*");
        assert_eq!(latex_comment("a\nb"), "% a b\n");
    }
}
