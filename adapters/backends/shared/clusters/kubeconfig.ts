import { GatewayError } from "../../../../src/errors.ts";

/** Seconds below which Gardener makes no kubeconfig. */
const shortest = 600;

/**
 * How long a kubeconfig is valid: an hour by default. Less than ten minutes is refused and not raised, since a credential must
 * never live longer than its owner asked for.
 */
export function kubeconfigSeconds(expirationSeconds: number | undefined): number {
  const seconds = expirationSeconds ?? 3_600;
  if (seconds >= shortest) return seconds;
  const message = `\`expiration_seconds\` must be at least ${shortest}: clusters give no kubeconfig for less.`;
  throw new GatewayError("invalid_request", message, { param: "expiration_seconds" });
}
