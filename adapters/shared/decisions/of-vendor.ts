import type { Provider } from "../../../src/engine/ports/provider.ts";
import type { HttpClient } from "../http/client.ts";
import { withDecisions } from "./decide.ts";
import { decisionInterfaces } from "./interfaces.ts";

/** Adds OpenAI's interface for decisions to its provider. */
export function withOpenaiDecisions(provider: Provider, http: HttpClient): Provider {
  return withDecisions(provider, { ...decisionInterfaces.openai, name: provider.name, http });
}
