import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemOfStore, readAddress, secretsInAddresses } from "../../../../src/server/config/address.ts";
import { problemOfRedis, readRedisAddress } from "../../../../src/server/config/redis-address.ts";
import { readSecrets } from "../../../../src/server/portal/secret.ts";

const unreadable = /^is no address that can be read; in a password `@`/;

describe("the choice of a store", () => {
  it.each([
    "tollgate.db",
    "/var/lib/a b.db",
    "postgres://localhost/gateway",
    "postgresql://me:secret@db:5433/gateway?sslmode=verify-full&schema=one",
    "postgres://db/gateway?pool=500&statement_timeout=30000",
    "POSTGRES://db/gateway",
    "postgres:///gateway?host=/run/postgresql",
    "postgres://me@/gateway?host=/run/postgresql",
  ])("may be %s", (choice) => {
    expect(problemOfStore(choice)).toBeUndefined();
  });

  it.each([
    ["mysql://localhost/x", /must be a file, or an address that begins with `postgres:\/\/`/],
    ["https://localhost/x", /must be a file, or an address/],
    ["postgres://me:a#b@db/x", unreadable],
    ["postgres://me:50%@db/x", unreadable],
    ["postgres://db:notaport/x", unreadable],
    ["postgres://db/x?pool=1", /has a `pool` that is no whole number from 2 to 500/],
    ["postgres://db/x?pool=many", /has a `pool` that is no whole number from 2 to 500/],
    ["postgres://db/x?pool=", /has a `pool` that is no whole number from 2 to 500/],
    [
      "postgres://db/x?sslmode=banana",
      /has an `sslmode` that is none of disable, prefer, require, verify-ca, verify-full, no-verify/,
    ],
  ])("is not %s", (choice, problem) => {
    expect(problemOfStore(choice)).toMatch(problem);
  });
});

describe("the address of a Redis server", () => {
  it.each([
    "redis://localhost",
    "redis://localhost:6379/",
    "rediss://:secret@cache:6380/12",
    "redis+sentinel://one,two:26380,[::1]:26381/mymaster",
    "rediss+sentinel://me:sec%2Cret@one/mymaster/3?sentinelPassword=other",
    "redis+cluster://one,two:6380",
    "rediss+cluster://me:secret@one:6379,two/0",
  ])("may be %s", (address) => {
    expect(problemOfRedis(address)).toBeUndefined();
  });

  it.each([
    ["localhost:6379", /must be an address that begins with `redis:\/\/`/],
    ["redis://", /must be an address/],
    ["http://localhost", /must be an address/],
    ["redis://:a#b@localhost", unreadable],
    ["redis://localhost/cache", /must end with the number of a database/],
    ["redis+proxy://localhost", /must be an address that begins with `redis:\/\/`/],
    ["redis://one,two", /names several hosts/],
    ["redis+sentinel://one,two", /must end with the name that the sentinels know the primary by/],
    ["redis+sentinel://one/mymaster/cache", /must end with the name that the sentinels/],
    ["redis+sentinel://one,two:port/mymaster", /has a host or a port that is none/],
    ["redis+cluster://one,,two", /has a host or a port that is none/],
    ["redis+cluster://one,two:70000", /has a host or a port that is none/],
    ["redis+cluster://one/1", /names a database, of which a cluster has only 0/],
  ])("is not %s", (address, problem) => {
    expect(problemOfRedis(address)).toMatch(problem);
  });
});

describe("an address of several Redis servers", () => {
  it("names sentinels, the primary, a database and two logins", () => {
    expect(readRedisAddress("rediss+sentinel://me:a%2Cb@one,[::1]:1/main/3?sentinelPassword=other")).toEqual({
      kind: "sentinel",
      nodes: [
        { host: "one", port: 26_379 },
        { host: "::1", port: 1 },
      ],
      primary: "main",
      database: 3,
      isTls: true,
      username: "me",
      password: "a,b",
      sentinelPassword: "other",
    });
  });

  it("names nodes of a cluster", () => {
    const { kind, nodes, database } = readRedisAddress("redis+cluster://one,two:7000");
    expect({ kind, nodes, database }).toEqual({
      kind: "cluster",
      nodes: [
        { host: "one", port: 6_379 },
        { host: "two", port: 7_000 },
      ],
      database: 0,
    });
  });

  it("keeps the password of sentinels out of what is shown", () => {
    const address = "redis+sentinel://:first-secret@one,two/main?sentinelPassword=second-secret";
    expect(secretsInAddresses([address])).toEqual(["first-secret", "second-secret"]);
    expect(readAddress(address).shown).toBe("redis+sentinel://one,two/main");
  });
});

describe("an address is shown", () => {
  it.each([
    ["postgres://me:secret@db:5433/gateway?sslmode=require", "postgres://me@db:5433/gateway"],
    ["postgres://db/gateway?password=secret", "postgres://db/gateway"],
    ["postgres://db/gateway?sslmode=disable&schema=one&password=secret", "postgres://db/gateway?schema=one"],
    ["postgres://me@/gateway?host=/run/postgresql", "postgres://me@/gateway"],
    ["redis://:secret@cache:6380/1", "redis://cache:6380/1"],
    [
      "redis+sentinel://me:se,cret@one,two:26380/main/1?sentinelPassword=more",
      "redis+sentinel://me@one,two:26380/main/1",
    ],
  ])("%s as %s", (address, shown) => {
    expect(readAddress(address).shown).toBe(shown);
  });

  it("without its password, which is known as it is written and as it is meant", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, maxLength: 20, unit: "grapheme-ascii" }), (password) => {
        const written = encodeURIComponent(password);
        for (const address of [`postgres://me:${written}@db/x`, `redis://h/?password=${written}`]) {
          expect(secretsInAddresses([address, false, undefined, "tollgate.db"])).toContain(password);
          expect(readAddress(address).shown).not.toContain(`:${written}`);
        }
        expect(secretsInAddresses([`postgres://me:${written}@db/x`])).toContain(new URL(`x://:${written}@h`).password);
      }),
    );
  });
});

describe("a store in a database", () => {
  it("needs the secret as a variable, since it has no file that all its gateways could read", () => {
    const read = (env: Record<string, string>) => () => readSecrets({ env, folder: "/nowhere" }, undefined);
    expect(read({})).toThrow(/encrypted under TOLLGATE_SECRET, which is not set/);
    expect(read({ TOLLGATE_SECRET: "short" })).toThrow(/TOLLGATE_SECRET is too short/);
    expect(read({ TOLLGATE_SECRET: "long enough for a secret" })().secret).toBe("long enough for a secret");
  });
});
