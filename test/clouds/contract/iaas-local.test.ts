import { describe, expect, it } from "vitest";
import { expectTranscript } from "../../adapters/contract/transcript.ts";
import { callAt, stores } from "../../portal/support/rig.ts";
import { openLocal } from "../support/local.ts";
import { localFurniture } from "./furniture-local.ts";
import { tellIdentity, tellInfrastructure } from "./iaas.ts";
import { suiteLimits } from "./iaas-inventory.ts";

const suffix = "a1b2c3d";
const reseller = `reseller-${suffix}`;

describe.each(stores)("infrastructure of the embedded cloud: %s", (_name, open) => {
  async function subjectWith(suite: Readonly<Record<string, number>>) {
    const { records } = await open();
    const cloud = await openLocal({ records, quotaProfiles: { suite } });
    const at = (place: object) => callAt(records, place, { eventId: `evt_${suffix}` });
    const subject = {
      backend: cloud.iaas,
      suffix,
      provider: at({}),
      reseller: at({ reseller }),
      owner: at({ reseller, client_id: `client-${suffix}` }),
      stranger: at({ reseller, client_id: `stranger-${suffix}` }),
    };
    return { cloud, subject };
  }

  it("domains, projects and credentials answer as a real OpenStack does", async () => {
    const { subject } = await subjectWith({});
    await expectTranscript(await tellIdentity(subject), "iaas-identity");
  });

  it("quotas and the inventory of a project answer as a real OpenStack does", async () => {
    const { cloud, subject } = await subjectWith(suiteLimits);
    const furniture = localFurniture(cloud.inventory, suffix);
    let used: Readonly<Record<string, number>> = {};
    const lines = await tellInfrastructure(subject, {
      ...furniture,
      async furnish(id) {
        await furniture.furnish(id);
        used = await cloud.quotas.used(id, subject.owner);
      },
    });
    expect(used).toMatchObject({ instances: 1, cores: 1, ram: 512, volumes: 1, snapshots: 1, backups: 1 });
    expect(used).toMatchObject({ network: 1, router: 1, floatingip: 1, security_group: 2, zones: 0 });
    expect(used).toMatchObject({ load_balancer: 1, listener: 1, pool: 1, member: 1, health_monitor: 1, l7rule: 1 });
    await expectTranscript(lines, "iaas-infrastructure");
  });
});
