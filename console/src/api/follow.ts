import { toApiError } from "./errors.ts";
import { createEventParser, type StreamEvent, waitBeforeTry } from "./event-stream.ts";
import { openStream } from "./request.ts";

/** Whether a stream is open; `failed` holds why it is not opened again. */
export type FollowState = "connecting" | "open" | "waiting" | "refused";

interface Follow {
  /** Below the API's root. */
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly onEvents: (events: readonly StreamEvent[]) => void;
  readonly onState: (state: FollowState) => void;
}

/** Follows a stream until the signal ends it. A stream that breaks goes on behind its last event. */
export async function follow(what: Follow, signal: AbortSignal): Promise<void> {
  const { onState } = what;
  const position: Position = { lastId: undefined, failures: 0 };
  while (!signal.aborted) {
    onState("connecting");
    const error = await readOnce(what, position, signal);
    if (signal.aborted) return;
    if (error !== undefined && isFinal(error.status)) {
      onState("refused");
      return;
    }
    onState("waiting");
    await pause(waitBeforeTry(position.failures++, Math.random()), signal);
  }
}

/** How far a stream was read, and how often it failed since its last event. */
interface Position {
  lastId: string | undefined;
  failures: number;
}

/** A refusal that another try does not change. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}

/** Reads the stream until it ends; resolves with what it failed with. */
async function readOnce({ path, fields, onEvents, onState }: Follow, position: Position, signal: AbortSignal) {
  try {
    const body = await openStream({
      method: "GET",
      path,
      fields: { ...fields, last_event_id: position.lastId },
      signal,
    });
    onState("open");
    const parse = createEventParser();
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const events = parse(text);
      position.failures = 0;
      position.lastId = events.at(-1)?.id || position.lastId;
      onEvents(events);
    }
    return undefined;
  } catch (thrown) {
    return toApiError(thrown);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
