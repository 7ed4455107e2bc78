import { describe, expect, it } from "vitest";
import { addressOf, scopeOf } from "../../../src/server/network/address.ts";

describe("the place to listen at", () => {
  it("is what the command line says, else the configuration, else this machine's port 8080", () => {
    const server = { host: "::1", port: 81 };
    expect(scopeOf({ host: undefined, port: undefined }, {})).toEqual({ host: "127.0.0.1", port: 8080 });
    expect(scopeOf({ host: undefined, port: 0 }, { server })).toEqual({ host: "::1", port: 0 });
    expect(scopeOf({ host: "a", port: undefined }, { server })).toEqual({ host: "a", port: 81 });
  });

  it("may be an IPv6 address in the brackets of a URL", () => {
    expect(scopeOf({ host: "[::1]", port: 1 }, {}).host).toBe("::1");
    expect(scopeOf({ host: undefined, port: 1 }, { server: { host: "[fe80::1]" } }).host).toBe("fe80::1");
    expect(scopeOf({ host: "[localhost]", port: 1 }, {}).host).toBe("[localhost]");
  });

  it.each([
    ["127.0.0.1", "http://127.0.0.1:81"],
    ["0.0.0.0", "http://127.0.0.1:81"],
    ["::", "http://127.0.0.1:81"],
    ["::1", "http://[::1]:81"],
    ["gateway.example", "http://gateway.example:81"],
  ])("%s is reached at %s", (host, address) => {
    expect(addressOf({ host, port: 81 })).toBe(address);
  });

  it.each(["999.1.1.1", "a b", "", "http://localhost"])("is refused by its name when it is %j", (host) => {
    expect(() => addressOf({ host, port: 81 })).toThrow(`Unknown host ${host}. Use --host 127.0.0.1`);
  });
});
