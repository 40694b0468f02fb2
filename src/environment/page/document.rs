//! A page of somebody else's, put where it can do nothing but be drawn.

/// What the frame with the page may load: what is in the page itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/// A document that shows `html` in a frame of this size, in CSS pixels.
///
/// The frame is sandboxed and inherits the outer document's policy: no script runs, nothing is
/// loaded but what the page carries as `data:` URLs, and it leads nowhere else (`meta refresh`,
/// links and forms included).
pub(super) fn framed(html: &str, width: u32, height: u32) -> String {
    let inside = html.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<!DOCTYPE html><html><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\
         <style>html,body{{margin:0;background:#fff;overflow:hidden}}\
         iframe{{display:block;border:0;width:{width}px;height:{height}px}}</style></head>\
         <body><iframe sandbox scrolling=\"no\" srcdoc=\"{inside}\"></iframe></body></html>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_cannot_end_the_attribute_that_holds_it() {
        let framed = framed("<p title=\"a\">&quot;></iframe><script>", 10, 20);
        assert!(framed.contains("srcdoc=\"<p title=&quot;a&quot;>&amp;quot;></iframe><script>\""));
        assert!(framed.contains("width:10px;height:20px"));
    }
}
