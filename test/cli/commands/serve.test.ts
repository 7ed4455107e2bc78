import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type BannerFacts, writeBanner } from "../../../src/server/banner.ts";
import { refuseSelfAddress } from "../../../src/server/network/self-address.ts";
import type { ProviderSource } from "../../../src/server/providers/source.ts";
import { type Listening, startServer } from "../../../src/server/server.ts";

function source(change: Partial<ProviderSource>): ProviderSource {
  const provider = { name: "local", chat: async () => ({}) as never, listModels: async () => [] };
  return {
    name: "local",
    vendor: "local",
    from: "built in",
    address: undefined,
    keyEnd: undefined,
    keys: 0,
    secrets: [],
    provider,
    ...change,
  };
}

describe("the banner", () => {
  const openai = source({
    name: "openai",
    from: "OPENAI_API_KEY",
    address: "https://api.openai.com/v1",
    keyEnd: "wxyz",
  });

  const notMade = { firstKey: undefined, firstToken: undefined };
  const nothingKept = { storeName: undefined, requireKey: false, isGuarded: false, ...notMade };
  const bannerAt = (
    host: string,
    sources: readonly ProviderSource[] = [source({})],
    change: Partial<BannerFacts> = {},
  ) => writeBanner({ host, port: 1, gathered: { sources, file: undefined }, ...nothingKept, ...change });

  it("shows what was found, the address, and a line to paste", () => {
    const gathered = { sources: [openai, source({})], file: "tollgate.config.yaml" };
    expect(writeBanner({ host: "127.0.0.1", port: 8080, gathered, ...nothingKept })).toBe(
      [
        "tollgate has 2 providers (settings from tollgate.config.yaml):",
        "  PROVIDER  FOUND IN        ADDRESS                    KEY    OFFERS",
        "  openai    OPENAI_API_KEY  https://api.openai.com/v1  …wxyz  chat models",
        "  local     built in        -                          -      chat models",
        "",
        "Nothing is kept: no keys, no budgets, no ledger.",
        "",
        "Listening on http://127.0.0.1:8080. Ctrl-C stops.",
        "Try it:",
        `  curl -sS http://127.0.0.1:8080/v1/chat/completions -H 'content-type: application/json' -d '{"model":"local/echo","messages":[{"role":"user","content":"Hello there"}]}'`,
        "",
        "",
      ].join("\n"),
    );
  });

  it("says where the portal is, and whether the service credential is asked for there", () => {
    const portalAt = (isGuarded: boolean) => bannerAt("127.0.0.1", [openai], { storeName: "a.db", isGuarded });
    expect(portalAt(false)).toContain("described at http://127.0.0.1:1/docs. tollgate token create makes a token.\n");
    expect(portalAt(true)).toContain(
      "/docs. Under /api it asks for the service credential, too. tollgate token create",
    );
  });

  it("says how to add a vendor when there is none", () => {
    const banner = bannerAt("127.0.0.1");
    expect(banner).toContain("Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY");
  });

  it("has a line that needs no echo when that is switched off", () => {
    const banner = bannerAt("::1", [openai]);
    expect(banner).toContain("  curl -sS http://[::1]:1/v1/models\n");
  });

  it.each([
    ["0.0.0.0", "every machine that reaches this one can spend", "http://127.0.0.1:1"],
    ["::", "every machine that reaches this one can spend", "http://127.0.0.1:1"],
    ["10.0.0.5", "everybody who reaches 10.0.0.5 can spend", "http://10.0.0.5:1"],
  ])("warns where others can reach it: %s", (host, warning, address) => {
    const banner = bannerAt(host);
    expect(banner).toContain(`WARNING: inference is open without a key: ${warning}`);
    expect(banner).toContain(`curl -sS ${address}/v1`);
  });

  it("shows the first key once, and puts it into the line to paste", () => {
    const kept = {
      storeName: "tollgate.db",
      requireKey: true,
      firstKey: { kind: "shown" as const, value: "sk-tg-first" },
    };
    const banner = bannerAt("0.0.0.0", [source({})], kept);
    expect(banner).toContain("\nKeys and ledger are in tollgate.db. A first key was made;");
    expect(banner.match(/^ {2}sk-tg-first$/m)).not.toBeNull();
    expect(banner).toContain('/v1/chat/completions -H "authorization: Bearer sk-tg-first" -H');
    expect(banner).not.toContain("WARNING");
  });

  it("knows no key later: its owner has it in a variable", () => {
    const banner = bannerAt("127.0.0.1", [openai], { storeName: "a.db", requireKey: true });
    expect(banner).toContain("Keys and ledger are in a.db. Calls need a key: tollgate key create makes one.\n");
    expect(banner).toContain('curl -sS http://127.0.0.1:1/v1/models -H "authorization: Bearer $TOLLGATE_KEY"\n');
  });

  it("says when calls without a key are answered although there is a store", () => {
    const banner = bannerAt("0.0.0.0", [source({})], { storeName: "a.db" });
    expect(banner).toContain("Keys and ledger are in a.db. Calls without a key are answered, too.\n");
    expect(banner).toContain("WARNING: inference is open without a key");
  });

  it.each(["127.0.0.1", "127.1.2.3", "localhost", "::1"])("does not warn on %s", (host) => {
    const banner = bannerAt(host);
    expect(banner).not.toContain("WARNING");
  });
});

