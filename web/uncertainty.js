// How uncertain words and sentences are, in numbers and in words.

/** Arcs less probable than this are marked as doubtful, as in the drawings of `copse show`. */
export const DOUBTFUL_BELOW = 0.9;

/** A word whose head has less entropy (nats) than this leaves nothing to decide: its best head has about 99%. */
const NOTHING_TO_DECIDE = 0.06;

/**
 * The entropy of a word's head, in nats. Alternatives that the server left out for being improbable count as one.
 * The head is a function of the tree, so this is also the mutual information of head and tree: what knowing this
 * head is expected to tell about the whole sentence.
 */
export function headEntropy(word) {
  if (word.pinned) return 0;
  let entropy = 0;
  let rest = 1;
  for (const { p } of word.alternatives ?? []) {
    if (p > 0) entropy -= p * Math.log(p);
    rest -= p;
  }
  if (rest > 1e-9) entropy -= rest * Math.log(rest);
  return Math.max(0, entropy);
}

/** The id of the word whose head is expected to tell most about the tree, or null if all are as good as certain. */
export function leastCertainWord(sentence) {
  let best = null;
  let most = NOTHING_TO_DECIDE;
  for (const word of sentence.words) {
    const entropy = headEntropy(word);
    if (entropy > most) {
      best = word.id;
      most = entropy;
    }
  }
  return best;
}

export const isDoubtful = (p) => p < DOUBTFUL_BELOW;

/** The number of words with a doubtful head. */
export function doubtfulWords(sentence) {
  return sentence.words.filter((word) => !word.pinned && isDoubtful(word.p)).length;
}

/** So many equally probable trees would be as uncertain. */
export const equivalentTrees = (entropy) => Math.exp(Math.max(0, entropy));

function few(number) {
  if (number < 10) return number.toFixed(1).replace(/\.0$/, "");
  if (number < 1e6) return Math.round(number).toLocaleString("en");
  const [digit, exponent] = number.toExponential(0).split("e+");
  return `${digit} × 10${[...exponent].map((figure) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[figure]).join("")}`;
}

/** { verdict, meaning, exact }: what an entropy (nats) says, for a person and for a tooltip. */
export function describeEntropy(entropy, bestProbability) {
  const trees = equivalentTrees(entropy);
  let verdict = "Wide open";
  if (trees < 1.05) verdict = "Certain";
  else if (trees < 1.5) verdict = "Nearly certain";
  else if (trees < 2.5) verdict = "Fairly sure";
  else if (trees < 6) verdict = "Undecided";
  else if (trees < 30) verdict = "Quite open";
  const meaning =
    trees < 1.05 ? "one tree has nearly all the probability" : `as open as a choice among ${few(trees)} equally likely trees`;
  const exact =
    `Entropy ${entropy.toFixed(2)} nats = ${(entropy / Math.LN2).toFixed(2)} bits` +
    (bestProbability === undefined ? "" : `; the best tree has ${percent(bestProbability)}`);
  return { verdict, meaning, exact, trees };
}

/** A probability for people: never 0% or 100% unless it is exactly that. */
export function percent(p) {
  if (p >= 1) return "100%";
  if (p <= 0) return "0%";
  if (p > 0.99) return p > 0.9995 ? ">99.9%" : `${(Math.floor(p * 1000) / 10).toFixed(1)}%`;
  if (p < 0.01) return p < 0.001 ? "<0.1%" : `${(p * 100).toFixed(1)}%`;
  return `${Math.round(p * 100)}%`;
}
