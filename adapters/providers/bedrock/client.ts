import { GatewayError } from "../../../src/engine/errors.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import type { RulesOptions } from "../../shared/chat/rules-option.ts";
import { type TaughtChats, taughtChats } from "../../shared/chat/taught-chats.ts";
import type { ApiCredential } from "../../shared/credentials.ts";
import type { CallWithHeaders } from "../../shared/http/caller-headers.ts";
import { type HttpCall, type HttpClient, httpClient } from "../../shared/http/client.ts";
import { makeTransport, requireKey } from "../../shared/http/target.ts";
import type { WireOptions } from "../../shared/http/wire-options.ts";
import { readAwsFault } from "./faults.ts";
import { framesTransport } from "./frames.ts";
import { conversePlaces } from "./parameters.ts";
import { type AwsKeySource, dateHeader, signingTransport } from "./sign.ts";

/** Options of `bedrock()`: the region, and one of `apiKey`, `credentials` and `keys`. Nothing is read from the environment. */
export interface BedrockOptions extends WireOptions, RulesOptions {
  /** E.g. `eu-central-1`. */
  readonly region: string;
  /** An API key of Bedrock (a bearer token). */
  readonly apiKey?: string | undefined;
  /** Several API keys; the engine chooses one per request. */
  readonly credentials?: readonly ApiCredential[] | undefined;
  /** AWS keys to sign with, or a function that gives the ones that are good now, e.g. `fromNodeProviderChain()` of AWS's SDK. */
  readonly keys?: AwsKeySource | undefined;
  /** An address in place of AWS's own for all that is asked, e.g. of a proxy. */
  readonly baseUrl?: string | undefined;
  /** Bound on output tokens where a request gives none and the thinking of Claude needs one; the least of 32,000 and the model's own. */
  readonly maxTokens?: number | undefined;
}

/** The vendor's three addresses. */
export interface BedrockClients {
  /** Models to list. */
  readonly runtime: HttpClient;
  /** Lists of models. */
  readonly control: HttpClient;
  /** Reranking. */
  readonly agents: HttpClient;
  close(): Promise<void>;
}

/** The clients of one provider; throws `invalid_configuration` for options that cannot be used. */
export function openClients(options: BedrockOptions, provider: string): BedrockClients {
  const { region, apiKey, keys, headers, fetch, transport } = options;
  checkRegion(region, provider);
  const own = transport ? undefined : makeTransport({ fetch });
  const framed = framesTransport((transport ?? own) as Transport, provider);
  const sending = keys === undefined ? framed : signingTransport(framed, { provider, region, keys });
  const bearer = keys === undefined ? { authorization: `Bearer ${requireKey(apiKey, provider)}` } : {};
  const at = (part: string) =>
    httpClient({
      provider,
      baseUrl: options.baseUrl ?? `https://${part}.${region}.${domainOf(region)}`,
      headers: { ...bearer, ...headers },
      callerHeaders: options.callerHeaders,
      transport: sending,
      readFault: readAwsFault,
      acceptsObjects: true,
    });
  return {
    runtime: at("bedrock-runtime"),
    control: at("bedrock"),
    agents: at("bedrock-agent-runtime"),
    close: async () => own?.close(),
  };
}

/** InvokeModel's headers that Converse has as fields of its body. */
const tierHeader = "x-amzn-bedrock-service-tier";
const latencyHeader = "x-amzn-bedrock-performanceconfig-latency";

/** The one that changes no price that we do not see: answers state their tier. */
const usualCallerHeaders: readonly string[] = [tierHeader];

/** The call with what only this request's head says: the time, where signatures hold it, and the form of a stream. */
export function dated<Call extends HttpCall | ProviderCall>(call: Call, options: BedrockOptions): Call & HttpCall {
  const { keys } = options;
  return {
    ...withoutBodyHeaders(call, options.callerHeaders),
    headers: keys === undefined ? {} : { [dateHeader]: new Date(call.startedAt).toISOString() },
  };
}

/** The same for a stream. */
export function streamed(call: ProviderCall, options: BedrockOptions): HttpCall {
  const head = dated(call, options);
  return { ...head, headers: { ...head.headers, accept: "application/vnd.amazon.eventstream" } };
}

/** What callers ask by those headers, as far as the provider allows it. */
export interface RequestedByHeader {
  readonly serviceTier?: string | undefined;
  readonly latency?: string | undefined;
}

export function requestedByHeader(
  { capabilities }: Pick<ProviderCall, "capabilities">,
  allowed: readonly string[] = usualCallerHeaders,
): RequestedByHeader {
  if (capabilities === undefined) return {};
  const read = (name: string) => (allowed.includes(name) ? capabilities[name] : undefined);
  return { serviceTier: read(tierHeader), latency: read(latencyHeader) };
}

/** The call without the headers whose values its body holds. */
function withoutBodyHeaders<Call extends CallWithHeaders>(
  call: Call,
  allowed: readonly string[] = usualCallerHeaders,
): Call {
  if (call.capabilities === undefined) return call;
  const inBody = [tierHeader, latencyHeader].filter((name) => allowed.includes(name));
  const rest = Object.entries(call.capabilities).filter(([name]) => !inBody.includes(name));
  return { ...call, capabilities: Object.fromEntries(rest) };
}

/** `/model/<model>/<operation>`; names hold colons, those of AWS's resources slashes. */
export function pathOf({ model }: ProviderCall, operation: string): string {
  return `/model/${encodeURIComponent(model)}/${operation}`;
}

function checkRegion(region: string, provider: string): void {
  if (typeof region === "string" && /^[a-z]{2,}(-[a-z]+)+-\d+$/.test(region)) return;
  const message = `\`region\` of ${provider} must be a region of AWS, such as us-east-1.`;
  throw new GatewayError("invalid_configuration", message, { param: "region", provider });
}

/** AWS's keys sign every request, so that a key of Bedrock would be sent by none. */
export function keyConflict(provider: string): GatewayError {
  const message = `\`keys\` of ${provider} cannot be combined with \`apiKey\` or \`credentials\`.`;
  return new GatewayError("invalid_configuration", message, { param: "keys", provider });
}

function domainOf(region: string): string {
  return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}

/** Sends the chats of one provider by the rules for their model. */
export function chatSender(
  { modelRules }: Pick<BedrockOptions, "modelRules">,
  of: { readonly client: HttpClient; readonly provider: string },
): TaughtChats {
  return taughtChats({ ...of, modelRules, places: conversePlaces });
}
