//! The workspace's file: what is put in comes out, and no file makes the program fail.

use std::path::Path;
use std::sync::Arc;

use pentimento::base::Pixels;
use pentimento::metric::{MissingScore, Registry, Score, Side, VariantSpec};
use pentimento::store::{ContentHash, ScoreKey, Store, StoreError, hash_side};

fn hash(shade: u8) -> ContentHash {
    let picture = Pixels::filled(2, 2, [shade, 0, 0, 255]).unwrap();
    hash_side(&Side { picture: Some(&picture), ..Side::default() })
}

fn variant() -> VariantSpec {
    Registry::built_in().variants().next().unwrap().clone()
}

fn put(store: &Store, shade: u8, score: &Score) {
    let variant = variant();
    let key = ScoreKey::new(hash(0), hash(shade), &variant);
    store.put_scores(&[(key, score.clone())]).unwrap();
}

fn get(store: &Store, shade: u8) -> Option<Score> {
    store.score(&ScoreKey::new(hash(0), hash(shade), &variant())).unwrap()
}

#[test]
fn a_score_comes_back_to_the_last_bit_in_the_next_session() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("deep/er/workspace.sqlite");
    let values = [0.1 + 0.2, -0.0, f64::MIN_POSITIVE, 1.0 / 3.0];
    {
        let store = Store::open(&path).unwrap();
        for (shade, value) in (1..).zip(values) {
            put(&store, shade, &Score::Value(value));
        }
    }
    let store = Store::open(&path).unwrap();
    for (shade, value) in (1..).zip(values) {
        assert_eq!(get(&store, shade), Some(Score::Value(value)));
    }
    assert_eq!(get(&store, 99), None);
}

#[test]
fn a_score_is_of_one_pair_one_variant_and_one_version() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("w.sqlite")).unwrap();
    put(&store, 1, &Score::Value(0.5));
    let spec = variant();
    let newer = VariantSpec { version: spec.version + 1, ..spec.clone() };
    let other = VariantSpec { id: "ssim/other".into(), ..spec.clone() };
    for (truth, made, spec) in [(0, 1, &newer), (0, 1, &other), (1, 0, &spec), (0, 2, &spec)] {
        let key = ScoreKey::new(hash(truth), hash(made), spec);
        assert_eq!(store.score(&key).unwrap(), None, "{key:?}");
    }
}

#[test]
fn only_a_reason_that_lies_in_the_content_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("w.sqlite")).unwrap();
    let kept = [
        MissingScore::TooSmall("7×7".to_owned()),
        MissingScore::Undefined("no nodes".to_owned()),
        MissingScore::NotFinite,
    ];
    let passing = [
        MissingScore::NoGroundTruth,
        MissingScore::NoPicture("x".to_owned()),
        MissingScore::NoDesign("x".to_owned()),
        MissingScore::NoCaption("x".to_owned()),
        MissingScore::NoModel("x".to_owned()),
        MissingScore::Cancelled,
    ];
    for (shade, why) in (1..).zip(kept) {
        put(&store, shade, &Score::Missing(why.clone()));
        assert_eq!(get(&store, shade), Some(Score::Missing(why)));
    }
    for (shade, why) in (50..).zip(passing) {
        put(&store, shade, &Score::Missing(why));
        assert_eq!(get(&store, shade), None);
    }
}

#[test]
fn a_damaged_file_is_set_aside_whole_and_the_next_session_begins_anew() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("w.sqlite");
    let bytes = b"this is no database, but it is long enough to be looked at ".repeat(40);
    for n in 1..=2 {
        std::fs::write(&path, &bytes).unwrap();
        let Err(StoreError::Damaged { aside, .. }) = Store::open(&path) else { panic!() };
        assert_eq!(aside, dir.path().join(format!("w.sqlite.damaged-{n}")));
        assert_eq!(std::fs::read(&aside).unwrap(), bytes);
        assert!(!path.exists());
    }
    put(&Store::open(&path).unwrap(), 1, &Score::Value(1.0));
}

/// Cuts pages out of the middle of a file that was good.
#[test]
fn a_file_that_turns_out_damaged_is_told_of_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("w.sqlite");
    {
        let store = Store::open(&path).unwrap();
        for shade in 1..=200 {
            put(&store, shade, &Score::Value(f64::from(shade)));
        }
    }
    let mut bytes = std::fs::read(&path).unwrap();
    assert!(bytes.len() > 12_000, "{}", bytes.len());
    bytes[4096..].fill(0xA5);
    std::fs::write(&path, bytes).unwrap();
    let first = Store::open(&path).and_then(|store| {
        let key = ScoreKey::new(hash(0), hash(7), &variant()).variant.to_owned();
        assert_eq!(key, "ssim/uniform7");
        let spec = variant();
        let failed = store.score(&ScoreKey::new(hash(0), hash(7), &spec)).map(drop);
        let again = store.score(&ScoreKey::new(hash(0), hash(7), &spec));
        assert!(failed.is_ok() || matches!(again, Err(StoreError::Closed { .. })));
        failed
    });
    assert!(matches!(first, Err(StoreError::Damaged { .. })), "{first:?}");
    assert!(dir.path().join("w.sqlite.damaged-1").exists());
}

pub(crate) fn change(path: &Path, sql: &str) {
    rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_newer_file_and_a_foreign_one_are_left_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("w.sqlite");
    drop(Store::open(&path).unwrap());
    change(&path, "UPDATE schema_version SET version = 99");
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
    assert!(error.to_string().contains("w.sqlite"), "{error}");
    let foreign = dir.path().join("bookmarks.sqlite");
    change(&foreign, "CREATE TABLE bookmarks (url TEXT)");
    let before = std::fs::read(&foreign).unwrap();
    assert!(matches!(Store::open(&foreign), Err(StoreError::Foreign { .. })));
    assert_eq!(std::fs::read(&foreign).unwrap(), before);
    assert!(path.exists());
}

#[test]
fn a_place_where_no_file_can_be_is_named() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), b"").unwrap();
    let error = Store::open(&dir.path().join("file/w.sqlite")).unwrap_err();
    assert!(matches!(error, StoreError::Folder { .. }), "{error}");
    let error = Store::open(dir.path()).unwrap_err();
    assert!(matches!(error, StoreError::Sqlite { .. }), "{error}");
}

#[test]
fn threads_and_connections_share_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = Arc::new(dir.path().join("w.sqlite"));
    let threads: Vec<_> = (0..4u8)
        .map(|thread| {
            let path = Arc::clone(&path);
            std::thread::Builder::new()
                .spawn(move || {
                    let store = Store::open(&path).unwrap();
                    for n in 0..20 {
                        put(&store, thread * 20 + n + 1, &Score::Value(f64::from(n)));
                    }
                })
                .unwrap()
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let store = Store::open(&path).unwrap();
    assert_eq!(get(&store, 1), Some(Score::Value(0.0)));
    assert_eq!(get(&store, 80), Some(Score::Value(19.0)));
}

#[test]
fn another_model_under_the_same_name_has_scores_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("w.sqlite")).unwrap();
    let spec = variant();
    let key = || ScoreKey::new(hash(0), hash(1), &spec);
    store.put_scores(&[(key().going_by(Some("aa")), Score::Value(0.5))]).unwrap();
    assert_eq!(store.score(&key().going_by(Some("aa"))).unwrap(), Some(Score::Value(0.5)));
    assert_eq!(store.score(&key().going_by(Some("bb"))).unwrap(), None);
    assert_eq!(store.score(&key()).unwrap(), None, "nor is it that of a time without hashes");
}
