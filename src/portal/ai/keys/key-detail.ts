import type { CoreEngine } from "../../../engine/engine.ts";
import type { AiKeyDetail } from "../../../operations/portal/tenancy/ai/resources.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { read } from "../../tenancy/record-access.ts";
import { readFamilies } from "../parents.ts";
import { showBrief, showKeyFacts } from "./show-key.ts";

/** A single key with the usage of its limits. */
export async function readDetail(deps: PortalDeps, id: string, call: PortalCall): Promise<AiKeyDetail> {
  const key = await read(call.records, "key", id);
  const [family] = await readFamilies(deps.records, call, [key]);
  const { project, customer } = family?.shown ?? {};
  const used = await deps.ledger.lastUsed([id]);
  return {
    ...showBrief(key, family?.user),
    ...showKeyFacts(key, used.get(id)),
    model_limits: await readModelLimits(deps.engine, id),
    ...(customer && { customer: { id: customer.id, name: customer.name } }),
    ...(project && { team: { id: project.id, name: project.name, disabled: !project.active } }),
  };
}

/** The usage of a limit of a key's provider entry: `cost` in US dollars, the others in tokens and requests. */
interface ModelLimit {
  readonly provider: string;
  readonly unit: "requests" | "tokens" | "cost";
  readonly max_limit: number;
  readonly used: number;
  readonly left: number;
  readonly reset_duration: string;
  /** RFC 3339; absent until the window has begun. */
  readonly resets_at?: string;
}

/** Returns the usage of the limits of a key's provider entries. Each limit bounds the models that its entry allows. */
async function readModelLimits(engine: CoreEngine, keyId: string): Promise<ModelLimit[]> {
  const limits = await engine.usage.limits(keyId);
  return limits
    .filter(({ level }) => level === "entry")
    .map(({ owner, unit, max, used, left, duration, resets_at }) => ({
      ...{ provider: owner.slice(keyId.length + 1), unit, max_limit: max, used, left, reset_duration: duration },
      ...(resets_at === undefined ? {} : { resets_at: new Date(resets_at).toISOString() }),
    }));
}
