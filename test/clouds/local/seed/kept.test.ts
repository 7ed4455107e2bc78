import { describe, expect, it } from "vitest";
import { defaultSeed } from "../../../../adapters/clouds/local/seed.ts";
import { readAll } from "../../../../src/portal/tenancy/record-access.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { callAt, noon, stores } from "../../../portal/support/rig.ts";
import { openLocal } from "../../support/local.ts";

describe.each(stores)("the embedded cloud in a store: %s", (_name, open) => {
  it("is the same when it is opened again, and its seed is planted once", async () => {
    const { records } = await open();
    const call = callAt(records, {});
    const first = await openLocal({ records });
    await first.iaas.createProject({ name: "shop", quota_profile: "default" }, call);
    await first.inventory.remove("volume_types", String((await first.inventory.list("volume_types"))[0]?.id));
    const again = await openLocal({ records, folder: first.folder });
    expect((await again.iaas.projects({}, call)).map(({ name }) => name)).toEqual(["shop"]);
    expect(await again.iaas.volumeTypes({}, call)).toEqual([]);
    expect(await again.iaas.domains({}, call)).toHaveLength(1);
  });

  it("keeps regions apart: the same name is free in each, and nobody sees into the other", async () => {
    const { records } = await open();
    for (const region of ["eu-1", "eu-2"]) {
      const cloud = await openLocal({ records, region });
      const call = callAt(records, {}, { region });
      const { project } = await cloud.iaas.createProject({ name: "shop", quota_profile: "default" }, call);
      expect((await cloud.iaas.projects({}, call)).map(({ id }) => id)).toEqual([project.id]);
    }
  });

  it("holds no secret that can be read", async () => {
    const { records } = await open();
    const cloud = await openLocal({ records });
    const call = callAt(records, {});
    const { project } = await cloud.iaas.createProject({ name: "shop", quota_profile: "default" }, call);
    const project_id = String(project.id);
    const keys = { access_key: "AK1", secret_key: "hush-hush-1" };
    await cloud.iaas.createCredential(
      { project_id, ...keys, roles: ["member"], description: "", user_bound: false },
      call,
    );
    const made = await cloud.clusters.createProject?.({ project_id, purpose: "testing" }, call);
    const namespace = String(made?.spec?.namespace);
    const fields = { app_credential_id: "id", app_credential_name: "n", app_credential_secret: "hush-hush-2" };
    const place = { domain_name: "Default", project_name: "shop", secret_name: "cloud" };
    await cloud.clusters.createSecret?.({ namespace, ...fields, ...place }, call);
    const kept = JSON.stringify(await readAll(records, "local_thing"));
    expect(kept).toContain(project_id);
    for (const secret of ["hush-hush-1", "hush-hush-2"]) {
      expect(kept).not.toContain(secret);
      expect(kept).not.toContain(Buffer.from(secret).toString("base64"));
    }
  });

  it("takes one of two projects of the same name that are made at once", async () => {
    const { records } = await open();
    const cloud = await openLocal({ records });
    const call = callAt(records, {});
    const make = () => cloud.iaas.createProject({ name: "shop", quota_profile: "default" }, call);
    const outcomes = await Promise.allSettled([make(), make(), make()]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await cloud.iaas.projects({}, call)).toHaveLength(1);
  });

  it("does the same where they are made in two gateways, and is seeded by one of them", async () => {
    const { records } = await open();
    const clock = fakeClock({ startAt: noon, runsByItself: true });
    const clouds = [await openLocal({ records, clock }), await openLocal({ records, clock })];
    const call = callAt(records, {});
    const outcomes = await Promise.allSettled(
      clouds.map((cloud) => cloud.iaas.createProject({ name: "shop", quota_profile: "default" }, call)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const cloud of clouds) {
      expect(await cloud.iaas.projects({}, call)).toHaveLength(1);
      expect((await cloud.inventory.list("flavors")).map(({ name }) => name).sort()).toEqual(
        (defaultSeed.flavors ?? []).map(({ name }) => name).sort(),
      );
    }
  });
});
