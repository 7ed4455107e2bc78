import type { Usage } from "../../engine/api/usage.ts";

/** Counts words: good enough to add up, and the same every time. */
export function wordUsage(prompts: readonly string[], text: string): Usage {
  const count = (value: string) => value.match(/\S+/g)?.length ?? 0;
  const prompt_tokens = prompts.reduce((sum, prompt) => sum + count(prompt), 0);
  const completion_tokens = count(text);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
