import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { s3 } from "../../../adapters/clouds/s3/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { GatewayError } from "../../../src/engine/errors.ts";
import { keyPairPlace } from "../../../src/portal/call/sealed-places.ts";
import { callAt } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";

/** Versions that the store holds, as `key@version`. */
let held: string[] = [];
/** Versions that it says it cannot delete, in an answer of status 200. */
let locked: Record<string, string> = {};
/** Until when it keeps a version; a legal hold has no end. */
let retained: Record<string, string> = {};
/** Whether the bucket is another project's, which the store says by refusing to list it. */
let isForeign = false;
/** The markers of each request for a list. */
let markers: string[] = [];
let afterEach: () => void = () => {};

const xml = (body: string) => `<?xml version="1.0" encoding="UTF-8"?>${body}`;

function listPage(query: URLSearchParams): string {
  const [key, version] = [query.get("key-marker"), query.get("version-id-marker")];
  markers.push(`${key ?? ""}@${version ?? ""}`);
  const size = Number(query.get("max-keys"));
  const sorted = held.toSorted();
  const rest = key === null ? sorted : sorted.filter((one) => one > `${key}@${version}`);
  const page = rest.slice(0, size);
  const [lastKey, lastVersion] = (page.at(-1) ?? "").split("@");
  const isCut = rest.length > size;
  const next = isCut
    ? `<NextKeyMarker>${lastKey}</NextKeyMarker><NextVersionIdMarker>${lastVersion}</NextVersionIdMarker>`
    : "";
  const versions = page.map((one, n) => {
    const [Key, VersionId] = one.split("@");
    const tag = n % 2 === 0 ? "Version" : "DeleteMarker";
    return `<${tag}><Key>${Key}</Key><VersionId>${VersionId}</VersionId></${tag}>`;
  });
  return xml(
    `<ListVersionsResult><Name>a-bucket</Name><IsTruncated>${isCut}</IsTruncated>${next}${versions.join("")}</ListVersionsResult>`,
  );
}

function deletePage(body: string): string {
  const asked = [...body.matchAll(/<Key>(.*?)<\/Key>\s*<VersionId>(.*?)<\/VersionId>/g)].map(
    ([, key, version]) => `${key}@${version}`,
  );
  const refused = asked.filter((one) => locked[one] !== undefined);
  held = held.filter((one) => !asked.includes(one) || refused.includes(one));
  afterEach();
  const errors = refused.toReversed().map((one) => {
    // in the order in which its parts happened to answer
    const [key, version] = one.split("@");
    const words = "<Message>forbidden by object lock on osd.7</Message>";
    return `<Error><Key>${key}</Key><VersionId>${version}</VersionId><Code>${locked[one]}</Code>${words}</Error>`;
  });
  return xml(`<DeleteResult>${errors.join("")}</DeleteResult>`);
}

const refusal = (status: number, code: string) => {
  const answer = xml(`<Error><Code>${code}</Code><Message>denied by rgw.host-7</Message></Error>`);
  return { status, answer };
};

function answerOf(url: string, query: URLSearchParams, body: string): { status: number; answer: string } {
  const one = `${url.split("?")[0]?.split("/").at(-1)}@${query.get("versionId")}`;
  const until = retained[one];
  if (query.has("legal-hold")) {
    if (until !== "for ever") return refusal(404, "NoSuchObjectLockConfiguration");
    return { status: 200, answer: xml("<LegalHold><Status>ON</Status></LegalHold>") };
  }
  if (query.has("retention")) {
    if (until === undefined) return refusal(404, "NoSuchObjectLockConfiguration");
    const date = `<RetainUntilDate>${until}</RetainUntilDate>`;
    return { status: 200, answer: xml(`<Retention><Mode>COMPLIANCE</Mode>${date}</Retention>`) };
  }
  if (query.has("versions")) return isForeign ? refusal(403, "AccessDenied") : { status: 200, answer: listPage(query) };
  if (url.split("?")[0] === "/") return { status: 200, answer: ownBuckets };
  return { status: 200, answer: deletePage(body) };
}

/** What a project sees that owns another bucket only. */
const ownBuckets = xml(
  "<ListAllMyBucketsResult><Owner><ID>p1</ID></Owner><Buckets><Bucket><Name>mine</Name></Bucket></Buckets></ListAllMyBucketsResult>",
);

