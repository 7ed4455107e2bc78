import { type ReasoningDetail, ReasoningDetails } from "../../../engine/api/message.ts";
import { type AnthropicOwnBlock, ownBlockOf } from "../../../engine/dialects/anthropic/own-blocks.ts";
import { readThought, reasoningFormat, type ThoughtBlock } from "../../../engine/dialects/anthropic/reasoning.ts";
import { isBare, isPacked, packDetail, unpackDetail } from "../shared/envelope.ts";
import type { Part } from "../shared/parts.ts";

/** The block of a thought, or of the vendor's own tools, whole. */
export function thoughtBlock({ text, detail = { type: "reasoning.text" } }: Part): ThoughtBlock | AnthropicOwnBlock {
  const own = ownBlockOf(detail);
  if (own !== undefined) return own;
  if (detail.type === "reasoning.encrypted") return { type: "redacted_thinking", data: sealOf(detail) };
  return { type: "thinking", thinking: text, signature: signatureOf(detail) };
}

function sealOf(detail: ReasoningDetail): string {
  const { data = "" } = detail;
  return isOwn(detail) && !isPacked(data) ? data : packDetail(detail);
}

function signatureOf(detail: ReasoningDetail): string {
  const { signature, ...rest } = detail;
  const isPlain = isBare(rest, reasoningFormat) && !isPacked(signature ?? "");
  return isPlain ? (signature ?? "") : packDetail(detail);
}

/** True for a detail of this vendor, or of unknown origin, whose fields all fit into this vendor's block. */
function isOwn({ format, id }: ReasoningDetail): boolean {
  return (format === undefined || format === reasoningFormat) && !id;
}

/** The detail that a block of a past answer stands for; `undefined` for a thought that nothing vouches for. */
export function detailOf(block: ThoughtBlock, index: number): ReasoningDetail | undefined {
  if (block.type === "redacted_thinking") return unpackDetail(block.data, "") ?? readThought(block, index);
  const { thinking, signature } = block;
  return signature === "" ? undefined : (unpackDetail(signature, thinking) ?? readThought(block, index));
}

/** Marks an id that carries details; nine bytes, so that what follows begins a new group of base64. */
const mark = Buffer.from("tollgate2").toString("base64url");

/** A tool call's own id, and the reasoning details that came with it. */
export interface CarriedDetails {
  readonly id: string;
  readonly details: readonly ReasoningDetail[];
}

/**
 * The id of a call for a client that takes no thinking blocks: it carries what of the hidden thoughts has to be back at the vendor, as
 * Gemini's signature of a call. Clients treat ids as opaque. The alphabet is the one that the vendor allows for ids.
 */
export function packCallId(id: string, details: readonly ReasoningDetail[]): string {
  return details.length === 0 ? id : mark + Buffer.from(JSON.stringify([id, ...details])).toString("base64url");
}

/** What {@link packCallId} packed; any other id stands for itself. */
export function unpackCallId(id: string): CarriedDetails {
  if (!id.startsWith(mark)) return { id, details: [] };
  try {
    const [own, ...details] = JSON.parse(Buffer.from(id.slice(mark.length), "base64url").toString("utf8")) as unknown[];
    const read = ReasoningDetails.safeParse(details).data;
    return typeof own === "string" && read !== undefined ? { id: own, details: read } : { id, details: [] };
  } catch {
    return { id, details: [] }; // not ours after all
  }
}

/** The detail of a hidden thought that travels with the next call: one that is opaque. Readable text stays behind. */
export function carriedDetail({ text, detail }: Part): ReasoningDetail[] {
  const isOpaque = detail?.data || (text === "" && detail?.signature);
  return detail !== undefined && isOpaque ? [detail] : [];
}

/** True for a thought; blocks of the vendor's own tools travel as thoughts do, and are none. */
export function isThought({ kind, detail }: Part): boolean {
  return kind === "thought" && (detail === undefined || ownBlockOf(detail) === undefined);
}

/** Without thoughts; what of them must come back travels in the ids of the calls. */
export function withoutThoughts(parts: readonly Part[]): Part[] {
  const carried: ReasoningDetail[] = [];
  return parts.flatMap((part): Part[] => {
    if (part.kind === "call") return [{ ...part, id: packCallId(part.id, carried.splice(0)) }];
    if (!isThought(part)) return [part];
    carried.push(...carriedDetail(part));
    return [];
  });
}
