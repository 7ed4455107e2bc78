import { createRequire } from "node:module";
import type { Tiktoken } from "tiktoken/lite";
import { GatewayError } from "../../../src/engine/errors.ts";

/** Encodings of models, first match wins; the last is taken for every other model, whose tokenizer is not public or not here. */
const encodings = [
  [/^(?:ft:)?(?:gpt-4o|chatgpt-4o|gpt-4\.[1-9]|gpt-[5-9]|o[1-9])/, "o200k_base"],
  [/^(?:ft:)?(?:gpt-(?:4|3\.5)|(?:davinci|babbage)-002)|^text-embedding-|^gpt-35/, "cl100k_base"],
  [/^(?:text-davinci-00[23]|code-)/, "p50k_base"],
  [/^(?:text-davinci-001|davinci$|curie$|babbage$|ada$)/, "r50k_base"],
  [/^/, "o200k_base"],
] as const;

/** Name of an encoding. */
export type EncodingName = (typeof encodings)[number][1];

/** The encoding of a model by the provider's own name, which may begin with a vendor's (`openai/gpt-4o`). */
export function encodingOf(model: string): EncodingName {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return encodings.find(([names]) => names.test(name))?.[1] ?? "o200k_base";
}

/** Counts the tokens of a text that holds no special tokens; what looks like one is text. */
export type Encoder = (text: string) => number;

// Tens of megabytes each: one a process, however many engines count with it.
const loaded = new Map<EncodingName, Encoder>();

/**
 * The encoder of an encoding. The first call for it compiles the WebAssembly and reads the ranks: about a tenth of a second. That is
 * why nothing is imported at the top, and why the module is reached by `require`, which is synchronous.
 */
export function loadEncoder(name: EncodingName): Encoder {
  const encoder = loaded.get(name) ?? compileEncoder(name);
  loaded.set(name, encoder);
  return encoder;
}

function compileEncoder(name: EncodingName): Encoder {
  const { Tiktoken: Encoding } = load<{ Tiktoken: typeof Tiktoken }>("tiktoken/lite");
  const ranks = load<Ranks>(`tiktoken/encoders/${name}.json`);
  const encoding = new Encoding(ranks.bpe_ranks, ranks.special_tokens, ranks.pat_str);
  return (text) => encoding.encode_ordinary(text).length;
}

interface Ranks {
  readonly bpe_ranks: string;
  readonly special_tokens: Record<string, number>;
  readonly pat_str: string;
}

const require = createRequire(import.meta.url);

/** A module of the package, which is 23 MB and installed on demand. */
function load<Module>(path: string): Module {
  try {
    return require(path) as Module;
  } catch (cause) {
    const message = "Counting tokens needs the package `tiktoken`; add it with `npm install tiktoken`.";
    throw new GatewayError("invalid_configuration", message, { param: "tokens", cause });
  }
}
