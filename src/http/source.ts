import type { CallOptions, Engine } from "../engine.ts";
import { GatewayError } from "../errors.ts";
import type { ServiceOptions } from "../operations/service-credential.ts";
import type { Portal } from "../portal/portal.ts";
import { readJson } from "./body.ts";
import { cacheOrigins, readCacheWish } from "./caching.ts";
import { readVirtualKey } from "./credentials.ts";
import type { Exchange } from "./endpoint.ts";
import { type HttpHeaders, type HttpResponse, readHeader } from "./exchange.ts";
import { writeJson } from "./json.ts";
import { openService, type ServiceHashes } from "./management.ts";

/** Looks at the text of a body for what its value no longer tells; throws what it finds. */
type Inspect = (text: string) => void;

/** What the inference API is served from. */
export interface InferenceOptions {
  readonly engine: Engine;
  /** Refuses inference without a virtual key; true by default where the engine has a store, since without one there are no keys. */
  readonly requireKey?: boolean | undefined;
  /** Bytes of a request's body, before and after decompression; 100 MB by default. */
  readonly bodyLimit?: number | undefined;
  /** Managed at `/` and under `/api`, beside the inference API. */
  readonly portal?: Portal | undefined;
  /**
   * Who the operators of the gateway are: `{ user, password }`, `{ token }`, or both, of which either is then enough. Every request
   * under `/api` must carry it in `authorization`, beside what the portal asks for. None by default.
   */
  readonly service?: ServiceOptions | undefined;
}

/** The same with its defaults. */
export type Source = {
  readonly [Name in "engine" | "requireKey" | "bodyLimit"]: NonNullable<InferenceOptions[Name]>;
} & {
  readonly portal: Portal | undefined;
  readonly service: ServiceHashes | undefined;
  /** What virtual keys begin with, in any case. */
  readonly keyPrefix: string;
};

/** Answers one operation; rejects with whatever went wrong. */
export type Answer = (exchange: Exchange, source: Source) => Promise<HttpResponse>;

/** Fills in the defaults. Throws `invalid_configuration` for a service credential that is none. */
export function sourceOf({ engine, requireKey, bodyLimit, portal, service }: InferenceOptions): Source {
  const { hasKeys, keyPrefix } = engine;
  const limits = { requireKey: requireKey ?? hasKeys, bodyLimit: bodyLimit ?? 100_000_000 };
  return { engine, portal, keyPrefix, ...limits, service: openService(service, keyPrefix) };
}

/** The body as JSON; the model it names is noted for the body of an error. Who needs a key and has none is refused before it is read. */
export function readInput(exchange: Exchange, source: Source, inspect?: Inspect): Promise<unknown> {
  readKey(exchange, source);
  return readJson(exchange.request, source.bodyLimit, (value, text) => {
    if (text !== undefined) inspect?.(text);
    if (typeof value === "object" && value !== null && "model" in value && typeof value.model === "string") {
      exchange.model = value.model;
    }
  });
}

/** What the headers of a request say beside its body. */
export function callOptions(exchange: Exchange, source: Source): CallOptions {
  const { request, eventId } = exchange;
  const { headers, signal } = request;
  const cache = readCacheWish(headers);
  if (cache) exchange.origins = new Map([...(exchange.origins ?? []), ...cacheOrigins]);
  return {
    signal,
    eventId,
    raw: readRawWish(headers),
    key: readKey(exchange, source),
    session: readHeader(headers, "x-tg-session"),
    cache,
    onRates(rates) {
      const requests = rates.requests ?? exchange.rates?.requests; // counted once, by whoever was asked first
      exchange.rates = requests === rates.requests ? rates : { ...rates, requests };
    },
  };
}

/** Whether the raw exchange is asked for; throws `invalid_request` for a header that says neither yes nor no. */
function readRawWish(headers: HttpHeaders): boolean {
  const wish = readHeader(headers, "x-tg-raw")?.trim().toLowerCase();
  if (wish === undefined) return false;
  if (wish === "true" || wish === "false") return wish === "true";
  throw new GatewayError("invalid_request", "`x-tg-raw`: must be true or false.", { param: "x-tg-raw" });
}

/** The virtual key of a request; throws `virtual_key_required` where there must be one. */
export function readKey({ request }: Exchange, { keyPrefix, requireKey }: Source): string | undefined {
  const virtualKey = readVirtualKey(request.headers, keyPrefix);
  if (virtualKey !== undefined || !requireKey) return virtualKey;
  throw new GatewayError(
    "virtual_key_required",
    `A virtual key is required: send it in \`x-tg-key\`, or as a bearer token that begins with \`${keyPrefix}\`.`,
  );
}

/** A value as a whole answer. */
export function toJson(value: unknown, headers?: Readonly<Record<string, string>>): HttpResponse {
  const type = { "content-type": "application/json" };
  return { status: 200, headers: headers ? { ...type, ...headers } : type, body: writeJson(value) };
}