let server: Server;
let url = "";

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://store");
    let body = "";
    for await (const piece of request) body += piece;
    const { status, answer } = answerOf(request.url ?? "", searchParams, body);
    response.writeHead(status, { "content-type": "application/xml", "x-amz-request-id": "tx0-7" }).end(answer);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function deleteAll(pageSize: number) {
  markers = [];
  const { records } = withPortalKinds(memoryStore());
  const call = callAt(records, {});
  const sealed_secret_key = call.secrets.seal("hush-hush", keyPairPlace("p1"));
  const pair = {
    id: "p1",
    created_at: "2026-11-20T00:00:00.000Z",
    reseller: null,
    client_id: null,
    access_key: "AK",
    sealed_secret_key,
  };
  await records.put("keypair", pair, 0);
  const backend = s3({ endpoints: [url], pageSize });
  await backend.deleteVersions?.({ bucket: "a-bucket", project_id: "p1", objectstore_url: url }, call);
}

describe("the deletion of all versions", () => {
  it("goes on behind a key and a version, so that a key may have more versions than a page", async () => {
    held = ["x@1", "x@2", "x@3", "x@4", "x@5", "y@1"];
    locked = {};
    await deleteAll(2);
    expect(held).toEqual([]);
    expect(markers).toEqual(["@", "x@2", "x@4", "@"]);
  });

  it("goes through the bucket again when somebody wrote meanwhile", async () => {
    held = ["a@1", "b@1", "c@1"];
    let isLate = true;
    afterEach = () => {
      if (isLate) held.push("a@2");
      isLate = false;
    };
    await deleteAll(2);
    expect(held).toEqual([]);
  });

  it("says conflict when somebody writes without end", async () => {
    held = ["a@1"];
    let count = 1;
    afterEach = () => held.push(`a@${++count}`);
    await expect(deleteAll(1_000)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/\d+ objects were deleted before/),
    });
    afterEach = () => {};
  });

  it("does not take a 200 for success: it goes to the end, and says what was not deleted and how many were", async () => {
    held = ["a@1", "b@1", "c@1", "d@1", "e@1"];
    locked = { "a@1": "AccessDenied", "d@1": "AccessDenied" };
    const failure = await deleteAll(2).catch((thrown: unknown) => thrown as GatewayError);
    expect(failure).toMatchObject({
      code: "backend_error",
      message:
        "2 objects were not deleted: `a` (the store refused), `d` (the store refused). 3 objects were deleted before.",
      cause: { name: "ReportedFault", message: expect.stringContaining("forbidden by object lock on osd.7") },
    });
    expect(held).toEqual(["a@1", "d@1"]);
  });

  it("is a conflict where what is left is locked, and says until when", async () => {
    held = ["a@1", "b@1", "c@1"];
    locked = { "a@1": "AccessDenied", "c@1": "AccessDenied" };
    retained = { "a@1": "2027-01-01T00:00:00Z", "c@1": "for ever" };
    await expect(deleteAll(2)).rejects.toMatchObject({
      code: "conflict",
      message:
        "2 objects were not deleted: `a` (locked until 2027-01-01T00:00:00.000Z), `c` (held by a legal hold). 1 objects were deleted before.",
    });
    expect(held).toEqual(["a@1", "c@1"]);
  });

  it("names ten of many, and counts the rest", async () => {
    held = Array.from({ length: 25 }, (_, n) => `k${String(n).padStart(2, "0")}@1`);
    locked = Object.fromEntries(held.map((one) => [one, "AccessDenied"]));
    retained = {};
    const failure = await deleteAll(4).catch((thrown: unknown) => thrown as GatewayError);
    expect(failure?.message).toMatch(
      /^25 objects were not deleted: (?:`k\d\d` \(the store refused\), ){10}and 15 more\.$/,
    );
  });

  it("of a bucket of another project is not found, and deletes nothing", async () => {
    held = ["a@1"];
    locked = {};
    isForeign = true;
    const failure = await deleteAll(2).catch((thrown: unknown) => thrown as GatewayError);
    isForeign = false;
    expect(failure).toMatchObject({ code: "not_found", param: "bucket" });
    expect(JSON.stringify(failure)).not.toMatch(/rgw|AccessDenied|tx0/);
    expect(held).toEqual(["a@1"]);
  });
});
