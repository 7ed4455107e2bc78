import { GatewayError } from "../../errors.ts";
import { boundText } from "../../metering/prompt.ts";
import { countText } from "../accounting/count-tokens.ts";
import type { Attempt } from "../attempts/attempt.ts";

/** A text that a model is to read whole. */
export interface CheckedText {
  /** Its path in the request, e.g. `input.3`. */
  readonly name: string;
  readonly text: string;
  /** What the request wants done about it: `none` refuses. */
  readonly truncate: string | undefined;
  /** Tokens that the model reads together with this text. */
  readonly besides?: number | undefined;
}

/**
 * Warns of a text that is empty (in the words of `ifEmpty`), or longer than what the catalogue says that the model reads, with both counts;
 * throws `invalid_request` where the request says `truncate: "none"`. Tokens are only counted of texts that may be too long.
 */
export function checkLength(checked: CheckedText, attempt: Attempt, ifEmpty: string): void {
  const { name, text, truncate } = checked;
  const problem = text.trim() === "" ? ifEmpty : tooLong(checked, attempt);
  if (problem === undefined) return;
  if (truncate === "none") throw new GatewayError("invalid_request", `\`${name}\`: ${problem}.`, { param: name });
  attempt.warn(`\`${name}\`: ${problem}`);
}

function tooLong({ text, besides = 0 }: CheckedText, { call, target, model }: Attempt): string | undefined {
  const facts = call.ports.accounting.prices.find(target.provider, target.model, call.startedAt);
  const most = (facts?.max_input_tokens ?? facts?.context_length ?? Infinity) - besides;
  if (boundText(text) <= most) return undefined;
  const tokens = countText(call, text, model);
  return tokens > most
    ? `has about ${tokens} tokens, of which ${target.name} reads the first ${Math.max(0, most)}`
    : undefined;
}
