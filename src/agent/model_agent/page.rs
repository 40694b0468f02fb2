//! A page of HTML in an answer.

/// A page, and what was said around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HtmlPage {
    /// The document.
    pub(super) html: String,
    /// The rest of the answer.
    pub(super) around: String,
}

/// A fenced block.
struct FencedBlock<'a> {
    language: &'a str,
    text: &'a str,
}

/// The page in an answer, `None` if there is none.
///
/// Of blocks between backticks the longest that holds a tag is the page, and blocks of CSS beside it
/// are styles of it; a block that does not end goes to the end of the answer. Without backticks the
/// page is what begins with a doctype or `<html>` and ends with `</html>`, or with the answer.
pub(super) fn of_answer(answer: &str) -> Option<HtmlPage> {
    let (blocks, around) = blocks(answer);
    // The longest: models show a snippet of what they mean beside the whole.
    let pages = blocks.iter().filter(|block| !is_css(block) && holds_a_tag(block.text));
    if let Some(page) = pages.max_by_key(|block| block.text.len()) {
        // Some models keep markup and style apart, as they would in files.
        let html = blocks.iter().filter(|block| is_css(block)).fold(
            page.text.trim().to_owned(),
            // At the end of a document, where browsers still take it as its own.
            |html, css| format!("{html}\n<style>\n{}\n</style>", css.text.trim()),
        );
        return Some(HtmlPage { html, around });
    }
    bare(answer)
}

fn is_css(block: &FencedBlock<'_>) -> bool {
    block.language.eq_ignore_ascii_case("css")
}

/// Whether there is something like `<div` or `<!doctype` in it.
fn holds_a_tag(text: &str) -> bool {
    text.split('<').skip(1).any(|after| {
        after.starts_with('!') || after.chars().next().is_some_and(|c| c.is_ascii_alphabetic())
    })
}

/// The blocks between lines that begin with three backticks, and the text outside them.
fn blocks(answer: &str) -> (Vec<FencedBlock<'_>>, String) {
    let (mut blocks, mut around) = (Vec::new(), String::new());
    let mut rest = answer;
    while let Some((before, after)) = rest.split_once("```") {
        around.push_str(before);
        // An answer that was cut off has no closing backticks: its block is all that is left.
        let (language, body) = after.split_once('\n').unwrap_or((after, ""));
        let (text, next) = body.split_once("```").unwrap_or((body, ""));
        blocks.push(FencedBlock { language: language.trim(), text });
        rest = next;
    }
    around.push_str(rest);
    (blocks, around.trim().to_owned())
}

/// A page without backticks around it.
fn bare(answer: &str) -> Option<HtmlPage> {
    // ASCII alone changes, so that every offset is one of the answer as well.
    let lower = answer.to_ascii_lowercase();
    // The doctype, where there is one, stands before the tag and belongs to the page.
    let start = lower.find("<!doctype html").or_else(|| lower.find("<html"))?;
    let end = lower.rfind("</html>").map_or(answer.len(), |end| end + "</html>".len());
    let html = answer.get(start..end)?;
    let around = [answer.get(..start)?, answer.get(end..)?].map(str::trim);
    Some(HtmlPage { html: html.to_owned(), around: around.join("\n").trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(answer: &str) -> Option<(String, String)> {
        of_answer(answer).map(|page| (page.html, page.around))
    }

    #[test]
    fn a_page_is_found_in_backticks_or_without() {
        for (answer, html, around) in [
            ("Here:\n```html\n<p>1</p>\n```\nDone.", "<p>1</p>", "Here:\n\nDone."),
            ("```\n<!DOCTYPE html><p>\n```", "<!DOCTYPE html><p>", ""),
            ("```html\n<p>cut", "<p>cut", ""),
            ("a <!doctype HTML><p></HTML> b", "<!doctype HTML><p></HTML>", "a\nb"),
            ("<html><p>cut", "<html><p>cut", ""),
            ("```sh\nls\n```\n```html\n<p>ü</p>\n```", "<p>ü</p>", ""),
        ] {
            assert_eq!(page(answer), Some((html.to_owned(), around.to_owned())), "{answer}");
        }
    }

    #[test]
    fn styles_in_a_block_of_their_own_belong_to_the_page() {
        let (html, _) = page("```html\n<p>1</p>\n```\n```css\np { color: red }\n```").unwrap();
        assert_eq!(html, "<p>1</p>\n<style>\np { color: red }\n</style>");
    }

    #[test]
    fn an_answer_without_markup_is_no_page() {
        for answer in ["", "I cannot.", "a < b", "```\n1 < 2\n```", "```", "</html> <html"] {
            assert_eq!(page(answer).filter(|_| !answer.contains("<html")), None, "{answer}");
        }
        assert_eq!(page("</html> <html"), None, "the end is before the beginning");
    }
}
