import { describe, expect, it, vi } from "vitest";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import type { Mail } from "../../../../../src/engine/ports/messages/senders.ts";
import type { StoredBackup } from "../../../../../src/operations/records/backups.ts";
import { planBackup } from "../../../../../src/portal/backups/planning/plan.ts";
import { readPolicies } from "../../../../../src/portal/backups/planning/policy.ts";
import type { BackupDeps } from "../../../../../src/portal/backups/runs/backup-deps.ts";
import { makeBackup } from "../../../../../src/portal/backups/runs/make.ts";
import { fakeBackupDriver, fakeClock } from "../../../../../src/testing/index.ts";
import { withPortalKinds } from "../../../../portal-kinds.ts";
import { noon } from "../../../support/rig.ts";

const nightly = { schedule: "0 2 * * *", increment_policy: 6, retention_primary: 2 };

/** A backup that fails, of a policy with these settings; the mails that are sent. */
async function failOnce(
  settings: { readonly notification_email?: string; readonly retry: number },
  send?: () => never,
) {
  const clock = fakeClock({ startAt: noon });
  const { records } = withPortalKinds(memoryStore());
  const policies = readPolicies({ nightly: { ...nightly, ...settings } });
  const create = async () => {
    throw new GatewayError("backend_timeout", "It took too long.");
  };
  const mails: Mail[] = [];
  const notices: string[] = [];
  const deps: BackupDeps = {
    ...{ records, clock, policies, regions: { "eu-1": { backups: { ...fakeBackupDriver(), create } } } },
    notify: async ({ type }) => void notices.push(type),
    mails: { send: async (mail) => send?.() ?? void mails.push(mail), close: async () => {} },
    ...{ newId: (prefix) => `${prefix}_1`, running: new Map(), wake() {} },
  };
  const own = { reseller: "acme", client_id: "c-1", user_id: null, created_at: new Date(noon).toISOString() };
  await records.put(
    "property",
    { ...own, category: "portal", id: "prp_1", property: "language", value: "de" } as never,
    0,
  );
  const policy = policies.get("nightly") ?? expect.unreachable();
  const assignment = {
    ...{ id: "bka_1", ...own, region: "eu-1", policy_id: "nightly", resource_id: "vol-1", project_id: "p-1" },
    ...{ resource_type: "volume" as const, protected_resource_id: null, starting_hour: 0, runs: 0, next_at: noon },
  };
  const backup: StoredBackup = { ...planBackup(assignment, noon, policy), state: "queued" };
  await records.put("backup", backup, 0);
  const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  await makeBackup(deps, backup.id);
  const warned = warnings.mock.calls.map(([warning]) => String(warning));
  warnings.mockRestore();
  return { mails, notices, warned };
}

describe("the `notification_email` of a policy", () => {
  it("is sent the final failure of a backup with its cause", async () => {
    const { mails, notices } = await failOnce({ notification_email: "ops@example.com", retry: 0 });
    expect(notices).toEqual(["backup_failed"]);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: ["ops@example.com"], subject: "Sicherung fehlgeschlagen: vol-1" });
    expect(mails[0]?.text).toContain("It took too long.");
  });

  it("is sent nothing while the backup is tried again, and nobody is where the policy names none", async () => {
    expect(await failOnce({ notification_email: "ops@example.com", retry: 2 })).toMatchObject({
      mails: [],
      notices: [],
    });
    expect(await failOnce({ retry: 0 })).toMatchObject({ mails: [], notices: ["backup_failed"] });
  });

  it("that cannot be reached is a warning, and the notification is made all the same", async () => {
    const refuse = () => {
      throw new GatewayError("upstream_unreachable", "No mail server.");
    };
    const { notices, warned } = await failOnce({ notification_email: "ops@example.com", retry: 0 }, refuse);
    expect(notices).toEqual(["backup_failed"]);
    expect(warned.join("\n")).toContain("could not be mailed");
  });
});
