import { isRecord } from "../../../dialects/wire-values.ts";
import type { GatewayError } from "../../../errors.ts";
import type { ResponsesRequest } from "../../../ports/provider.ts";
import type { ResponseRequest } from "./schema.ts";

/** Fields of the gateway's own, which no vendor knows. */
const ownFields: ReadonlySet<string> = new Set(["fallbacks", "model"]);

/** The request as it was sent, for providers of the same interface. */
export function nativeOf(
  parsed: ResponseRequest,
  { refusal, hasLoss }: { readonly refusal: GatewayError | undefined; readonly hasLoss: boolean },
): ResponsesRequest {
  const body = Object.fromEntries(Object.entries(parsed).filter(([name]) => !ownFields.has(name)));
  return { body, refusal, isRicher: refusal !== undefined || hasLoss || asksForMore(parsed) };
}

/** Includes that a chat answers, or that are always there. */
const inChat: ReadonlySet<string> = new Set(["message.output_text.logprobs"]);

/** True for a request whose answer holds something that the answer of a chat does not. */
function asksForMore({ reasoning, include = [], store, tools = [], input }: ResponseRequest): boolean {
  if (reasoning?.summary || store === true || include.some((name) => !inChat.has(name))) return true;
  if (tools.some(({ type }) => /^web_search/.test(type))) return true;
  return typeof input !== "string" && input.some((item) => isRecord(item) && isRicher(item));
}

/** True for an item of the vendor's own that a chat lacks: a sealed thought, the call of a tool that the vendor ran. */
function isRicher({ type, encrypted_content: sealed }: Record<string, unknown>): boolean {
  return type === "reasoning" ? typeof sealed === "string" : type === "compaction";
}
