import { describe, expect, it } from "vitest";
import { expectTranscript } from "../../adapters/contract/transcript.ts";
import { useServer } from "../support/servers.ts";
import { openstackFurniture } from "./furniture-openstack.ts";
import { tellIdentity, tellInfrastructure } from "./iaas.ts";
import { suiteLimits } from "./iaas-inventory.ts";
import { adminOptions, openstackSubject } from "./iaas-openstack.ts";

const server = useServer("openstack");

describe("infrastructure on a real OpenStack", () => {
  it("domains, projects and credentials answer as every back end does", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const subject = openstackSubject({ ...adminOptions(server.settings), quotaProfiles: { suite: {} } });
    await expectTranscript(await tellIdentity(subject), "iaas-identity");
    await subject.cloud.close();
  });

  it("quotas and the inventory of a project answer as every back end does", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const options = adminOptions(server.settings);
    const subject = openstackSubject({ ...options, quotaProfiles: { suite: suiteLimits } });
    const furniture = openstackFurniture(options, subject.suffix);
    let used: Readonly<Record<string, number>> = {};
    const lines = await tellInfrastructure(subject, {
      ...furniture,
      async furnish(id) {
        await furniture.furnish(id);
        used = await subject.cloud.quotas.used(id, subject.owner);
      },
    });
    expect(used).toMatchObject({
      instances: 1,
      cores: 1,
      ram: 512,
      volumes: 1,
      snapshots: 1,
      backups: 1,
      gigabytes: 2,
    });
    expect(used).toMatchObject({ network: 1, router: 1, floatingip: 1, security_group: 2, zones: 0 });
    expect(used).toMatchObject({
      load_balancer: 1,
      listener: 1,
      pool: 1,
      member: 1,
      health_monitor: 1,
      l7policy: 1,
      l7rule: 1,
    });
    await expectTranscript(lines, "iaas-infrastructure");
    await Promise.all([subject.cloud.close(), furniture.close()]);
    expect(lines.length).toBeGreaterThan(30);
  });
});