describe("a provider that is this server itself", () => {
  const own = (address: string) => [source({ name: "openai", from: "OPENAI_API_KEY, OPENAI_BASE_URL", address })];

  it.each(["http://127.0.0.1:8080/v1", "http://localhost:8080/v1", "http://[::1]:8080"])(
    "is refused: %s",
    (address) => {
      expect(() => refuseSelfAddress(own(address), { host: "127.0.0.1", port: 8080 })).toThrow(
        /openai .*it would call itself endlessly/,
      );
    },
  );

  it.each(["http://127.0.0.1:8081/v1", "https://api.openai.com/v1", "http://10.0.0.1:8080"])("is not %s", (address) => {
    expect(() => refuseSelfAddress(own(address), { host: "127.0.0.1", port: 8080 })).not.toThrow();
  });
});

describe("a place to listen", () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  it("that is taken is refused with what to do", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    closers.push(() => other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const starting = startServer(() => {}, { host: "127.0.0.1", port });
    await expect(starting).rejects.toMatchObject({
      code: "invalid_configuration",
      message: `Port ${port} on 127.0.0.1 is taken. Choose another one, --port ${port < 65_535 ? port + 1 : port - 1}, or any free one, --port 0.`,
    });
  });

  it("that is not of this machine is refused", async () => {
    const starting = startServer(() => {}, { host: "203.0.113.1", port: 0 });
    await expect(starting).rejects.toMatchObject({
      message: expect.stringContaining("203.0.113.1 is no address of this machine"),
    });
  });

  async function startAnswering(release: Promise<unknown>): Promise<Listening> {
    const server = await startServer(
      (_request, response) => {
        response.write("begun ");
        release.then(() => response.end("done"));
      },
      { host: "127.0.0.1", port: 0 },
    );
    closers.push(() => server.close(0));
    return server;
  }

  it("lets answers under way be written before it closes, though their connections are kept alive", async () => {
    const gate = Promise.withResolvers<void>();
    const server = await startAnswering(gate.promise);
    const response = await fetch(`http://127.0.0.1:${server.port}/`);
    const closed = server.close(60_000);
    gate.resolve();
    expect(await response.text()).toBe("begun done");
    await closed;
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
  });

  it("cuts off what is not written within the grace", async () => {
    const server = await startAnswering(new Promise(() => {}));
    const response = await fetch(`http://127.0.0.1:${server.port}/`);
    await server.close(0);
    await expect(response.text()).rejects.toThrow();
  });
});
