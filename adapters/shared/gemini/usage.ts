import type { EmbeddingResponse } from "../../../src/api/embeddings.ts";
import type { Usage } from "../../../src/api/usage.ts";
import { isBrokenCount } from "../broken-count.ts";
import type { WireUsage } from "./wire.ts";

type ModalityCounts = NonNullable<WireUsage["promptTokensDetails"]>;

/** What the counts of prompt and completion are made of. */
const totals = [
  "promptTokenCount",
  "candidatesTokenCount",
  "toolUsePromptTokenCount",
  "thoughtsTokenCount",
] as const satisfies readonly (keyof WireUsage)[];

/**
 * Usage as every provider gives it: thoughts are inside the completion, results of the vendor's own tools inside the prompt, and the
 * total is their sum. `queries` counts the searches that the answer names. None where a count is none, or where none is told.
 */
export function toUsage(wire: WireUsage | undefined, queries = 0): Usage | undefined {
  if (wire === undefined || totals.every((name) => wire[name] === undefined)) return undefined;
  if (totals.some((name) => isBrokenCount(wire[name]))) return undefined;
  const prompt = count(wire.promptTokenCount) + count(wire.toolUsePromptTokenCount);
  const thoughts = count(wire.thoughtsTokenCount);
  const completion = count(wire.candidatesTokenCount) + thoughts;
  const prompted = byModality(
    [...(wire.promptTokensDetails ?? []), ...(wire.toolUsePromptTokensDetails ?? [])],
    prompt,
  );
  if (wire.cachedContentTokenCount) prompted.cached_read_tokens = Math.min(count(wire.cachedContentTokenCount), prompt);
  const completed = byModality(wire.candidatesTokensDetails ?? [], completion);
  if (wire.thoughtsTokenCount !== undefined) completed.reasoning_tokens = thoughts;
  if (queries > 0) completed.num_search_queries = queries;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(isEmpty(prompted) ? {} : { prompt_tokens_details: prompted }),
    ...(isEmpty(completed) ? {} : { completion_tokens_details: completed }),
  };
}

const modalityFields = new Map([
  ["TEXT", "text_tokens"],
  ["IMAGE", "image_tokens"],
  ["AUDIO", "audio_tokens"],
  ["VIDEO", "video_tokens"],
  ["DOCUMENT", "document_tokens"],
]);

/** Counts per modality; together never more than the tokens that they are parts of. */
function byModality(counts: ModalityCounts, limit: number): Record<string, number> {
  const fields: Record<string, number> = {};
  let left = limit;
  for (const { modality = "", tokenCount } of counts) {
    const field = modalityFields.get(modality);
    const tokens = Math.min(count(tokenCount), left);
    if (field === undefined || tokens === 0) continue;
    fields[field] = (fields[field] ?? 0) + tokens;
    left -= tokens;
  }
  return fields;
}

/** Usage of an embedding, where the vendor gives one. */
export function embeddingUsage(wire: WireUsage | undefined): EmbeddingResponse["usage"] {
  return wire?.promptTokenCount === undefined ? undefined : toUsage({ promptTokenCount: wire.promptTokenCount });
}

function isEmpty(fields: Record<string, number>): boolean {
  return Object.keys(fields).length === 0;
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : 0;
}
