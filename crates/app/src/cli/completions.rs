//! `lore completions`

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Outcome;
use super::complete::of_option;
use crate::error::Code;
use crate::ui::Ui;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lore completions bash > ~/.local/share/bash-completion/completions/lore")]
pub(super) struct Args {
    /// Your shell
    shell: Shell,
}

/// What stands at the end of the script for bash: ids, tags, sessions and their like are asked for, the
/// rest is known without asking.
const BASH: &str = r#"
_lore_values() {
    local line found=()
    while IFS= read -r line; do
        found+=("${line%%$'\t'*}")
    done < <(command lore complete --at "$COMP_CWORD" -- "${COMP_WORDS[@]}" 2>/dev/null)
    if [[ ${#found[@]} -gt 0 ]]; then
        COMPREPLY=("${found[@]}")
    else
        _lore "$@"
    fi
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _lore_values -o nosort -o bashdefault -o default lore
else
    complete -F _lore_values -o bashdefault -o default lore
fi
"#;

/// The same for zsh, around what is known, whose function is called [`KNOWN`].
const ZSH: &str = r#"
_lore() {
    local -a found values abouts
    local line
    found=("${(@f)$(command lore complete --at $((CURRENT - 1)) -- "${words[@]}" 2>/dev/null)}")
    for line in $found; do
        [[ -n $line ]] || continue
        values+=("${line%%$'\t'*}")
        abouts+=("${line/$'\t'/  }")
    done
    if (( $#values )); then
        compadd -l -d abouts -a values
    else
        _lore_known "$@"
    fi
}

if [ "$funcstack[1]" = "_lore" ]; then
    _lore "$@"
else
    compdef _lore lore
fi
"#;
const KNOWN: (&str, &str) = ("_lore() {", "_lore_known() {");
/// Where the script for zsh registers itself.
const REGISTERS: &str = "if [ \"$funcstack[1]\" = \"_lore\" ]";

/// The same for fish, which asks for the value of an option only where the option says so.
const FISH: &str = "
function __lore_values
    command lore complete --at (count (commandline -opc)) -- (commandline -opc) (commandline -ct) 2>/dev/null
end
complete -c lore -a '(__lore_values)'
";
const FISH_ASKS: &str = " -f -a '(__lore_values)'";

/// Has options ask for their values that only the base knows.
fn asking(script: &str) -> String {
    let line = |line: &str| {
        let option = line.split(" -l ").nth(1).and_then(|rest| rest.split_whitespace().next());
        let asks = line.ends_with(" -r") && option.is_some_and(|name| of_option(name).is_some());
        format!("{line}{}\n", if asks { FISH_ASKS } else { "" })
    };
    script.lines().map(line).collect()
}

pub(super) fn run(ui: &Ui, args: &Args) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Args::command(), "lore", &mut script);
    let known = String::from_utf8_lossy(&script).into_owned();
    let script = match args.shell {
        Shell::Bash => known + BASH,
        Shell::Zsh => {
            let body = known.split(REGISTERS).next().unwrap_or(&known);
            body.replacen(KNOWN.0, KNOWN.1, 1) + ZSH.trim_start()
        }
        Shell::Fish => asking(&known) + FISH.trim_start(),
        // The others have no place to ask from; commands and options they know.
        _ => known,
    };
    ui.print_whole(&script);
    Ok(Code::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generated_script_for_zsh_is_what_we_take_it_for() {
        let mut script = Vec::new();
        clap_complete::generate(Shell::Zsh, &mut super::super::Args::command(), "lore", &mut script);
        let script = String::from_utf8_lossy(&script);
        assert_eq!(script.matches(KNOWN.0).count(), 1);
        assert_eq!(script.matches(REGISTERS).count(), 1);
        assert!(script.trim_end().ends_with("fi"));
    }
}
