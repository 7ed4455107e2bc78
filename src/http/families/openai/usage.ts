import type { Usage } from "../../../api/usage.ts";
import type { OpenaiUsage } from "./schema.ts";

/** Details of ours that the vendor has under the same name. */
const promptDetails = ["audio_tokens"] as const;
const completionDetails = [
  "reasoning_tokens",
  "audio_tokens",
  "accepted_prediction_tokens",
  "rejected_prediction_tokens",
] as const;

/** The counts under the vendor's names; costs and the details that it has no name for stay behind. */
export function writeUsage(usage: Usage): OpenaiUsage {
  const { prompt_tokens, completion_tokens, total_tokens } = usage;
  const { prompt_tokens_details: prompted, completion_tokens_details: completed } = usage;
  const { cached_read_tokens: read, cached_write_tokens: written } = prompted ?? {};
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens,
    ...(prompted === undefined
      ? {}
      : {
          prompt_tokens_details: {
            ...keep(prompted, promptDetails),
            ...(read === undefined ? {} : { cached_tokens: read }),
            ...(written === undefined ? {} : { cache_write_tokens: written }),
          },
        }),
    ...(completed === undefined ? {} : { completion_tokens_details: keep(completed, completionDetails) }),
  };
}

function keep(details: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (details[name] === undefined ? [] : [[name, details[name]]])));
}
