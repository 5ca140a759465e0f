//! A small picture of measurements: one row per alternative, every number a dot, the median a line.

use std::fmt::Write as _;

use super::{Measured, decide::number};

const WIDTH: f64 = 640.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 24.0;
const ROW: f64 = 44.0;
const TOP: f64 = 34.0;

/// Draws one metric as SVG; nothing where nobody measured it.
pub fn svg(measured: &Measured, metric: &str) -> Option<String> {
    let rows: Vec<_> = measured
        .alternatives
        .iter()
        .filter_map(|name| Some((name, measured.of(name, metric), measured.spread(name, metric)?)))
        .collect();
    let most = rows.iter().map(|(.., spread)| spread.max).fold(f64::NEG_INFINITY, f64::max);
    let least = rows.iter().map(|(.., spread)| spread.min).fold(f64::INFINITY, f64::min);
    if rows.is_empty() {
        return None;
    }
    // From zero, so that a small difference looks small; from below it only where numbers are negative.
    let from = least.min(0.0);
    let width = (most - from).max(f64::MIN_POSITIVE);
    let x = |value: f64| LEFT + (value - from) / width * (WIDTH - LEFT - RIGHT);
    let height = TOP + ROW * rows.len() as f64 + 26.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n<title>{0}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"12\" y=\"20\" fill=\"#333333\">{0}</text>\n",
        escaped(metric)
    );
    for (at, (name, numbers, spread)) in rows.iter().enumerate() {
        let y = TOP + ROW * (at as f64 + 0.5);
        let _ =
            writeln!(out, "<text x=\"12\" y=\"{:.1}\" fill=\"#111111\">{}</text>", y + 4.0, escaped(name));
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>",
            WIDTH - RIGHT
        );
        let (low, high) = (x(spread.low), x(spread.high));
        let _ = writeln!(
            out,
            "<rect x=\"{low:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"16\" fill=\"#9ec5e8\"/>",
            y - 8.0,
            (high - low).max(1.0)
        );
        for value in numbers.iter().flatten() {
            let _ = writeln!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"#1f5f99\" fill-opacity=\"0.6\"/>",
                x(*value)
            );
        }
        let median = x(spread.median);
        let _ = writeln!(
            out,
            "<line x1=\"{median:.1}\" y1=\"{:.1}\" x2=\"{median:.1}\" y2=\"{:.1}\" stroke=\"#b03a2e\" stroke-width=\"2\"/>",
            y - 12.0,
            y + 12.0
        );
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#b03a2e\" font-size=\"11\" text-anchor=\"{}\">{}</text>",
            median,
            y - 14.0,
            if median > WIDTH - 80.0 { "end" } else { "middle" },
            number(spread.median)
        );
    }
    let foot = height - 8.0;
    let _ = writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"{foot:.1}\" fill=\"#666666\" font-size=\"11\">{}</text>",
        number(from)
    );
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{foot:.1}\" fill=\"#666666\" font-size=\"11\" text-anchor=\"end\">{}</text>\n</svg>",
        WIDTH - RIGHT,
        number(most)
    );
    Some(out)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_a_dot() {
        let mut measured = Measured { alternatives: vec!["a<b".into(), "c".into()], ..Measured::default() };
        let key = |name: &str| (name.to_owned(), "wall_ms".to_owned());
        measured.numbers.insert(key("a<b"), vec![Some(1.0), Some(2.0), None]);
        measured.numbers.insert(key("c"), vec![Some(3.0)]);
        let svg = svg(&measured, "wall_ms").unwrap();
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("a&lt;b") && !svg.contains("a<b<"), "{svg}");
        assert_eq!(super::svg(&measured, "peak_mb"), None);
    }
}
