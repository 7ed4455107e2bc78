import { expect } from "vitest";
import { objectstore } from "../../../src/operations/portal/infrastructure/objectstore.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { mapTexts, openTranscript, type Transcript } from "../../adapters/contract/transcript.ts";

/** A back end of object sharing under test, and the store behind it as its other users see it. */
export interface ObjectStoreSubject {
  readonly backend: AreaBackend<"objectstore">;
  /** Unlike in every run: the buckets `plain-…` and `many-…` of the owner and `foreign-…` of the stranger's project end with it. */
  readonly suffix: string;
  readonly endpoint: string;
  /** A call by the client of the projects `owner` and `reader`, and one by another client; both at the real time. */
  readonly client: PortalCall;
  readonly stranger: PortalCall;
  /** Ids of projects: whose the buckets are, with whom one is shared, and one of the stranger's. The client has the owner's key pair. */
  readonly projects: { readonly owner: string; readonly reader: string; readonly other: string };
  /** The status that a project gets for reading the object with its own keys, and for writing one. */
  read(project: string, bucket: string, key: string): Promise<number>;
  write(project: string, bucket: string, key: string): Promise<number>;
  /** Status and body that anybody gets at an address. */
  fetch(url: string): Promise<{ readonly status: number; readonly body: string }>;
  /** How many versions and marks of deletion a bucket holds. */
  countVersions(bucket: string): Promise<number>;
}

type Story = (transcript: Transcript, subject: ObjectStoreSubject) => Promise<void>;

const tellShares: Story = async ({ tell }, { suffix, endpoint, client, stranger, projects, read, write }) => {
  const bucket = `plain-${suffix}`;
  const input = { bucket, project_id: projects.reader, objectstore_url: endpoint };
  await tell("nothing is shared", "sharedBuckets");
  await tell("a name that no bucket can have", "shareBucket", { ...input, bucket: "No_Bucket" });
  await tell("an address that is not the region's", "shareBucket", {
    ...input,
    objectstore_url: "http://169.254.169.254/",
  });
  await tell("a project that is not the caller's", "shareBucket", { ...input, project_id: projects.other });
  await tell("all projects at once", "shareBucket", { ...input, project_id: "*" });
  await tell("a bucket that is not there", "shareBucket", { ...input, bucket: `none-${suffix}` });
  await tell(
    "a stranger shares no bucket of others",
    "shareBucket",
    { ...input, project_id: projects.other },
    stranger,
  );
  await tell("a bucket with its own project", "shareBucket", { ...input, project_id: projects.owner });
  expect(await read(projects.reader, bucket, "a")).toBe(403);
  await tell("a bucket with another project", "shareBucket", input);
  await tell("the same again", "shareBucket", input);
  await tell("what is shared", "sharedBuckets");
  await tell("a stranger sees no share", "sharedBuckets", {}, stranger);
  expect(await read(projects.reader, bucket, "a")).toBe(200);
  expect(await read(projects.other, bucket, "a")).toBe(403);
  expect(await write(projects.reader, bucket, "b")).toBe(403);
  await tell("a stranger ends no share", "unshareBucket", { bucket }, stranger);
  expect(await read(projects.reader, bucket, "a")).toBe(200);
  await tell("the end of the share", "unshareBucket", { bucket });
  expect(await read(projects.reader, bucket, "a")).toBe(403);
  expect(await read(projects.owner, bucket, "a")).toBe(200);
  await tell("its end again", "unshareBucket", { bucket });
  await tell("nothing is shared again", "sharedBuckets", {}, client);
};

/** The keys of a bucket, page by page. */
async function readPages(
  { backend, client }: ObjectStoreSubject,
  wanted: { bucket: string; project_id: string; objectstore_url: string },
  limit: number,
): Promise<string[]> {
  const keys: string[] = [];
  let after: string | undefined;
  do {
    const page = { limit, ...(after === undefined ? {} : { after }) };
    after = undefined;
    const showNext = (marker: string | undefined) => {
      after = marker;
    };
    const found = (await backend.objects?.(wanted, { ...client, page, showNext })) ?? [];
    keys.push(...found.map(({ key }) => key));
  } while (after !== undefined);
  return keys;
}

