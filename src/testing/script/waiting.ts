import type { Clock } from "../../engine/ports/clock.ts";
import type { ProviderCall } from "../../engine/ports/provider.ts";
import type { ScriptStep } from "./step.ts";

/** Waits on the script's own clock; rejects when the call is over. */
export function pause(
  { pauseMs: ms }: ScriptStep,
  { signal }: ProviderCall,
  clock: Clock | undefined,
): Promise<void> | undefined {
  if (!ms || !clock) return undefined;
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, resolve);
    const stop = () => {
      cancel();
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Waits until the call is over, and rejects with the reason. */
export function forever({ signal }: ProviderCall): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
