import type { LogProbs } from "../../../api/chat.ts";
import type { Annotation } from "../../../api/message.ts";
import type { Usage } from "../../../api/usage.ts";
import type { Finish } from "../shared/finish.ts";

/** How answers end, in the vendor's words; calls have none of their own. */
const finishReasons: Readonly<Record<Finish, string>> = {
  stop: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY",
  error: "OTHER",
};

/** How a candidate ended. A call that is told without its arguments is no whole answer: the vendor has a word for it. */
export function finishReasonOf(finish: Finish, hasBrokenCalls: boolean): string {
  return hasBrokenCalls && finish === "tool_calls" ? "MALFORMED_FUNCTION_CALL" : finishReasons[finish];
}

/** Service tiers in the vendor's words. */
const tiers: ReadonlyMap<string, string> = new Map([
  ["default", "standard"],
  ["standard", "standard"],
  ["flex", "flex"],
  ["priority", "priority"],
]);

/** The vendor's counts, with the tier that answered: thoughts stand beside the tokens of the candidates. */
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

/** The pages that a text rests on; places are counted in bytes of UTF-8, as the vendor does. */
export function writeSources(annotations: readonly Annotation[], text: string) {
  const pages = annotations.flatMap(({ url_citation: page }) => (page?.url === undefined ? [] : [page]));
  if (pages.length === 0) return {};
  const bytes = (end: number) => Buffer.byteLength(text.slice(0, end), "utf8");
  const supports = pages.flatMap(({ start_index: start = 0, end_index: end }, at) =>
    end === undefined
      ? []
      : [
          {
            segment: { startIndex: bytes(start), endIndex: bytes(end), text: text.slice(start, end) },
            groundingChunkIndices: [at],
          },
        ],
  );
  const chunks = pages.map(({ url, title }) => ({ web: { uri: url, ...(title === undefined ? {} : { title }) } }));
  return {
    groundingMetadata: { groundingChunks: chunks, ...(supports.length === 0 ? {} : { groundingSupports: supports }) },
  };
}

/** Log probabilities of the chosen tokens, with the alternatives to each. */
export function writeLogProbs(told: LogProbs | null | undefined) {
  if (!told?.content) return {};
  const candidate = ({ token, logprob }: { token: string; logprob: number }) => ({ token, logProbability: logprob });
  const chosen = told.content.map(candidate);
  const top = told.content.map(({ top_logprobs: others = [] }) => ({ candidates: others.map(candidate) }));
  return { logprobsResult: { chosenCandidates: chosen, topCandidates: top } };
}
