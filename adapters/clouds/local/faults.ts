import { createHash } from "node:crypto";
import { z } from "zod";
import type { ServiceContext } from "./endpoint.ts";
import type { Inventory } from "./inventory.ts";

/** Which operations of the cloud fail: every n-th on average, the same ones for the same seed. */
const FaultPlan = z.object({ seed: z.string(), one_in: z.int().min(2), count: z.int() });

/** How often operations fail, and the seed of which ones. */
export interface FaultRate {
  readonly seed: string;
  /** One in so many, 2 at least. */
  readonly one_in: number;
}

/** Lets operations of a cloud fail now and then; a cloud of which nobody asked this never fails. */
export async function planFaults(inventory: Inventory, plan: FaultRate): Promise<void> {
  await inventory.put("faults", "plan", FaultPlan.parse({ ...plan, count: 0 }));
}

/** Whether the next operation fails. */
export async function drawFault({ inventory }: Pick<ServiceContext, "inventory">): Promise<boolean> {
  const counted = await inventory.change("faults", "plan", (plan) => ({ ...plan, count: Number(plan.count) + 1 }));
  const plan = FaultPlan.safeParse(counted).data;
  if (plan === undefined) return false;
  return createHash("sha256").update(`${plan.seed}/${plan.count}`).digest().readUInt32BE() % plan.one_in === 0;
}
