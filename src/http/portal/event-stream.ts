import type { HttpRequest, HttpResponse } from "../message.ts";
import { readHeader } from "../message.ts";
import { eventStreamHeaders } from "../response/sse.ts";

/** One event of a stream of the portal. */
interface PortalEvent {
  readonly id: string;
  readonly event: string;
  readonly data: object;
}

/** Returns the field of the input that `Last-Event-ID` stands for. */
export function readLastEventId({ headers }: HttpRequest): { readonly last_event_id?: string } {
  const id = readHeader(headers, "last-event-id");
  return id === undefined ? {} : { last_event_id: id };
}

/** Returns the events of an operation as an event stream. */
export function toEventStream(events: AsyncIterable<PortalEvent>): HttpResponse {
  return { status: 200, headers: { ...eventStreamHeaders }, body: { [Symbol.asyncIterator]: () => frames(events) } };
}

function frames(events: AsyncIterable<PortalEvent>): AsyncIterator<string, undefined> {
  const iterator = events[Symbol.asyncIterator]();
  const write = (step: IteratorResult<PortalEvent>): IteratorResult<string, undefined> =>
    step.done ? { done: true, value: undefined } : { done: false, value: toFrame(step.value) };
  return {
    next: async () => write(await iterator.next()),
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** JSON escapes line breaks, so that the data is one line; ids and names are our own. */
function toFrame({ id, event, data }: PortalEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
