import { randomBytes } from "node:crypto";
import { CreateBucketCommand, ListBucketsCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import type { Wire } from "../../../adapters/clouds/openstack/client/cloud.ts";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { s3 } from "../../../adapters/clouds/s3/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { Region } from "../../../src/portal/regions.ts";
import { adminOptions, awaitWritable } from "../../clouds/contract/iaas-openstack.ts";
import { type CloudAdmin, openCloudAdmin } from "../../clouds/contract/keystone-admin.ts";
import { useServer } from "../../clouds/support/servers.ts";
import { openGateway } from "../support/gateway.ts";

const keystone = useServer("openstack", "--keystone-only");
const ceph = useServer("s3", "--keystone");
const second = "tollgate-second";

let admin: CloudAdmin;

const identity = (method: "POST" | "DELETE", path: string, body?: unknown) =>
  admin.ask({ service: "identity", method, path: path.split("/"), body });

/** Takes a service of the second region out of Keystone's catalogue, with its endpoints. */
async function dropServices(): Promise<void> {
  const services = await admin.list({ service: "identity", path: ["services"], key: "services" });
  for (const { id, name } of services) if (name === second) await identity("DELETE", `services/${String(id)}`);
}

beforeAll(async () => {
  if (ceph.missing !== undefined) return;
  await awaitWritable(adminOptions(keystone.settings));
  admin = openCloudAdmin(keystone.settings);
  await dropServices();
  const regions = await admin.list({ service: "identity", path: ["regions"], key: "regions" });
  if (!regions.some(({ id }) => id === second)) await identity("POST", "regions", { region: { id: second } });
});

afterAll(async () => {
  if (ceph.missing === undefined) await dropServices();
  await admin?.close();
});

/** A volume service that only the second region's catalogue has, at an address where nothing listens. */
async function addDeadVolumes(): Promise<void> {
  const { service } = await identity("POST", "services", { service: { type: "volumev3", name: second } });
  const service_id = String((service as Wire).id);
  const url = "http://127.0.0.1:9/v3/%(project_id)s";
  await identity("POST", "endpoints", {
    endpoint: { service_id, region_id: second, interface: "public", url, enabled: true },
  });
}

/** A portal of two regions over one Keystone; the object store is in the second. */
async function openRegions(context: TestContext) {
  if (ceph.missing !== undefined) return context.skip(ceph.missing);
  const endpoint = ceph.settings.S3_ENDPOINT ?? "";
  const open = (region: string): Region => {
    const { iaas, quotas, rollbacks, close } = openstack({ ...adminOptions(keystone.settings), region });
    context.onTestFinished(close);
    return { iaas, quotas, rollbacks, identity: "one" };
  };
  const gateway = await openGateway(memoryStore(), {
    "eu-1": open("RegionOne"),
    "eu-2": { ...open(second), objectstore: s3({ endpoints: [endpoint] }) },
  });
  const at = (region: string, route: string, { body, token }: { body?: object; token?: string } = {}) => {
    const [method = "", path = ""] = route.split(" ");
    const headers = { region, ...(token === undefined ? {} : { "auth-token": token }) };
    return gateway.ask({ method, path, headers, body });
  };
  const suffix = randomBytes(4).toString("hex");
  const reseller = `acme-${suffix}`;
  expect((await at("eu-1", "POST /tenants", { body: { reseller } })).status).toBeLessThan(300);
  const body = { name: `regions-${suffix}`, quota_profile: "default", reseller };
  const made = await at("eu-1", "POST /iaas/projects", { body });
  expect(made).toMatchObject({ status: 200 });
  const { id } = (made.body as { project: { id: string } }).project;
  return { ...gateway, at, id, suffix, reseller, endpoint };
}

/** The token of a user of the reseller who may list projects. */
async function lister({ at, reseller, suffix }: Awaited<ReturnType<typeof openRegions>>): Promise<string> {
  const permissions = ["iaas_projects-get"];
  const made = async (route: string, body: object) =>
    (await at("eu-1", route, { body })).body as { id: string; value: string };
  const user = await made("POST /users", { username: `ann-${suffix}`, level: "reseller", reseller, roles: [] });
  const role = await made("POST /roles", { name: `r-${suffix}`, permissions });
  await made(`POST /roles/${role.id}/assign`, { user_id: user.id });
  return (await made(`POST /users/${user.id}/tokens`, { name: "t", permissions })).value;
}

describe("two regions in the catalogue of one real Keystone", () => {
  it("have the same projects for their tenant, whichever of them a project was made in", async (context) => {
    const opened = await openRegions(context);
    const token = await lister(opened);
    for (const region of ["eu-1", "eu-2"]) {
      const { body } = await opened.at(region, "GET /iaas/projects", { token });
      expect((body as { id: string }[]).map(({ id }) => id)).toEqual([opened.id]);
    }
    expect(await opened.at("eu-2", `DELETE /iaas/project/${opened.id}`)).toMatchObject({ status: 204 });
    expect(await admin.projectIds()).not.toContain(opened.id);
    for (const region of ["eu-1", "eu-2"])
      expect((await opened.at(region, "GET /iaas/projects", { token })).body).toEqual([]);
  });

  it("a project with a bucket in the second is not deleted in the first; a purge there empties both", async (context) => {
    const { at, id, suffix, endpoint, clock, portal } = await openRegions(context);
    const keys = { accessKeyId: `AK${suffix}`, secretAccessKey: `secret-${suffix}` };
    const pair = { access_key: keys.accessKeyId, secret_key: keys.secretAccessKey, roles: ["member"] };
    const credential = { ...pair, description: "", user_bound: false };
    expect(await at("eu-1", `POST /iaas/credentials/${id}`, { body: credential })).toMatchObject({ status: 200 });
    const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: keys });
    const Bucket = `regions-${suffix}`;
    await client.send(new CreateBucketCommand({ Bucket }));
    await client.send(new PutObjectCommand({ Bucket, Key: "a", Body: "text" }));

    const message = expect.stringMatching(/buckets.*eu-2|eu-2.*buckets/s);
    expect(await at("eu-1", `DELETE /iaas/project/${id}`)).toMatchObject({ status: 409, body: { error: { message } } });
    expect((await client.send(new ListBucketsCommand({}))).Buckets).toHaveLength(1);
    expect(await admin.projectIds()).toContain(id);

    const purge = await at("eu-1", `DELETE /iaas/project/${id}`, { body: { purge: true } });
    expect(purge).toMatchObject({ status: 204 });
    for (let round = 0; round < 4; round++) {
      await clock.advance(60_000);
      await portal.start(() => {})();
    }
    expect((await at("eu-1", `GET /task/${purge.headers["x-tg-job"]}`)).body).toMatchObject({ state: "done" });
    expect(await admin.projectIds()).not.toContain(id);
    expect(await admin.userNames()).not.toContain(`tollgate-project-${id}`);
    const { S3_ALICE = "" } = ceph.settings;
    const [accessKeyId = "", secretAccessKey = ""] = S3_ALICE.split(":");
    const alice = new S3Client({
      ...{ endpoint, region: "us-east-1", forcePathStyle: true },
      credentials: { accessKeyId, secretAccessKey },
    });
    await alice.send(new CreateBucketCommand({ Bucket })); // names are global: this one is free again
  });

  it("a service of the second that cannot be asked stops a deletion in the first: nothing is forgotten", async (context) => {
    await addDeadVolumes();
    const { at, id } = await openRegions(context);
    const refused = await at("eu-1", `DELETE /iaas/project/${id}`);
    expect(refused).toMatchObject({ status: 502, body: { error: { code: "backend_unreachable" } } });
    expect(await admin.projectIds()).toContain(id);
    const { project } = await admin.ask({ service: "identity", path: ["projects", id] });
    expect(project).toMatchObject({ enabled: true });
    await dropServices();
    const again = await at("eu-1", `GET /iaas/projects`);
    expect((again.body as { id: string }[]).map((one) => one.id)).toContain(id);
  });
});
