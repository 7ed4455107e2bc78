import { expect, test } from "vitest";
import { readCredentials } from "../../../src/http/credentials.ts";

const read = (headers: Record<string, string | string[]>) => readCredentials(headers, "sk-tg-");
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;

test("the first hit wins: x-tg-key, bearer, x-api-key, x-goog-api-key, api-key", () => {
  const all = {
    "x-tg-key": "sk-tg-1",
    authorization: "Bearer sk-tg-2",
    "x-api-key": "sk-tg-3",
    "x-goog-api-key": "sk-tg-4",
    "api-key": "sk-tg-5",
  };
  const names = Object.keys(all);
  for (const [position] of names.entries()) {
    const left = Object.fromEntries(Object.entries(all).slice(position));
    expect(read(left).virtualKey).toBe(`sk-tg-${position + 1}`);
  }
});

test("x-tg-key counts whatever it looks like; the others only with the prefix, in any case", () => {
  expect(read({ "x-tg-key": "anything" }).virtualKey).toBe("anything");
  expect(read({ "x-api-key": "SK-TG-abc" }).virtualKey).toBe("SK-TG-abc");
  for (const name of ["x-api-key", "x-goog-api-key", "api-key"]) {
    expect(read({ [name]: "sk-other-abc" }).virtualKey).toBeUndefined();
  }
  expect(read({ authorization: "Bearer sk-other", "x-api-key": "sk-tg-1" }).virtualKey).toBe("sk-tg-1");
});

test("the prefix is configurable", () => {
  expect(readCredentials({ "x-api-key": "Acme-1" }, "acme-").virtualKey).toBe("Acme-1");
  expect(readCredentials({ "x-api-key": "sk-tg-1" }, "acme-").virtualKey).toBeUndefined();
});

test("the case of the scheme does not matter, space around the token neither", () => {
  expect(read({ authorization: "bEARER   sk-tg-1 " }).virtualKey).toBe("sk-tg-1");
});

test("an empty header is no credential", () => {
  expect(read({ "x-tg-key": "", authorization: "Bearer ", "x-api-key": "" })).toEqual({});
});

test("basic, and a bearer that is no virtual key, are the service credential", () => {
  expect(read({ authorization: basic("ann:a:b") }).service).toEqual({ scheme: "basic", user: "ann", password: "a:b" });
  expect(read({ authorization: "Bearer s3cret" }).service).toEqual({ scheme: "bearer", token: "s3cret" });
  expect(read({ authorization: "Bearer sk-tg-1" }).service).toBeUndefined();
  expect(read({ authorization: basic("no colon") }).service).toBeUndefined();
  expect(read({ authorization: "Digest x" })).toEqual({});
});

test("the two layers are independent", () => {
  expect(read({ authorization: basic("ann:pw"), "x-api-key": "sk-tg-1" })).toEqual({
    virtualKey: "sk-tg-1",
    service: { scheme: "basic", user: "ann", password: "pw" },
  });
});

test("of a repeated header the first counts", () => {
  expect(read({ "x-tg-key": ["sk-tg-1", "sk-tg-2"] }).virtualKey).toBe("sk-tg-1");
});
