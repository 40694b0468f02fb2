//! Where the credentials of AWS and its region are: environment variables and the files of AWS's own
//! tools (docs.aws.amazon.com/sdkref/latest/guide/file-format.html).
//!
//! Looked for in the order of AWS's tools: `AWS_BEARER_TOKEN_BEDROCK`, the variables with
//! `AWS_ACCESS_KEY_ID`, then the profile that `AWS_PROFILE` names or `default`. Profiles that sign in by
//! a browser, a role or a program are refused with the command that turns them into variables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::base::{JsonLimitError, Variables, read_file_limited};
use crate::model::wire::{ApiKey, UnusableKey};

/// The keyring's entry for credentials.
pub(super) const KEY_ENTRY: &str = "bedrock";
/// Largest file of AWS's tools that is read, in bytes.
const FILE_BYTES: u64 = 1 << 20;

/// Why there are no credentials of AWS, or no region.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AwsError {
    /// There are none.
    #[error(
        "there are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or store ID:SECRET with `pentimento key store {entry}`"
    )]
    NoCredentials {
        /// The keyring's entry that would do as well.
        entry: String,
    },
    /// There is no such profile.
    #[error("there is no profile {profile:?} in the files of AWS's tools (~/.aws)")]
    NoProfile {
        /// Its name.
        profile: String,
    },
    /// A profile lacks a part.
    #[error("the AWS profile {profile:?} has no {part}")]
    Incomplete {
        /// The profile.
        profile: String,
        /// What is missing.
        part: &'static str,
    },
    /// A profile signs in by other means.
    #[error(
        "the AWS profile {profile:?} signs in by {by}: run `aws configure export-credentials --profile {profile} --format env` and set the variables it prints"
    )]
    OtherWay {
        /// The profile.
        profile: String,
        /// The setting that says how.
        by: &'static str,
    },
    /// Nothing says where the models are.
    #[error("there is no AWS region: set AWS_REGION, or `region` in the file of models")]
    NoRegion,
    /// A file of AWS's tools cannot be read.
    #[error("a file of AWS's tools {0}")]
    File(String),
    /// They hold characters that cannot be sent.
    #[error(transparent)]
    Unusable(#[from] UnusableKey),
}

/// The variables that say something of credentials or the region.
const VARIABLES: [&str; 9] = [
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_PROFILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AWS_CONFIG_FILE",
];

/// Settings of a profile by name, in lower case.
type Section = BTreeMap<String, String>;

/// What the environment says of AWS, read once. Never shown: it holds secrets.
#[derive(Default)]
pub(super) struct AwsEnvironment {
    variables: BTreeMap<&'static str, String>,
    /// The profiles of `credentials` and of `config`, which complete each other.
    profiles: BTreeMap<String, Section>,
}

impl AwsEnvironment {
    /// What these variables say, and the files in their user's home.
    pub(super) fn from_variables(variables: &Variables) -> Result<Self, AwsError> {
        let known =
            VARIABLES.into_iter().filter_map(|name| Some((name, variables.text(name)?.to_owned())));
        Self::read(known.collect(), variables.home().unwrap_or(Path::new("")))
    }

    /// These variables, and the files they name or else those below this home.
    fn read(mut variables: BTreeMap<&'static str, String>, home: &Path) -> Result<Self, AwsError> {
        variables.retain(|_, value| !value.trim().is_empty());
        let mut profiles: BTreeMap<String, Section> = BTreeMap::new();
        let files = [
            ("AWS_CONFIG_FILE", ".aws/config"),
            ("AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials"),
        ];
        for (variable, path) in files {
            let path = variables.get(variable).map_or_else(|| home.join(path), PathBuf::from);
            for (name, section) in sections(&text_of(&path)?) {
                // In one of the two files a profile is named with a word before it; both are taken in
                // both, as AWS's tools do for `default`.
                let name =
                    name.strip_prefix("profile ").map_or(name.as_str(), str::trim).to_owned();
                // The credentials' file comes last and wins, as with AWS's tools.
                profiles.entry(name).or_default().extend(section);
            }
        }
        Ok(Self { variables, profiles })
    }

    /// The credentials, as the text of a key: of this profile, or wherever they are.
    pub(super) fn key(&self, profile: Option<&str>) -> Result<ApiKey, AwsError> {
        let (text, place) = if let Some(profile) = profile {
            (self.of_profile(profile)?, format!("the AWS profile {profile:?}"))
        } else if let Some(text) = self.of_variables() {
            (text, "the environment".to_owned())
        } else {
            let profile = self.chosen_profile();
            let is_named = self.variables.contains_key("AWS_PROFILE");
            if !is_named && !self.profiles.contains_key(profile) {
                return Err(no_credentials());
            }
            (self.of_profile(profile)?, format!("the AWS profile {profile:?}"))
        };
        ApiKey::new(&text, &place)?.ok_or(no_credentials())
    }

