//! Conditions that entries rest on.

use crate::desk::Desk;

#[test]
fn what_no_longer_holds_is_named_with_the_line_that_says_so() {
    let desk = Desk::with_base();
    desk.write("package.json", "{\n  \"dependencies\": {\n    \"prisma\": \"^5.1.0\"\n  }\n}\n");
    let new = ["new", "Prisma is our ORM", "--body", "We use Prisma.", "--depends-on", "prisma >= 4.0"];
    assert_eq!(desk.lore(&new).code, 0);
    assert_eq!(desk.lore(&["fresh"]).code, 0);
    desk.write("package.json", "{\n  \"dependencies\": {\n    \"prisma\": \"^3.1.0\"\n  }\n}\n");
    let run = desk.lore(&["fresh"]);
    assert_eq!(run.code, 1, "{run}");
    assert!(run.out.contains("broken: prisma >= 4.0"), "{run}");
    assert!(run.out.contains("package.json:3 prisma ^3.1.0"), "{run}");
    let check = desk.lore(&["check"]);
    assert_eq!(check.code, 1, "{check}");
    assert!(check.out.contains("no longer holds"), "{check}");
}

#[test]
fn conditions_are_suggested_for_entries_that_name_a_package_or_a_file() {
    let desk = Desk::with_base();
    desk.write("package.json", "{\n  \"dependencies\": {\n    \"prisma\": \"^5.1.0\"\n  }\n}\n");
    desk.write("src/lib/auth.ts", "export class AuthService {}\n");
    let new = ["new", "Prisma reads bookings", "--body", "Prisma does.", "--tag", "database/prisma"];
    assert_eq!(desk.lore(&new).code, 0);
    let new = ["new", "Tokens are checked in one place", "--body", "There.", "--file", "src/lib/auth.ts"];
    assert_eq!(desk.lore(&new).code, 0);
    insta::assert_snapshot!("fresh_suggest", desk.lore(&["fresh", "--suggest"]));
}
