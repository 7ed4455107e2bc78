import type { CallOptions, CoreEngine } from "../engine/engine.ts";
import { GatewayError } from "../engine/errors.ts";
import type { ServiceOptions } from "../operations/service-credential.ts";
import type { Portal } from "../portal/portal.ts";
import type { ConsoleFiles } from "./console/index.ts";
import { defaultKeepAliveMs, type HttpRequest, type HttpResponse, readHeader } from "./message.ts";
import { type BodySettings, openReading, type ReadParts, readJson } from "./request/body.ts";
import { type BodyTurns, createBodyTurns } from "./request/body-turns.ts";
import type { BodyBounds } from "./request/bounds.ts";
import { cacheOrigins, readCachePreference, readCapabilities, readRawOption } from "./request/call-headers.ts";
import { readQueryKey, readToolTokens, readVirtualKey } from "./request/credentials.ts";
import type { InspectBody } from "./request/json-body.ts";
import { writeJson } from "./response/json.ts";
import type { KeepAliveInterval } from "./response/late-stream.ts";
import type { RequestContext } from "./response/request-context.ts";
import { openService, type ServiceHashes } from "./service-auth.ts";

/** Looks at the text of a body for what its value no longer tells; throws what it finds. */
type InspectText = (text: string) => void;

/** What logs say of the caller of a request. */
export type DescribeCaller = (request: Pick<HttpRequest, "headers" | "address">) => Readonly<Record<string, string>>;

/** What the inference API is served from. */
export interface InferenceOptions {
  readonly engine: CoreEngine;
  /** Refuses inference without a virtual key; true by default where the engine has a store, since without one there are no keys. */
  readonly requireKey?: boolean | undefined;
  /** Bytes of a request's body, before and after decompression; 32 MiB by default. */
  readonly bodyLimit?: number | undefined;
  /**
   * Milliseconds of silence in a stream after which a sign of life is sent, 15,000 by default; 0 for never. A stream whose first content
   * takes longer begins with one.
   */
  readonly keepAliveMs?: number | undefined;
  /** What else a body may hold and use; generous by default (docs/bounds.md). */
  readonly bodyBounds?: BodyBounds | undefined;
  /** Managed at `/` and under `/api`, beside the inference API. */
  readonly portal?: Portal | undefined;
  /** `false` leaves the portal out at `/`, so that it is reached under `/api` only, where `service` guards it. Default: true. */
  readonly portalAtRoot?: boolean | undefined;
  /** The web console, served at `/console`: `consoleFiles()` of `tollgate/console`. None by default. */
  readonly console?: ConsoleFiles | undefined;
  /** Facts of a request's caller for logs: `CallOptions.caller` of its call, and `caller` of a failed request. None by default. */
  readonly describeCaller?: DescribeCaller | undefined;
  /**
   * Who the operators of the gateway are: `{ user, password }`, `{ token }`, or both, of which either is then enough. Every request
   * under `/api` must carry it in `authorization`, beside what the portal asks for. None by default.
   */
  readonly service?: ServiceOptions | undefined;
}

/** The same with its defaults. */
export type HttpContext = {
  readonly [Name in "engine" | "requireKey"]: NonNullable<InferenceOptions[Name]>;
} & {
  /** How bodies are read. */
  readonly reading: BodySettings;
  /** When a caller who waits for a stream is sent a sign of life. */
  readonly keepAlive: KeepAliveInterval;
  readonly portal: Portal | undefined;
  readonly portalAtRoot: boolean;
  readonly console: ConsoleFiles | undefined;
  readonly turns: BodyTurns;
  readonly service: ServiceHashes | undefined;
  /** What virtual keys begin with, in any case. */
  readonly keyPrefix: string;
};

/** Answers one operation; rejects with whatever went wrong. */
export type RequestHandler = (request: RequestContext, context: HttpContext) => Promise<HttpResponse>;