    /// The region: of this profile, or wherever one is said.
    pub(super) fn region(&self, profile: Option<&str>) -> Option<String> {
        // A profile that was asked for by name says more than the environment.
        let region = profile.and_then(|profile| self.region_of(profile));
        let region = region.or_else(|| self.variables.get("AWS_REGION"));
        let region = region.or_else(|| self.variables.get("AWS_DEFAULT_REGION"));
        let region = region.or_else(|| self.region_of(self.chosen_profile()));
        region.map(|region| region.trim().to_owned())
    }

    fn region_of(&self, profile: &str) -> Option<&String> {
        self.profiles.get(profile)?.get("region")
    }

    fn of_variables(&self) -> Option<String> {
        if let Some(key) = self.variables.get("AWS_BEARER_TOKEN_BEDROCK") {
            return Some(key.clone());
        }
        let id = self.variables.get("AWS_ACCESS_KEY_ID")?;
        let secret = self.variables.get("AWS_SECRET_ACCESS_KEY")?;
        Some(joined(id, secret, self.variables.get("AWS_SESSION_TOKEN")))
    }

    fn of_profile(&self, name: &str) -> Result<String, AwsError> {
        let profile = name.to_owned();
        let Some(section) = self.profiles.get(name) else {
            return Err(AwsError::NoProfile { profile });
        };
        let Some(id) = section.get("aws_access_key_id") else {
            let others = ["sso_session", "sso_start_url", "role_arn", "credential_process"];
            return Err(match others.into_iter().find(|by| section.contains_key(*by)) {
                Some(by) => AwsError::OtherWay { profile, by },
                None => AwsError::Incomplete { profile, part: "aws_access_key_id" },
            });
        };
        let Some(secret) = section.get("aws_secret_access_key") else {
            return Err(AwsError::Incomplete { profile, part: "aws_secret_access_key" });
        };
        Ok(joined(id, secret, section.get("aws_session_token")))
    }

    fn chosen_profile(&self) -> &str {
        self.variables.get("AWS_PROFILE").map_or("default", |name| name.trim())
    }
}

fn no_credentials() -> AwsError {
    AwsError::NoCredentials { entry: KEY_ENTRY.to_owned() }
}

/// Credentials as one text, as keyrings keep them.
fn joined(id: &str, secret: &str, token: Option<&String>) -> String {
    let [id, secret] = [id.trim(), secret.trim()];
    match token {
        Some(token) => format!("{id}:{secret}:{}", token.trim()),
        None => format!("{id}:{secret}"),
    }
}

/// The text of a file; nothing of one that is not there.
fn text_of(path: &Path) -> Result<String, AwsError> {
    match read_file_limited(path, FILE_BYTES) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(JsonLimitError::Read { source, .. })
            if matches!(
                source.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(String::new())
        }
        Err(error) => Err(AwsError::File(error.to_string())),
    }
}

