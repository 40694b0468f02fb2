//! What there is: the open document of each program, and the shared folder.

use std::sync::Arc;

use crate::graphictown::Expert;

use super::document::{Layer, SuiteDocument};
use super::failure::{Failure, quoted, shorten};
use super::files::Files;

/// The whole state. Cloning is cheap: documents, layers and files are shared.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SuiteState {
    /// The open document of each expert, by [`Expert::index`].
    documents: [Option<Arc<SuiteDocument>>; 3],
    /// The shared folder.
    pub(super) files: Files,
    /// Whose document was worked on last.
    pub(super) current: Option<Expert>,
}

impl SuiteState {
    /// The open document of an expert.
    pub(super) fn document(&self, expert: Expert) -> Option<&Arc<SuiteDocument>> {
        self.documents[expert.index()].as_ref()
    }

    /// The document worked on last.
    pub(super) fn current_document(&self) -> Option<(Expert, &Arc<SuiteDocument>)> {
        let expert = self.current?;
        self.document(expert).map(|document| (expert, document))
    }

    /// Opens a document; gives the one that was open.
    pub(super) fn open(
        &mut self,
        expert: Expert,
        document: SuiteDocument,
    ) -> Option<Arc<SuiteDocument>> {
        self.current = Some(expert);
        self.documents[expert.index()].replace(Arc::new(document))
    }

    /// The open document of an expert, to read.
    pub(super) fn need(&self, expert: Expert) -> Result<&SuiteDocument, Failure> {
        self.document(expert).map(AsRef::as_ref).ok_or_else(|| self.no_document(expert))
    }

    /// The open document of an expert, to change. From here on it is the current one.
    pub(super) fn need_mut(&mut self, expert: Expert) -> Result<&mut SuiteDocument, Failure> {
        // Found before the borrow to change it, as the words name the other documents.
        let error = self.document(expert).is_none().then(|| self.no_document(expert));
        match (&mut self.documents[expert.index()], error) {
            (Some(document), None) => {
                self.current = Some(expert);
                Ok(Arc::make_mut(document))
            }
            (_, error) => Err(error.unwrap_or_else(|| Failure::NoDocument(String::new()))),
        }
    }

    /// A layer of an expert's document by name, and its place.
    pub(super) fn layer(&self, expert: Expert, name: &str) -> Result<(usize, &Layer), Failure> {
        let document = self.need(expert)?;
        let at = document.find(name).ok_or_else(|| self.no_layer(expert, document, name))?;
        let layer = document.layers.get(at).ok_or_else(|| self.no_layer(expert, document, name))?;
        Ok((at, layer))
    }

    fn no_document(&self, expert: Expert) -> Failure {
        let others: Vec<&str> = Expert::ALL
            .into_iter()
            .filter(|other| *other != expert && self.document(*other).is_some())
            .map(Expert::name)
            .collect();
        // What an agent can do next depends on who else has a document.
        let elsewhere = if others.is_empty() {
            "no expert has".to_owned()
        } else {
            format!("the {} has one, and what he saves can be imported", others.join(" and the "))
        };
        Failure::NoDocument(format!(
            "the {} has no open document ({elsewhere}); CreateDocument or CreateDocumentCustom opens one",
            expert.name()
        ))
    }

    fn no_layer(&self, expert: Expert, document: &SuiteDocument, name: &str) -> Failure {
        let shown = shorten(name);
        let elsewhere = Expert::ALL.into_iter().find(|other| {
            let document = self.document(*other).filter(|_| *other != expert);
            document.is_some_and(|document| document.find(name).is_some())
        });
        let in_file = self.files.iter().find(|file| file.document.find(name).is_some());
        // What was removed here comes first: it is what the plan itself did.
        let reason = match (document.removed.iter().any(|gone| gone == name), elsewhere, in_file) {
            (true, ..) => "it was removed".to_owned(),
            (_, Some(other), _) => format!("it is in the document of the {}", other.name()),
            (_, None, Some(file)) => {
                format!("it is in the file {:?} of the {}", file.name, file.expert.name())
            }
            (false, None, None) => "nobody has made it".to_owned(),
        };
        let layers = if document.layers.is_empty() {
            "no layers".to_owned()
        } else {
            format!(
                "the layers {}",
                quoted(document.layers.iter().map(|layer| layer.name.as_str()))
            )
        };
        Failure::UnknownLayer(format!(
            "the document of the {} has no layer {shown:?}: {reason}; it has {layers}",
            expert.name()
        ))
    }
}