/** Fills in the defaults. Throws `invalid_configuration` for a service credential that is none, or a bound. */
export function contextOf(options: InferenceOptions): HttpContext {
  const { engine, requireKey, portal, portalAtRoot = true, service, bodyLimit, bodyBounds, keepAliveMs } = options;
  const { hasKeys, keyPrefix, clock } = engine;
  return {
    ...{ engine, portal, portalAtRoot, keyPrefix, console: options.console },
    reading: openReading(bodyLimit, bodyBounds, clock),
    keepAlive: { clock, keepAliveMs: keepAliveMs ?? defaultKeepAliveMs },
    turns: createBodyTurns(clock),
    requireKey: requireKey ?? hasKeys,
    service: openService(service, keyPrefix),
  };
}

/**
 * The body as JSON; the model it names is noted for the body of an error. Nothing of it is read for a caller whose key is missing,
 * unknown, inactive or expired, and keys take turns to have theirs read.
 */
export function readInput(request: RequestContext, context: HttpContext, inspect?: InspectText): Promise<unknown> {
  return readBody(request, context, { inspect });
}

/** The same of a body that may consist of parts. */
export function readFormInput(request: RequestContext, context: HttpContext, readParts: ReadParts): Promise<unknown> {
  return readBody(request, context, { readParts });
}

/** What is done with a body next to reading it. */
interface BodyReaders {
  readonly inspect?: InspectText | undefined;
  readonly readParts?: ReadParts | undefined;
}

async function readBody(
  request: RequestContext,
  context: HttpContext,
  { inspect, readParts }: BodyReaders,
): Promise<unknown> {
  const { eventId, requestType, request: asked } = request;
  const key = readKey(request, context);
  const known = context.engine.admit({ key, eventId }, requestType);
  if (known instanceof Promise) await known;
  const admitted = context.turns.admit(key ?? "", asked.headers, asked.signal);
  const turn = admitted instanceof Promise ? await admitted : admitted;
  const inspectBody: InspectBody = (value, { text, source }) => {
    if (text !== undefined) inspect?.(text);
    request.source = source;
    if (typeof value === "object" && value !== null && "model" in value && typeof value.model === "string") {
      request.model = value.model;
    }
  };
  try {
    return await readJson(asked, context.reading, { key, inspect: inspectBody, readParts });
  } finally {
    turn.end();
  }
}

/** What the headers of a request say beside its body. */
export function callOptions(requestContext: RequestContext, context: HttpContext): CallOptions {
  const { request, eventId } = requestContext;
  const { headers, signal } = request;
  const cache = readCachePreference(headers);
  if (cache) requestContext.origins = new Map([...(requestContext.origins ?? []), ...cacheOrigins]);
  return {
    signal,
    eventId,
    caller: requestContext.caller,
    raw: readRawOption(headers),
    vendor: requestContext.vendor,
    source: requestContext.source,
    key: readKey(requestContext, context),
    session: readHeader(headers, "x-tg-session"),
    cache,
    capabilities: readCapabilities(headers),
    ...readToolTokens(headers, context.engine.mcp.tokenHeaders),
    onRates(rates) {
      const requests = rates.requests ?? requestContext.rates?.requests; // counted once, for the first target
      requestContext.rates = requests === rates.requests ? rates : { ...rates, requests };
    },
  };
}

const others = "`x-api-key`, `x-goog-api-key` or `api-key`";

/** The virtual key of a request; throws `virtual_key_required` where there must be one. */
export function readKey({ request }: RequestContext, { keyPrefix, requireKey }: HttpContext): string | undefined {
  const { headers, path, query } = request;
  const inQuery = path.startsWith("/genai/") ? readQueryKey(query, keyPrefix) : undefined;
  const virtualKey = readVirtualKey(headers, keyPrefix) ?? inQuery;
  if (virtualKey !== undefined || !requireKey) return virtualKey;
  throw new GatewayError(
    "virtual_key_required",
    `A virtual key is required: send it in \`x-tg-key\`, or as your client's API key (a bearer token, ${others}), where it begins with \`${keyPrefix}\`.`,
  );
}

/** A value as a whole answer. */
export function toJson(value: unknown, headers?: Readonly<Record<string, string>>): HttpResponse {
  const type = { "content-type": "application/json" };
  return { status: 200, headers: headers ? { ...type, ...headers } : type, body: writeJson(value) };
}
