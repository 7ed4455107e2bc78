import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../../engine/ports/clock.ts";
import type { SocketStep } from "../wire/step.ts";
import type { LoggedCall } from "./call-log.ts";

/** Where a list of steps is acted out, and who writes it down. */
export interface ResponseContext {
  readonly response: ServerResponse;
  readonly noted: LoggedCall;
  readonly clock: Clock;
}

/** Acts out the steps of one request, until they are over or the other side has gone. */
export async function perform(steps: readonly SocketStep[], context: ResponseContext): Promise<void> {
  const { response, noted } = context;
  const gone = new AbortController();
  let isOurs = false;
  response.on("error", () => {}); // cutting a connection makes a write fail; "close" follows
  response.once("close", () => {
    noted.ended(isOurs ? "server" : "caller");
    gone.abort();
  });
  try {
    for (const step of steps) {
      if (gone.signal.aborted) return;
      if (endings.has(step.kind)) isOurs = true;
      await act(step, context, gone.signal);
    }
  } catch (thrown) {
    if (!gone.signal.aborted) throw thrown;
  }
}

const endings: ReadonlySet<SocketStep["kind"]> = new Set(["end", "cut", "reset"] as const);

async function act(step: SocketStep, context: ResponseContext, gone: AbortSignal): Promise<void> {
  const { response, noted, clock } = context;
  switch (step.kind) {
    case "head":
      response.writeHead(step.status, step.headers);
      response.flushHeaders();
      return;
    case "write":
      await send(response, step.bytes, gone);
      noted.wrote();
      return;
    case "wait":
      return pause(clock, step.ms, gone);
    case "flood":
      for (let sent = 0; sent < step.upTo && !gone.aborted; sent += step.bytes.length)
        await send(response, step.bytes, gone);
      return;
    case "silence":
      return pause(undefined, Number.POSITIVE_INFINITY, gone);
    case "end":
      response.end();
      return;
    case "cut":
      await flushed(response);
      response.socket?.destroy();
      return;
    case "reset":
      await flushed(response);
      if (response.socket) reset(response.socket);
  }
}

/**
 * Resets a connection without a word. `resetAndDestroy` sends an end first, which a busy client may read as a clean one; the mark that it
 * sets is Node's own and does without (the tests of the fault server see to it on every Node).
 */
function reset(socket: Socket): void {
  Object.assign(socket, { resetAndClosing: true }).destroy();
}

/** Writes one piece on its own: what is written next begins a packet of its own, as far as the system allows. */
async function send(response: ServerResponse, bytes: Uint8Array, gone: AbortSignal): Promise<void> {
  if (!response.write(bytes)) await once(response, "drain", { signal: gone });
  else await flushed(response);
}

/** Resolves when all that was written has been handed to the system. */
function flushed(response: ServerResponse): Promise<void> {
  const { socket } = response;
  if (!socket || socket.writableLength === 0) return new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve) => socket.write("", () => resolve()));
}

function pause(clock: Clock | undefined, ms: number, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock?.after(ms, resolve);
    gone.addEventListener(
      "abort",
      () => {
        cancel?.();
        resolve();
      },
      { once: true },
    );
  });
}
