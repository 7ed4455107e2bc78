import { randomBytes } from "node:crypto";
import {
  CreateBucketCommand,
  ListBucketsCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it } from "vitest";
import { openCloudContext } from "../../../adapters/clouds/openstack/cloud-context.ts";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { s3 } from "../../../adapters/clouds/s3/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { adminOptions, awaitWritable } from "../../clouds/contract/iaas-openstack.ts";
import { freeze } from "../../clouds/contract/keystone-admin.ts";
import { useServer } from "../../clouds/support/servers.ts";
import { openGateway } from "../support/gateway.ts";

const keystone = useServer("openstack", "--keystone-only");
const ceph = useServer("s3", "--keystone");

beforeAll(async () => {
  if (keystone.missing === undefined) await awaitWritable(adminOptions(keystone.settings));
});

/** What Keystone itself has under a path, of an administrator. */
function askKeystone(path: string, key: string) {
  const { cloud, run, close } = openCloudContext(adminOptions(keystone.settings));
  const signal = new AbortController().signal;
  return run({ signal }, (deadline) => cloud.list({ service: "identity", path: [path], key }, deadline)).finally(close);
}

/** A portal over the real Keystone and the real object store, with a project that has a bucket with two versions of an object. */
async function openFilled() {
  const suffix = randomBytes(4).toString("hex");
  const timeouts = { connect: 2_000, firstContent: 4_000, gap: 4_000, whole: 12_000 };
  const { iaas, quotas, rollbacks, close } = openstack({ ...adminOptions(keystone.settings), timeouts });
  const endpoint = ceph.settings.S3_ENDPOINT ?? "";
  const gateway = await openGateway(memoryStore(), {
    "eu-1": { iaas, quotas, rollbacks, objectstore: s3({ endpoints: [endpoint] }) },
  });
  const { ask } = gateway;
  const project = { name: `purged-${suffix}`, quota_profile: "default" };
  const made = await ask({ method: "POST", path: "/iaas/projects", body: project });
  const { id } = (made.body as { project: { id: string } }).project;
  const keys = { accessKeyId: `AK${suffix}`, secretAccessKey: `secret-${suffix}` };
  const pair = { access_key: keys.accessKeyId, secret_key: keys.secretAccessKey, roles: ["member"] };
  const credential = { ...pair, description: "", user_bound: false };
  expect(await ask({ method: "POST", path: `/iaas/credentials/${id}`, body: credential })).toMatchObject({
    status: 200,
  });
  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: keys });
  const Bucket = `purged-${suffix}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
  for (const Body of ["one", "two"]) await client.send(new PutObjectCommand({ Bucket, Key: "a", Body }));
  const remove = (body?: object) => ask({ method: "DELETE", path: `/iaas/project/${id}`, body });
  const run = async () => {
    await gateway.clock.advance(20 * 60_000);
    await gateway.portal.start(() => {})();
  };
  const stateOf = async (task: string) =>
    ((await ask({ method: "GET", path: `/task/${task}` })).body as { state: string }).state;
  const stepOf = async (task: string) =>
    ((await ask({ method: "GET", path: `/task/${task}/step` })).body as { response?: string }[])[0]?.response;
  return { id, Bucket, client, keys, ask, remove, run, stateOf, stepOf, close };
}

describe("the purge of a project on a real Keystone and a real object store", () => {
  it("is refused without being asked for, waits for a frozen Keystone, and leaves neither project, user nor bucket", async (context) => {
    if (ceph.missing !== undefined) return context.skip(ceph.missing);
    const { id, Bucket, client, remove, run, stateOf, stepOf, close } = await openFilled();
    const message = expect.stringContaining(`1 buckets (${Bucket})`);
    expect(await remove()).toMatchObject({ status: 409, body: { error: { type: "conflict", message } } });
    expect((await client.send(new ListBucketsCommand({}))).Buckets?.map(({ Name }) => Name)).toEqual([Bucket]);
    expect((await askKeystone("users", "users")).map(({ name }) => name)).toContain(`tollgate-project-${id}`);

    const answer = await remove({ purge: true });
    expect(answer).toMatchObject({ status: 204 });
    const task = answer.headers["x-tg-job"] ?? "";
    const thaw = freeze("keystone");
    try {
      await run();
      expect(await stateOf(task)).toBe("running");
      expect(await stepOf(task)).toContain("Keystone sent nothing");
    } finally {
      thaw();
    }
    for (let n = 0; n < 3 && (await stateOf(task)) === "running"; n++) await run();
    expect(await stateOf(task)).toBe("done");

    expect((await askKeystone("projects", "projects")).map((project) => project.id)).not.toContain(id);
    expect((await askKeystone("users", "users")).map(({ name }) => name)).not.toContain(`tollgate-project-${id}`);
    expect((await askKeystone("credentials", "credentials")).map(({ project_id }) => project_id)).not.toContain(id);
    await close();
  });

  it("deletes no bucket that the cloud does not know as the project's, though the portal has a key pair to it", async (context) => {
    if (ceph.missing !== undefined) return context.skip(ceph.missing);
    const { id, Bucket, client, keys, ask, remove, run, stateOf, close } = await openFilled();
    const named = { name: `mistaken-${Bucket}`, quota_profile: "default" };
    const made = await ask({ method: "POST", path: "/iaas/projects", body: named });
    const other = (made.body as { project: { id: string } }).project.id;
    const pair = { resource_id: other, access_key: keys.accessKeyId, secret_key: keys.secretAccessKey };
    expect(await ask({ method: "PATCH", path: "/keypair", body: pair })).toMatchObject({ status: 204 });

    const answer = await ask({ method: "DELETE", path: `/iaas/project/${other}`, body: { purge: true } });
    expect(answer).toMatchObject({ status: 204 });
    await run();
    expect(await stateOf(answer.headers["x-tg-job"] ?? "")).toBe("running");
    const stored = await client.send(new ListObjectVersionsCommand({ Bucket }));
    expect(stored.Versions).toHaveLength(2);
    expect((await askKeystone("projects", "projects")).map((project) => project.id)).toContain(other);

    for (const one of [id, other]) {
      await ask({ method: "PATCH", path: "/keypair", body: { ...pair, resource_id: other, access_key: "none" } });
      await ask({ method: "DELETE", path: `/iaas/project/${one}`, body: { purge: true } });
    }
    await remove({ purge: true });
    for (let n = 0; n < 3; n++) await run();
    expect((await askKeystone("projects", "projects")).map((project) => project.id)).not.toContain(id);
    await close();
  });
});
