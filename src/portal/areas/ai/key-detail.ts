import type { Engine } from "../../../engine.ts";
import type { AiKeyDetail } from "../../../operations/portal/resources/ai.ts";
import { toDollars } from "../../../usage/money.ts";
import type { AreaTools } from "../../area.ts";
import type { PortalCall } from "../../call.ts";
import { read } from "../../shelf.ts";
import { readFamilies } from "./parents.ts";
import { showBrief } from "./show-key.ts";

/** A key on its own, with how the limits of its entries stand. */
export async function readDetail(tools: AreaTools, id: string, call: PortalCall): Promise<AiKeyDetail> {
  const key = await read(call.records, "key", id);
  const [family] = await readFamilies(tools.records, call, [key]);
  const { project, customer } = family?.shown ?? {};
  return {
    ...showBrief(key, family?.user),
    model_limits: await readModelLimits(tools.engine, id),
    ...(customer && { customer: { id: customer.id, name: customer.name } }),
    ...(project && { team: { id: project.id, name: project.name, disabled: !project.active } }),
  };
}

/** How a limit of one of a key's provider entries stands; `cost` in US dollars, the others in tokens and requests. */
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

/** How the limits of a key's provider entries stand, which hold for the models that the entry allows. */
async function readModelLimits(engine: Engine, keyId: string): Promise<ModelLimit[]> {
  const standings = await engine.usage.standing(keyId);
  return standings
    .filter(({ level }) => level === "entry")
    .map(({ owner, unit, max, used, left, duration, resetsAt }) => {
      const show = (amount: number) => (unit === "cost" ? toDollars(amount) : amount);
      return {
        provider: owner.slice(keyId.length + 1),
        unit,
        max_limit: show(max),
        used: show(used),
        left: show(left),
        reset_duration: duration,
        ...(resetsAt === undefined ? {} : { resets_at: new Date(resetsAt).toISOString() }),
      };
    });
}
