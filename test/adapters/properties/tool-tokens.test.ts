import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { createEngine } from "../../../src/index.ts";
import { scriptedWorld } from "../../../src/testing/index.ts";
import { memoryServers } from "../../fixtures/mcp/memory-server.ts";

const header = "x-user-token";
const anyToken = fc.string({
  minLength: 12,
  maxLength: 40,
  unit: fc.constantFrom("a", "B", "7", "-", ".", "_", "~", "+", "/"),
});

async function open() {
  const { transport, seen } = memoryServers();
  const engine = createEngine({
    ...scriptedWorld(),
    providers: [{ name: "a" }],
    store: memoryStore(),
    transport,
    circuit: { consecutive: 1_000, share: 1 }, // servers that fail are asked all the same
    mcp: {
      servers: {
        own: { url: "http://own.test/mcp", userToken: { header } },
        also: { url: "http://also.test/mcp", userToken: { header: "x-other-token" } },
        shared: { url: "http://shared.test/mcp", headers: { authorization: "Bearer of-the-gateway" } },
      },
    },
  });
  const { value: key } = await engine.keys.create({
    name: "k",
    mcp_configs: [{ server: "*", allowed_tools: ["*"], log_content: true }],
  } as never);
  return { engine, key, seen };
}

describe("the tokens of callers", () => {
  it("go to their own server in their caller's calls alone, over a session of their own, and into no ledger", async () => {
    const call = fc.record({
      user: fc.nat({ max: 4 }),
      server: fc.constantFrom("own", "also", "shared"),
      fails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyToken, { minLength: 5, maxLength: 5 }),
        fc.array(fc.array(call, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
        async (names, batches) => {
          const tokens = names.map((name, at) => `${name}${at}`); // none is a part of another
          const { engine, key, seen } = await open();
          const said: unknown[] = [];
          for (const batch of batches) {
            await Promise.all(
              batch.map(async ({ user, server, fails }) => {
                const mine = { own: `${tokens[user]}`, also: `other-${tokens[user]}` };
                const request = { name: `${server}__whoami`, arguments: { fails } };
                const answer = await engine.mcp.call(request, { key, toolTokens: mine }).catch((thrown) => thrown);
                if (fails) {
                  said.push(String(answer.message), answer.upstream);
                  return;
                }
                const expected = server === "shared" ? "of-the-gateway" : mine[server as "own" | "also"];
                const who = `Bearer ${expected} in the session of Bearer ${expected}`;
                expect(answer.content).toEqual([{ type: "text", text: who }]);
              }),
            );
          }
          for (const { url, authorization } of seen) {
            const isOfUser = (prefix: string) => tokens.some((token) => authorization === `Bearer ${prefix}${token}`);
            if (url.startsWith("http://own.")) expect(isOfUser("")).toBe(true);
            else if (url.startsWith("http://also.")) expect(isOfUser("other-")).toBe(true);
            else expect(authorization).toBe("Bearer of-the-gateway");
          }
          const stored = JSON.stringify([said, await engine.usage.entries({ limit: 100 })]);
          for (const token of tokens) expect(stored.includes(token)).toBe(false);
          await engine.close({ graceMs: 0 });
        },
      ),
      { numRuns: 40 },
    );
  });

  it("are needed: without one the call is refused and says which header, and nothing is sent", async () => {
    const { engine, key, seen } = await open();
    onTestFinished(() => engine.close({ graceMs: 0 }));
    const call = (toolTokens?: Record<string, string>) =>
      engine.mcp.call({ name: "own__whoami" }, { key, ...(toolTokens ? { toolTokens } : {}) });
    await expect(call()).rejects.toMatchObject({ code: "invalid_request", param: header });
    await expect(call({ also: "another-servers" })).rejects.toMatchObject({ code: "invalid_request", param: header });
    await expect(call({ own: "two words" })).rejects.toMatchObject({ code: "invalid_request", param: header });
    await expect(call({ own: key })).rejects.toMatchObject({ code: "invalid_request", param: "toolTokens" });
    const { unavailable } = await engine.mcp.tools({ key });
    expect(unavailable.map(({ server, message }) => [server, message.includes("`x-")])).toEqual([
      ["own", true],
      ["also", true],
    ]);
    expect(seen.every(({ url }) => url.startsWith("http://shared."))).toBe(true);
  });

  it("have at most 64 sessions with a server; the one that was idle longest gives way", async () => {
    const { engine, key, seen } = await open();
    onTestFinished(() => engine.close({ graceMs: 0 }));
    const sessions = () => seen.filter(({ method }) => method === "initialize").length;
    const ask = (user: number) =>
      engine.mcp.call({ name: "own__whoami" }, { key, toolTokens: { own: `token-${user}` } });
    for (let user = 0; user < 64; user++) await ask(user);
    await ask(0);
    expect(sessions()).toBe(64);
    await ask(64); // in place of 1
    await ask(0);
    expect(sessions()).toBe(65);
    await ask(1);
    expect(sessions()).toBe(66);
  });
});
