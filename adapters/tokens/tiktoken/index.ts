import { LRUCache } from "lru-cache";
import type { Tokens } from "../../../src/engine/ports/tokens.ts";
import { amount } from "../../../src/engine/runtime/checks.ts";
import { checkedOptions } from "../../shared/options.ts";
import { countChat } from "./chat.ts";
import { type Encoder, type EncodingName, encodingOf, loadEncoder } from "./encodings.ts";
import { countGuarded } from "./guard.ts";

/** Options of {@link tiktoken}. */
export interface TiktokenOptions {
  /** Characters of counted texts that are remembered with their counts, per encoding; 4 million by default. */
  readonly remembered?: number | undefined;
}

/** What an entry takes beside its characters. */
const entrySize = 64;

/** An encoder that remembers the texts it was last given: a conversation's messages come again with every turn. */
function rememberCounts(encode: Encoder, remembered: number): Encoder {
  const counts = new LRUCache<string, number>({
    maxSize: remembered,
    maxEntrySize: Math.ceil(remembered / 8),
    sizeCalculation: (_, text) => text.length + entrySize,
  });
  return (text) => {
    const known = counts.get(text);
    if (known !== undefined) return known;
    const count = countGuarded(encode, text);
    counts.set(text, count);
    return count;
  };
}

/**
 * Tokens counted with OpenAI's public encodings; exact for its models, an estimate for others. Nothing is loaded until the first
 * count in an encoding, which then takes about a tenth of a second. Texts of a conversation are counted once and remembered.
 */
export function tiktoken(options: TiktokenOptions = {}): Tokens {
  const { remembered = 4_000_000 } = checkedOptions(options, { remembered: amount }, { of: "tiktoken" });
  const encoders = new Map<EncodingName, Encoder>();
  const encoderOf = (model: string): Encoder => {
    const name = encodingOf(model);
    let encoder = encoders.get(name);
    if (!encoder) {
      encoder = rememberCounts(loadEncoder(name), remembered);
      encoders.set(name, encoder);
    }
    return encoder;
  };
  return {
    countText: (text, model) => encoderOf(model)(text),
    countChat: (request, model) => countChat(request, encoderOf(model)),
  };
}
