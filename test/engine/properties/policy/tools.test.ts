import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { publicNames, serverOf } from "../../../../src/engine/pipeline/tools/tool-names.ts";
import { isMeant } from "../../../../src/engine/policy/tools/pattern.ts";
import type { ToolServer } from "../../../../src/engine/ports/tools/tool-server.ts";
import { createEngine } from "../../../../src/index.ts";
import { scriptedWorld } from "../../../../src/testing/index.ts";
import { callingModel } from "../../../fixtures/mcp/calling-model.ts";

/** Names as servers invent them: usual ones, near-collisions, other scripts, controls, and what looks like a public name. */
const anyTool = fc.oneof(
  fc.constantFrom(
    "read",
    "Read",
    "read_file",
    "a__b",
    "x__read",
    "*",
    "read*",
    "read_file_1a2b3c4d",
    "__proto__",
    "constructor",
  ),
  fc.string({ maxLength: 12, unit: fc.constantFrom("a", "b", "_", "*", "/", ".", " ", "é", "\u0000", "-") }),
  fc.string({ minLength: 60, maxLength: 300, unit: fc.constantFrom("a", "_", "é") }),
);
const anyTools = fc.uniqueArray(anyTool, { maxLength: 12 });
const anyPattern = fc.oneof(
  anyTool.filter((tool) => tool !== "" && tool.length <= 256),
  fc.constantFrom("*", "a*", "*b", "read*", "*_*"),
);
const servers = ["x", "y-1"] as const;

/** A pattern, slowly: every way to spread the name over its parts. */
function isMeantSlowly(pattern: string, name: string): boolean {
  if (pattern === "") return name === "";
  const [first, ...rest] = pattern;
  const left = rest.join("");
  if (first !== "*") return name.startsWith(first ?? "") && isMeantSlowly(left, name.slice((first ?? "").length));
  return Array.from({ length: name.length + 1 }, (_, at) => name.slice(at)).some((tail) => isMeantSlowly(left, tail));
}

/** A server whose list can be changed behind the gateway's back; remembers what it was asked for. */
function fakeServer(first: readonly string[]) {
  let tools = first;
  const called: string[] = [];
  const server: ToolServer = {
    listTools: async () => tools.map((name) => ({ name, inputSchema: { type: "object" } })),
    async callTool({ name }) {
      called.push(name);
      return { content: [] };
    },
    priceOf: () => 0,
    onToolsChanged: () => () => {},
    close: async () => {},
  };
  const isWithin = (may: (server: string, tool: string) => boolean, name: string) =>
    called.every((tool) => may(name, tool));
  return { server, called, isWithin, change: (next: readonly string[]) => (tools = next) };
}

describe("patterns of tools", () => {
  it("mean what their definition says, in linear time", () => {
    const unit = fc.constantFrom("a", "b", "*");
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 7 }),
        fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 7 }),
        (pattern, name) => {
          expect(isMeant(pattern, name)).toBe(isMeantSlowly(pattern, name));
        },
      ),
    );
  });
});

describe("public names", () => {
  it("are unique, of few characters and short enough for every vendor, and the same whatever else is listed", () => {
    fc.assert(
      fc.property(fc.constantFrom(...servers), anyTools, (server, tools) => {
        const names = publicNames(server, tools);
        for (const [name, tool] of names) {
          expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          expect(serverOf(name)).toBe(server);
          expect(publicNames(server, [tool]).has(name) || [...names.values()].length > 1).toBe(true);
        }
        expect(new Set(names.values()).size).toBe(names.size);
        // Order does not matter.
        expect(new Map(publicNames(server, tools.toReversed()))).toEqual(new Map(names));
      }),
    );
  });
});

describe("a key", () => {
  it("never lists or calls a tool outside its patterns, also when a server changes its list between the two", async () => {
    const entry = fc.record({
      server: fc.constantFrom("x", "y-1", "*"),
      allowed_tools: fc.array(anyPattern, { maxLength: 3 }),
      blocked_tools: fc.array(anyPattern, { maxLength: 2 }),
    });
    const configs = fc.uniqueArray(entry, { maxLength: 3, selector: ({ server }) => server });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          own: configs,
          ceiling: fc.option(configs),
          before: anyTools,
          after: anyTools,
          selected: fc.array(fc.constantFrom("*", "x__*", "y-1__*"), { minLength: 1, maxLength: 2 }),
        }),
        async ({ own, ceiling, before, after, selected }) => {
          const [x, y] = [fakeServer(before), fakeServer(before)];
          let names: string[] = [];
          const { provider } = callingModel((turn) =>
            turn === 0 ? { calls: names.map((name) => [name]) } : { text: "done" },
          );
          const engine = createEngine({
            ...scriptedWorld(),
            providers: [provider],
            store: memoryStore(),
            mcp: { servers: { x: x.server, "y-1": y.server } },
          });
          const project = await engine.projects.create({
            name: "p",
            ...(ceiling ? { mcp_configs: ceiling } : {}),
          } as never);
          const { value: key } = await engine.keys.create({
            name: "k",
            project_id: project.id,
            provider_configs: [{ provider: "*", allowed_models: ["*"] }],
            mcp_configs: own,
          } as never);
          const may = (entries: typeof own, server: string, tool: string) => {
            const found = entries.find((each) => each.server === server) ?? entries.find((each) => each.server === "*");
            const meant = (patterns: readonly string[] = []) => patterns.some((pattern) => isMeant(pattern, tool));
            return meant(found?.allowed_tools) && !meant(found?.blocked_tools);
          };
          const mayCall = (server: string, tool: string) =>
            may(own, server, tool) && (!ceiling || may(ceiling, server, tool));
          const { tools: listed } = await engine.mcp.tools({ key });
          for (const { server, tool } of listed) expect(mayCall(server, tool)).toBe(true);
          const all = (await engine.mcp.tools()).tools;
          x.change(after);
          y.change(after);
          names = [...all, ...(await engine.mcp.tools()).tools].map(({ name }) => name);
          for (const name of names) await engine.mcp.call({ name }, { key }).catch(() => {});
          expect(x.isWithin(mayCall, "x") && y.isWithin(mayCall, "y-1")).toBe(true);
          const { tools: found } = await engine.mcp.search({ query: names.join(" "), limit: 100 }, { key });
          for (const { server, tool } of found) expect(mayCall(server, tool)).toBe(true);
          expect(x.isWithin(mayCall, "x") && y.isWithin(mayCall, "y-1")).toBe(true);
          // Neither does a model that asks for every name there is, whatever the run selects.
          const run = { model: "m/caller", messages: [], mcp: selected };
          await engine.runTools(run, { key }).catch(() => {});
          expect(x.isWithin(mayCall, "x") && y.isWithin(mayCall, "y-1")).toBe(true);
          // And nothing of what it may call is refused.
          const callable = listed.filter(({ tool }) => after.includes(tool));
          for (const { name } of callable) await engine.mcp.call({ name }, { key });
          await engine.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
