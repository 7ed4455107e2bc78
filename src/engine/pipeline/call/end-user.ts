import { clip, longestUser } from "../../metering/labels.ts";
import type { Call } from "./call.ts";

/** The end user that a request names (`user`), as the ledger and the limits know it: clipped, and without virtual keys in it. */
export function endUserOf({ facts, ports }: Call): string | undefined {
  const { user }: { readonly user?: unknown } = facts?.request ?? {};
  return typeof user === "string" && user !== "" ? clip(ports.accounting.hideKeys(user), longestUser) : undefined;
}
