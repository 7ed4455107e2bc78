import type { WireStream } from "../../../../src/engine/ports/transport.ts";
import type { SseEvent } from "../sse.ts";

/** What the first characters of an answer show it to be, whatever its content type says. */
export type AnswerForm = "events" | "other";

/** Characters within which a first field or a first bracket must come. */
const sniffed = 512;

const fieldOfEvent = /^(data|event|id|retry)[ \t]*:|^:/;

/** The form of a text by its beginning; `undefined` while too little of it is there. */
export function formOf(beginning: string): AnswerForm | undefined {
  const text = withoutMark(beginning).trimStart();
  if (text === "") return beginning.length < sniffed ? undefined : "other";
  if (fieldOfEvent.test(text)) return "events";
  const mayBecome = ["data:", "event:", "id:", "retry:"].some((field) => field.startsWith(text));
  return mayBecome ? undefined : "other";
}

/** The text without the byte-order mark that some servers put in front. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The events that came for a request of a whole answer. */
export class ReceivedEvents {
  readonly events: readonly SseEvent[];

  constructor(events: readonly SseEvent[]) {
    this.events = events;
  }
}

/** An answer whose form its beginning shows, and all of its body. */
export interface FormedAnswer {
  readonly form: AnswerForm;
  readonly body: WireStream["body"];
}

/** Reads as much of an answer as shows its form. */
export async function sniff({ body }: WireStream): Promise<FormedAnswer> {
  const pieces = body[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let form: AnswerForm | undefined;
  for (let step = await pieces.next(); !step.done && form === undefined; ) {
    read.push(step.value);
    form = formOf(Buffer.concat(read).toString("utf8"));
    if (form === undefined) step = await pieces.next();
  }
  return { form: form ?? "other", body: rejoined(read, pieces) };
}

/** No generator: one that never began skips its `finally`, and the socket would stay open. */
function rejoined(read: Uint8Array[], rest: AsyncIterator<Uint8Array>): WireStream["body"] {
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const value = read.shift();
    return value === undefined ? rest.next() : { done: false, value };
  };
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    await rest.return?.();
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}
