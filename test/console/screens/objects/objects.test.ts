import fc from "fast-check";
import { expect, it } from "vitest";
import { crumbsOf, nameWithin, storeOf } from "../../../../console/src/screens/objects/store.ts";

const bucket = fc.stringMatching(/^[a-z0-9][a-z0-9-]{1,10}$/);
const object_key = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9 _äß%-]{1,8}$/), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join("/"));
const store = fc.constantFrom(
  "https://s3.eu-1.example",
  "http://127.0.0.1:8080/objects/local",
  "https://store.example/a",
);

it("the store of a shared address is what is in front of the bucket and the key, wherever the bucket is named", () => {
  fc.assert(
    fc.property(store, bucket, object_key, (address, name, key) => {
      const path = key.split("/").map(encodeURIComponent).join("/");
      const inPath = `${address}/${name}/${path}?signature=a%2Fb`;
      expect(storeOf({ url: inPath, bucket: name, object_key: key })).toBe(address);
      const { protocol, host, pathname } = new URL(address);
      if (/^\d/.test(host)) return; // an address of numbers has no name in front
      const inHost = `${protocol}//${name}.${host}${pathname.replace(/\/$/, "")}/${path}?signature=c`;
      expect(storeOf({ url: inHost, bucket: name, object_key: key })).toBe(address);
    }),
  );
});

it("an address of something else has no store", () => {
  expect(storeOf({ url: "https://example.com/other", bucket: "b", object_key: "k" })).toBeUndefined();
  expect(storeOf({ url: "no address", bucket: "b", object_key: "k" })).toBeUndefined();
});

it("the folders of a prefix lead to it, and a key is named within its folder", () => {
  fc.assert(
    fc.property(object_key, (key) => {
      const prefix = `${key}/`;
      const crumbs = crumbsOf(prefix);
      expect(crumbs.at(-1)?.prefix).toBe(prefix);
      expect(crumbs.map(({ name }) => name).join("/")).toBe(key);
      expect(nameWithin(`${prefix}x`, prefix)).toBe("x");
    }),
  );
  expect([crumbsOf(""), nameWithin("a/", "a/"), nameWithin("b", "a/")]).toEqual([[], "a/", "b"]);
});
