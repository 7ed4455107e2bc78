import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { s3 } from "../../../../../adapters/backends/s3/index.ts";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import { keyPairPlace } from "../../../../../src/portal/call/sealed-places.ts";
import { callAt } from "../../../portal/rig.ts";

/** Versions that the store holds, as `key@version`. */
let held: string[] = [];
/** Versions that it says it cannot delete, in an answer of status 200. */
let locked: Record<string, string> = {};
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
  const errors = refused.map((one) => `<Error><Key>${one}</Key><Code>${locked[one]}</Code><Message></Message></Error>`);
  return xml(`<DeleteResult>${errors.join("")}</DeleteResult>`);
}

let server: Server;
let url = "";

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://store");
    let body = "";
    for await (const piece of request) body += piece;
    const answer = searchParams.has("versions") ? listPage(searchParams) : deletePage(body);
    response.writeHead(200, { "content-type": "application/xml" }).end(answer);
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
  const { records } = memoryStore();
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

  it("does not take a 200 for success: it says what was not deleted, and how many were before", async () => {
    held = ["a@1", "b@1", "c@1", "d@1"];
    locked = { "c@1": "AccessDenied", "d@1": "AccessDenied" };
    const message = "The object store did not delete 2 of 2 objects: AccessDenied. 2 objects were deleted before.";
    await expect(deleteAll(2)).rejects.toMatchObject({ code: "backend_error", message });
    expect(held).toEqual(["c@1", "d@1"]);
  });
});
