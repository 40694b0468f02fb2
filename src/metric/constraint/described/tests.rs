use proptest::prelude::*;

use super::*;

fn text<'a>(query: &'a Query, role: &str) -> &'a WantedText {
    let found = query.texts.iter().find(|text| text.role == role);
    found.unwrap_or_else(|| panic!("no {role} in {query:#?}"))
}

fn size(words: &str) -> WantedSize {
    WantedSize::Words(words.to_owned())
}

#[test]
fn a_sentence_is_read_component_by_component() {
    let (query, unread) = read_brief(
        "A poster with the title \"Blue Notes\" in huge white letters at the top center, and \
         the date \"7 May, 8 pm\" small below the title, on a deep purple background, with a \
         large picture of a moon in the center",
    );
    assert_eq!(query.design, Some(DesignType::Poster));
    assert_eq!(query.background.as_deref(), Some("deep purple"));
    let title = text(&query, "title");
    assert_eq!(title.content.as_deref(), Some("Blue Notes"));
    assert_eq!((&title.size, title.color.as_deref()), (&Some(size("huge")), Some("white")));
    assert_eq!(title.position.as_deref(), Some("at the top center"));
    let date = text(&query, "date");
    assert_eq!(date.content.as_deref(), Some("7 May, 8 pm"));
    assert_eq!((&date.size, date.color.as_deref()), (&Some(size("small")), None));
    assert_eq!(date.position.as_deref(), Some("below the title"));
    assert_eq!((query.texts.len(), query.visuals.len()), (2, 1));
    assert_eq!(query.visuals[0].name, "moon");
    assert_eq!(query.visuals[0].size, Some(size("large")));
    assert_eq!(query.visuals[0].position.as_deref(), Some("in the center"));
    assert_eq!(unread, Vec::<String>::new());
}

#[test]
fn lines_may_name_their_component_first() {
    let (query, unread) = read_brief(
        "Background: navy blue\nTitle: Open Day, large, white, top center\n\
         Call to action: \"Come in!\", 24 pt, below the title\nPhoto: old lighthouse, medium, \
         bottom center\nMake it feel like summer",
    );
    assert_eq!(query.background.as_deref(), Some("navy blue"));
    assert_eq!(text(&query, "title").content.as_deref(), Some("Open Day"));
    assert_eq!(text(&query, "title").color.as_deref(), Some("white"));
    assert_eq!(text(&query, "title").position.as_deref(), Some("top center"));
    let call = text(&query, "call action");
    assert_eq!(call.content.as_deref(), Some("Come in!"));
    assert_eq!(call.size, Some(WantedSize::Points(24.0)));
    assert_eq!(query.visuals[0].name, "old lighthouse");
    assert_eq!(query.visuals[0].position.as_deref(), Some("bottom center"));
    assert_eq!(unread, ["make it feel like summer"]);
}

#[test]
fn texts_of_one_name_are_told_apart_and_an_apostrophe_is_no_quote() {
    let (query, _) = read_brief("The chef's card says 'Tea' and says 'Cake'.");
    let names: Vec<&str> = query.texts.iter().map(|text| text.role.as_str()).collect();
    assert_eq!(names.len(), 2);
    assert_ne!(names[0], names[1]);
    let contents: Vec<_> = query.texts.iter().filter_map(|text| text.content.as_deref()).collect();
    assert_eq!(contents, ["Tea", "Cake"]);
}

#[test]
fn the_size_of_a_page_is_read_before_components_or_beside_a_word_for_it() {
    let page = |words: &str| read_brief(words).0.page.map(|size| (size.width, size.height));
    let words = "A banner of 1080 x 1350 px with the title \"Hi\", huge, on a navy background";
    let (query, unread) = read_brief(words);
    assert_eq!(page(words), Some((1080.0, 1350.0)));
    assert_eq!(
        text(&query, "title").size,
        Some(size("huge")),
        "its sides are no size of the title"
    );
    assert_eq!(unread, Vec::<String>::new());
    for words in ["Size: 728 × 90\nTitle: Hi", "The title \"Hi\" on a 728x90 page"] {
        let (query, unread) = read_brief(words);
        assert_eq!(page(words), Some((728.0, 90.0)), "{words}");
        assert_eq!((query.texts.len(), unread), (1, Vec::new()), "{words}");
    }
    for words in ["A picture of a moon, 300 x 200", "The title \"1080 x 1350\"", "A 3 x 4 grid"] {
        assert_eq!(page(words), None, "{words}");
    }
}

#[test]
fn what_is_no_brief_asks_for_nothing() {
    for words in ["", "   \n", ":", "\"", "....", "\u{201C}", ", , ,"] {
        let (query, _) = read_brief(words);
        assert_eq!((query.texts.len(), query.visuals.len()), (0, 0), "{words:?}");
        assert_eq!(query.background, None);
    }
}

proptest! {
    #[test]
    fn any_words_are_read_or_given_back(words in "[ -~\u{201C}\u{201D}\n]{0,300}") {
        let (query, _) = read_brief(&words);
        let names = query.texts.iter().map(|text| &text.role);
        let names: Vec<_> = names.chain(query.visuals.iter().map(|it| &it.name)).collect();
        prop_assert!(names.len() <= words.len());
    }
}
