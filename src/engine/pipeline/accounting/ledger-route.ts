import { clip } from "../../metering/labels.ts";
import type { LedgerRoute, LedgerSkipped } from "../../ports/ledger.ts";
import type { Call } from "../call/call.ts";

/** Targets, and skipped entries, that the ledger keeps of a route. */
const mostEntries = 8;

/** Characters that it keeps of a name and of a message. */
const longestName = 128;
const longestMessage = 200;

/** Returns what the ledger keeps of a call's route. Undefined where the attempts tell all of it, as for most calls. */
export function ledgerRouteOf({ plan }: Pick<Call, "plan">): LedgerRoute | undefined {
  if (!plan) return undefined;
  const { targets, skipped, rule } = plan;
  if (targets.length === 1 && skipped.length === 0 && rule === undefined) return undefined;
  const omitted = Math.max(0, targets.length - mostEntries) + Math.max(0, skipped.length - mostEntries);
  return {
    ...(rule === undefined ? {} : { rule: clip(rule, longestName) }),
    targets: targets.slice(0, mostEntries).map(({ name }) => clip(name, longestName)),
    skipped: skipped.slice(0, mostEntries).map(clipSkipped),
    ...(omitted === 0 ? {} : { omitted }),
  };
}

function clipSkipped({ entry, reason, message }: LedgerSkipped): LedgerSkipped {
  return { entry: clip(entry, longestName), reason, message: clip(message, longestMessage) };
}
