//! A small BERT in plain Rust: sentence vectors of MiniLM-class models from local files.
//!
//! Reads a folder in Hugging Face layout (`config.json`, `vocab.txt`, `model.safetensors`) and gives
//! the mean of the last layer, which is what sentence-transformers of this class are trained for.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Embedder;
use super::wordpiece::{Vocabulary, pieces};

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
    max_position_embeddings: usize,
    #[serde(default = "usual_epsilon")]
    layer_norm_eps: f32,
}

fn usual_epsilon() -> f32 {
    1e-12
}

/// A linear layer: one row of weights per output.
struct Linear {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

struct Norm {
    gain: Vec<f32>,
    bias: Vec<f32>,
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
    words: Vec<f32>,
    positions: Vec<f32>,
    kind: Vec<f32>,
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
        let norm = |prefix: &str| -> Result<Norm, ModelError> {
            let gain = tensors.get(&format!("{prefix}.weight"))?;
            Ok(Norm { gain, bias: tensors.get(&format!("{prefix}.bias"))? })
        };
        let linear = |prefix: &str| -> Result<Linear, ModelError> {
            let weight = tensors.get(&format!("{prefix}.weight"))?;
            Ok(Linear { weight, bias: tensors.get(&format!("{prefix}.bias"))? })
        };
        let mut layers = Vec::new();
        for number in 0..config.num_hidden_layers {
            let part = |name: &str| format!("encoder.layer.{number}.{name}");
            layers.push(Layer {
                query: linear(&part("attention.self.query"))?,
                key: linear(&part("attention.self.key"))?,
                value: linear(&part("attention.self.value"))?,
                mixed: linear(&part("attention.output.dense"))?,
                mixed_norm: norm(&part("attention.output.LayerNorm"))?,
                wide: linear(&part("intermediate.dense"))?,
                narrow: linear(&part("output.dense"))?,
                narrow_norm: norm(&part("output.LayerNorm"))?,
            });
        }
        let kinds = tensors.get("embeddings.token_type_embeddings.weight")?;
        Ok(Bert {
            name: format!("bert-{}-{:08x}", config.hidden_size, super::fingerprint(&bytes)),
            words: tensors.get("embeddings.word_embeddings.weight")?,
            positions: tensors.get("embeddings.position_embeddings.weight")?,
            kind: kinds.get(..config.hidden_size).unwrap_or_default().to_vec(),
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
        let size = self.config.hidden_size;
        let mut states = self.input(numbers);
        for layer in &self.layers {
            states = self.layer(layer, &states);
        }
        let mut mean = vec![0.0f32; size];
        for state in states.chunks(size) {
            mean.iter_mut().zip(state).for_each(|(sum, value)| *sum += value);
        }
        mean.iter_mut().for_each(|sum| *sum /= numbers.len() as f32);
        mean
    }

    fn input(&self, numbers: &[u32]) -> Vec<f32> {
        let size = self.config.hidden_size;
        let mut states = Vec::with_capacity(numbers.len() * size);
        for (position, number) in numbers.iter().enumerate() {
            let word = self.words.chunks(size).nth(*number as usize).unwrap_or(&self.kind);
            let place = self.positions.chunks(size).nth(position).unwrap_or(&self.kind);
            states.extend(word.iter().zip(place).zip(&self.kind).map(|((a, b), c)| a + b + c));
        }
        self.norm.apply(&mut states, self.config.layer_norm_eps);
        states
    }

    fn layer(&self, layer: &Layer, states: &[f32]) -> Vec<f32> {
        let epsilon = self.config.layer_norm_eps;
        let mixed = layer.mixed.apply(&self.attend(layer, states));
        let mut middle: Vec<f32> = states.iter().zip(mixed).map(|(a, b)| a + b).collect();
        layer.mixed_norm.apply(&mut middle, epsilon);
        let mut wide = layer.wide.apply(&middle);
        wide.iter_mut().for_each(|value| *value = gelu(*value));
        let mut out: Vec<f32> = middle.iter().zip(layer.narrow.apply(&wide)).map(|(a, b)| a + b).collect();
        layer.narrow_norm.apply(&mut out, epsilon);
        out
    }

    /// Lets every position look at every other, head by head.
    fn attend(&self, layer: &Layer, states: &[f32]) -> Vec<f32> {
        let size = self.config.hidden_size;
        let count = states.len() / size;
        let width = size / self.config.num_attention_heads;
        let (queries, keys, values) =
            (layer.query.apply(states), layer.key.apply(states), layer.value.apply(states));
        let mut out = vec![0.0f32; states.len()];
        let scale = 1.0 / (width as f32).sqrt();
        let mut weights = vec![0.0f32; count];
        for head in 0..self.config.num_attention_heads {
            let slice = |all: &'_ [f32], at: usize| -> std::ops::Range<usize> {
                debug_assert!(all.len() == count * size);
                at * size + head * width..at * size + (head + 1) * width
            };
            for at in 0..count {
                let query = &queries[slice(&queries, at)];
                for (other, weight) in weights.iter_mut().enumerate() {
                    *weight = dot(query, &keys[slice(&keys, other)]) * scale;
                }
                softmax(&mut weights);
                let target = slice(&out, at);
                for (other, weight) in weights.iter().enumerate() {
                    let value = &values[slice(&values, other)];
                    out[target.clone()].iter_mut().zip(value).for_each(|(sum, v)| *sum += weight * v);
                }
            }
        }
        out
    }
}

impl Vocabulary for Bert {
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
        let length = dot(&mean, &mean).sqrt();
        if length > 0.0 {
            mean.iter_mut().for_each(|v| *v /= length);
        }
        mean
    }
}

