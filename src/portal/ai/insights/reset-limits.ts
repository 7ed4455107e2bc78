import {
  type LimitReset,
  noSuchLimit,
  type ResettableLimits,
  resetLimits,
} from "../../../engine/pipeline/admin/reset-limits.ts";
import { patchKey, patchRecord } from "../../../engine/policy/drafts.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { change } from "../../tenancy/record-access.ts";
import { ceilingOf, type Limited, refuseLoosening, setFields, tagSetter } from "../ceilings.ts";
import { findLimited, type LimitedRecord } from "./find-limited.ts";

type ResetInput = InputOf<Areas["ai"]["resetLimits"]>;

/**
 * Begins the counts of a record's limits anew. A reset gives a window's worth once more, so that it loosens: who may not loosen the limits
 * may not reset them. The reason stays with the limits and in the audit log.
 */
export async function resetLimitsOf(deps: PortalDeps, input: ResetInput, call: PortalCall): Promise<undefined> {
  const { reason, window, ...named } = input;
  const owner = await findLimited(named, call);
  const reset = { at: call.now, reason, window };
  await write(deps, owner, { reset, call });
  return undefined;
}

interface Resetting {
  readonly reset: LimitReset;
  readonly call: PortalCall;
}

async function write(deps: PortalDeps, { kind, id }: LimitedRecord, { reset, call }: Resetting): Promise<void> {
  const { records, now } = call;
  const patchOf = (record: Limited & ResettableLimits) => {
    const limits = resetLimits(record, reset);
    if (!limits) throw noSuchLimit(kind, reset.window);
    refuseLoosening(record, limits, ceilingOf(deps.tariff, record, call));
    return { ...limits, metadata: tagSetter(record, setFields(limits), call) };
  };
  if (kind === "key") await change(records, kind, { id, by: (key) => patchKey(key, patchOf(key), now) });
  else if (kind === "project")
    await change(records, kind, { id, by: (project) => patchRecord(project, patchOf(project), now) });
  else await change(records, kind, { id, by: (customer) => patchRecord(customer, patchOf(customer), now) });
}
