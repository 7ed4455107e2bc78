import { GatewayError } from "../../../src/engine/errors.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import { memo } from "../../../src/engine/runtime/memo.ts";
import { createRedactor, type Redact } from "../../../src/engine/runtime/redaction.ts";
import { secretsOf } from "../../../src/engine/runtime/request-secrets.ts";
import type { FaultReader } from "./fault.ts";
import { fetchTransport } from "./fetch.ts";
import type { SseEvent } from "./sse.ts";
import { usualTransport } from "./usual-transport.ts";

/** What an {@link httpClient} knows of its vendor. */
export interface HttpClientOptions {
  /** Name of the provider, for errors. */
  readonly provider: string;
  /** Absolute `http:` or `https:` URL that paths are appended to; its query, if any, goes on every request. */
  readonly baseUrl: string;
  /** Sent with every request; names in lower case. Their values are taken out of all that the vendor sends. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The capability headers of callers that are sent, in lower case; none unless given. */
  readonly callerHeaders?: readonly string[] | undefined;
  /** How requests are sent; the usual transport, of its own, unless given. A transport that was given is not closed by the client. */
  readonly transport?: Transport | undefined;
  /** A `fetch` to send with, in place of a transport. */
  readonly fetch?: typeof fetch | undefined;
  /** Reads the vendor's error bodies; OpenAI's shapes unless given. */
  readonly readFault?: FaultReader | undefined;
  /** The vendor tells the arguments of calls as objects, in which long whole numbers are to keep their digits. */
  readonly acceptsObjects?: boolean | undefined;
  /** Whole answers and streams of chat are read whichever was asked for: some servers send the one whatever the request says. */
  readonly readsEither?: boolean | undefined;
  /**
   * The header that states the cost of an answer in dollars. It becomes `cost` of a whole answer's `usage`, unless that has one, and the
   * `cost` of a stream's batches.
   */
  readonly costHeader?: string | undefined;
  /** Characters that one unfinished event of a stream may have; 16 Mi unless given. */
  readonly eventLimit?: number | undefined;
  /** Bytes that the stream of one answer may have, decompressed; 64 MiB unless given. Beyond it is `upstream_invalid_response`. */
  readonly streamLimit?: number | undefined;
  /** True for the event after which a stream says nothing more; `data: [DONE]` unless given. */
  readonly isLastEvent?: ((event: SseEvent) => boolean) | undefined;
}

/** What of a client is computed once. */
export interface ClientTarget {
  readonly provider: string;
  readonly callerHeaders: readonly string[] | undefined;
  /** The absolute URL of a path, which may carry a query of its own. */
  address(path: string): string;
  readonly headers: Readonly<Record<"get" | "post" | "stream", Readonly<Record<string, string>>>>;
  readonly transport: Transport;
  /** Hides what we have sent to be let in: the values of headers and of the base URL's query. */
  readonly redact: Redact;
  close(): Promise<void>;
}

/** What undici would refuse in a header value, and what would change the request. */
const forbiddenInHeader = /[^\t\x20-\x7e\x80-\xff]/;

/** Settles base URL, headers and transport; throws `invalid_configuration` naming the option that is wrong. */
export function targetOf(options: HttpClientOptions): ClientTarget {
  const url = parseBase(options);
  const provided = checkHeaders(options);
  const always = { "user-agent": "tollgate", ...provided };
  const json = { accept: "application/json", ...always };
  const own = options.transport === undefined ? makeTransport(options) : undefined;
  const base = url.origin + url.pathname.replace(/\/+$/, "");
  return {
    provider: options.provider,
    callerHeaders: options.callerHeaders?.map((name) => name.toLowerCase()),
    address: addressIn(base, url.search),
    headers: {
      get: json,
      post: { "content-type": "application/json", ...json },
      stream: { "content-type": "application/json", accept: "text/event-stream", ...always },
    },
    transport: options.transport ?? (own as Transport),
    redact: createRedactor(secretsOf(provided, url)),
    close: async () => own?.close(),
  };
}

function addressIn(base: string, query: string): ClientTarget["address"] {
  if (query === "") return memo((path) => base + path);
  return memo((path) => base + path + (path.includes("?") ? `&${query.slice(1)}` : query));
}

/** A transport of a provider's own: over `fetch` where it is given, else the one of the engine that asks, or the runtime's where it has none. */
export function makeTransport({ fetch }: Pick<HttpClientOptions, "fetch">): Transport {
  if (fetch !== undefined) return fetchTransport(fetch);
  const own = usualTransport();
  return {
    whole: (request) => (request.via ?? own).whole(request),
    stream: (request) => (request.via ?? own).stream(request),
    close: () => own.close(),
  };
}

function parseBase({ baseUrl, provider }: HttpClientOptions): URL {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== "" || url.hash !== "") {
    const message = `\`baseUrl\` of ${provider} must be an absolute http or https URL without user name and fragment.`;
    throw new GatewayError("invalid_configuration", message, { param: "baseUrl", provider });
  }
  return url;
}

function checkHeaders({ headers = {}, provider }: HttpClientOptions): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || typeof value !== "string" || forbiddenInHeader.test(value)) {
      const message = `The header \`${name}\` of ${provider} holds what a header must not hold.`;
      throw new GatewayError("invalid_configuration", message, { param: `headers.${name}`, provider });
    }
    checked[name.toLowerCase()] = value;
  }
  return checked;
}

/** A credential option, trimmed; throws `invalid_configuration` naming `apiKey` when it is missing, nothing is left or it cannot be sent. */
export function requireKey(apiKey: string | undefined, provider: string): string {
  return requireSecret({ apiKey }, provider);
}

/** The same for an access token, named `accessToken`. */
export function requireToken(accessToken: string, provider: string): string {
  return requireSecret({ accessToken }, provider);
}

/** A secret by the name of its option, trimmed; throws as {@link requireKey} does. */
export function requireSecret(option: Readonly<Record<string, string | undefined>>, provider: string): string {
  const [[param, value] = ["", ""]] = Object.entries(option);
  const key = typeof value === "string" ? value.trim() : "";
  if (key === "" || forbiddenInHeader.test(key)) {
    const problem = key === "" ? (value === undefined ? "missing" : "empty") : "not a possible header value";
    const message = `\`${param}\` of ${provider} is ${problem}.`;
    throw new GatewayError("invalid_configuration", message, { param, provider });
  }
  return key;
}
