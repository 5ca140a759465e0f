//! The table of signals: each with the name its weight is written under, and what it says of a file.

/// Makes the numbers, the names and the sentences from one list, so that they cannot part.
macro_rules! signals {
    ($($signal:ident $name:literal $says:literal)*) => {
        /// One thing that can speak for a file.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(in crate::scan) enum Signal {
            $(#[doc = $says] $signal,)*
        }

        /// Their names, in the order of the numbers.
        pub const NAMES: [&str; COUNT] = [$($name),*];

        /// What each says, in the same order.
        pub(in crate::scan) const SENTENCES: [&str; COUNT] = [$($says),*];

        /// How many signals there are.
        pub const COUNT: usize = [$($name),*].len();
    };
}

signals! {
    Named "named" "the design names it"
    NamedOften "named_often" "the design names it"
    Listed "listed" "the design lists it"
    ToChange "to_change" "the design lists it as one that changes"
    NamedByName "named_by_name" "the design names it"
    NamedDocument "named_document" "the design names it"
    Referred "referred" "the design refers to it"
    Stem "stem" "its name stands in the design as a name of code"
    StemWord "stem_word" "its name stands in the design"
    Folder "folder" "the design names its folder"
    Scope "scope" "the design begins with the part it belongs to"
    BesideNew "beside_new" "the design adds a file beside it"
    ListsBesideNew "lists_beside_new" "it lists the files beside one that the design adds"
    Defines "defines" "it defines what the design names"
    Uses "uses" "it uses what the design names"
    Content "content" "it speaks of the same things"
    ContentRank "content_rank" "it speaks of the same things"
    TitleContent "title_content" "it speaks of the same things"
    DefinedWords "defined_words" "what it defines is called after the same things"
    Path "path" "its path says the same words"
    Past "past" "earlier commits that speak alike touched it"
    Churn "churn" "it changes often"
    Rate "rate" "it changes with much that changes"
    Settled "settled" "it has not changed since it was made"
    Recorded "recorded" "it changed for a while and never again"
    Numbered "numbered" "it is one of a series of records, by day or number"
    IsTest "is_test" "tests change along"
    IsDocument "is_document" "documents change along"
    IsSettings "is_settings" "settings change along"
    IsMade "is_made" "files of its kind change along"
    BesideDesign "beside_design" "it lies beside the design"
    Cochange "cochange" "it changes together with the likeliest files"
    CochangeSure "cochange_sure" "it changes together with one of the likeliest files"
    AsksSeed "asks_seed" "it imports the likeliest files"
    TestOfSeed "test_of_seed" "it tests one of the likeliest files, or is tested by one"
    TestOfNamed "test_of_named" "it tests a file that the design lists, and no test is listed"
    TestBesideListed "test_beside_listed" "it tests a file that the design lists"
    TestOfLikely "test_of_likely" "it tests a file that is likely"
    BesideSeed "beside_seed" "it lies beside the likeliest files"
    FolderOfSeeds "folder_of_seeds" "much of its folder is likely"
    Namesake "namesake" "it is called as one of the likeliest files"
}

/// The first signal that looks at the seeds; those before it look at the design and one file.
pub const TIES: usize = Signal::Cochange as usize;