impl Linear {
    fn apply(&self, states: &[f32]) -> Vec<f32> {
        let outputs = self.bias.len();
        let inputs = self.weight.len() / outputs;
        let count = states.len() / inputs;
        let mut out = vec![0.0f32; count * outputs];
        // Each row of weights is fetched once and meets all positions.
        for (number, (row, bias)) in self.weight.chunks(inputs).zip(&self.bias).enumerate() {
            for (at, state) in states.chunks(inputs).enumerate() {
                out[at * outputs + number] = bias + dot(row, state);
            }
        }
        out
    }
}

impl Norm {
    fn apply(&self, states: &mut [f32], epsilon: f32) {
        for state in states.chunks_mut(self.gain.len()) {
            let count = state.len() as f32;
            let mean = state.iter().sum::<f32>() / count;
            let spread = state.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / count;
            let scale = 1.0 / (spread + epsilon).sqrt();
            for ((value, gain), bias) in state.iter_mut().zip(&self.gain).zip(&self.bias) {
                *value = (*value - mean) * scale * gain + bias;
            }
        }
    }
}

/// Multiplies in sixteen lanes, which the compiler turns into vector instructions.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    let (a_blocks, a_rest) = a.as_chunks::<16>();
    let (b_blocks, b_rest) = b.as_chunks::<16>();
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..16 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}

fn softmax(weights: &mut [f32]) {
    let most = weights.iter().fold(f32::MIN, |most, w| most.max(*w));
    let mut sum = 0.0;
    for weight in weights.iter_mut() {
        *weight = (*weight - most).exp();
        sum += *weight;
    }
    weights.iter_mut().for_each(|weight| *weight /= sum);
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

    /// Reads a tensor; some models put everything below `bert.`.
    fn get(&self, name: &str) -> Result<Vec<f32>, ModelError> {
        let odd =
            |what: &str| ModelError::Form { path: self.path.to_owned(), what: format!("`{name}`: {what}") };
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
        let mut weights = [1.0, 1.0, 1.0, 1.0];
        softmax(&mut weights);
        assert_eq!(weights, [0.25; 4]);
        let numbers: Vec<f32> = (0..19u8).map(f32::from).collect();
        assert!((dot(&numbers, &numbers) - 2109.0).abs() < 1e-3);
    }
}
