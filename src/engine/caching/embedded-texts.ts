import type { Embedding, EmbeddingRequest, EmbeddingResponse } from "../api/embeddings.ts";
import type { Usage } from "../api/usage.ts";
import { type EmbeddingInput, inputsOf } from "../dialects/embedding-inputs.ts";
import { sumUsages } from "../metering/counts.ts";
import { fromDollars, toDollars } from "../metering/money.ts";
import { utf8Length } from "../runtime/utf8.ts";
import { fingerprint } from "./fingerprint.ts";

/** An embedding request as the texts that it holds, each once. */
export interface DistinctTexts {
  readonly request: EmbeddingRequest;
  readonly inputs: readonly EmbeddingInput[];
  /** The position in `inputs` of each place of the request. */
  readonly places: readonly number[];
  /** The first place of each of `inputs`. */
  readonly firstPlaces: readonly number[];
}

/** Fields by which the vector of a text depends on the texts around it. */
const joining: ReadonlySet<string> = new Set(["late_chunking"]);

/** Fields with lists or objects that hold for each text alike. */
const alike: ReadonlySet<string> = new Set(["input", "fallbacks", "metadata", "stream_options", "embedding_types"]);

/**
 * The texts of a request; `undefined` where the vector of a text may depend on the others, as `late_chunking` and any field with a list
 * or an object of unknown meaning have it, or where there is no text.
 */
export function distinctTexts(request: EmbeddingRequest): DistinctTexts | undefined {
  if (request.input.length === 0 && typeof request.input !== "string") return undefined;
  for (const [field, value] of Object.entries(request)) {
    const isList = typeof value === "object" && value !== null;
    if ((isList && !alike.has(field)) || (joining.has(field) && value)) return undefined;
  }
  const known = new Map<string, number>();
  const inputs: EmbeddingInput[] = [];
  const firstPlaces: number[] = [];
  const places = inputsOf(request).map((input, place) => {
    const name = typeof input === "string" ? `"${input}` : input.join();
    const same = known.get(name);
    if (same !== undefined) return same;
    firstPlaces.push(place);
    known.set(name, inputs.length);
    return inputs.push(input) - 1;
  });
  return { request, inputs, places, firstPlaces };
}

/** The id of a text's vector under a target: the fingerprint of a request for this text alone. */
export function textId({ request, inputs }: DistinctTexts, target: string, position: number): string | undefined {
  return fingerprint({ kind: "embedding", target, request: { ...request, input: inputs[position] } });
}

/** The request for some of the texts; the request itself where it holds just these. */
export function requestFor({ request, inputs, places }: DistinctTexts, positions: readonly number[]): EmbeddingRequest {
  if (positions.length === places.length) return request;
  return { ...request, input: positions.map((position) => inputs[position]) as string[] };
}

/** The vectors of an answer in the order of its inputs; `undefined` where they are not one for each. */
export function vectorsInOrder({ data }: EmbeddingResponse, expected: number): readonly Embedding[] | undefined {
  const vectors = [...data].sort((one, other) => one.index - other.index);
  return vectors.length === expected && vectors.every(({ index }, at) => index === at) ? vectors : undefined;
}

/**
 * An answer as answers to each of its texts. Tokens and cost are shared out by the bytes of the texts, whole numbers that sum to what the
 * answer states; other counts stay with the only text, or are left out.
 */
export function splitAnswer(answer: EmbeddingResponse, inputs: readonly EmbeddingInput[]): EmbeddingResponse[] {
  const { usage, extra_fields: _extra, ...envelope } = answer;
  const vectors = vectorsInOrder(answer, inputs.length) ?? [];
  const usages = shareUsage(usage, inputs);
  return vectors.map((vector, at) => {
    const share = usages[at];
    return { ...envelope, data: [{ ...vector, index: 0 }], ...(share ? { usage: share } : {}) };
  });
}

function shareUsage(usage: Usage | undefined, inputs: readonly EmbeddingInput[]): readonly Usage[] {
  if (!usage) return [];
  if (inputs.length === 1) return [usage];
  const weights = inputs.map((input) => 1 + (typeof input === "string" ? utf8Length(input) : input.length));
  const prompt = shareOut(usage.prompt_tokens, weights);
  const total = shareOut(usage.total_tokens, weights);
  const cost = usage.cost && shareOut(fromDollars(usage.cost.total_cost), weights);
  return weights.map((_, at) => ({
    prompt_tokens: prompt[at] as number,
    completion_tokens: 0,
    total_tokens: total[at] as number,
    ...(usage.estimated === undefined ? {} : { estimated: usage.estimated }),
    ...(cost ? { cost: { total_cost: toDollars(cost[at] as number) } } : {}),
  }));
}

/** A whole number in whole shares of these weights, each greater than 0; they sum to the number. */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const all = weights.reduce((total, weight) => total + weight, 0);
  let weight = 0;
  let sum = 0;
  return weights.map((own) => {
    weight += own;
    const share = Math.round(total * (weight / all)) - sum;
    sum += share;
    return share;
  });
}

/**
 * The answer to the whole request, of the answers to each of its distinct texts; the envelope is that of `head`. The usage is summed, and
 * there is none where one of them has none.
 */
export function joinAnswers(
  { places }: DistinctTexts,
  answers: readonly EmbeddingResponse[],
  head = answers[0] as EmbeddingResponse,
): EmbeddingResponse {
  const { usage: _usage, ...envelope } = head;
  const data = places.map((position, index) => ({ ...(answers[position]?.data[0] as Embedding), index }));
  const usage = sumUsages(answers.map((answer) => answer.usage));
  return usage ? { ...envelope, data, usage } : { ...envelope, data };
}

/** How a warning or an error names an input of the request. */
const named = /^`input(?:\.(\d+))?`/;

/** The index of the input that a sentence names, of a request with `count` inputs; `undefined` for one that names none. */
function indexIn(sentence: string, count: number): number | undefined {
  const found = named.exec(sentence);
  if (!found) return undefined;
  return found[1] === undefined ? (count === 1 ? 0 : undefined) : Number(found[1]);
}

/** A sentence about one of the asked texts, as the caller's request names that text: at its first place. */
export function inRequest({ request, firstPlaces }: DistinctTexts, asked: readonly number[], sentence: string): string {
  const index = indexIn(sentence, asked.length);
  const place = index === undefined ? undefined : firstPlaces[asked[index] ?? -1];
  if (place === undefined) return sentence;
  return sentence.replace(named, typeof request.input === "string" ? "`input`" : `\`input.${place}\``);
}

/**
 * Reads the warnings of an answer by the positions of its texts, each as a request for that text alone would have it; those that name no
 * text hold for all.
 */
export function splitWarnings({ places }: DistinctTexts, warnings: readonly string[]): (position: number) => string[] {
  const general = warnings.filter((warning) => indexIn(warning, places.length) === undefined);
  const own = new Map<number | undefined, string[]>();
  for (const warning of warnings) {
    const index = indexIn(warning, places.length);
    if (index === undefined) continue;
    const position = places[index];
    own.set(position, [...(own.get(position) ?? []), warning.replace(named, "`input`")]);
  }
  return (position) => [...general, ...(own.get(position) ?? [])];
}
