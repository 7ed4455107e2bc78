import { expect, test } from "vitest";
import { readServiceCredential, readVirtualKey } from "../../../src/http/request/credentials.ts";

const read = (headers: Record<string, string | string[]>) => readVirtualKey(headers, "sk-tg-");
const readService = (authorization: string | string[]) => {
  const sent = readServiceCredential({ authorization });
  return sent && [sent.scheme, Buffer.from(sent.secret).toString("utf8")];
};
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
    expect(read(left)).toBe(`sk-tg-${position + 1}`);
  }
});

test("x-tg-key counts whatever it looks like; the others only with the prefix, in any case", () => {
  expect(read({ "x-tg-key": "anything" })).toBe("anything");
  expect(read({ "x-api-key": "SK-TG-abc" })).toBe("SK-TG-abc");
  for (const name of ["x-api-key", "x-goog-api-key", "api-key"]) {
    expect(read({ [name]: "sk-other-abc" })).toBeUndefined();
  }
  expect(read({ authorization: "Bearer sk-other", "x-api-key": "sk-tg-1" })).toBe("sk-tg-1");
});

test("the prefix is configurable", () => {
  expect(readVirtualKey({ "x-api-key": "Acme-1" }, "acme-")).toBe("Acme-1");
  expect(readVirtualKey({ "x-api-key": "sk-tg-1" }, "acme-")).toBeUndefined();
});

test("the case of the scheme does not matter, space around what follows it neither", () => {
  expect(read({ authorization: "bEARER   sk-tg-1 " })).toBe("sk-tg-1");
  expect(readService("bEARER   s3cret ")).toEqual(["bearer", "s3cret"]);
  expect(readService(basic("ann:pw").replace("Basic ", "bASIC   "))).toEqual(["basic", "ann:pw"]);
});

test("an empty header is no credential", () => {
  expect(read({ "x-tg-key": "", authorization: "Bearer ", "x-api-key": "" })).toBeUndefined();
  for (const empty of ["", "Bearer", "Bearer ", "Basic", "Basic "]) expect(readService(empty)).toBeUndefined();
});

test("basic and bearer are the service credential, a pair as it is sent", () => {
  expect(readService(basic("ann:a:b"))).toEqual(["basic", "ann:a:b"]);
  expect(readService("Bearer s3cret")).toEqual(["bearer", "s3cret"]);
  expect(readService("Digest x")).toBeUndefined();
});

test.each(["!", "YTpi!", "YT pi", "YTpi===", "=", "YTpi=YTpi", "a:b"])(
  "basic that is no base64 is none: %s",
  (text) => {
    expect(readService(`Basic ${text}`)).toBeUndefined();
  },
);

test("a basic header is no virtual key, and hides none", () => {
  expect(read({ authorization: basic("sk-tg-1:sk-tg-2") })).toBeUndefined();
  expect(read({ authorization: basic("ann:pw"), "x-api-key": "sk-tg-1" })).toBe("sk-tg-1");
});

test("of a repeated header the first counts", () => {
  expect(read({ "x-tg-key": ["sk-tg-1", "sk-tg-2"] })).toBe("sk-tg-1");
  expect(readService([basic("ann:pw"), "Bearer other"])).toEqual(["basic", "ann:pw"]);
});
