import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { s3 } from "../../../adapters/clouds/s3/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { systemClock } from "../../../adapters/system.ts";
import type { Records } from "../../../src/engine/ports/records.ts";
import { keyPairPlace } from "../../../src/portal/call/sealed-places.ts";
import { createLeases } from "../../../src/portal/locks/lease.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { callAt } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";

/** The policy that the store holds. */
let policy = "";
/** What becomes of the next writes of the policy: it is written either way. */
let behaviour: ("answers" | "is silent")[] = [];
let silent: (() => void) | undefined;

const xml = { "content-type": "application/xml" };
const owned =
  "<ListAllMyBucketsResult><Owner><ID>p1</ID></Owner><Buckets><Bucket><Name>a-bucket</Name></Bucket></Buckets></ListAllMyBucketsResult>";

function servePolicy(method: string | undefined, body: string, response: ServerResponse): void {
  if (method === "GET" && policy === "") {
    response.writeHead(404, xml).end("<Error><Code>NoSuchBucketPolicy</Code></Error>");
  } else if (method === "GET") {
    response.writeHead(200, { "content-type": "application/json" }).end(policy);
  } else {
    policy = method === "PUT" ? body : "";
    if (behaviour.shift() !== "is silent") response.writeHead(204).end();
    else silent?.();
  }
}

let server: Server;
let url = "";

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    if (request.url?.includes("policy")) servePolicy(request.method, body, response);
    else response.writeHead(200, xml).end(owned);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  policy = "";
  behaviour = [];
  silent = undefined;
});

async function open() {
  const { records } = withPortalKinds(memoryStore());
  const call = callAt(records, {});
  const placed = { created_at: "2026-11-20T00:00:00.000Z", reseller: null, client_id: null };
  const sealed_secret_key = call.secrets.seal("hush-hush", keyPairPlace("p1"));
  await records.put("keypair", { id: "p1", ...placed, access_key: "AK", sealed_secret_key }, 0);
  const clock = fakeClock();
  const backend = s3({ endpoints: [url], clock, timeout: 10_000 });
  const share = (by = call, project_id = "p2") =>
    Promise.resolve(backend.shareBucket?.({ bucket: "a-bucket", project_id, objectstore_url: url }, by));
  return { records, call, clock, share };
}

describe("shares of one bucket at the same time", () => {
  it("all stand in its policy: none writes over what another has written meanwhile", async () => {
    const { share } = await open();
    const projects = ["p2", "p3", "p4", "p5"];
    await Promise.all(projects.map((id) => share(undefined, id)));
    for (const id of projects) expect(policy).toContain(`arn:aws:iam::${id}:root`);
  });

  it("all stand in its policy too when each is asked of another gateway", async () => {
    const { share, records } = await open();
    const projects = ["p2", "p3", "p4", "p5"];
    const gateway = () => callAt(records, {}, { withLease: createLeases({ records, clock: systemClock }) });
    await Promise.all(projects.map((id) => share(gateway(), id)));
    for (const id of projects) expect(policy).toContain(`arn:aws:iam::${id}:root`);
    expect(await records.count("turn")).toBe(0);
  });

  it("wait for one that gets no answer no longer than their own deadline, and are not made afterwards", async () => {
    const { clock, share, records } = await open();
    behaviour = ["is silent", "answers", "answers"];
    const written = new Promise<void>((resolve) => {
      silent = resolve;
    });
    const failing = [share(undefined, "p2"), share(undefined, "p3")].map((one) =>
      one.catch((thrown: unknown) => thrown),
    );
    await written;
    await clock.advance(10_000);
    for (const one of await Promise.all(failing)) expect(one).toMatchObject({ code: "backend_timeout" });
    expect(policy).toBe("");
    expect((await records.list("shared_bucket", { limit: 10 })).records).toEqual([]);
  });
});

describe("a share that fails half-way", () => {
  it("whose answer is lost is taken back", async () => {
    const { clock, share, records } = await open();
    behaviour = ["is silent", "answers"];
    const written = new Promise<void>((resolve) => {
      silent = resolve;
    });
    const failing = share().catch((thrown: unknown) => thrown);
    await written;
    expect(policy).toContain("arn:aws:iam::p2:root");
    await clock.advance(10_000);
    expect(await failing).toMatchObject({ code: "backend_timeout" });
    expect(policy).toBe("");
    expect((await records.list("shared_bucket", { limit: 10 })).records).toEqual([]);
  });

  it("whose caller has hung up is taken back all the same", async () => {
    const { call, share } = await open();
    const hangup = new AbortController();
    behaviour = ["is silent", "answers"];
    silent = () => hangup.abort();
    await expect(share({ ...call, signal: hangup.signal })).rejects.toMatchObject({ code: "request_cancelled" });
    expect(policy).toBe("");
  });

  it("whose record cannot be kept is taken back", async () => {
    const { call, share, records } = await open();
    const broken: Records = { ...records, put: () => Promise.reject(new Error("the disk is full")) };
    await expect(share({ ...call, records: broken })).rejects.toThrow("the disk is full");
    expect(policy).toBe("");
  });

  it("and cannot be taken back either, says what is left", async () => {
    const { clock, share } = await open();
    behaviour = ["is silent", "is silent"];
    const silences: (() => void)[] = [];
    const next = () => new Promise<void>((resolve) => silences.push(resolve));
    const [first, second] = [next(), next()];
    silent = () => silences.shift()?.();
    const failing = share().catch((thrown: unknown) => thrown);
    await first;
    await clock.advance(10_000);
    await second;
    await clock.advance(10_000);
    expect(await failing).toMatchObject({
      code: "backend_timeout",
      message: expect.stringMatching(
        /The policy of the bucket `a-bucket` may hold the statement tollgate[0-9a-f]{32} still/,
      ),
    });
  });

  it("because somebody was faster leaves the other's share as it is", async () => {
    const { call, share, records } = await open();
    await share();
    const before = policy;
    const late: Records = {
      ...records,
      get: async (kind, id) => (kind === "shared_bucket" ? undefined : records.get(kind, id)),
    };
    await expect(share({ ...call, records: late })).rejects.toMatchObject({ code: "conflict" });
    expect(policy).toBe(before);
  });
});

describe("a key pair that cannot be opened any more", () => {
  it("does not hide the bucket of another one; where there is no other, what is wrong is told", async () => {
    const { records, share } = await open();
    const p0 = { id: "p0", created_at: "2026-11-19T00:00:00.000Z", reseller: null, client_id: null };
    await records.put("keypair", { ...p0, access_key: "AK-0", sealed_secret_key: "v1.of another secret" }, 0);
    await share();
    expect(policy).toContain("arn:aws:iam::p2:root");
    await records.remove("keypair", "p1");
    await expect(share()).rejects.toMatchObject({ code: "invalid_configuration", param: "secret" });
  });
});
