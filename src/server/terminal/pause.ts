import { setTimeout as after } from "node:timers/promises";

/** Resolves after so many milliseconds, or at the signal; keeps the process alive until then. */
export async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  await after(ms, undefined, { signal }).catch(() => {});
}
