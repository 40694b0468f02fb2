//! The environment itself.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

use crate::base::{CancelToken, Limits, Pixels, Size};
use crate::environment::schema::build::{object, required, string};
use crate::environment::{
    Environment, FailureClass, Picture, PictureRequest, RenderError, Snapshot, ToolCall,
    ToolCategory, ToolOutcome, ToolSpec, check_arguments,
};

use super::renderer::{PageError, PageRenderer};

/// The only tool.
pub const RENDER_PAGE: &str = "render_page";

static TOOLS: LazyLock<[ToolSpec; 1]> = LazyLock::new(|| {
    [ToolSpec {
        name: RENDER_PAGE,
        description: "Shows a page instead of the one before: one HTML document with its CSS in it. \
                      Scripts do not run and nothing is loaded from elsewhere.",
        schema: object([required("html", string())]).into_value(),
        category: ToolCategory::Creation,
    }]
});

/// Longest page, in bytes.
const PAGE_BYTES: usize = 4 << 20;

/// A page that is shown, or none yet.
#[derive(Debug)]
pub struct PageEnvironment {
    renderer: Arc<dyn PageRenderer>,
    width: u32,
    height: u32,
    shown: Option<Arc<RenderedPage>>,
}

/// A page with what it looks like.
#[derive(Debug)]
struct RenderedPage {
    html: String,
    pixels: Pixels,
}

impl PageEnvironment {
    /// No page yet, in a window of this size, rounded to whole pixels.
    pub fn new(renderer: Arc<dyn PageRenderer>, size: Size) -> Result<Self, PageError> {
        // Whole pixels: a window has no halves of them.
        let side = 1.0..=f64::from(Limits::IMAGE_SIDE);
        let [width, height] = [size.width, size.height].map(f64::round);
        if !side.contains(&width) || !side.contains(&height) {
            return Err(PageError::Size { width, height });
        }
        Ok(Self { renderer, width: width as u32, height: height as u32, shown: None })
    }

    fn render(
        &mut self,
        call: &ToolCall,
        cancel: &CancelToken,
    ) -> Result<ToolOutcome, (FailureClass, String)> {
        let [spec] = &*TOOLS;
        let errors = check_arguments(&spec.schema, &call.arguments);
        if let Some(first) = errors.first() {
            return Err((FailureClass::BadArguments, first.to_string()));
        }
        let html = call.arguments["html"].as_str().unwrap_or_default();
        if html.len() > PAGE_BYTES {
            let message = format!("the page is longer than {PAGE_BYTES} bytes");
            return Err((FailureClass::BadArguments, message));
        }
        let pixels = self.renderer.render(html, (self.width, self.height), cancel);
        // The page before stays shown: a call that fails changes nothing.
        let pixels = pixels.map_err(|error| (FailureClass::Render, error.to_string()))?;
        self.shown = Some(Arc::new(RenderedPage { html: html.to_owned(), pixels: pixels.clone() }));
        let (width, height, by) = (self.width, self.height, self.renderer.name());
        let text = format!("Rendered at {width} × {height} by {by}.");
        let structured = json!({ "width": width, "height": height, "renderer": by });
        Ok(ToolOutcome::success(text, structured).with_image(pixels))
    }
}

impl Environment for PageEnvironment {
    fn tools(&self) -> &[ToolSpec] {
        &*TOOLS
    }

    /// For the browser.
    fn calls_wait(&self) -> bool {
        true
    }

    fn call(&mut self, call: &ToolCall, cancel: &CancelToken) -> ToolOutcome {
        let done = match call.name.as_str() {
            RENDER_PAGE => self.render(call, cancel),
            other => {
                // The caller's words come back to it, and may be of any length.
                let name: String = other.chars().take(80).collect();
                let message = format!("there is no tool {name:?}; there is {RENDER_PAGE}");
                Err((FailureClass::UnknownTool, message))
            }
        };
        done.unwrap_or_else(|(class, message)| ToolOutcome::failure(RENDER_PAGE, class, message))
    }

    /// What the page looks like, at one pixel a CSS pixel whatever the request says; white before
    /// there is a page.
    fn picture(&self, _request: &PictureRequest) -> Result<Picture, RenderError> {
        let pixels = match &self.shown {
            Some(shown) => shown.pixels.clone(),
            None => Pixels::filled(self.width, self.height, [255; 4])?,
        };
        Ok(Picture { pixels, diagnostics: Vec::new() })
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::new(self.shown.clone())
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        if let Some(shown) = snapshot.get::<Option<Arc<RenderedPage>>>() {
            self.shown.clone_from(shown);
        }
    }

    fn document_json(&self) -> Value {
        json!({ "html": self.shown.as_ref().map(|shown| &shown.html) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws a page as a flat colour: its length.
    #[derive(Debug)]
    struct Flat;

    impl PageRenderer for Flat {
        fn name(&self) -> String {
            "flat".to_owned()
        }

        fn render(
            &self,
            html: &str,
            (width, height): (u32, u32),
            _cancel: &CancelToken,
        ) -> Result<Pixels, PageError> {
            if html == "broken" {
                return Err(PageError::NoPicture("nothing came".to_owned()));
            }
            Ok(Pixels::filled(width, height, [html.len() as u8, 0, 0, 255])?)
        }
    }

    fn call(arguments: Value) -> ToolCall {
        ToolCall { id: "1".into(), name: RENDER_PAGE.into(), arguments }
    }

    fn red(page: &PageEnvironment) -> u8 {
        page.picture(&PictureRequest::default()).unwrap().pixels.get(0, 0).unwrap()[0]
    }

    #[test]
    fn a_page_is_shown_until_another_one_is() {
        let mut page = PageEnvironment::new(Arc::new(Flat), Size::new(3.4, 2.0)).unwrap();
        assert_eq!(red(&page), 255);
        let outcome = page.call(&call(json!({ "html": "<p>" })), &CancelToken::default());
        assert_eq!(outcome.image.as_ref().map(Pixels::width), Some(3), "{outcome:?}");
        let before = page.snapshot();
        page.call(&call(json!({ "html": "<p>!" })), &CancelToken::default());
        assert_eq!((red(&page), &page.document_json()["html"]), (4, &json!("<p>!")));
        page.restore(&before);
        assert_eq!(red(&page), 3);
    }

    #[test]
    fn what_cannot_be_shown_changes_nothing() {
        let mut page = PageEnvironment::new(Arc::new(Flat), Size::new(1.0, 1.0)).unwrap();
        page.call(&call(json!({ "html": "<p>" })), &CancelToken::default());
        for (name, arguments, class) in [
            (RENDER_PAGE, json!({ "html": "broken" }), FailureClass::Render),
            (RENDER_PAGE, json!({ "html": 1 }), FailureClass::BadArguments),
            (RENDER_PAGE, json!("<p>"), FailureClass::BadArguments),
            (
                RENDER_PAGE,
                json!({ "html": " ".repeat(PAGE_BYTES + 1) }),
                FailureClass::BadArguments,
            ),
            ("paint", json!({}), FailureClass::UnknownTool),
        ] {
            let outcome = page
                .call(&ToolCall { name: name.into(), ..call(arguments) }, &CancelToken::default());
            assert_eq!(outcome.failure.map(|failure| failure.class), Some(class));
            assert_eq!(red(&page), 3);
        }
        assert!(PageEnvironment::new(Arc::new(Flat), Size::new(f64::NAN, 1.0)).is_err());
    }
}
