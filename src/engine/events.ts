import { EventEmitter } from "eventemitter3";
import type { RequestType } from "./api/common.ts";
import type { Usage } from "./api/usage.ts";
import { type AttemptReport, type ErrorCode, GatewayError } from "./errors.ts";
import { notifySafely } from "./runtime/notify.ts";

/** What every event says: the request's id (also `x-tg-event-id`) and what was asked. */
interface EventBase {
  readonly event_id: string;
  readonly request_type: RequestType;
  /** The model as the caller asked for it; empty for the list of models. */
  readonly model_requested: string;
}

/** The payload of each event; times in milliseconds. No event holds a credential, a prompt or an answer. */
export interface EventMap {
  /** The route is known; nobody was asked yet. */
  planned: EventBase & {
    readonly targets: readonly string[];
    readonly skipped: readonly { readonly entry: string; readonly reason: ErrorCode }[];
    /** The rule that acted. */
    readonly rule?: string;
  };
  /** A try of a target ended. */
  attempted: EventBase &
    AttemptReport & { readonly try: number; readonly credential?: string; readonly endpoint?: string };
  /** A target was given up for the next one. */
  fell_back: EventBase & { readonly from: string; readonly to: string; readonly reason: ErrorCode };
  /** A target was not asked because the caller's key does not allow it or has too little left. */
  refused: EventBase & { readonly target: string; readonly reason: ErrorCode; readonly key_id?: string };
  /** A target's circuit opened or closed; of no request in particular. */
  circuit: { readonly target: string; readonly state: "open" | "closed" };
  /** The store, the counters or the recovery of what they held was asked whether it answers (`readiness`); of no request in particular. */
  dependency: {
    readonly dependency: "store" | "counters" | "recovery";
    readonly status: "ok" | "failed";
    /** How long the answer took. */
    readonly milliseconds: number;
    readonly error?: unknown;
  };
  /** A defect of ours, or of a provider that threw something else than a GatewayError; the caller only sees `internal`. */
  defect: EventBase & { readonly error: unknown };
  /** What the cache did for a request. */
  cache: EventBase & {
    /** `joined`: the answer to the same question, which was being asked, is shared. `failed`: the cache, or who embeds for it. `would_hit`: of a shadow. */
    readonly result: "hit" | "miss" | "joined" | "kept" | "failed" | "would_hit";
    readonly hit_type?: "direct" | "semantic";
    /** By which the answer can be deleted. */
    readonly cache_id?: string;
    readonly similarity?: number;
    /** Of a semantic hit and a would-be one: the question that has an answer, and the one that was asked. */
    readonly pair?: readonly [known: string, asked: string];
    /** Why it failed. */
    readonly error?: unknown;
  };
  /** A middleware was called for a request or its answer; for the texts of a streamed answer, where it did more than pass them. */
  middleware: EventBase & {
    readonly name: string;
    readonly phase: "request" | "answer" | "text";
    /** `failed`: it threw or was late, and the request was refused or, where it says so, went on without it (`is_open`). */
    readonly outcome: "passed" | "changed" | "blocked" | "failed";
    /** Its own word for why it refused. */
    readonly reason?: string;
    readonly is_open?: boolean;
    readonly latency: number;
    readonly key_id?: string;
    /** What it noted of its work, such as a probability. */
    readonly facts?: Readonly<Record<string, string | number | boolean>>;
    /** What it failed with. */
    readonly error?: unknown;
  };
  /** The request is over; exactly one per request, streams included. */
  settled: EventBase & {
    readonly status: number;
    readonly reason: ErrorCode | "ok";
    /** `provider/model` that served; absent when nobody did. */
    readonly target?: string;
    readonly latency: number;
    /** Until the first content of a stream. */
    readonly time_to_first_token?: number;
    /** Of the answer; what other targets and tries used up is in the ledger. Absent where the cache answered. */
    readonly usage?: Usage;
    /** Dollars that the request cost with all its targets and tries, failed ones included; absent where no price is known or all was free. */
    readonly cost?: number;
    readonly key_id?: string;
    /** How the cache answered, when it did. */
    readonly cache?: "direct" | "semantic";
    readonly warnings?: readonly string[];
    /** The address of a failed connection, `host:port: reason`; for the operator, never in an answer to callers. */
    readonly address?: string;
    /** The HTTP status with which the provider failed the request, as it sent it. */
    readonly upstream_status?: number;
    /** `CallOptions.caller`; for the operator. */
    readonly caller?: Readonly<Record<string, string>>;
  };
}

const names: Readonly<Record<keyof EventMap, true>> = {
  planned: true,
  attempted: true,
  fell_back: true,
  refused: true,
  circuit: true,
  dependency: true,
  defect: true,
  cache: true,
  middleware: true,
  settled: true,
};

/** Throws `invalid_request` for what is no event, whose listener would wait for ever, and for what is no listener. */
function checkListener(name: string, listener: unknown): void {
  if (!Object.hasOwn(names, name)) {
    const message = `There is no event \`${name}\`; there are ${Object.keys(names).join(", ")}.`;
    throw new GatewayError("invalid_request", message, { param: "name" });
  }
  if (typeof listener !== "function")
    throw new GatewayError("invalid_request", `The listener of \`${name}\` must be a function.`, { param: "listener" });
}

/** The engine's events as a typed emitter. */
export type Events = EventEmitter<{ [Name in keyof EventMap]: (event: EventMap[Name]) => void }>;

/** A fresh emitter. */
export function createEvents(): Events {
  return new EventEmitter();
}

/**
 * Listens to the event `name`; gives what ends this listening and no other, also of the same function. A listener that fails, at once
 * or by the promise that it returns, keeps nobody else from hearing and breaks no request: its error becomes a process warning.
 */
export function listen<Name extends keyof EventMap>(
  events: Events,
  name: Name,
  listener: (event: EventMap[Name]) => unknown,
): () => void {
  checkListener(name, listener);
  const guarded = (event: EventMap[Name]) => notifySafely(() => listener(event));
  events.on(name, guarded as never);
  return () => void events.off(name, guarded as never);
}

/** Tells the listeners of `name`, building the event only when there are any. */
export function emit<Name extends keyof EventMap>(events: Events, name: Name, make: () => EventMap[Name]): void {
  if (events.listenerCount(name) === 0) return;
  (events.emit as (name: keyof EventMap, event: EventMap[Name]) => boolean).call(events, name, make());
}
