//! Links as another program may hand them over.

use pentimento::workbench::Link;

use super::campaign;

const LINKS: [&str; 9] = [
    "run:/home/ada/runs/login/gpt-01@17?compare=gt&view=swipe",
    "run:runs/a%20b/%E4%BD%A0@0?tab=what-if",
    "run:/a@b/c@3?view=difference&tab=runs",
    "run:/home/ada/runs/a@12-30?step=17&tab=nodes",
    "run:a@30-12?step=99999999999",
    "run:/a?compare=gt&compare=gt",
    "run://server/share@1",
    "run:%2F%2Fserver%2Fshare@99999999999",
    "run:../%00/%ZZ?view=&&tab",
];

#[test]
fn links() {
    let corpus: Vec<Vec<u8>> = LINKS.iter().map(|link| link.as_bytes().to_vec()).collect();
    campaign(
        "links",
        |mutator| mutator.text(&corpus),
        |input| {
            let text = String::from_utf8_lossy(input);
            let link: Link = match text.parse() {
                Ok(link) => link,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    return;
                }
            };
            let path = link.run.to_str().unwrap();
            assert!(
                !path.is_empty() && !path.starts_with("//") && !path.contains('\0'),
                "{text:?}"
            );
            assert_eq!(link.to_string().parse(), Ok(link), "{text:?}");
        },
    );
}
