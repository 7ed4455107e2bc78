import { AsyncLocalStorage } from "node:async_hooks";
import type { GatewayError } from "../../../src/engine/errors.ts";
import { lost, tooLong } from "./faults.ts";

/** Ends the request that a response belongs to: the SDK would wait for an answer that no longer comes. */
export type FailRequest = (error: GatewayError) => void;

/** Whose request is being sent. */
export const sentFor = new AsyncLocalStorage<FailRequest>();

/** Milliseconds after the end of a response in which what it brought is read. */
const readingMs = 1_000;

/** What responses are held to. */
interface WatchedServer {
  readonly name: string;
  readonly maxBytes: number;
  /** The runtime's own `fetch` without one. */
  readonly send?: typeof fetch | undefined;
}

/**
 * A `fetch` whose bodies are bounded: a message longer than `maxBytes`, and a response that breaks off, end the request that they belong to
 * at once.
 */
export function watchedFetch(server: WatchedServer): typeof fetch {
  return async (input, init) => {
    const fail = sentFor.getStore();
    const response = await (server.send ?? fetch)(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
    const body = watch(response.body, { ...server, isStream, fail: (error) => fail?.(error) });
    return new Response(body, { status, statusText, headers });
  };
}

/** One response of a server. */
interface WatchedBody extends WatchedServer {
  readonly isStream: boolean;
  readonly fail: FailRequest;
}

/** The same bytes, whose failure is told, and whose end where nothing can follow it. */
function watch(body: ReadableStream<Uint8Array>, { name, maxBytes, isStream, fail }: WatchedBody) {
  const reader = body.getReader();
  const bound = createBound(maxBytes, isStream);
  let isLeft = false;
  const end = (error: GatewayError, controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (isLeft) return;
    fail(error);
    controller.error(error);
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (isLeft) return;
        if (done) {
          controller.close();
          const error = lost(name, new Error("The response ended without an answer."));
          if (!bound.isResumable()) setTimeout(fail, readingMs, error).unref();
        } else if (bound.take(value)) controller.enqueue(value);
        else {
          end(tooLong(name, maxBytes), controller);
          reader.cancel().catch(() => {});
        }
      } catch (cause) {
        end(lost(name, cause), controller);
      }
    },
    cancel(reason) {
      isLeft = true;
      return reader.cancel(reason);
    },
  });
}

const [lineFeed, carriageReturn] = [10, 13];

/** Counts the bytes of one message: of a stream of events, those since the last empty line. */
function createBound(maxBytes: number, isStream: boolean) {
  let since = 0;
  let isLineEmpty = false;
  let isResumable = false;
  return {
    /** False once a message is too long. */
    take(chunk: Uint8Array): boolean {
      let from = 0;
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) {
        const length = at - from - (chunk[at - 1] === carriageReturn ? 1 : 0);
        if (isStream && isLineEmpty && length <= 0) since = -at - 1;
        isResumable ||= startsWithId(chunk, from);
        isLineEmpty = true;
        from = at + 1;
      }
      if (from < chunk.length) isLineEmpty = false;
      since += chunk.length;
      return since <= maxBytes;
    },
    /** Whether an event had an id: the rest of such a stream can be asked for. */
    isResumable: () => isResumable,
  };
}

/** Whether a line begins with `id:`. */
function startsWithId(chunk: Uint8Array, from: number): boolean {
  return chunk[from] === 0x69 && chunk[from + 1] === 0x64 && chunk[from + 2] === 0x3a;
}
