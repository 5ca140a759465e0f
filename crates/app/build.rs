//! Makes the program smaller where the linker can.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|set| set == value);
    // What the loader has to put right takes 2 MB as a list and some kB as a map of bits.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
