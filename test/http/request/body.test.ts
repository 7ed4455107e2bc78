import zlib, { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { systemClock } from "../../../adapters/system.ts";
import type { HttpRequest, RequestBody } from "../../../src/http/message.ts";
import { openReading, readJson, readOptionalJson } from "../../../src/http/request/body.ts";

function read(body: RequestBody | string | Uint8Array, headers: Record<string, string> = {}, limit = 1_000_000) {
  const request: Pick<HttpRequest, "headers" | "read"> = {
    headers: { "content-type": "application/json", ...headers },
    read: async () =>
      typeof body === "string" || body instanceof Uint8Array
        ? { kind: "bytes", bytes: Buffer.from(body as string), encoding: headers["content-encoding"] }
        : body,
  };
  return readJson(request as HttpRequest, openReading(limit, undefined, systemClock));
}

test.each([
  "application/json",
  "application/json; charset=utf-8",
  "Application/JSON;charset=UTF-8",
  "application/vnd.acme.v1+json",
  "application/problem+json ; x=y",
])("%s is JSON", async (type) => {
  expect(await read('{"a":1}', { "content-type": type })).toEqual({ a: 1 });
});

test.each([
  "text/plain",
  "text/json",
  "application/jsonp",
  "application/x-www-form-urlencoded",
  "application/json5",
  "json",
  "",
])("%j is not, and neither is a body without a type", async (type) => {
  await expect(read('{"a":1}', { "content-type": type })).rejects.toMatchObject({ code: "unsupported_media_type" });
});

test("a wrong type is refused before the body is read", async () => {
  const request = { headers: { "content-type": "text/plain" }, read: () => Promise.reject(new Error("was read")) };
  await expect(readJson(request as never, openReading(1, undefined, systemClock))).rejects.toMatchObject({
    code: "unsupported_media_type",
  });
});

test.each([
  ["empty", ""],
  ["not JSON", "{a:1}"],
  ["cut short", '{"a":'],
  ["two values", "{} {}"],
])("a body that is %s is invalid_request", async (_name, text) => {
  await expect(read(text)).rejects.toMatchObject({ code: "invalid_request", status: 400 });
});

test("a byte-order mark ahead of the value is passed over, and only there", async () => {
  expect(await read('\ufeff{"a":"\ufeffb"}')).toEqual({ a: "\ufeffb" });
  await expect(read("{}\ufeff")).rejects.toMatchObject({ code: "invalid_request" });
  await expect(read("\ufeff")).rejects.toMatchObject({ code: "invalid_request" });
});

test("invalid UTF-8 is refused, not repaired", async () => {
  const bytes = Buffer.from('{"a":"\u00e9"}', "latin1");
  await expect(read(bytes)).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("UTF-8"),
  });
});

test.each([
  ["gzip", gzipSync],
  ["GZIP", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["identity", (text: string) => Buffer.from(text)],
])("content-encoding %s is understood", async (encoding, compress) => {
  expect(await read(compress('{"a":"é"}'), { "content-encoding": encoding })).toEqual({ a: "é" });
});

test("content-encoding zstd is understood", async ({ skip }) => {
  if (!("zstdCompressSync" in zlib)) skip("zstd needs Node 22.15");
  expect(await read(zlib.zstdCompressSync('{"a":"é"}'), { "content-encoding": "zstd" })).toEqual({ a: "é" });
});

test.each(["lzma", "gzip, br", "toString", "__proto__"])("content-encoding %s is 415", async (encoding) => {
  await expect(read("{}", { "content-encoding": encoding })).rejects.toMatchObject({
    code: "unsupported_media_type",
    message: `\`content-encoding: ${encoding}\` is not accepted; send \`gzip\`, \`deflate\`, \`br\`, \`zstd\`, or none.`,
  });
});

test("bytes that are not what the encoding says are invalid_request", async () => {
  await expect(read("{}", { "content-encoding": "gzip" })).rejects.toMatchObject({ code: "invalid_request" });
  const cut = gzipSync(JSON.stringify("x".repeat(1_000))).subarray(0, 20);
  await expect(read(cut, { "content-encoding": "gzip" })).rejects.toMatchObject({ code: "invalid_request" });
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("the limit holds after decompression: a %s bomb is request_too_large", async (encoding, compress) => {
  const bomb = compress(JSON.stringify("0".repeat(5_000_000)));
  expect(bomb.length).toBeLessThan(10_000);
  await expect(read(bomb, { "content-encoding": encoding }, 100_000)).rejects.toMatchObject({
    code: "request_too_large",
  });
});

test("nesting is bounded at 1,000 levels, whatever brackets stand inside strings", async () => {
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  await expect(read(nested(1_000))).resolves.toBeDefined();
  await expect(read(nested(1_001))).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("1000"),
  });
  await expect(read(nested(200_000))).rejects.toMatchObject({ code: "invalid_request" });
  await expect(read(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`)).rejects.toMatchObject({
    code: "invalid_request",
  });
  const text = JSON.stringify({ code: `"\\${"[{".repeat(5_000)}` });
  expect(await read(text)).toEqual(JSON.parse(text));
  const wide = JSON.stringify(Array.from({ length: 5_000 }, () => [{}]));
  expect(await read(wide)).toHaveLength(5_000);
  await expect(read(`${"[{".repeat(2_000).slice(0, 900)}"${"[{".repeat(2_000)}\\"`)).rejects.toMatchObject({
    message: expect.stringContaining("not readable JSON"),
  });
});

test("a __proto__ key stays a plain key", async () => {
  const body = (await read('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')) as object;
  expect(Object.hasOwn(body, "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("what an earlier middleware parsed is taken as it is", async () => {
  expect(await read({ kind: "parsed", value: { a: 1 } })).toEqual({ a: 1 });
});

test("a body that may be absent is what an earlier middleware made of it", async () => {
  const request = { headers: {}, read: async () => ({ kind: "parsed", value: { a: 1 } }) };
  expect(await readOptionalJson(request as never, openReading(10, undefined, systemClock))).toEqual({ a: 1 });
});
