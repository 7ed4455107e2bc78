import { randomBytes } from "node:crypto";
import { request as send } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { chooseCoding, hasTag } from "../../../../src/http/encoding/coding.ts";
import { createEngine, createListener } from "../../../../src/index.ts";
import { createPortal } from "../../../../src/portal/index.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { officePrices, providerOf } from "../../../portal/support/areas/ai/office.ts";
import { serve } from "../../support/server.ts";

const clock = fakeClock({ startAt: Date.UTC(2026, 10, 26) });
const store = memoryStore();
const engine = createEngine({ providers: [providerOf("one")], store, clock, prices: officePrices() });
const portal = createPortal({ engine, store, regions: { "eu-1": {} }, clock, entropy: randomBytes });
const token = (await portal.startFirst())?.token ?? "";
const server = await serve(createListener({ engine, portal }));
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await engine.close();
});

interface Raw {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** Asks as the bytes lie on the wire: nothing is unpacked. */
function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const options = { method, headers: { "auth-token": token, region: "eu-1", ...headers } };
    const request = send(server.url + path, options, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () =>
        resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(pieces) }),
      );
    });
    request.on("error", reject);
    request.end();
  });
}

test.each(["/openapi.json", "/api/permissions"])(
  "%s is compressed as the client accepts it, and the same",
  async (path) => {
    const plain = await ask(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const packed = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [coding, unpack] of Object.entries(packed)) {
      const { status, headers, bytes } = await ask(path, { "accept-encoding": `${coding}, identity;q=0.5` });
      expect({ status, coding: headers["content-encoding"] }).toEqual({ status: 200, coding });
      expect(headers["content-length"]).toBe(String(bytes.length));
      expect(headers.vary).toContain("accept-encoding");
      expect(headers.vary).toContain("auth-token");
      expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
      expect(unpack(bytes).equals(plain.bytes)).toBe(true);
      expect(headers.etag).toBe(plain.headers.etag);
    }
  },
);

test("a client that has an answer is told so, until it is another", async () => {
  const { etag = "" } = (await ask("/api/permissions")).headers;
  const again = await ask("/api/permissions", { "if-none-match": `"other", ${etag}`, "accept-encoding": "br" });
  expect(again).toMatchObject({ status: 304, bytes: Buffer.alloc(0), headers: { etag, vary: expect.any(String) } });
  expect(again.headers["content-type"]).toBeUndefined();
  expect((await ask("/api/permissions", { "if-none-match": `${etag}x` })).status).toBe(200);
  expect((await ask("/api/permissions?limit=2")).headers.etag).toBeUndefined(); // small: it is sent
});

test("small answers, failures and secrets go out as they are", async () => {
  const small = await ask("/api/roles", { "accept-encoding": "br" });
  expect(small.headers["content-encoding"]).toBeUndefined();
  const refused = await ask("/api/permissions", { "accept-encoding": "br", "auth-token": "wrong" });
  expect(refused).toMatchObject({ status: 401, headers: { "content-type": "application/json" } });
  expect(refused.headers["content-encoding"]).toBeUndefined();
});

test("the coding is one that the client accepts, and the best of them", () => {
  const coding = fc.constantFrom("br", "gzip", "identity", "*", "deflate", "zstd");
  const weight = fc.constantFrom("", ";q=0", ";q=0.0", "; q=1", ";q=0.3");
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(coding, weight), { selector: ([name]) => name, maxLength: 6 }), (parts) => {
      const accepted = new Map<string, boolean>(parts.map(([name, q]) => [name, !/=0(\.0)?$/.test(q)]));
      const takes = (name: string) => accepted.get(name) ?? accepted.get("*") ?? false;
      const chosen = chooseCoding(parts.map(([name, q]) => name + q).join(", "));
      expect(chosen).toBe(takes("br") ? "br" : takes("gzip") ? "gzip" : "identity");
    }),
  );
  expect(chooseCoding()).toBe("identity");
  expect([hasTag('W/"a"', '"a"'), hasTag("*", '"a"'), hasTag('"b"', '"a"'), hasTag(undefined, '"a"')]).toEqual([
    ...[true, true, false, false],
  ]);
});
