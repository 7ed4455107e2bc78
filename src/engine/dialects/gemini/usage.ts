import type { EmbeddingResponse } from "../../api/embeddings.ts";
import type { Usage } from "../../api/usage.ts";
import { countOf, isInvalidCount } from "../counts.ts";

interface ModalityCount {
  readonly modality?: string;
  readonly tokenCount?: number;
}

/** `usageMetadata` as it comes. */
export interface GeminiWireUsage {
  readonly promptTokenCount?: number;
  readonly candidatesTokenCount?: number;
  readonly thoughtsTokenCount?: number;
  readonly toolUsePromptTokenCount?: number;
  readonly cachedContentTokenCount?: number;
  readonly promptTokensDetails?: readonly ModalityCount[];
  readonly toolUsePromptTokensDetails?: readonly ModalityCount[];
  readonly candidatesTokensDetails?: readonly ModalityCount[];
  readonly serviceTier?: string;
}

type ModalityCounts = readonly ModalityCount[];

/** The counts that prompt and completion are made of. */
const totals = [
  "promptTokenCount",
  "candidatesTokenCount",
  "toolUsePromptTokenCount",
  "thoughtsTokenCount",
] as const satisfies readonly (keyof GeminiWireUsage)[];

/**
 * The vendor's usage in our form: the completion includes thoughts, the prompt includes results of the vendor's own tools, and the total
 * is their sum. `queries` is the number of searches that the answer names. Returns `undefined` when a count is not a count, or when there
 * are none.
 */
export function readUsage(wire: GeminiWireUsage | undefined, queries = 0): Usage | undefined {
  if (wire === undefined || totals.every((name) => wire[name] === undefined)) return undefined;
  if (totals.some((name) => isInvalidCount(wire[name]))) return undefined;
  const prompt = countOf(wire.promptTokenCount) + countOf(wire.toolUsePromptTokenCount);
  const thoughts = countOf(wire.thoughtsTokenCount);
  const completion = countOf(wire.candidatesTokenCount) + thoughts;
  const prompted = byModality(
    [...(wire.promptTokensDetails ?? []), ...(wire.toolUsePromptTokensDetails ?? [])],
    prompt,
  );
  if (wire.cachedContentTokenCount)
    prompted.cached_read_tokens = Math.min(countOf(wire.cachedContentTokenCount), prompt);
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

/** Counts per modality; their sum never exceeds `limit`, the tokens that they are parts of. */
function byModality(counts: ModalityCounts, limit: number): Record<string, number> {
  const fields: Record<string, number> = {};
  let left = limit;
  for (const { modality = "", tokenCount } of counts) {
    const field = modalityFields.get(modality);
    const tokens = Math.min(countOf(tokenCount), left);
    if (field === undefined || tokens === 0) continue;
    fields[field] = (fields[field] ?? 0) + tokens;
    left -= tokens;
  }
  return fields;
}

/** Usage of an embedding; `undefined` when the vendor states none. */
export function embeddingUsage(wire: GeminiWireUsage | undefined): EmbeddingResponse["usage"] {
  return wire?.promptTokenCount === undefined ? undefined : readUsage({ promptTokenCount: wire.promptTokenCount });
}

function isEmpty(fields: Record<string, number>): boolean {
  return Object.keys(fields).length === 0;
}

/** Our service tiers and the vendor's. */
const tiers: ReadonlyMap<string, string> = new Map([
  ["default", "standard"],
  ["standard", "standard"],
  ["flex", "flex"],
  ["priority", "priority"],
]);

/** Our usage and the service tier that answered, in the vendor's form: the tokens of the candidates exclude thoughts. No field without usage. */
export function writeUsage(usage: Usage | undefined, tier: string | null | undefined) {
  if (usage === undefined) return {};
  const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details, completion_tokens_details } = usage;
  const thoughts = completion_tokens_details?.reasoning_tokens;
  const cached = prompt_tokens_details?.cached_read_tokens;
  const serviceTier = tiers.get(tier ?? "");
  return {
    usageMetadata: {
      promptTokenCount: prompt_tokens,
      candidatesTokenCount: completion_tokens - Math.min(thoughts ?? 0, completion_tokens),
      totalTokenCount: total_tokens,
      ...(thoughts === undefined ? {} : { thoughtsTokenCount: thoughts }),
      ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
      ...(serviceTier === undefined ? {} : { serviceTier }),
    },
  };
}
