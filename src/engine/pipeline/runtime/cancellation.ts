import type { CancellableCall, Interrupt } from "./ports.ts";

const none: readonly Interrupt[] = [];

/** Registers an interrupt that ends with the call. */
export function onCancel(call: CancellableCall, interrupt: Interrupt): void {
  call.interrupts = [...call.interrupts, interrupt];
}

/** Unregisters it; false when it was not registered. */
export function offCancel(call: CancellableCall, interrupt: Interrupt): boolean {
  const position = call.interrupts.indexOf(interrupt);
  if (position === -1) return false;
  call.interrupts = call.interrupts.length === 1 ? none : call.interrupts.toSpliced(position, 1);
  return true;
}
