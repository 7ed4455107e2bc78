import { describe, expect, it } from "vitest";
import { problemOfStore, replicaOf } from "../../../../src/server/config/address.ts";

describe("the replica in a database's address", () => {
  it.each([
    ["postgres://me:pw@db1:5432/gateway?schema=x&replica=db2:5433", "postgres://me:pw@db2:5433/gateway?schema=x"],
    ["postgres://me@db1/gateway?replica=db2", "postgres://me@db2/gateway"],
    ["postgres://me@db1/gateway?replica=[::1]:5433&pool=4", "postgres://me@[::1]:5433/gateway?pool=4"],
    ["postgres://me@/gateway?host=/run/a&replica=/run/b", "postgres://me@/gateway?host=%2Frun%2Fb"],
    ["postgres://db1/gateway", undefined],
  ])("of %s", (address, replica) => {
    expect(problemOfStore(address)).toBeUndefined();
    expect(replicaOf(address)).toBe(replica);
  });

  it.each(["", "a b", "postgres://db2", "db2:port", "db2/other", "@db2"])("is refused when it is %j", (replica) => {
    const address = `postgres://db1/gateway?replica=${encodeURIComponent(replica)}`;
    expect(problemOfStore(address)).toContain("has a `replica` that is no host");
  });
});
