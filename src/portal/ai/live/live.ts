import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiRequestEvent } from "../../../operations/portal/tenancy/ai/requests.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { createReaderCount } from "../../streams/reader-count.ts";
import { type SentEvent, subscribe } from "../../streams/subscription.ts";
import { createEventLog, type EventLog, type LoggedEvent } from "./event-log.ts";

/** The live log of requests, as they happen: every event of this process, and the requests that others over its store have settled. */
export function liveOf({ engine, ledger }: PortalDeps) {
  const log = createEventLog(engine, ledger);
  const readers = createReaderCount({ mostOfUser: 3, mostOfAll: 200 });
  return {
    requestStream(input, call) {
      const { id } = call.caller.user;
      readers.check(id);
      const pass = createPass(input, call);
      const events = subscribe({
        clock: engine.clock,
        isOver: () => engine.isDraining,
        start({ offer, push }) {
          readers.add(id, 1);
          replay(log, input, (logged) => pass(logged, () => push(toSent(log, logged))), push);
          const end = log.read((logged) => pass(logged, () => offer(() => toSent(log, logged))));
          return () => {
            end();
            readers.add(id, -1);
          };
        },
      });
      return events as never; // seam: the type of a row has no streams
    },
  } satisfies AreaBackend<"ai">;
}

type StreamInput = InputOf<Areas["ai"]["requestStream"]>;

/** Calls `send` for an event that the reader wants and its caller may see. */
type EventPass = (logged: LoggedEvent, send: () => void) => void;

/** The provider level sees all events; other callers those that name a key in their scope. */
function createPass(input: StreamInput, { caller: { scope }, records }: PortalCall): EventPass {
  const known = new Map<string, boolean>();
  const isVisible = async (key_id: unknown): Promise<boolean> => {
    if (typeof key_id !== "string") return false;
    const isShown = known.get(key_id) ?? (await records.get("key", key_id)) !== undefined;
    if (known.size < mostKnown) known.set(key_id, isShown);
    return isShown;
  };
  const isFiltered = hasFilter(input);
  return (logged, send) => {
    if (isFiltered && !passesFilter(logged.event, input)) return;
    if (scope.reseller === undefined) send();
    else
      isVisible(logged.event.key_id).then(
        (isShown) => isShown && send(),
        () => {}, // an event that cannot be judged is not shown
      );
  };
}

/** The keys of which a reader remembers whether they are its caller's. */
const mostKnown = 10_000;

/** The events that a reader who comes back is sent of those that it missed. */
const mostReplayed = 200;

/**
 * Sends the beginning of the stream and what a reader has missed. `is_incomplete` says that some of it is lost, because the reader comes
 * from another process or was away for too long: it has to read the list again.
 */
// biome-ignore lint/complexity/useMaxParams: two of them say how an event is sent
function replay(
  log: EventLog,
  { last_event_id }: StreamInput,
  send: (logged: LoggedEvent) => void,
  push: (event: SentEvent) => void,
): void {
  const [mark, digits = ""] = last_event_id?.split(".") ?? [];
  const isKnown = mark === log.mark && /^\d{1,15}$/.test(digits);
  const { events, isIncomplete } = isKnown ? log.since(Number(digits)) : { events: [], isIncomplete: true };
  const is_incomplete = last_event_id !== undefined && (isIncomplete || events.length > mostReplayed);
  push({
    id: isKnown ? (last_event_id ?? "") : idOf(log, log.last()),
    event: "open",
    data: { type: "open", is_incomplete },
  });
  for (const logged of events.slice(-mostReplayed)) send(logged);
}

function idOf({ mark }: EventLog, number: number): string {
  return `${mark}.${number}`;
}

function toSent(log: EventLog, { number, event }: LoggedEvent): SentEvent {
  return { id: idOf(log, number), event: event.type, data: event };
}

/** What a reader of the live log filters by. */
export type EventFilterInput = Pick<
  InputOf<Areas["ai"]["requestStream"]>,
  "type" | "key_id" | "model" | "provider" | "status"
>;

/** True where at least one filter is set. */
function hasFilter({ type, key_id, model, provider, status }: EventFilterInput): boolean {
  return [type, key_id, model, provider, status].some((wanted) => wanted !== undefined && wanted.length > 0);
}

/** True for an event that passes all filters. An event without the filtered field does not pass. */
function passesFilter(event: AiRequestEvent, filter: EventFilterInput): boolean {
  const { type, key_id, model, provider, status } = filter;
  const target = textOf(event.target) ?? textOf(event.to);
  return (
    isOneOf(type, event.type) &&
    isOneOf(key_id, event.key_id) &&
    isOneOf(provider, target?.split("/")[0]) &&
    isOneOf(status, event.status) &&
    (isOneOf(model, event.model_requested) || isOneOf(model, target))
  );
}

function isOneOf(wanted: readonly unknown[] | undefined, value: unknown): boolean {
  return wanted === undefined || wanted.length === 0 || wanted.includes(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
