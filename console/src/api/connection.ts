import { queries } from "./query.ts";
import { createStore } from "./store.ts";

/** Whether the gateway is reached; `since` is when it last was, in milliseconds since 1970. */
interface Connection {
  readonly isOnline: boolean;
  readonly since: number;
}

/** The state of the connection, as the last call found it. */
export const connection = createStore<Connection>({ isOnline: true, since: Date.now() });

/** Notes that a call reached the gateway. What was read before a gap is read again. */
export function noteReached(): void {
  const wasOnline = connection.get().isOnline;
  if (wasOnline) return;
  connection.set({ isOnline: true, since: Date.now() });
  void queries.invalidateQueries();
}

/** Notes that a call did not. */
export function noteUnreached(): void {
  if (connection.get().isOnline) connection.set({ isOnline: false, since: Date.now() });
}
