//! A packet as one page that any browser runs without a network.
//!
//! Its script and style are the program's own (`assets/packet`), and the page's policy lets no other run and
//! nothing be fetched; what is in it comes as data that no markup can be made of.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::rows::data_url;
use crate::base::ColorMap;
use crate::label::{Form, FormHash, Item, ItemRole, Packet, Project, text_hash};
use crate::store::labels::{EvidenceSlot, PacketPictures};

const STYLE: &str = include_str!("../../../assets/packet/packet.css");
const SCRIPT: &str = include_str!("../../../assets/packet/packet.js");

/// The whole file. `stem` is what the file of answers is called after.
pub(super) fn page(
    (project, packet): (&Project, &Packet),
    (forms, survey): (&[Form], Option<&Form>),
    items: &[Item],
    pictures: &PacketPictures,
    stem: &str,
) -> anyhow::Result<String> {
    let places: BTreeMap<i64, usize> =
        pictures.pictures.keys().enumerate().map(|(at, id)| (*id, at)).collect();
    let encoded = pictures.pictures.values();
    let encoded: Vec<String> = encoded.map(|png| data_url(png)).collect();
    let items: Vec<Value> = items.iter().map(|item| item_json(item, pictures, &places)).collect();
    // The colours of a difference, where any form shows one.
    let has_heat = forms.iter().any(|form| form.evidence.difference);
    let ramp = has_heat.then(|| ColorMap::default().ramp().to_vec());
    let forms: Vec<Value> =
        forms.iter().map(|form| json!({"hash": form.hash(), "form": form})).collect();
    let study: BTreeMap<&String, String> =
        pictures.study.iter().map(|(hash, png)| (hash, data_url(png))).collect();
    let consent = Some(&project.study.consent).filter(|text| !text.is_empty());
    let data = json!({
        "consent": consent.map(|text| json!({"text": text, "hash": text_hash(text)})),
        "examples": project.study.examples, "study_pictures": study,
        "survey": survey.map(|form| json!({"hash": form.hash(), "form": form})),
        "no_form": FormHash::NONE, "proposals": project.queue.proposals,
        "id": project.id, "of": packet.of, "person": packet.person, "name": project.name,
        "guidelines": project.guidelines, "file": stem,
        "ramp": ramp, "forms": forms, "items": items, "pictures": encoded,
    });
    // No element ends in it, whatever the words of forms are.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let policy = format!(
        "default-src 'none'; img-src data:; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT),
    );
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"referrer\" content=\"no-referrer\"><title>Labels</title>\
         <style>{STYLE}</style></head>\n<body><header></header><nav aria-label=\"Items\"></nav><main></main>\
         <aside aria-label=\"Questions\"></aside>\n\
         <script type=\"application/json\" id=\"packet\">{data}</script>\n<script>{SCRIPT}</script></body></html>\n"
    ))
}

/// The item with the places of its pictures: of each run by step, from the start on.
fn item_json(item: &Item, pictures: &PacketPictures, places: &BTreeMap<i64, usize>) -> Value {
    let mut truth = None;
    let mut candidates: Vec<Option<usize>> = vec![None; item.candidates.len()];
    let mut runs: Vec<Vec<Option<usize>>> = vec![Vec::new(); item.runs.len()];
    for (_, slot, picture) in pictures.slots.iter().filter(|(of, ..)| *of == item.id) {
        let place = places.get(picture).copied();
        match slot {
            EvidenceSlot::Truth => truth = place,
            EvidenceSlot::Candidate(at) => {
                if let Some(of_candidate) = candidates.get_mut(usize::from(*at)) {
                    *of_candidate = place;
                }
            }
            EvidenceSlot::Step { run, step } => {
                let Some(of_run) = runs.get_mut(usize::from(*run)) else { continue };
                let at = usize::try_from(*step).unwrap_or(usize::MAX);
                if of_run.len() <= at {
                    of_run.resize(at + 1, None);
                }
                of_run[at] = place;
            }
        }
    }
    json!({"id": item.id, "kind": item.kind, "text": item.text, "step": item.step,
        "candidates": item.candidates, "candidate_pictures": candidates, "truth": truth, "runs": runs,
        // Of those to learn by alone; of the others a packet does not have it.
        "known": item.known.as_ref().filter(|_| item.role == ItemRole::Practice),
        "proposal": item.proposal})
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}
