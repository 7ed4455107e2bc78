/** Where an answer holds what the vendor's Responses API said; a symbol, so that no other interface writes it. */
const vendorResponse = Symbol("response of the Responses API");

interface Carrier {
  readonly [vendorResponse]?: unknown;
}

/** An event of the Responses API's streams. */
export interface VendorEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The answer with the response that it was read from. */
export function withResponse<Answer extends object>(
  answer: Answer,
  response: Readonly<Record<string, unknown>>,
): Answer {
  return { ...answer, [vendorResponse]: response };
}

/** The response that a whole answer was read from; `undefined` for an answer of any other interface. */
export function responseOf(answer: object): Readonly<Record<string, unknown>> | undefined {
  return (answer as Carrier)[vendorResponse] as Readonly<Record<string, unknown>> | undefined; // withResponse put it there
}

/** The chunk with the events that it was read from. */
export function withEvents<Chunk extends object>(chunk: Chunk, events: readonly VendorEvent[]): Chunk {
  return { ...chunk, [vendorResponse]: events };
}

/** The events that a chunk was read from; `undefined` for a chunk of any other interface. */
export function eventsOf(chunk: object): readonly VendorEvent[] | undefined {
  return (chunk as Carrier)[vendorResponse] as readonly VendorEvent[] | undefined; // withEvents put them there
}
