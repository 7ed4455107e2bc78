import type { Provider } from "../../src/engine/ports/provider.ts";
import { type KeyOptions, overCredentials } from "../shared/credentials.ts";
import { withDecisions } from "../shared/decisions/decide.ts";
import { systemOne } from "../shared/decisions/interfaces.ts";
import type { DecisionInterface } from "../shared/decisions/vendor.ts";
import { type HttpClient, httpClient } from "../shared/http/client.ts";
import { requireKey } from "../shared/http/target.ts";
import type { WireOptions } from "../shared/http/wire-options.ts";
import { readModels } from "../shared/openai-compatible/models.ts";
import { type Checks, checkedOptions, keyedChecks, oneOf } from "../shared/options.ts";

/** Options of `systemone()`; `baseUrl` and `apiKey`, or `credentials` in its place, are required. */
export interface SystemoneOptions extends KeyOptions, WireOptions {
  /** Where the interface begins, e.g. `https://api.upstage.ai/v1`. */
  readonly baseUrl: string;
  /** `map` asks `POST /systemone`, `list` asks `POST /decisions`; `map` unless given. */
  readonly form?: "map" | "list" | undefined;
}

const checks: Checks<SystemoneOptions> = {
  ...keyedChecks,
  form: oneOf("map", "list"),
};

/**
 * A vendor of decision models: System One's interface (Upstage, TypeSafe, Fireworks, …), or OpenAI's Decisions interface (`form: "list"`).
 * Requests of either form reach it in its own; it answers all questions in one call.
 */
export function systemone(options: SystemoneOptions): Provider {
  const settings = checkedOptions(options, checks, { of: "systemone" });
  const { baseUrl, headers, callerHeaders, fetch, transport, form = "map", name = "systemone" } = settings;
  return overCredentials(settings, { name, fetch, transport }, (apiKey, shared) => {
    const authorization = `Bearer ${requireKey(apiKey, name)}`;
    const http = httpClient({
      provider: name,
      baseUrl,
      headers: { authorization, ...headers },
      callerHeaders,
      fetch,
      transport: shared,
    });
    return withDecisions(lister(name, http), { ...interfaces[form], name, http });
  });
}

const interfaces = {
  map: { ...systemOne, pictureHeaders: { "typesafe-danger-zone-images": "true" } },
  list: { form: "list", path: () => "/decisions", pictures: "parts" },
} as const satisfies Record<"map" | "list", DecisionInterface>;

function lister(name: string, http: HttpClient): Provider {
  return {
    name,
    listModels: async (call) => readModels(await http.get("/models", call), name),
    close: () => http.close(),
  };
}
