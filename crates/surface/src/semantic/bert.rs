//! A small BERT in plain Rust: sentence vectors of MiniLM-class models from local files.
//!
//! Reads a folder in Hugging Face layout (`config.json`, `vocab.txt`, `model.safetensors`) and gives
//! the mean of the last layer, which is what sentence-transformers of this class are trained for.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lore_core::meaning::{PieceIndex, fingerprint, pieces};
use ndarray::{Array1, Array2, ArrayViewMut1, Axis, Slice};
use serde::Deserialize;

use super::Embedder;

/// The model could not be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file cannot be read.
    #[error("cannot read `{path}`")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file does not say what it should.
    #[error("`{path}` is not of the kind we can use: {what}")]
    Form {
        /// The file.
        path: PathBuf,
        /// What is missing or odd.
        what: String,
    },
}

/// What we need of `config.json`.
#[derive(Debug, Deserialize)]
struct Config {
    hidden_size: usize,
    num_attention_heads: usize,
    num_hidden_layers: usize,
    intermediate_size: usize,
    max_position_embeddings: usize,
    #[serde(default = "usual_epsilon")]
    layer_norm_eps: f32,
}

fn usual_epsilon() -> f32 {
    1e-12
}

/// A linear layer: one row of weights per output.
struct Linear {
    weight: Array2<f32>,
    bias: Array1<f32>,
}

struct Norm {
    gain: Array1<f32>,
    bias: Array1<f32>,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    mixed: Linear,
    mixed_norm: Norm,
    wide: Linear,
    narrow: Linear,
    narrow_norm: Norm,
}

/// A sentence model.
pub struct Bert {
    name: String,
    config: Config,
    vocabulary: HashMap<String, u32>,
    words: Array2<f32>,
    positions: Array2<f32>,
    kind: Array1<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

/// Texts are cut after this many pieces, as the models of this class were trained.
const LONGEST: usize = 256;

impl Bert {
    /// Loads a model from a folder in Hugging Face layout.
    pub fn load(folder: &Path) -> Result<Bert, ModelError> {
        let config_path = folder.join("config.json");
        let config: Config = serde_json::from_slice(&read(&config_path)?)
            .map_err(|error| ModelError::Form { path: config_path.clone(), what: error.to_string() })?;
        let path = folder.join("model.safetensors");
        let bytes = read(&path)?;
        let tensors = Tensors::new(&bytes, &path)?;
        let vocabulary_path = folder.join("vocab.txt");
        let text = String::from_utf8_lossy(&read(&vocabulary_path)?).into_owned();
        let vocabulary: HashMap<String, u32> =
            text.lines().zip(0..).map(|(piece, number)| (piece.to_owned(), number)).collect();
        let size = config.hidden_size;
        let norm = |prefix: &str| -> Result<Norm, ModelError> {
            let gain = tensors.vector(&format!("{prefix}.weight"), size)?;
            Ok(Norm { gain, bias: tensors.vector(&format!("{prefix}.bias"), size)? })
        };
        let linear = |prefix: &str, inputs: usize, outputs: usize| -> Result<Linear, ModelError> {
            let weight = tensors.matrix(&format!("{prefix}.weight"), Some(outputs), inputs)?;
            Ok(Linear { weight, bias: tensors.vector(&format!("{prefix}.bias"), outputs)? })
        };
        let wide = config.intermediate_size;
        let mut layers = Vec::new();
        for number in 0..config.num_hidden_layers {
            let part = |name: &str| format!("encoder.layer.{number}.{name}");
            layers.push(Layer {
                query: linear(&part("attention.self.query"), size, size)?,
                key: linear(&part("attention.self.key"), size, size)?,
                value: linear(&part("attention.self.value"), size, size)?,
                mixed: linear(&part("attention.output.dense"), size, size)?,
                mixed_norm: norm(&part("attention.output.LayerNorm"))?,
                wide: linear(&part("intermediate.dense"), size, wide)?,
                narrow: linear(&part("output.dense"), wide, size)?,
                narrow_norm: norm(&part("output.LayerNorm"))?,
            });
        }
        let kinds = tensors.matrix("embeddings.token_type_embeddings.weight", None, size)?;
        let kind = kinds.rows().into_iter().next().map(|row| row.to_owned()).unwrap_or_default();
        Ok(Bert {
            name: format!("bert-{size}-{:08x}", fingerprint(&bytes)),
            words: tensors.matrix("embeddings.word_embeddings.weight", None, size)?,
            positions: tensors.matrix("embeddings.position_embeddings.weight", None, size)?,
            kind,
            norm: norm("embeddings.LayerNorm")?,
            layers,
            vocabulary,
            config,
        })
    }

