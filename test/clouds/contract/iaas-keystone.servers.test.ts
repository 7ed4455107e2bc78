import { beforeAll, describe, expect, it } from "vitest";
import { expectTranscript } from "../../adapters/contract/transcript.ts";
import { useServer } from "../support/servers.ts";
import { tellIdentity } from "./iaas.ts";
import { adminOptions, awaitWritable, openstackSubject } from "./iaas-openstack.ts";

const keystone = useServer("openstack", "--keystone-only");

beforeAll(async () => {
  if (keystone.missing === undefined) await awaitWritable(adminOptions(keystone.settings));
});

describe("domains, projects and credentials on a real Keystone", () => {
  it("answers as every back end does", async (context) => {
    if (keystone.missing !== undefined) return context.skip(keystone.missing);
    const subject = openstackSubject({ ...adminOptions(keystone.settings), quotaProfiles: { suite: {} } });
    await expectTranscript(await tellIdentity(subject), "iaas-identity");
    await subject.cloud.close();
  });

  it("says of what this cloud does not have that it is not implemented", async (context) => {
    if (keystone.missing !== undefined) return context.skip(keystone.missing);
    const { cloud, backend, provider } = openstackSubject(adminOptions(keystone.settings));
    for (const name of [
      "servers",
      "volumes",
      "networks",
      "loadBalancers",
      "volumeTypes",
      "availabilityZones",
    ] as const) {
      await expect(backend[name]?.({}, provider), name).rejects.toMatchObject({ code: "not_implemented", status: 501 });
    }
    await cloud.close();
  });
});
