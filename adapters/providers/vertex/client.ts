import { GatewayError } from "../../../src/engine/errors.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import { readAnthropicFault } from "../../shared/anthropic/faults.ts";
import type { RulesOptions } from "../../shared/chat/rules-option.ts";
import { readGeminiFault } from "../../shared/gemini/faults.ts";
import { type HttpClient, httpClient } from "../../shared/http/client.ts";
import { makeTransport } from "../../shared/http/target.ts";
import type { WireOptions } from "../../shared/http/wire-options.ts";
import { type AccessTokenSource, tokenTransport } from "./token.ts";

/** Options of `vertex()`; `project` and `location` are required. Nothing is read from the environment before the first request. */
export interface VertexOptions extends WireOptions, RulesOptions {
  /** Id of the project that pays. */
  readonly project: string;
  /** E.g. `europe-west4`, `eu`, or `global`. */
  readonly location: string;
  /** An access token, or a function that gives the one that is good now; without it google-auth-library finds the machine's own. */
  readonly accessToken?: AccessTokenSource | undefined;
  /** An address in place of the location's own. */
  readonly baseUrl?: string | undefined;
  /** `max_tokens` of Claude where a request gives no bound; as `anthropic()` has it. */
  readonly maxTokens?: number | undefined;
}

/** The client of one provider, and the addresses behind it. */
export interface VertexClient {
  readonly http: HttpClient;
  /** Path of a method of a model, e.g. `generateContent`. */
  pathOf(publisher: Publisher, model: string, method: string): string;
  close(): Promise<void>;
}

/** Whose models: each speaks as at home. */
export type Publisher = "google" | "anthropic";

/** Opens the client; throws `invalid_configuration` for options that cannot be used. */
export function openClient(options: VertexOptions, provider: string): VertexClient {
  const { project, location, accessToken, headers, fetch, transport } = options;
  requireName({ project, location }, provider);
  const own = transport ? undefined : makeTransport({ fetch });
  const http = httpClient({
    provider,
    baseUrl: options.baseUrl ?? addressOf(location),
    headers,
    callerHeaders: options.callerHeaders,
    transport: tokenTransport((transport ?? own) as Transport, { provider, project, accessToken }),
    readFault: (body) => (isAnthropicFault(body) ? readAnthropicFault(body) : readGeminiFault(body)),
    acceptsObjects: true,
  });
  const root = `/v1/projects/${project}/locations/${location}/publishers`;
  return {
    http,
    pathOf: (publisher, model, method) => `${root}/${publisher}/models/${encodeURIComponent(model)}:${method}`,
    close: async () => own?.close(),
  };
}

/** Anthropic's errors say that they are errors; the cloud's own do not. */
function isAnthropicFault(body: unknown): boolean {
  return typeof body === "object" && body !== null && "type" in body && body.type === "error";
}

function addressOf(location: string): string {
  if (location === "global") return "https://aiplatform.googleapis.com";
  if (location === "us" || location === "eu") return `https://aiplatform.${location}.rep.googleapis.com`;
  return `https://${location}-aiplatform.googleapis.com`;
}

function requireName(names: Readonly<Record<string, string>>, provider: string): void {
  for (const [param, value] of Object.entries(names)) {
    if (typeof value === "string" && /^[a-z0-9][a-z0-9.:-]*$/.test(value)) continue;
    const message = `\`${param}\` of ${provider} must be the name of a ${param}, of small letters, digits and dashes.`;
    throw new GatewayError("invalid_configuration", message, { param, provider });
  }
}