/// The sections of a file: `[name]`, then lines of `setting = value`.
fn sections(text: &str) -> Vec<(String, Section)> {
    let mut sections: Vec<(String, Section)> = Vec::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        // What is indented belongs to a setting of several lines, none of which matters here.
        if line.starts_with([' ', '\t', '#', ';']) {
            continue;
        }
        if let Some(name) = line.trim_end().strip_prefix('[') {
            let name = name.split(']').next().unwrap_or_default().trim();
            sections.push((name.to_owned(), Section::new()));
        } else if let (Some((name, value)), Some((_, section))) =
            (line.split_once('='), sections.last_mut())
        {
            // A mark after a blank begins a comment; within a word it belongs to it, as in secrets.
            let value = value.split(" #").next().unwrap_or_default();
            let value = value.split(" ;").next().unwrap_or_default().trim();
            section.insert(name.trim().to_ascii_lowercase(), value.to_owned());
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&'static str, &str)], home: &Path) -> AwsEnvironment {
        let variables = variables.iter().map(|(name, value)| (*name, (*value).to_owned()));
        AwsEnvironment::read(variables.collect(), home).unwrap()
    }

    /// The key's text, which a key itself never shows.
    fn text(environment: &AwsEnvironment, profile: Option<&str>) -> String {
        let key = environment.key(profile).unwrap();
        let header = key.header("x");
        let bare = [
            "AKIDE:secret-e",
            "AKIDE:secret-e:token-token",
            "AKIDD:secret-d",
            "AKIDR:secret-r",
            "absk-key",
        ];
        let found = bare.into_iter().find(|text| {
            let other = ApiKey::new(text, "a test").unwrap().unwrap();
            other.header("x") == header
        });
        found.unwrap_or("another").to_owned()
    }

    fn home() -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join(".aws")).unwrap();
        let credentials = "# mine\n[default]\naws_access_key_id = AKIDD\naws_secret_access_key=secret-d # old\n\
                           \n[research]\nAWS_ACCESS_KEY_ID=AKIDR\naws_secret_access_key = secret-r\n\
                           [half]\naws_access_key_id = AKIDH\n";
        std::fs::write(home.path().join(".aws/credentials"), credentials).unwrap();
        let config = "[default]\nregion = us-east-2\ns3 =\n  region = nowhere\n[profile research]\n\
                      region = eu-west-1\n[profile work]\nsso_session = us\n[profile bare]\noutput = json\n";
        std::fs::write(home.path().join(".aws/config"), config).unwrap();
        home
    }

    #[test]
    fn variables_come_before_profiles_and_a_named_profile_before_both() {
        let home = home();
        let keys = [("AWS_ACCESS_KEY_ID", "AKIDE"), ("AWS_SECRET_ACCESS_KEY", "secret-e\n")];
        let plain = environment(&[], home.path());
        assert_eq!(text(&plain, None), "AKIDD:secret-d");
        assert_eq!(plain.region(None).as_deref(), Some("us-east-2"));
        let chosen = environment(&[("AWS_PROFILE", "research")], home.path());
        assert_eq!(text(&chosen, None), "AKIDR:secret-r");
        assert_eq!(chosen.region(None).as_deref(), Some("eu-west-1"));
        let both = [keys[0], keys[1], ("AWS_PROFILE", "research"), ("AWS_REGION", "ap-south-1")];
        let both = environment(&both, home.path());
        assert_eq!(text(&both, None), "AKIDE:secret-e");
        assert_eq!(both.region(None).as_deref(), Some("ap-south-1"));
        assert_eq!(text(&both, Some("research")), "AKIDR:secret-r");
        assert_eq!(both.region(Some("research")).as_deref(), Some("eu-west-1"));
        let token =
            environment(&[keys[0], keys[1], ("AWS_SESSION_TOKEN", "token-token")], home.path());
        assert_eq!(text(&token, None), "AKIDE:secret-e:token-token");
        let bearer = [keys[0], keys[1], ("AWS_BEARER_TOKEN_BEDROCK", "absk-key")];
        assert_eq!(text(&environment(&bearer, home.path()), None), "absk-key");
        let default =
            environment(&[("AWS_REGION", " "), ("AWS_DEFAULT_REGION", "us-west-1")], home.path());
        assert_eq!(default.region(None).as_deref(), Some("us-west-1"));
    }

    #[test]
    fn what_is_missing_is_named_with_what_to_do() {
        let home = home();
        let cases = [
            ("nobody", "no profile \"nobody\""),
            ("half", "has no aws_secret_access_key"),
            ("bare", "has no aws_access_key_id"),
            (
                "work",
                "signs in by sso_session: run `aws configure export-credentials --profile work",
            ),
        ];
        for (profile, words) in cases {
            let error =
                environment(&[("AWS_PROFILE", profile)], home.path()).key(None).unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        }
        let empty = tempfile::tempdir().unwrap();
        let none = environment(&[], empty.path());
        assert_eq!(none.key(None).unwrap_err(), no_credentials());
        assert_eq!(none.region(None), None);
    }

    #[test]
    fn files_may_be_elsewhere_and_need_not_be_tidy() {
        let home = home();
        let path = home.path().join("mine");
        std::fs::write(&path, "no section = 1\n[ a ]\nx\n = y\n[b\naws_access_key_id = AKIDR\n")
            .unwrap();
        let path = path.to_str().unwrap();
        let odd = environment(&[("AWS_SHARED_CREDENTIALS_FILE", path)], home.path());
        let error = odd.key(Some("b")).unwrap_err().to_string();
        assert!(error.contains("aws_secret_access_key"), "{error}");
        let folder = home.path().to_str().unwrap().to_owned();
        let variables = [("AWS_CONFIG_FILE", folder)].into_iter().collect();
        assert!(matches!(AwsEnvironment::read(variables, home.path()), Err(AwsError::File(_))));
    }
}
