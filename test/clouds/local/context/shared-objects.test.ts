import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSigned, signObject } from "../../../../adapters/clouds/local/objectstore/signed-url.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { serveObjects } from "../../../../src/server/shared-objects.ts";
import { noon } from "../../../portal/support/rig.ts";
import { withPortalKinds } from "../../../portal-kinds.ts";
import { openLocal } from "../../support/local.ts";

const signingKey = new Uint8Array(32).fill(7);
const endpoint = "http://gateway.test/objects/eu-1";
const shares = fc.record({
  bucket: fc.stringMatching(/^[a-z0-9]{3,10}$/),
  key: fc.string({ minLength: 1, unit: "grapheme" }).filter((key) => key.isWellFormed()),
  expires: fc.integer({ min: 1, max: 4_000_000_000 }),
});

describe("the address of a shared object", () => {
  it("opens that object, whatever its key, before its end and not from it on", () => {
    fc.assert(
      fc.property(shares, (shared) => {
        const address = signObject(shared, endpoint, signingKey).slice(endpoint.length);
        expect(readSigned(address, { signingKey, now: shared.expires * 1000 - 1 })).toEqual(shared);
        expect(readSigned(address, { signingKey, now: shared.expires * 1000 })).toBeUndefined();
      }),
    );
  });

  it("opens nothing with another bucket, key, end or secret", () => {
    fc.assert(
      fc.property(shares, shares, (shared, other) => {
        const { searchParams } = new URL(signObject(shared, endpoint, signingKey));
        const signature = searchParams.get("signature");
        for (const changed of ["bucket", "key", "expires"] as const) {
          if (shared[changed] === other[changed]) continue;
          const wrong = new URL(signObject({ ...shared, [changed]: other[changed] }, endpoint, signingKey));
          wrong.searchParams.set("signature", signature ?? "");
          const address = wrong.href.slice(endpoint.length);
          expect(readSigned(address, { signingKey, now: 0 })).toBeUndefined();
        }
        const address = signObject(shared, endpoint, signingKey).slice(endpoint.length);
        expect(readSigned(address, { signingKey: new Uint8Array(32), now: 0 })).toBeUndefined();
      }),
    );
  });

  it("opens nothing when one character of its signature or its end is another, more or missing", () => {
    const character = fc.constantFrom(..."0123456789abcdefABCDEF.-+ %");
    const edits = fc.record({ place: fc.nat(), character, kind: fc.constantFrom("replace", "insert", "remove") });
    fc.assert(
      fc.property(shares, edits, (shared, { place, character, kind }) => {
        const address = signObject(shared, endpoint, signingKey).slice(endpoint.length);
        const from = address.indexOf("?expires=") + "?expires=".length;
        const at = from + (place % (address.length - from));
        const put = kind === "remove" ? "" : character;
        const changed = address.slice(0, at) + put + address.slice(at + (kind === "insert" ? 0 : 1));
        fc.pre(changed !== address);
        expect(readSigned(changed, { signingKey, now: 0 })).toBeUndefined();
      }),
    );
  });

  it("opens nothing when it is no address at all", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readSigned(text, { signingKey, now: 0 })).toBeUndefined();
      }),
    );
  });
});

describe("shared objects over HTTP", () => {
  it("are served to whoever has the address, as a download, and everything else is the gateway's", async () => {
    const { records } = withPortalKinds(memoryStore());
    const cloud = await openLocal({ records });
    await cloud.objects.makeBucket({ name: "pictures", project_id: "p-1", isVersioned: false });
    await cloud.objects.put("pictures", "a b/\u00e4.txt", Buffer.from("hello"));
    const listener = serveObjects(
      (_request, response) => void response.writeHead(418).end(),
      new Map([["eu-1", cloud]]),
    );
    const server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const key = (await import("../../../../adapters/clouds/local/context.ts")).contextOf({
      ...{ records, region: "eu-1", folder: cloud.folder, secret: "a secret of the suite" },
    }).signingKey;
    const sign = (name: string, seconds: number) =>
      signObject({ bucket: "pictures", key: name, expires: noon / 1000 + seconds }, `${at}/objects/eu-1`, key);
    const good = await fetch(sign("a b/\u00e4.txt", 60));
    expect([good.status, await good.text()]).toEqual([200, "hello"]);
    expect(good.headers.get("content-disposition")).toBe("attachment");
    expect(good.headers.get("x-content-type-options")).toBe("nosniff");
    const head = await fetch(sign("a b/\u00e4.txt", 60), { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "5"]);
    const statuses = [
      sign("a b/\u00e4.txt", -60),
      sign("gone", 60),
      `${at}/objects/eu-1/pictures/x`,
      `${at}/v1/models`,
    ];
    expect(await Promise.all(statuses.map(async (url) => (await fetch(url)).status))).toEqual([403, 404, 403, 418]);
    expect((await fetch(sign("a b/\u00e4.txt", 60), { method: "DELETE" })).status).toBe(405);
    server.close();
    await once(server, "close");
  });
});
