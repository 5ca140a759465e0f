//! What a program printed to a terminal as a picture (SVG): one frame after the other, with its colours.
//!
//! No clock, no font and no browser has a part in it, so the same output is the same picture.

/// Columns of the terminal; longer lines are broken as a terminal breaks them.
const COLUMNS: usize = 118;
/// Rows of the terminal; what goes beyond is cut.
const ROWS: usize = 34;
/// Width and height of a character, in pixels.
const CELL: (f64, f64) = (7.8, 17.0);
/// Space around the text.
const MARGIN: f64 = 14.0;
/// How long each frame is shown, in seconds.
const SHOWN: usize = 6;

/// How a run of characters looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Look {
    bold: bool,
    faint: bool,
    colour: Option<&'static str>,
}

impl Look {
    fn classes(self) -> String {
        let classes = [self.bold.then_some("b"), self.faint.then_some("f"), self.colour];
        classes.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// Takes one number of a control sequence (select graphic rendition).
    fn take(&mut self, number: &str) {
        match number {
            "" | "0" => *self = Look::default(),
            "1" => self.bold = true,
            "2" => self.faint = true,
            "31" => self.colour = Some("r"),
            "32" => self.colour = Some("g"),
            "33" => self.colour = Some("y"),
            "36" => self.colour = Some("c"),
            _ => {}
        }
    }
}

type Row = Vec<(Look, String)>;

/// Draws frames, each of them what stood on the terminal.
pub fn picture(title: &str, frames: &[&str]) -> String {
    let width = 2.0 * MARGIN + CELL.0 * COLUMNS as f64;
    let height = 2.0 * MARGIN + CELL.1 * ROWS as f64;
    let count = frames.len().max(1);
    let share = 100.0 / count as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n<style>\n\
         text {{ font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d8dee9; white-space: pre; }}\n\
         .b {{ font-weight: bold; fill: #ffffff; }} .f {{ fill: #8a94a6; }} .r {{ fill: #f07178; }} .g {{ fill: #a3d977; }}\n\
         .y {{ fill: #ffcb6b; }} .c {{ fill: #7fdbe6; }}\n\
         .frame {{ visibility: hidden; animation: show {}s step-end infinite; }}\n\
         @keyframes show {{ 0% {{ visibility: visible; }} {share:.3}% {{ visibility: hidden; }} }}\n\
         @media (prefers-reduced-motion: reduce) {{ .frame {{ animation: none; }} .first {{ visibility: visible; }} }}\n\
         </style>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e222a\"/>\n",
        count * SHOWN,
    );
    for (at, frame) in frames.iter().enumerate() {
        let first = if at == 0 { " first" } else { "" };
        svg.push_str(&format!("<g class=\"frame{first}\" style=\"animation-delay: {}s\">\n", at * SHOWN));
        for (row, runs) in shown(frame).iter().enumerate().filter(|(_, runs)| !runs.is_empty()) {
            let y = MARGIN + CELL.1 * (row as f64 + 0.8);
            svg.push_str(&format!("<text x=\"{MARGIN}\" y=\"{y:.1}\">{}</text>\n", drawn(runs)));
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Returns the rows that fit on the terminal.
fn shown(frame: &str) -> Vec<Row> {
    let mut rows = rows(frame.trim_matches('\n'));
    if rows.len() > ROWS {
        rows.truncate(ROWS - 1);
        rows.push(vec![(Look { faint: true, ..Look::default() }, "…".to_owned())]);
    }
    rows
}

fn rows(text: &str) -> Vec<Row> {
    let mut look = Look::default();
    let mut rows = Vec::new();
    for line in text.lines() {
        let mut row = Row::new();
        let mut column = 0;
        let mut rest = line;
        while let Some(next) = rest.chars().next() {
            if let Some(sequence) = rest.strip_prefix("\u{1b}[") {
                let ends = sequence.find('m').map_or(sequence.len(), |at| at + 1);
                sequence[..ends].trim_end_matches('m').split(';').for_each(|number| look.take(number));
                rest = &sequence[ends..];
                continue;
            }
            if column == COLUMNS {
                rows.push(std::mem::take(&mut row));
                column = 0;
            }
            match row.last_mut().filter(|(own, _)| *own == look) {
                Some((_, run)) => run.push(next),
                None => row.push((look, next.to_string())),
            }
            column += 1;
            rest = &rest[next.len_utf8()..];
        }
        rows.push(row);
    }
    rows
}

fn drawn(runs: &Row) -> String {
    let draw = |(look, text): &(Look, String)| {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        match look.classes() {
            plain if plain.is_empty() => text,
            classes => format!("<tspan class=\"{classes}\">{text}</tspan>"),
        }
    };
    runs.iter().map(draw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_classes_and_marks_are_escaped() {
        let svg = picture("a < b", &["\u{1b}[1mbold\u{1b}[0m <plain>\n\u{1b}[2;32mgood\u{1b}[0m"]);
        assert!(svg.contains("<tspan class=\"b\">bold</tspan> &lt;plain&gt;</text>"), "{svg}");
        assert!(svg.contains("<tspan class=\"f g\">good</tspan>"), "{svg}");
    }

    #[test]
    fn long_lines_are_broken_and_long_frames_cut() {
        assert_eq!(rows(&"x".repeat(COLUMNS * 2 + 1)).len(), 3);
        let shown = shown(&"line\n".repeat(ROWS + 5));
        assert_eq!((shown.len(), shown[ROWS - 1][0].1.as_str()), (ROWS, "…"));
    }
}