    /// Lists the word pieces in the order of their numbers, which is about that of their frequency.
    pub fn vocabulary(&self) -> Vec<&str> {
        let mut listed: Vec<(&u32, &str)> = self.vocabulary.iter().map(|(p, n)| (n, p.as_str())).collect();
        listed.sort_unstable();
        listed.into_iter().map(|(_, piece)| piece).collect()
    }

    /// Returns the mean of the last layer for one word piece that stands alone, not scaled.
    pub fn embed_piece(&self, number: u32) -> Vec<f32> {
        self.mean(&[self.special("[CLS]"), number, self.special("[SEP]")])
    }

    fn special(&self, piece: &str) -> u32 {
        self.vocabulary.get(piece).copied().unwrap_or(0)
    }

    fn mean(&self, numbers: &[u32]) -> Vec<f32> {
        let mut states = self.input(numbers);
        for layer in &self.layers {
            states = self.layer(layer, states);
        }
        states.mean_axis(Axis(0)).map(|mean| mean.to_vec()).unwrap_or_default()
    }

    fn input(&self, numbers: &[u32]) -> Array2<f32> {
        let mut states = Array2::zeros((numbers.len(), self.config.hidden_size));
        for ((mut state, number), position) in states.rows_mut().into_iter().zip(numbers).zip(0..) {
            // What lies outside the tables adds nothing.
            if let Some(number) = Some(*number as usize).filter(|number| *number < self.words.nrows()) {
                state += &self.words.row(number);
            }
            if position < self.positions.nrows() {
                state += &self.positions.row(position);
            }
            state += &self.kind;
        }
        self.norm.apply(&mut states, self.config.layer_norm_eps);
        states
    }

    fn layer(&self, layer: &Layer, states: Array2<f32>) -> Array2<f32> {
        let epsilon = self.config.layer_norm_eps;
        let mut middle = layer.mixed.apply(&self.attend(layer, &states)) + states;
        layer.mixed_norm.apply(&mut middle, epsilon);
        let mut wide = layer.wide.apply(&middle);
        wide.mapv_inplace(gelu);
        let mut out = layer.narrow.apply(&wide) + middle;
        layer.narrow_norm.apply(&mut out, epsilon);
        out
    }

    /// Lets every position look at every other, head by head.
    fn attend(&self, layer: &Layer, states: &Array2<f32>) -> Array2<f32> {
        let width = self.config.hidden_size / self.config.num_attention_heads;
        let scale = 1.0 / (width as f32).sqrt();
        let (queries, keys, values) =
            (layer.query.apply(states), layer.key.apply(states), layer.value.apply(states));
        let mut out = Array2::zeros(states.raw_dim());
        for head in 0..self.config.num_attention_heads {
            let part = Slice::from(head * width..(head + 1) * width);
            let of = |all: &'_ Array2<f32>| all.slice_axis(Axis(1), part).to_owned();
            let mut weights = of(&queries).dot(&of(&keys).t()) * scale;
            weights.rows_mut().into_iter().for_each(softmax);
            out.slice_axis_mut(Axis(1), part).assign(&weights.dot(&of(&values)));
        }
        out
    }
}

impl PieceIndex for Bert {
    fn find(&self, piece: &str) -> Option<u32> {
        self.vocabulary.get(piece).copied()
    }
}

impl Embedder for Bert {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.config.hidden_size
    }

    fn embed(&self, text: &str) -> Vec<f32> {
        let longest = LONGEST.min(self.config.max_position_embeddings);
        let mut numbers = vec![self.special("[CLS]")];
        pieces(text, self, |piece| {
            if numbers.len() + 1 < longest {
                numbers.push(piece.unwrap_or_else(|| self.special("[UNK]")));
            }
        });
        numbers.push(self.special("[SEP]"));
        let mut mean = self.mean(&numbers);
        let length = mean.iter().map(|v| v * v).sum::<f32>().sqrt();
        if length > 0.0 {
            mean.iter_mut().for_each(|v| *v /= length);
        }
        mean
    }
}

impl Linear {
    fn apply(&self, states: &Array2<f32>) -> Array2<f32> {
        states.dot(&self.weight.t()) + &self.bias
    }
}

impl Norm {
    fn apply(&self, states: &mut Array2<f32>, epsilon: f32) {
        for mut state in states.rows_mut() {
            let count = state.len() as f32;
            let mean = state.sum() / count;
            let spread = state.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / count;
            let scale = 1.0 / (spread + epsilon).sqrt();
            for ((value, gain), bias) in state.iter_mut().zip(&self.gain).zip(&self.bias) {
                *value = (*value - mean) * scale * gain + bias;
            }
        }
    }
}

