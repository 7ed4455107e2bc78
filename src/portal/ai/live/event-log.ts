import type { CoreEngine } from "../../../engine.ts";
import type { AiRequestEvent } from "../../../operations/portal/tenancy/ai/requests.ts";

/** The engine's events that the live log shows. */
const shownEvents = ["planned", "attempted", "fell_back", "refused", "cache", "settled", "circuit"] as const;

/** The latest events, from which a reader goes on that was cut off. */
const rememberedEvents = 1_000;

/** One event with its id, which grows by one from event to event. */
export interface LoggedEvent {
  readonly number: number;
  readonly event: AiRequestEvent;
}

/** Receives each event as it happens. */
export type LogListener = (logged: LoggedEvent) => void;

/** The events of this process. */
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

/** Returns the log of an engine's events. */
export function createEventLog(engine: CoreEngine): EventLog {
  const { clock } = engine;
  const readers = new Set<LogListener>();
  let events: LoggedEvent[] = [];
  let last = 0;
  let ends: readonly (() => void)[] = [];
  let cancelStop: (() => void) | undefined;
  const append = (type: string, fields: object) => {
    const at = new Date(clock.now()).toISOString();
    const logged = { number: ++last, event: { ...fields, type, at } };
    events.push(logged);
    if (events.length >= 2 * rememberedEvents) events = events.slice(-rememberedEvents);
    for (const reader of readers) reader(logged);
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
      if (ends.length === 0)
        ends = shownEvents.map((name) => engine.on(name, (event) => append(name, toPublic(event))));
      readers.add(reader);
      return () => {
        readers.delete(reader);
        if (readers.size === 0) cancelStop = clock.after(lingerMs, stop);
      };
    },
  };
}

/** An event as it may be shown: the error of a failed cache, and the address of a failed connection, are for the log only. */
function toPublic(event: object): object {
  const { error: _error, address: _address, endpoint: _endpoint, ...shown } = event as Record<string, unknown>;
  return shown;
}
