import type { PortalCall } from "../../call/call.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { type Policies, withStored } from "../planning/policy.ts";
import type { BackupDeps } from "../runs/backup-deps.ts";

/** The policies of the configuration. */
export type Configured = Pick<BackupDeps, "policies">;

/** Returns the policies that a caller may use: those of the configuration, of its own level and below, and of the levels above. */
export async function policiesOf(configured: Configured, call: PortalCall): Promise<Policies> {
  const [own, above] = await Promise.all([readAll(call.records, "backup_policy"), call.listAbove("backup_policy")]);
  return withStored(configured.policies, [...above, ...own]);
}

/** Work on the uses of a policy. */
interface PolicyWork<Result> {
  readonly id: string;
  work(): Promise<Result>;
}

/** Runs work while no other call deletes or assigns the policy. Those of the configuration cannot be deleted. */
export function withPolicy<Result>(
  { policies }: Configured,
  { withLease }: Pick<PortalCall, "withLease">,
  { id, work }: PolicyWork<Result>,
): Promise<Result> {
  return policies.has(id) ? work() : withLease(`backup_policies/${id}`, work);
}
