//! Settings through the command line.

use crate::desk::Desk;

#[test]
fn settings_are_listed_changed_and_taken_back() {
    let desk = Desk::with_base();
    insta::assert_snapshot!("config_list", desk.lore(&["config", "list"]));
    assert_eq!(desk.lore(&["config", "set", "query.limit", "9"]).code, 0);
    assert_eq!(desk.lore(&["config", "get", "query.limit"]).out, "9\n");
    assert!(desk.read("knowledge/.lore/config.toml").contains("limit = 9"));
    assert_eq!(desk.lore(&["config", "unset", "query.limit"]).code, 0);
    assert_eq!(desk.lore(&["config", "get", "query.limit"]).out, "5\n");
    insta::assert_snapshot!("config_unknown", desk.lore(&["config", "set", "query.colour", "red"]));
    insta::assert_snapshot!("config_wrong", desk.lore(&["config", "set", "query.limit", "many"]));
}

#[test]
fn an_unknown_setting_in_a_file_is_a_warning_not_a_failure() {
    let desk = Desk::with_base();
    desk.write("knowledge/.lore/config.toml", "[query]\ncolour = \"red\"\n");
    let run = desk.lore(&["check"]);
    assert_eq!(run.code, 1, "{run}");
    assert!(run.out.contains("there is no setting `query.colour`"), "{run}");
}
