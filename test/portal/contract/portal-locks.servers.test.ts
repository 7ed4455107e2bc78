import { randomBytes } from "node:crypto";
import {
  CreateBucketCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { s3 } from "../../../adapters/clouds/s3/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { adminOptions, awaitWritable } from "../../clouds/contract/iaas-openstack.ts";
import { type CloudAdmin, openCloudAdmin } from "../../clouds/contract/keystone-admin.ts";
import { useServer } from "../../clouds/support/servers.ts";
import { openGateway } from "../support/gateway.ts";

const keystone = useServer("openstack", "--keystone-only");
const ceph = useServer("s3", "--keystone");

let admin: CloudAdmin;

beforeAll(async () => {
  if (ceph.missing !== undefined) return;
  await awaitWritable(adminOptions(keystone.settings));
  admin = openCloudAdmin(keystone.settings);
});

afterAll(() => admin?.close());

const minute = 60_000;

/** A portal over the real Keystone and the real object store. */
async function openPortal(context: TestContext) {
  if (ceph.missing !== undefined) return context.skip(ceph.missing);
  const { iaas, quotas, rollbacks, close } = openstack(adminOptions(keystone.settings));
  context.onTestFinished(close);
  const endpoint = ceph.settings.S3_ENDPOINT ?? "";
  const gateway = await openGateway(memoryStore(), {
    "eu-1": { iaas, quotas, rollbacks, objectstore: s3({ endpoints: [endpoint], pageSize: 3 }) },
  });
  const ask = (route: string, body?: object) => {
    const [method = "", path = ""] = route.split(" ");
    return gateway.ask({ method, path, body });
  };
  /** A project with a key pair that the portal has stored. */
  const make = async (name: string) => {
    const suffix = randomBytes(4).toString("hex");
    const made = await ask("POST /iaas/projects", { name: `${name}-${suffix}`, quota_profile: "default" });
    const { id } = (made.body as { project: { id: string } }).project;
    const pair = { access_key: `AK${suffix}`, secret_key: `secret-${suffix}` };
    const credential = { ...pair, roles: ["member"], description: "", user_bound: false };
    expect(await ask(`POST /iaas/credentials/${id}`, credential)).toMatchObject({ status: 200 });
    expect(await ask("PATCH /keypair", { resource_id: id, ...pair })).toMatchObject({ status: 204 });
    const credentials = { accessKeyId: pair.access_key, secretAccessKey: pair.secret_key };
    const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
    return { id, suffix, client };
  };
  const empty = (bucket: string, project_id: string) =>
    ask("DELETE /objectstore/objects/versions", { bucket, project_id, objectstore_url: endpoint });
  return { ...gateway, ask, make, empty };
}

type Made = Awaited<ReturnType<Awaited<ReturnType<typeof openPortal>>["make"]>>;

/** A bucket with six versions of objects, of which two have a legal hold. */
async function fillHeld(owner: Made): Promise<string> {
  const { client, suffix } = owner;
  const Bucket = `held-${suffix}`;
  await client.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
  for (const Key of ["a", "b", "b", "c", "d", "e"]) await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  await hold(owner, "ON");
  return Bucket;
}

async function hold({ client, suffix }: Made, Status: "ON" | "OFF"): Promise<void> {
  for (const Key of ["c", "e"])
    await client.send(new PutObjectLegalHoldCommand({ Bucket: `held-${suffix}`, Key, LegalHold: { Status } }));
}

async function keysIn({ client }: Made, Bucket: string): Promise<unknown[]> {
  const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }));
  return [...Versions, ...DeleteMarkers].map(({ Key }) => Key);
}

describe("objects that a real object store does not let go", () => {
  it("legal holds: emptying goes to the end, then is 409 with counts and names; without the holds it is 204", async (context) => {
    const { make, empty } = await openPortal(context);
    const owner = await make("held");
    const bucket = await fillHeld(owner);
    const why = "held by a legal hold";
    const left = `2 objects were not deleted: \`c\` (${why}), \`e\` (${why}).`;
    const message = `${left} 4 objects were deleted before.`;
    const refused = { status: 409, body: { error: { code: "conflict", message } } };
    expect(await empty(bucket, owner.id)).toMatchObject(refused);
    expect(await keysIn(owner, bucket)).toEqual(["c", "e"]);
    await hold(owner, "OFF");
    expect(await empty(bucket, owner.id)).toMatchObject({ status: 204 });
    expect(await keysIn(owner, bucket)).toEqual([]);
  });

  it("a bucket of another project is 404 with the own project's name, and stays as it is", async (context) => {
    const { make, empty } = await openPortal(context);
    const [owner, other] = [await make("owner"), await make("other")];
    const Bucket = `theirs-${owner.suffix}`;
    await owner.client.send(new CreateBucketCommand({ Bucket }));
    await owner.client.send(new PutObjectCommand({ Bucket, Key: "a", Body: "a" }));
    expect(await empty(Bucket, other.id)).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    expect(await empty(`missing-${owner.suffix}`, other.id)).toMatchObject({ status: 404 });
    expect(await keysIn(owner, Bucket)).toEqual(["a"]);
  });

  it("a purge stays under way and says what is held; once that is released it ends, and the project is gone", async (context) => {
    const { make, ask, clock, portal } = await openPortal(context);
    const owner = await make("purged");
    const bucket = await fillHeld(owner);
    const answer = await ask(`DELETE /iaas/project/${owner.id}`, { purge: true });
    expect(answer).toMatchObject({ status: 204 });
    const task = answer.headers["x-tg-job"];
    const run = async (ms: number) => {
      await clock.advance(ms);
      await portal.start(() => {})();
    };
    const shown = async () =>
      ((await ask("GET /iaas/projects")).body as { id: string; state?: string; description?: string }[]).find(
        ({ id }) => id === owner.id,
      );
    await run(minute);
    expect(await shown()).toMatchObject({ state: "purging" });
    expect((await ask(`GET /task/${task}/step`)).body).toMatchObject([{ response: expect.stringContaining(bucket) }]);
    expect(await keysIn(owner, bucket)).toEqual(["c", "e"]);
    await run(91 * minute);
    expect(await shown()).toMatchObject({ state: "stuck", description: expect.stringContaining("1 things are left") });
    expect(await admin.projectIds()).toContain(owner.id);

    await hold(owner, "OFF");
    const again = await ask(`DELETE /iaas/project/${owner.id}`, { purge: true });
    expect(again).toMatchObject({ status: 204 });
    for (let round = 0; round < 3; round++) await run(minute);
    expect((await ask(`GET /task/${again.headers["x-tg-job"]}`)).body).toMatchObject({ state: "done" });
    expect(await admin.projectIds()).not.toContain(owner.id);
    expect(await admin.userNames()).not.toContain(`tollgate-project-${owner.id}`);
  });
});
