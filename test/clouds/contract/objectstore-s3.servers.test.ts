import { randomBytes } from "node:crypto";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetBucketPolicyCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it } from "vitest";
import { s3 } from "../../../adapters/clouds/s3/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { GatewayError } from "../../../src/engine/errors.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import { keyPairPlace } from "../../../src/portal/call/sealed-places.ts";
import type { TenantScope } from "../../../src/portal/tenancy/tenant-scope.ts";
import { expectTranscript } from "../../adapters/contract/transcript.ts";
import { callAt } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { useServer } from "../support/servers.ts";
import { type KeystoneProject, makeProjects } from "./keystone.ts";
import { tellObjectStore } from "./objectstore.ts";

const keystone = useServer("openstack", "--keystone-only");
const ceph = useServer("s3", "--keystone");
const suffix = randomBytes(4).toString("hex");

let projects: readonly KeystoneProject[] = [];
let endpoint = "";

beforeAll(async () => {
  if (ceph.missing !== undefined) return;
  projects = await makeProjects(keystone.settings, 3);
  endpoint = ceph.settings.S3_ENDPOINT ?? "";
});

function clientOf(id: string): S3Client {
  const { accessKeyId, secretAccessKey } = projects.find((project) => project.id === id) as KeystoneProject;
  const credentials = { accessKeyId, secretAccessKey };
  return new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
}

/** The status of what was sent, whatever it is. */
async function statusOf(sent: Promise<{ readonly $metadata: { readonly httpStatusCode?: number } }>): Promise<number> {
  const { $metadata } = await sent.catch((thrown: { $metadata: { httpStatusCode?: number } }) => thrown);
  return $metadata.httpStatusCode ?? 0;
}

const acme: TenantScope = { reseller: "acme", client_id: "one" };
const globex: TenantScope = { reseller: "globex", client_id: "two" };

/** The portal's records of the projects, and calls by their clients. */
async function makeRecords() {
  const { records } = withPortalKinds(memoryStore());
  const [owner, reader, other] = projects as [KeystoneProject, KeystoneProject, KeystoneProject];
  const created_at = new Date().toISOString();
  const now = Date.now();
  const client = callAt(records, acme, { now });
  const stranger = callAt(records, globex, { now });
  const add = async (call: PortalCall, { id, accessKeyId, secretAccessKey }: KeystoneProject) => {
    const placed = {
      id,
      created_at,
      reseller: call.caller.scope.reseller as string,
      client_id: call.caller.scope.client_id as string,
    };
    await records.put("cloud_project", { ...placed, region: "eu-1", updated_at: created_at }, 0);
    const sealed_secret_key = call.secrets.seal(secretAccessKey, keyPairPlace(id));
    if (id !== reader.id) await records.put("keypair", { ...placed, access_key: accessKeyId, sealed_secret_key }, 0);
  };
  await add(client, owner);
  await add(client, reader);
  await add(stranger, other);
  return { client, stranger, projects: { owner: owner.id, reader: reader.id, other: other.id } };
}

async function failureOf(asked: unknown): Promise<unknown> {
  try {
    return await asked;
  } catch (thrown) {
    return thrown;
  }
}

/** Keys that XML or a URL would change on the way. */
const oddKeys = [
  "a\u0001b",
  "line\r\nbreak",
  "\u00fc \u00f6+%/?&=#<>'\".txt",
  " lead",
  "trail ",
  "1e5",
  "&amp;",
  "a//b",
];

async function fillBuckets(owner: string) {
  const client = clientOf(owner);
  for (const bucket of [`plain-${suffix}`, `many-${suffix}`])
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const put = (Bucket: string, Key: string) =>
    client.send(new PutObjectCommand({ Bucket, Key, Body: `text of ${Key}` }));
  await put(`plain-${suffix}`, "a");
  for (const key of ["b", "list/a", "list/b/c"]) await put(`plain-${suffix}`, key);
  for (const key of oddKeys) await put(`plain-${suffix}`, key);
  await put(`many-${suffix}`, "unversioned");
  const VersioningConfiguration = { Status: "Enabled" } as const;
  await client.send(new PutBucketVersioningCommand({ Bucket: `many-${suffix}`, VersioningConfiguration }));
  for (const key of ["x", "x", "x", "x", "x", "y", "y", "z", "unversioned", ...oddKeys])
    await put(`many-${suffix}`, key);
  for (const key of ["x", "y"]) await client.send(new DeleteObjectCommand({ Bucket: `many-${suffix}`, Key: key }));
}

