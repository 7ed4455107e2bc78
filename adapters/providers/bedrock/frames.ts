import { isRecord, parseJson } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Transport, WireStream } from "../../../src/engine/ports/transport.ts";

/** Bytes that one message of a stream may have. */
const longestMessage = 16 * 1024 * 1024;

/** The least that a message has: two lengths and two checksums. */
const shortestMessage = 16;

type EventHeaders = Readonly<Record<string, { readonly value: unknown }>>;

interface Message {
  readonly headers: EventHeaders;
  readonly body: Uint8Array;
}

interface EventStreamCodec {
  /** A message of exactly these bytes; throws where a checksum does not fit. */
  decode(bytes: Uint8Array): Message;
}

/**
 * A transport whose binary event streams (`application/vnd.amazon.eventstream`) come as server-sent events, `{ [type]: payload }` each, so
 * that all that reads streams reads these too.
 */
export function framesTransport(inner: Transport, provider: string): Transport {
  let opening: Promise<EventStreamCodec> | undefined;
  return {
    ...inner,
    async stream(request) {
      const answer = await inner.stream(request);
      if (!isEventStream(answer)) return answer;
      opening ??= openCodec(provider);
      const codec = await opening;
      return {
        ...answer,
        headers: { ...answer.headers, "content-type": "text/event-stream" },
        body: eventsOf(answer.body, codec, provider),
      };
    },
  };
}

function isEventStream({ status, headers }: WireStream): boolean {
  const type = headers["content-type"];
  return status < 300 && (type === undefined || /event-?stream/.test(type));
}

/** Loads AWS's own reader of the format; throws `invalid_configuration` where it is not installed. */
async function openCodec(provider: string): Promise<EventStreamCodec> {
  try {
    const { EventStreamCodec } = await import("@smithy/core/event-streams");
    const decoder = new TextDecoder();
    return new EventStreamCodec(
      (bytes) => (typeof bytes === "string" ? bytes : decoder.decode(bytes)),
      (text) => new TextEncoder().encode(text),
    );
  } catch (cause) {
    const message = `${provider} streams with the package @smithy/core: install it.`;
    throw new GatewayError("invalid_configuration", message, { provider, cause });
  }
}

/** No generator: one that never began skips its `finally`, and the socket would stay open. */
function eventsOf(
  body: WireStream["body"],
  codec: EventStreamCodec,
  provider: string,
): AsyncIterableIterator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  const cut = messageCutter(provider);
  async function end(): Promise<IteratorResult<Uint8Array>> {
    await pieces.return?.();
    return { done: true, value: undefined };
  }
  async function next(): Promise<IteratorResult<Uint8Array>> {
    for (let step = await pieces.next(); step.done !== true; step = await pieces.next()) {
      try {
        const events = cut(step.value).map((bytes) => eventOf(codec.decode(bytes)));
        if (events.length > 0) return { done: false, value: Buffer.from(events.join("")) };
      } catch (thrown) {
        await end();
        throw unreadable(provider, thrown);
      }
    }
    return { done: true, value: undefined };
  }
  return { next, return: end, [Symbol.asyncIterator]: () => ({ next, return: end }) as never };
}

function unreadable(provider: string, cause: unknown): GatewayError {
  const message = `A message in the stream of ${provider} cannot be read.`;
  return new GatewayError("upstream_invalid_response", message, { provider, cause });
}

/** Gives the messages that bytes complete, wherever the bytes were cut; each begins with its own length. */
function messageCutter(provider: string): (piece: Uint8Array) => Uint8Array[] {
  let stored: Uint8Array[] = [];
  let size = 0;
  return (piece) => {
    stored.push(piece);
    size += piece.length;
    if (size < lengthOf(stored, provider)) return [];
    let rest: Buffer = Buffer.concat(stored);
    const messages: Uint8Array[] = [];
    for (let length = lengthOf([rest], provider); rest.length >= length; length = lengthOf([rest], provider)) {
      messages.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    stored = rest.length === 0 ? [] : [rest];
    size = rest.length;
    return messages;
  };
}

/** The length of the first message: a number past all bounds until its four bytes are there. */
function lengthOf(pieces: readonly Uint8Array[], provider: string): number {
  const [first] = pieces;
  const head = first === undefined || first.length < 4 ? Buffer.concat(pieces) : first;
  if (head.length < 4) return Number.POSITIVE_INFINITY;
  const length = new DataView(head.buffer, head.byteOffset).getUint32(0);
  if (length < shortestMessage || length > longestMessage) throw unreadable(provider, `a length of ${length}`);
  return length;
}

/** A message as a server-sent event. Line ends stand between the tokens of JSON only, where a blank does as well. */
function eventOf({ headers, body }: Message): string {
  const kind = textOf(headers, ":message-type");
  if (kind === "error") {
    const message = textOf(headers, ":error-message");
    return sent({ error: { code: textOf(headers, ":error-code"), message } });
  }
  const type = textOf(headers, kind === "exception" ? ":exception-type" : ":event-type");
  const payload = parseJson(Buffer.from(body).toString("utf8"));
  return sent({ [type]: isRecord(payload) ? payload : {} });
}

function sent(event: unknown): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

function textOf(headers: EventHeaders, name: string): string {
  const value = headers[name]?.value;
  return typeof value === "string" ? value : "";
}
