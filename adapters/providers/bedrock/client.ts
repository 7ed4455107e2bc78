import { GatewayError } from "../../../src/errors.ts";
import type { ProviderCall } from "../../../src/ports/provider.ts";
import type { ApiCredential } from "../../shared/credentials.ts";
import { type HttpCall, type HttpClient, httpClient } from "../../shared/http/client.ts";
import { undiciTransport } from "../../shared/http/dispatch/undici.ts";
import { fetchTransport } from "../../shared/http/fetch.ts";
import { requireKey } from "../../shared/http/target.ts";
import type { Transport } from "../../shared/http/transport.ts";
import type { WireOptions } from "../../shared/http/wire-options.ts";
import { readAwsFault } from "./faults.ts";
import { framesTransport } from "./frames.ts";
import { type AwsKeySource, dateHeader, signingTransport } from "./sign.ts";

/** Options of `bedrock()`: the region, and one of `apiKey`, `credentials` and `keys`. Nothing is read from the environment. */
export interface BedrockOptions extends WireOptions {
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
  const own = transport ? undefined : fetch ? fetchTransport(fetch) : undiciTransport();
  const framed = framesTransport((transport ?? own) as Transport, provider);
  const sending = keys === undefined ? framed : signingTransport(framed, { provider, region, keys });
  const bearer = keys === undefined ? { authorization: `Bearer ${requireKey(apiKey, provider)}` } : {};
  const at = (part: string) =>
    httpClient({
      provider,
      baseUrl: options.baseUrl ?? `https://${part}.${region}.${domainOf(region)}`,
      headers: { ...bearer, ...headers },
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

/** The call with what only this request's head says: the time, where signatures hold it, and the form of a stream. */
export function dated<Call extends HttpCall | ProviderCall>(call: Call, { keys }: BedrockOptions): Call & HttpCall {
  return { ...call, headers: keys === undefined ? {} : { [dateHeader]: new Date(call.startedAt).toISOString() } };
}

/** The same for a stream. */
export function streamed(call: ProviderCall, options: BedrockOptions): HttpCall {
  const head = dated(call, options);
  return { ...head, headers: { ...head.headers, accept: "application/vnd.amazon.eventstream" } };
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

function domainOf(region: string): string {
  return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}
