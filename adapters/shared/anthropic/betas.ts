import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import type { HttpCall } from "../http/client.ts";

/**
 * Features that callers may turn on: how the model thinks, calls and caches. Left out is what changes prices (`context-1m`, `fast-mode`),
 * reaches what others stored (`files-api`, `skills`), or runs things at the vendor or elsewhere (`code-execution`, `mcp-client`).
 */
export const usualBetas: readonly string[] = [
  "advanced-tool-use-*",
  "claude-code-*",
  "compact-*",
  "computer-use-*",
  "context-management-*",
  "effort-*",
  "extended-cache-ttl-*",
  "fine-grained-tool-streaming-*",
  "interleaved-thinking-*",
  "max-tokens-*",
  "model-context-window-exceeded-*",
  "output-128k-*",
  "pdfs-*",
  "prompt-caching-*",
  "redact-thinking-*",
  "search-results-*",
  "structured-outputs-*",
  "task-budgets-*",
  "token-counting-*",
  "token-efficient-tools-*",
  "tool-examples-*",
  "tool-search-tool-*",
  "web-search-*",
];

/** Whose features are sent: those of the provider's own options, and of a caller's those that it allows. */
export interface BetaRules {
  readonly provider: string;
  readonly own: readonly string[];
  /** Names, or beginnings that end in `*`. */
  readonly allowed: readonly string[];
}

/** The call with the features that its request may turn on; the others are named in a warning. */
export function withBetas({ anthropic }: ChatRequest, call: ProviderCall, rules: BetaRules): ProviderCall & HttpCall {
  const requested = anthropic?.betas ?? [];
  if (requested.length === 0) return call;
  const allowed = requested.filter((beta) => rules.allowed.some((rule) => matches(rule, beta)));
  const refused = requested.filter((beta) => !allowed.includes(beta));
  if (refused.length > 0)
    call.warn(`\`anthropic.betas\`: ${refused.join(", ")} may not be turned on by callers of ${rules.provider}`);
  if (allowed.length === 0) return call;
  return { ...call, headers: { "anthropic-beta": [...new Set([...rules.own, ...allowed])].join(",") } };
}

/** Only words and dashes: nothing of a caller's may end a header. */
function matches(rule: string, beta: string): boolean {
  if (!/^[\w.-]+$/.test(beta)) return false;
  return rule.endsWith("*") ? beta.startsWith(rule.slice(0, -1)) : beta === rule;
}