const tellLists: Story = async ({ tell }, subject) => {
  const { suffix, endpoint, client, stranger, projects } = subject;
  const [bucket, many] = [`plain-${suffix}`, `many-${suffix}`];
  const owned = { project_id: projects.owner, objectstore_url: endpoint };
  await tell("buckets of a project without a key pair", "buckets", { ...owned, project_id: projects.other });
  await tell("a stranger lists no buckets of others", "buckets", owned, stranger);
  await tell("buckets at an address that is not the region's", "buckets", {
    ...owned,
    objectstore_url: "http://127.0.0.1:1/",
  });
  await tell("buckets of the project", "buckets", owned);
  await tell("objects", "objects", { ...owned, bucket, prefix: "list/" });
  await tell("objects of a bucket that is not there", "objects", { ...owned, bucket: `none-${suffix}` });
  await tell("a stranger lists no objects of others", "objects", { ...owned, bucket }, stranger);
  await tell("objects that no key begins like", "objects", { ...owned, bucket, prefix: "nosuch/" });
  await tell("objects and what they have before a delimiter", "objects", {
    ...owned,
    bucket,
    prefix: "list/",
    delimiter: "/",
  });
  const wanted = { ...owned, bucket: many };
  const [all, pages] = [await readPages(subject, wanted, 1_000), await readPages(subject, wanted, 1)];
  expect(all.length).toBeGreaterThan(2);
  expect(pages).toEqual(all);
  expect(all).toEqual([...all].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
  const sorted = { ...client, page: { sort: "size" } };
  await tell("an order that the store does not have", "objects", { ...owned, bucket }, sorted);
  const wild = { ...client, page: { after: "$$" } };
  await tell("a marker that the list did not give", "objects", { ...owned, bucket }, wild);
  await tell("nobody shares with the client", "receivedBuckets");
  await tell("a share", "shareBucket", { ...owned, bucket, project_id: projects.reader });
  await tell("the share as who may read sees it", "receivedBuckets");
  await tell("a stranger receives nothing", "receivedBuckets", {}, stranger);
  await tell("the end of that share", "unshareBucket", { bucket });
  await tell("no address yet", "sharedObjects");
  await tell("an object by an address", "shareUrl", { bucket, key: "b", expire: 3_600, url: endpoint });
  await tell("addresses", "sharedObjects");
  await tell("a stranger sees no address", "sharedObjects", {}, stranger);
  await tell("addresses that are over", "sharedObjects", {}, { ...client, now: client.now + 3_601_000 });
};

const week = 604_800_000;

const tellUrls: Story = async ({ tell }, { suffix, endpoint: url, client, stranger, fetch }) => {
  const bucket = `plain-${suffix}`;
  const input = { bucket, key: "a", expire: 3_600, url };
  await tell("an object that is not shared", "sharedUrl", { bucket, key: "a" });
  await tell("an end in the past", "shareUrl", { ...input, expire: "2020-01-01T00:00:00Z" });
  await tell("an address that is not the region's", "shareUrl", { ...input, url: "http://127.0.0.1:1/" });
  await tell("a bucket that is not there", "shareUrl", { ...input, bucket: `none-${suffix}` });
  await tell("an object that is not there", "shareUrl", { ...input, key: "no such key" });
  await tell("a stranger shares no object of others", "shareUrl", input, stranger);
  await tell("an object for an hour", "shareUrl", input);
  const shared = (await tell("its address", "sharedUrl", { bucket, key: "a" })) as { url: string; expire_date: string };
  expect(await fetch(shared.url)).toEqual({ status: 200, body: "text of a" });
  expect((await fetch(shared.url.replace("/a?", "/b?"))).status).toBe(403);
  expect(Math.abs(Date.parse(shared.expire_date) - client.now - 3_600_000)).toBeLessThan(2_000);
  expect(await tell("the same address when it is read again", "sharedUrl", { bucket, key: "a" })).toEqual(shared);
  await tell("a stranger reads no address", "sharedUrl", { bucket, key: "a" }, stranger);
  const later = { ...client, now: client.now + 3_601_000 };
  await tell("an address that is over", "sharedUrl", { bucket, key: "a" }, later);
  await tell("an object for too long", "shareUrl", { ...input, expire: 3_000_000 });
  const capped = (await tell("a week is the longest", "sharedUrl", { bucket, key: "a" })) as { expire_date: string };
  expect(Date.parse(capped.expire_date) - client.now).toBeLessThanOrEqual(week);
  await tell("an object for an hour, said as a text", "shareUrl", { ...input, expire: "3600" });
  const told = (await tell("it ends in an hour", "sharedUrl", { bucket, key: "a" })) as { expire_date: string };
  expect(Math.abs(Date.parse(told.expire_date) - client.now - 3_600_000)).toBeLessThan(2_000);
  const before = { ...client, now: client.now - 7_200_000 };
  await tell("an object for an hour, two hours ago", "shareUrl", { ...input, key: "b" }, before);
  const over = (await tell("its address at that time", "sharedUrl", { bucket, key: "b" }, before)) as { url: string };
  expect((await fetch(over.url)).status).toBe(403);
};

const tellDeletion: Story = async ({ tell }, { suffix, endpoint, stranger, projects, countVersions }) => {
  const bucket = `many-${suffix}`;
  const input = { bucket, project_id: projects.owner, objectstore_url: endpoint };
  expect(await countVersions(bucket)).toBeGreaterThan(10);
  await tell("a project without a key pair", "deleteVersions", { ...input, project_id: projects.other });
  await tell("a stranger deletes nothing of others", "deleteVersions", input, stranger);
  await tell("an address that is not the region's", "deleteVersions", {
    ...input,
    objectstore_url: "http://127.0.0.1:1/",
  });
  await tell("a bucket that is not there", "deleteVersions", { ...input, bucket: `none-${suffix}` });
  await tell("a bucket of another project of the store", "deleteVersions", { ...input, bucket: `foreign-${suffix}` });
  expect(await countVersions(bucket)).toBeGreaterThan(10);
  await tell("all objects with all their versions", "deleteVersions", input);
  expect(await countVersions(bucket)).toBe(0);
  await tell("an empty bucket", "deleteVersions", input);
};

/**
 * Tells the whole story to a back end. Before it, the owner's bucket `plain-<suffix>` holds the objects `a`, `b`, `list/a` and `list/b/c` ("text of a", …),
 * and `many-<suffix>` has versions and marks of deletion, more than ten together.
 */
export async function tellObjectStore(subject: ObjectStoreSubject) {
  const roles = new Map(Object.entries(subject.projects).map(([role, id]) => [id, `<${role}>`]));
  const normalise = (answer: unknown) =>
    mapTexts(answer, (text) => {
      const role = roles.get(text);
      if (role !== undefined) return role;
      if (/^tollgate[0-9a-f]{32}$/.test(text)) return "<share>";
      if (/^\d{4}-\d\d-\d\dT/.test(text)) return "<instant>";
      return /^https?:/.test(text) ? "<url>" : text.replaceAll(subject.suffix, "<suffix>");
    });
  const transcript = openTranscript({ rows: objectstore, backend: subject.backend, call: subject.client, normalise });
  await tellShares(transcript, subject);
  await tellLists(transcript, subject);
  await tellUrls(transcript, subject);
  await tellDeletion(transcript, subject);
  return transcript.lines.map((line) => mapTexts(line, (text) => text));
}