fn softmax(mut weights: ArrayViewMut1<'_, f32>) {
    let most = weights.iter().fold(f32::MIN, |most, w| most.max(*w));
    weights.mapv_inplace(|weight| (weight - most).exp());
    let sum = weights.sum();
    weights.mapv_inplace(|weight| weight / sum);
}

/// The Gaussian error linear unit, with the error function after Abramowitz and Stegun 7.1.26.
fn gelu(x: f32) -> f32 {
    let z = x.abs() / std::f32::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let poly = ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_7) * t - 0.284_496_74) * t + 0.254_829_6) * t;
    let error = 1.0 - poly * (-z * z).exp();
    0.5 * x * (1.0 + error.copysign(x))
}

/// The named tensors of a safetensors file.
struct Tensors<'b> {
    header: HashMap<String, serde_json::Value>,
    data: &'b [u8],
    path: &'b Path,
}

impl<'b> Tensors<'b> {
    fn new(bytes: &'b [u8], path: &'b Path) -> Result<Tensors<'b>, ModelError> {
        let odd = |what: &str| ModelError::Form { path: path.to_owned(), what: what.to_owned() };
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(|| odd("no header"))?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| odd("no header"))?;
        let (header, data) = rest.split_at_checked(length).ok_or_else(|| odd("the header is cut"))?;
        let header = serde_json::from_slice(header).map_err(|_| odd("the header is not JSON"))?;
        Ok(Tensors { header, data, path })
    }

    fn vector(&self, name: &str, length: usize) -> Result<Array1<f32>, ModelError> {
        let numbers = self.get(name)?;
        if numbers.len() != length {
            return Err(self.odd(name, &format!("{} numbers instead of {length}", numbers.len())));
        }
        Ok(Array1::from_vec(numbers))
    }

    fn matrix(&self, name: &str, rows: Option<usize>, columns: usize) -> Result<Array2<f32>, ModelError> {
        let numbers = self.get(name)?;
        let rows = rows.unwrap_or(numbers.len() / columns.max(1));
        Array2::from_shape_vec((rows, columns), numbers).map_err(|error| self.odd(name, &error.to_string()))
    }

    fn odd(&self, name: &str, what: &str) -> ModelError {
        ModelError::Form { path: self.path.to_owned(), what: format!("`{name}`: {what}") }
    }

    /// Reads a tensor; some models put everything below `bert.`.
    fn get(&self, name: &str) -> Result<Vec<f32>, ModelError> {
        let odd = |what: &str| self.odd(name, what);
        let found = self.header.get(name).or_else(|| self.header.get(&format!("bert.{name}")));
        let entry = found.ok_or_else(|| odd("is missing"))?;
        let offset = |at: usize| entry["data_offsets"][at].as_u64().and_then(|n| usize::try_from(n).ok());
        let range = offset(0).zip(offset(1)).and_then(|(start, end)| self.data.get(start..end));
        let bytes = range.ok_or_else(|| odd("lies outside the file"))?;
        match entry["dtype"].as_str() {
            Some("F32") => Ok(bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()),
            Some("F16") => {
                Ok(bytes.as_chunks::<2>().0.iter().map(|b| half(u16::from_le_bytes(*b))).collect())
            }
            other => Err(odd(&format!("numbers of the kind {other:?}"))),
        }
    }
}

/// Reads a number of half precision.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f32::from(bits & 0x3ff);
    match exponent {
        0 => sign * fraction * (-24f32).exp2(),
        31 => sign * if fraction == 0.0 { f32::INFINITY } else { f32::NAN },
        _ => sign * (1.0 + fraction / 1024.0) * ((exponent - 15) as f32).exp2(),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, ModelError> {
    std::fs::read(path).map_err(|source| ModelError::File { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_what_the_papers_say() {
        assert!((gelu(1.0) - 0.841_345).abs() < 1e-4 && (gelu(-1.0) + 0.158_655).abs() < 1e-4);
        assert!((half(0x3c00) - 1.0).abs() < 1e-9 && (half(0xc100) + 2.5).abs() < 1e-9);
        let mut weights = Array1::from_elem(4, 1.0);
        softmax(weights.view_mut());
        assert_eq!(weights.to_vec(), [0.25; 4]);
        let mut states = Array2::from_shape_vec((1, 2), vec![1.0, 3.0]).unwrap();
        let norm = Norm { gain: Array1::from_elem(2, 2.0), bias: Array1::from_elem(2, 1.0) };
        norm.apply(&mut states, 0.0);
        assert_eq!(states.row(0).to_vec(), [-1.0, 3.0]);
    }
}
