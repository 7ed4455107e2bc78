import type { Interrupt, Underway } from "./ports.ts";

const none: readonly Interrupt[] = [];

/** Has something end with the call. */
export function enlist(call: Underway, interrupt: Interrupt): void {
  call.interrupts = [...call.interrupts, interrupt];
}

/** Lets it be; false when it was let be before. */
export function dismiss(call: Underway, interrupt: Interrupt): boolean {
  const position = call.interrupts.indexOf(interrupt);
  if (position === -1) return false;
  call.interrupts = call.interrupts.length === 1 ? none : call.interrupts.toSpliced(position, 1);
  return true;
}
