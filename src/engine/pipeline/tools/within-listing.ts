import { GatewayError } from "../../errors.ts";
import type { ToolServerCall } from "../../ports/tools/tool-server.ts";
import type { Abortable } from "../../runtime/abortable.ts";
import type { Ports } from "../runtime/ports.ts";

/** Milliseconds that a server may take for a list, or for what is read of it. */
const listTimeoutMs = 20_000;

/** Who waits for a server. */
interface ListingReader {
  readonly ports: Pick<Ports, "clock">;
  readonly signal: Abortable | undefined;
  /** Milliseconds that the server may take; 20,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** The caller's own token for the server. */
  readonly userToken?: string | undefined;
}

/** Asks a server, no longer than its caller is there and a list may take. */
export async function withinListing<Value>(
  { ports, signal, timeoutMs = listTimeoutMs, userToken }: ListingReader,
  ask: (call: ToolServerCall) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const leave = () => controller.abort(new GatewayError("request_cancelled", "The caller cancelled the request."));
  const expire = () =>
    controller.abort(new GatewayError("upstream_timeout", `The server did not answer within ${timeoutMs} ms.`));
  const stopTimer = ports.clock.after(timeoutMs, expire);
  signal?.addEventListener("abort", leave);
  if (signal?.aborted) leave();
  try {
    return await untilAborted(controller.signal, ask({ signal: controller.signal, userToken }));
  } finally {
    stopTimer();
    signal?.removeEventListener("abort", leave);
  }
}

/** Waits no longer than until a signal is aborted: a server that ignores it delays nobody. */
function untilAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
    work.then(resolve, reject);
  });
}
