import type { Ports } from "../runtime/ports.ts";

/** The message for a provider that is not configured: how it is set up where that is known, and which ones are there. */
export function unconfiguredMessage({ providers, setupHint }: Ports, provider: string): string {
  const hint = setupHint?.(provider);
  const setup = hint === undefined ? "" : `: ${hint}`;
  return `No provider \`${provider}\` is configured${setup}; there are: ${[...providers.keys()].join(", ")}.`;
}
