import type { RequestTraits } from "../../../src/engine/dialects/openai/responses-models.ts";

/** The vendor's interfaces for chats: `/chat/completions` and `/responses`. */
export type Interface = "chat" | "responses";

/** What refusals have taught of a vendor. */
export interface LearntInterfaces {
  /** `responses` where the model has refused a request of such traits, or of fewer, at `/chat/completions`. */
  find(model: string, traits: RequestTraits): "responses" | undefined;
  remember(model: string, traits: RequestTraits): void;
  /** True once the server has answered that it has no `/responses`. */
  lacksResponses(): boolean;
  rememberLack(): void;
}

/** Names of models come from callers: the oldest of more are forgotten. */
const mostModels = 256;

export function learntInterfaces(): LearntInterfaces {
  const refused = new Map<string, RequestTraits>();
  let isMissing = false;
  return {
    find(model, traits) {
      const known = refused.get(model);
      if (known === undefined) return undefined;
      return known.hasTools <= traits.hasTools && known.hasEffort <= traits.hasEffort ? "responses" : undefined;
    },
    remember(model, traits) {
      const known = refused.get(model) ?? traits;
      const both = (one: boolean, other: boolean) => one && other;
      const [oldest] = refused.keys();
      if (refused.size >= mostModels && oldest !== undefined) refused.delete(oldest);
      const hasTools = both(known.hasTools, traits.hasTools);
      refused.set(model, { hasTools, hasEffort: both(known.hasEffort, traits.hasEffort) });
    },
    lacksResponses: () => isMissing,
    rememberLack() {
      isMissing = true;
    },
  };
}