describe("sharing over a real Ceph with keys of a real Keystone", () => {
  it("answers as every back end does, and lets in whom it says and nobody else", async (context) => {
    if (ceph.missing !== undefined) return context.skip(ceph.missing);
    const told = await makeRecords();
    await fillBuckets(told.projects.owner);
    await clientOf(told.projects.other).send(new CreateBucketCommand({ Bucket: `foreign-${suffix}` }));
    const lines = await tellObjectStore({
      ...told,
      backend: s3({ endpoints: [endpoint], pageSize: 4 }),
      suffix,
      endpoint,
      read: (project, Bucket, Key) => statusOf(clientOf(project).send(new GetObjectCommand({ Bucket, Key }))),
      write: (project, Bucket, Key) =>
        statusOf(clientOf(project).send(new PutObjectCommand({ Bucket, Key, Body: "x" }))),
      fetch: async (url) => {
        const answer = await fetch(url);
        return { status: answer.status, body: await answer.text() };
      },
      countVersions: async (Bucket) => {
        const listed = await clientOf(told.projects.owner).send(new ListObjectVersionsCommand({ Bucket }));
        return (listed.Versions?.length ?? 0) + (listed.DeleteMarkers?.length ?? 0);
      },
    });
    await expectTranscript(lines, "objectstore");
  });

  it("empties a bucket up to what is locked, and says what that is and until when", async (context) => {
    if (ceph.missing !== undefined) return context.skip(ceph.missing);
    const { client, projects: ids } = await makeRecords();
    const bucket = `locked-${suffix}`;
    const owner = clientOf(ids.owner);
    await owner.send(new CreateBucketCommand({ Bucket: bucket, ObjectLockEnabledForBucket: true }));
    const until = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000);
    const lock = { ObjectLockMode: "GOVERNANCE", ObjectLockRetainUntilDate: until } as const;
    for (const key of ["a", "b", "c", "d", "e"])
      await owner.send(
        new PutObjectCommand({ Bucket: bucket, Key: key, Body: key, ...(key === "b" || key === "d" ? lock : {}) }),
      );
    const backend = s3({ endpoints: [endpoint], pageSize: 2 });
    const input = { bucket, project_id: ids.owner, objectstore_url: endpoint };
    const failure = await failureOf(backend.deleteVersions?.(input, client));
    const why = `locked until ${until.toISOString()}`;
    const { code, message } = failure as GatewayError;
    const left = `2 objects were not deleted: \`b\` (${why}), \`d\` (${why}).`;
    expect([code, message]).toEqual(["conflict", `${left} 3 objects were deleted before.`]);
    const { Versions = [] } = await owner.send(new ListObjectVersionsCommand({ Bucket: bucket }));
    expect(Versions.map(({ Key }) => Key)).toEqual(["b", "d"]);
  });

  it("makes addresses of objects whatever their keys", async (context) => {
    if (ceph.missing !== undefined) return context.skip(ceph.missing);
    const { client } = await makeRecords();
    const backend = s3({ endpoints: [endpoint] });
    const bucket = `plain-${suffix}`;
    for (const key of oddKeys) {
      await backend.shareUrl?.({ bucket, key, expire: 60, url: endpoint }, client);
      const shared = await backend.sharedUrl?.({ bucket, key }, client);
      expect(await fetch(shared?.url ?? "").then((answer) => answer.text())).toBe(`text of ${key}`);
    }
  });

  it("keeps what others wrote into the policy, and ends with what it began with", async (context) => {
    if (ceph.missing !== undefined) return context.skip(ceph.missing);
    const { client, projects: ids } = await makeRecords();
    const bucket = `policy-${suffix}`;
    const owner = clientOf(ids.owner);
    await owner.send(new CreateBucketCommand({ Bucket: bucket }));
    const theirs = {
      Sid: "theirs",
      Effect: "Deny",
      Principal: "*",
      Action: ["s3:DeleteBucket"],
      Resource: [`arn:aws:s3:::${bucket}`],
    };
    const Policy = JSON.stringify({ Version: "2012-10-17", Statement: [theirs] });
    await owner.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
    const backend = s3({ endpoints: [endpoint] });
    const statements = async () => {
      const answer = await owner.send(new GetBucketPolicyCommand({ Bucket: bucket }));
      return JSON.parse(answer.Policy ?? "").Statement as { Sid: string; Principal: unknown }[];
    };
    await backend.shareBucket?.({ bucket, project_id: ids.reader, objectstore_url: endpoint }, client);
    const shared = await statements();
    expect(shared).toHaveLength(2);
    expect(shared[0]).toEqual(theirs);
    expect(shared[1]?.Principal).toEqual({ AWS: [`arn:aws:iam::${ids.reader}:root`] });
    await backend.unshareBucket?.({ bucket }, client);
    expect(await statements()).toEqual([theirs]);
  });
});
