import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { s3 } from "../../../adapters/clouds/s3/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { keyPairPlace } from "../../../src/portal/call/sealed-places.ts";
import { callAt, noon } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";

const owned =
  "<ListAllMyBucketsResult><Owner><ID>p1</ID></Owner><Buckets><Bucket><Name>a-bucket</Name></Bucket></Buckets></ListAllMyBucketsResult>";

async function open() {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/xml" }).end(owned);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { records } = withPortalKinds(memoryStore());
  const call = callAt(records, {});
  const placed = { created_at: "2026-11-20T00:00:00.000Z", reseller: null, client_id: null };
  const sealed_secret_key = call.secrets.seal("hush-hush", keyPairPlace("p1"));
  await records.put("keypair", { id: "p1", ...placed, access_key: "AK", sealed_secret_key }, 0);
  return { backend: s3({ endpoints: [url] }), call, url };
}

it.each([
  [90, 90],
  ["2026-11-20T13:00:00Z", 3_600],
  [3_000_000, 604_800],
])(
  "an object that is shared for %s has an address that is good for %d s, the same each time",
  async (expire, seconds) => {
    const { backend, call, url } = await open();
    await backend.shareUrl?.({ bucket: "a-bucket", key: "a key", expire, url }, call);
    const told = await backend.sharedUrl?.({ bucket: "a-bucket", key: "a key" }, call);
    expect(Date.parse(String(told?.expire_date))).toBe(noon + seconds * 1000);
    const address = new URL(String(told?.url));
    expect(address.searchParams.get("X-Amz-Expires")).toBe(String(seconds));
    expect(address.searchParams.get("X-Amz-Date")).toBe("20261120T120000Z");
    expect(address.href).not.toContain("hush");
    expect((await backend.sharedUrl?.({ bucket: "a-bucket", key: "a key" }, call))?.url).toBe(told?.url);
  },
);
