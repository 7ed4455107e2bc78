import { reasoningFormat } from "../../../engine/dialects/openai/responses-format.ts";
import { isRecord } from "../../../engine/dialects/wire-values.ts";
import type { GatewayError } from "../../../engine/errors.ts";
import type { ResponsesRequest } from "../../../engine/ports/provider.ts";
import { isPacked, unpackDetail } from "../shared/envelope.ts";
import { isClientToolName } from "./client-tools.ts";
import type { ResponseRequest } from "./schema.ts";

/** Fields of the gateway's own, which no vendor knows. */
const ownFields: ReadonlySet<string> = new Set(["fallbacks", "model"]);

/** The request as it was sent, for providers of the same interface. */
export function nativeOf(
  parsed: ResponseRequest,
  { refusal, hasLoss }: { readonly refusal: GatewayError | undefined; readonly hasLoss: boolean },
): ResponsesRequest {
  const body: Record<string, unknown> = {};
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(parsed)) if (!ownFields.has(name)) body[name] = value;
  if (typeof parsed.input !== "string")
    body.input = parsed.input.flatMap((item, at) => ownItem(item, `input.${at}`, warnings));
  const isRicher = refusal !== undefined || hasLoss || asksForMore(parsed);
  return { body, warnings, refusal, isRicher, ...(parsed.background === true ? { isBackground: true } : {}) };
}

/** Includes that a chat answers, or that are always there. */
const inChat: ReadonlySet<string> = new Set(["message.output_text.logprobs"]);

/** True for a request whose answer holds something that the answer of a chat does not. */
function asksForMore({ reasoning, include = [], store, tools = [], input }: ResponseRequest): boolean {
  if (reasoning?.summary || store === true || include.some((name) => !inChat.has(name))) return true;
  if (tools.some(({ type }) => /^web_search/.test(type) || isClientToolName(type))) return true;
  if (typeof input === "string") return false;
  return input.some((item, at) => isRecord(item) && isRicher(item) && !isCutOff(input, at));
}

/** True for a thought of a turn that was interrupted: nothing of the model follows it, and the vendor itself takes no such thought back. */
function isCutOff(input: readonly unknown[], at: number): boolean {
  for (let n = at; n < input.length; n++) {
    const item = input[n];
    if (!isRecord(item) || item.role === "user" || String(item.type).endsWith("_output")) return true;
    if (item.type !== "reasoning") return false;
  }
  return true;
}

/** True for an item of the vendor's own that a chat lacks: a sealed thought, the call of a tool that the vendor ran. */
function isRicher({ type, encrypted_content: sealed }: Record<string, unknown>): boolean {
  if (type === "reasoning") return typeof sealed === "string";
  return type === "compaction" || isClientToolName(`${type}`.replace(/_call(?:_output)?$/, ""));
}

/** Ids that this gateway gave to items of an answer of another vendor: the vendor would look for them among its own. */
const ownId = /^(?:rs|msg|fc|ctc)_.*_\d+$/;

function ownItem(item: Record<string, unknown>, path: string, warnings: string[]): object[] {
  const { id, encrypted_content: sealed, ...rest } = item;
  const isOurs = typeof id === "string" && ownId.test(id);
  const isPackedHere = typeof sealed === "string" && isPacked(sealed);
  if (item.type !== "reasoning") return [isOurs ? withoutId(item) : item];
  if (!isOurs && !isPackedHere) return [item];
  const detail = isPackedHere ? unpackDetail(sealed, "") : undefined;
  if (detail?.format === reasoningFormat && detail.data) {
    const named = detail.id ? { id: detail.id } : {};
    return [{ summary: [], ...withoutContent(rest), ...named, encrypted_content: detail.data }];
  }
  warnings.push(`\`${path}\` holds reasoning of another vendor and is left out`);
  return [];
}

function withoutId({ id: _id, ...rest }: Record<string, unknown>): object {
  return rest;
}

/** The vendor takes no text of a thought back beside its summaries. */
function withoutContent({ content: _content, status: _status, ...rest }: Record<string, unknown>): object {
  return rest;
}
