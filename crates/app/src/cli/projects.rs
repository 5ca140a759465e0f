//! The flags that ask other projects' bases.

use lore_engine::query::Across;

#[derive(Debug, Clone, clap::Args)]
pub(super) struct Projects {
    /// Ask the base of this known project instead
    #[arg(long, value_name = "NAME", conflicts_with = "all_projects")]
    project: Option<String>,
    /// Also ask the bases of all known projects
    #[arg(long)]
    all_projects: bool,
}

impl Projects {
    /// Says whose bases are asked.
    pub(super) fn across(self) -> Across {
        match self.project {
            Some(name) => Across::Project(name),
            None if self.all_projects => Across::All,
            None => Across::Here,
        }
    }
}
