import type { Portal } from "../../portal/portal.ts";
import type { DemoProject } from "./infrastructure.ts";
import type { DemoTenant } from "./tenants.ts";

/** Creates settings, texts, quotas, a profile and a finished task on behalf of the tenants' users. */
export async function fillDesk({ calls, client_id = "", reseller }: DemoTenant, project: DemoProject): Promise<void> {
  await calls.properties.set({
    property: "support_phone",
    value: "+49 30 555 0100",
    description: "Shown in the console",
  });
  await calls.iaas.setProjectQuota({
    project_id: project.project_id,
    client: client_id,
    reseller,
    quota: "cores",
    limit: 16,
  });
  const { id: task_id } = await calls.tasks.create({ name: "Look at what the shop has" });
  const looks = [
    ["The servers", "/iaas/servers"],
    ["The backups", "/backups"],
  ] as const;
  for (const [description, step_path] of looks) {
    await calls.tasks.setStep({ task_id, description, method: "GET", params: {}, step_path });
  }
  await calls.tasks.run({ task_id });
}

/** Assigns the first backup policy to the volume and creates its first backup; does nothing without a policy. */
export async function makeBackup(portal: Portal, { calls }: DemoTenant, { volume_id }: DemoProject): Promise<void> {
  const [policy] = await calls.backups.policies({});
  if (policy?.id === undefined) return;
  const assignment = { policy_id: policy.id, resource_id: volume_id, resource_type: "volume", starting_hour: 2 };
  await calls.backups.create(assignment);
  await goRound(portal);
  const scheduled = (await calls.backups.ofResource({ resource_id: volume_id })).find(
    ({ state }) => state === "scheduled",
  );
  if (scheduled !== undefined) await calls.backups.forceStart({ backup_id: scheduled.id });
  await goRound(portal);
}

/** Runs each background job of the portal once. */
export async function goRound(portal: Portal): Promise<void> {
  let failure: unknown;
  const stop = portal.start((error) => {
    failure = error;
  });
  await stop();
  if (failure !== undefined) throw failure;
}
