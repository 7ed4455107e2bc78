import { mkdir, truncate, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { callAt, noon, stores } from "../../portal/support/rig.ts";
import { openLocal } from "../support/local.ts";

describe.each(stores)("what the embedded cloud shows of what it holds: %s", (_name, open) => {
  async function opened() {
    const { records } = await open();
    const cloud = await openLocal({ records });
    const call = callAt(records, {});
    const { project } = await cloud.iaas.createProject({ name: "shop", quota_profile: "default" }, call);
    return { ...cloud, call, project_id: String(project.id) };
  }

  it("a pool names its own members and a policy its own rules, by their ids alone", async () => {
    const { inventory, iaas, call, project_id } = await opened();
    for (const pool of ["one", "two"]) {
      await inventory.put("pools", pool, { id: pool, project_id });
      await inventory.put("members", `member-${pool}`, { id: `member-${pool}`, project_id, pool_id: pool, weight: 1 });
      await inventory.put("l7policies", pool, { id: pool, project_id });
      await inventory.put("l7rules", `rule-${pool}`, { id: `rule-${pool}`, project_id, l7policy_id: pool, key: "x" });
    }
    const { pools, l7policies } = await iaas.loadBalancers({}, call);
    expect(pools).toMatchObject([{ members: [{ id: "member-one" }] }, { members: [{ id: "member-two" }] }]);
    expect(l7policies).toMatchObject([{ rules: [{ id: "rule-one" }] }, { rules: [{ id: "rule-two" }] }]);
    expect((pools[0] as { members: unknown[] }).members).toEqual([{ id: "member-one" }]);
  });

  it("a backup names the zone that it was made in, and none where none was asked for", async () => {
    const { inventory, iaas, backups, volumes, call, project_id } = await opened();
    const volume = { id: "vol-1", name: "disk", size: 1 / 1024, status: "available" };
    await inventory.put("volumes", "vol-1", { ...volume, "os-vol-tenant-attr:tenant_id": project_id });
    await mkdir(dirname(volumes("vol-1")), { recursive: true });
    await writeFile(volumes("vol-1"), "bytes");
    await truncate(volumes("vol-1"), 2 ** 20);
    const job = { resource_id: "vol-1", resource_type: "volume", is_full: true, project_id };
    const work = { signal: new AbortController().signal, now: noon };
    await backups.create({ ...job, backup_id: "bkp_1", zone: "cellar" }, work);
    await backups.create({ ...job, backup_id: "bkp_2" }, work);
    const shown = (await iaas.volumes({}, call)).backups as { name: string; container: unknown }[];
    expect(Object.fromEntries(shown.map(({ name, container }) => [name, container]))).toEqual({
      "tollgate-bkp_1": "cellar",
      "tollgate-bkp_2": null,
    });
  });

  it("a limit of compute does not go below what is used, but may meet it, and may be none at all", async () => {
    const { inventory, iaas, call, project_id } = await opened();
    await inventory.put("servers", "s-1", { id: "s-1", tenant_id: project_id, flavor: { vcpus: 2, ram: 512 } });
    const set = (limit: number) =>
      iaas.setProjectQuota({ project_id, client: "", reseller: "", quota: "cores", limit }, call);
    await expect(set(1)).rejects.toMatchObject({
      code: "conflict",
      message: "A limit of 1 for cores is below what is used: 2 (Nova, 400).",
    });
    expect(await set(2)).toMatchObject({ quota_set: { cores: 2 } });
    expect(await set(-1)).toMatchObject({ quota_set: { cores: -1 } });
  });

  it("the refusal of a credential passes on no words: what was asked held a secret", async () => {
    const { iaas, call, project_id } = await opened();
    const other = (await iaas.createProject({ name: "store", quota_profile: "default" }, call)).project;
    const make = (access_key: string, project = project_id) => {
      const terms = { roles: ["member"], description: "", user_bound: false, secret_key: "hush-hush-1" };
      return iaas.createCredential({ project_id: project, access_key, ...terms }, call);
    };
    await make("AK0"); // from now on there are users to hold them
    await make("AK9", String(other.id));
    const outcomes = await Promise.allSettled([make("AK1"), make("AK1", String(other.id))]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(refused).toMatchObject([
      { code: "conflict", message: "The present state does not allow this (Keystone, 409)." },
    ]);
  });
});
