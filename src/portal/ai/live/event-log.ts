import type { CoreEngine } from "../../../engine/engine.ts";
import type { Ledger } from "../../../engine/ports/ledger.ts";
import { createBoundedCache } from "../../../engine/runtime/bounded-cache.ts";
import type { AiRequestEvent } from "../../../operations/portal/tenancy/ai/requests.ts";
import { followLedger, toSettled } from "./ledger-tail.ts";

/** The engine's events that the live log shows. */
const shownEvents = ["planned", "attempted", "fell_back", "refused", "cache", "settled", "circuit"] as const;

/** The latest events, from which a reader goes on that was cut off. */
const rememberedEvents = 1_000;

/** One event with its id, which grows by one from event to event. It is made when it is first looked at: most are never shown. */
export class LoggedEvent {
  readonly number: number;
  readonly #type: string;
  readonly #fields: object;
  readonly #at: number;
  #event: AiRequestEvent | undefined;

  // biome-ignore lint/complexity/useMaxParams: made once a request at least, without an object of its own
  constructor(number: number, type: string, fields: object, at: number) {
    this.number = number;
    this.#type = type;
    this.#fields = fields;
    this.#at = at;
  }

  get event(): AiRequestEvent {
    this.#event ??= { ...toPublic(this.#fields), type: this.#type, at: new Date(this.#at).toISOString() };
    return this.#event;
  }
}

/** Receives each event as it happens. */
export type LogListener = (logged: LoggedEvent) => void;

/** The events of this process, and what other processes over the same ledger have settled. */
export interface EventLog {
  /** Distinguishes this log from those of other processes and of earlier ones. */
  readonly mark: string;
  /** The number of the latest event. */
  last(): number;
  /** The remembered events behind a number, oldest first, and whether some before them are forgotten. */
  since(number: number): { readonly events: readonly LoggedEvent[]; readonly isIncomplete: boolean };
  /** Reads from now on, until the returned function is called. */
  read(reader: LogListener): () => void;
}

/** Listens to the engine while somebody reads, and for a minute longer: without readers an event costs nothing. */
const lingerMs = 60_000;

/** Requests that are remembered as this process's own. */
const rememberedRequests = 20_000;

/** Returns the log of an engine's events. */
export function createEventLog(engine: CoreEngine, ledger: Ledger): EventLog {
  const { clock } = engine;
  const readers = new Set<LogListener>();
  let events: LoggedEvent[] = [];
  let last = 0;
  let ends: readonly (() => void)[] = [];
  let cancelStop: (() => void) | undefined;
  const append = (type: string, fields: object) => {
    const logged = new LoggedEvent(++last, type, fields, clock.now());
    events.push(logged);
    if (events.length >= 2 * rememberedEvents) events = events.slice(-rememberedEvents);
    for (const reader of readers) reader(logged);
  };
  const own = createBoundedCache<true>(rememberedRequests);
  const appendOwn = (type: string, event: object) => {
    // The ledger has the requests that are settled.
    if (type === "settled" && "event_id" in event) own.set(String(event.event_id), true);
    append(type, event);
  };
  const start = () => {
    const ledgerTail = { ledger, clock, isOwn: (id: string) => own.has(id) };
    const endTail = followLedger({ ...ledgerTail, onSettled: (entry) => append("settled", toSettled(entry)) });
    ends = [endTail, ...shownEvents.map((name) => engine.on(name, (event) => appendOwn(name, event)))];
  };
  const stop = () => {
    for (const end of ends) end();
    ends = [];
  };
  return {
    mark: engine.newEventId().slice("evt_".length),
    last: () => last,
    since: (number) => ({
      events: events.slice(-rememberedEvents).filter((one) => one.number > number),
      isIncomplete: number < last - Math.min(events.length, rememberedEvents),
    }),
    read(reader) {
      cancelStop?.();
      if (ends.length === 0) start();
      readers.add(reader);
      return () => {
        readers.delete(reader);
        if (readers.size === 0) cancelStop = clock.after(lingerMs, stop);
      };
    },
  };
}

/** What is for the log only: the error of a failed cache, the address of a failed connection, and where a call came from. */
const unshown: ReadonlySet<string> = new Set(["error", "address", "endpoint", "upstream_status", "caller"]);

/** An event as it may be shown. */
function toPublic(event: object): object {
  return Object.fromEntries(Object.entries(event).filter(([name]) => !unshown.has(name)));
}
