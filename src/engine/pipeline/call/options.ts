import type { ChatResponse } from "../../api/chat.ts";
import type { CachePreference } from "../../caching/settings.ts";
import type { Hedge, Recovery } from "../../options.ts";
import type { RateLimitStatus } from "../../policy/limits-reservation.ts";
import type { Middleware } from "../../ports/middleware/middleware.ts";
import type { ResponsesRequest, Timeouts } from "../../ports/provider.ts";
import type { ToolProgress } from "../../ports/tools/tool-server.ts";
import type { Abortable } from "../../runtime/abortable.ts";
import { type Checks, callable, checkOptions, flag, having, list, object, oneOf, text } from "../../runtime/checks.ts";
import type { WithDurations } from "../../runtime/duration.ts";
import type { JsonSource } from "../../runtime/json/json-source.ts";

/** What a caller may set besides the request. */
export interface CallOptions {
  /** The virtual key that the call is made with; without one it is the trusted caller's own. */
  readonly key?: string | undefined;
  /** The id of the virtual key that the call is made with, where its value is not known: for administration. Not with `key`. */
  readonly keyId?: string | undefined;
  /** An `AbortSignal`: aborting it ends the call, and the provider's work, at once. */
  readonly signal?: Abortable | undefined;
  /** Puts the bodies exchanged with the provider into `extra_fields.raw_request` and `raw_response`. */
  readonly raw?: boolean | undefined;
  /** The request's id in events, errors and logs; made by the engine when absent. */
  readonly eventId?: string | undefined;
  /** Facts of where the call comes from, such as an address or the id of a trace: they go with its `settled` event, for logs. */
  readonly caller?: Readonly<Record<string, string>> | undefined;
  /** Calls of one session go to the same credential of a provider while it can answer. */
  readonly session?: string | undefined;
  /** Deadlines of this call, in milliseconds or as text such as `"10s"`; the rest are the key's, the provider's and the engine's, in this order. */
  readonly timeouts?: Partial<WithDurations<Timeouts>> | undefined;
  /** Lowers `max_completion_tokens` to what the key's budgets leave, instead of refusing the call; told in `warnings`. */
  readonly fit?: boolean | undefined;
  /** How to treat a stream that breaks after its first content; by default it is resumed when the request has fallbacks. */
  readonly recovery?: Recovery | undefined;
  /** Asks the next candidate too when the first has sent nothing after so long. */
  readonly hedge?: WithDurations<Hedge> | undefined;
  /** The provider that a model named without one belongs to, as in a vendor's own dialect: `openai`, `anthropic`, … */
  readonly vendor?: string | undefined;
  /** What the cache may do for this call; it may be stricter than the engine's options, never laxer. */
  readonly cache?: CachePreference | undefined;
  /** The request as a client of OpenAI's Responses API wrote it; the HTTP server sets it, for providers that have that interface. */
  readonly responses?: ResponsesRequest | undefined;
  /** What the request was read from; the HTTP server sets it, for providers whose requests have members in common with it. */
  readonly source?: JsonSource | undefined;
  /**
   * Of a `background` request in `responses`: receives the answer as soon as the vendor has queued the response, which then goes on without
   * its caller; the call itself resolves with the whole response, or rejects.
   */
  readonly onQueued?: ((answer: ChatResponse) => void) | undefined;
  /** Headers by which the caller asks a vendor for more, in lower case; a provider sends those that it allows and names the others. */
  readonly capabilities?: Readonly<Record<string, string>> | undefined;
  /** Receives the state of the key's windows as soon as it is known, also when a window refuses the call. */
  readonly onRates?: ((rates: RateLimits) => void) | undefined;
  /** Middleware of this request, which it passes after the engine's. */
  readonly middleware?: readonly Middleware[] | undefined;
  /** Of a call of a tool: receives each report of progress that its server makes. */
  readonly onToolProgress?: ((progress: ToolProgress) => void) | undefined;
  /** Of a call of a tool, and of a run of tools: the caller's own tokens by server. Each goes to its server alone, and into no log. */
  readonly toolTokens?: Readonly<Record<string, string>> | undefined;
}

/** The tightest request window and the tightest token window of a key; absent where it has none, or another one refused. */
export interface RateLimits {
  /** When that was, in milliseconds since the epoch. */
  readonly at: number;
  readonly requests: RateLimitStatus | undefined;
  readonly tokens: RateLimitStatus | undefined;
}

const checks: Checks<CallOptions> = {
  key: text,
  keyId: text,
  eventId: text,
  caller: object,
  session: text,
  vendor: text,
  raw: flag,
  fit: flag,
  cache: object,
  responses: object,
  source: object,
  capabilities: object,
  timeouts: object,
  recovery: oneOf("resume", "error"),
  hedge: object,
  signal: having("addEventListener", "an `AbortSignal`"),
  onRates: callable,
  onQueued: callable,
  middleware: list,
  onToolProgress: callable,
  toolTokens: object,
};

/** Throws `invalid_request` for an unknown option of a call; `cache`, `timeouts` and `hedge` are checked where they are read. */
export function checkCallOptions(options: CallOptions): void {
  checkOptions(options, checks, { of: "a call", code: "invalid_request" });
}
