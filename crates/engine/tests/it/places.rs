//! What holds in a folder is told to whoever changes a file there.

use lore_engine::context::{ContextOptions, Occasion};
use lore_engine::entries::NewEntry;

use crate::stage::Stage;

fn told(stage: &Stage, file: &str) -> String {
    let options = ContextOptions::new(Occasion::Files(vec![file.to_owned()]));
    stage.engine().context(&options).expect("there is a context").text
}

// Only entries that list the file, or the folder right around it, in `files` were told.
#[test]
fn a_rule_for_a_folder_is_told_wherever_it_names_it() {
    let stage = Stage::new();
    let rule = "In src/api never return raw errors to the caller.";
    stage.engine().remember(rule, None, false).expect("it is kept");
    for file in ["src/api/routes.py", "src/api/v2/deep/down.py"] {
        assert!(told(&stage, file).contains("never return raw errors"), "{file}");
    }
    for file in ["src/apiary/hive.py", "src/main.py", "other/src/api/routes.py"] {
        assert_eq!(told(&stage, file), "", "{file}");
    }
    let absolute = stage.project().join("src/api/x.py").display().to_string();
    assert!(told(&stage, &absolute).contains("never return raw errors"));
}

#[test]
fn a_rule_that_rests_on_a_file_is_told_before_the_file_changes() {
    let stage = Stage::new();
    stage.repo.write("src/locks.py", "LOCK = 1\n");
    let new = NewEntry {
        kind: Some(lore_core::Kind::Decision),
        title: "One lock for all berths".to_owned(),
        body: "All berths share one lock.".to_owned(),
        depends_on: vec!["src/locks.py exists".to_owned()],
        ..NewEntry::default()
    };
    stage.engine().add(new, false).expect("can be added");
    assert!(told(&stage, "src/locks.py").contains("share one lock"));
    assert_eq!(told(&stage, "src/berths.py"), "");
}
