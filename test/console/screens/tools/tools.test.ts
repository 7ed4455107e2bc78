import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  areToolsValid,
  readTools,
  toolsInWords,
  withLimits,
} from "../../../../console/src/screens/keys/tool-patterns.ts";
import { changesOf, type Tool } from "../../../../console/src/screens/tools/tool.ts";

describe("the tools of a key as a form has them", () => {
  it("are a line for each pattern, blocked ones behind a mark", () => {
    const typed = "github/read_*, github/create_issue\n!github/read_secret\n*/ping";
    expect(readTools(typed)).toEqual([
      { server: "github", allowed_tools: ["read_*", "create_issue"], blocked_tools: ["read_secret"] },
      { server: "*", allowed_tools: ["ping"], blocked_tools: [] },
    ]);
  });

  it("are refused where a line names no server or no tool", () => {
    expect(["", "a/b", "!a/b", "*/*", "a/b/c"].map(areToolsValid)).toEqual([true, true, true, true, true]);
    expect(["a", "/b", "a/", "A/b", "a__b/c", "a/b c"].map(areToolsValid)).toEqual(Array(6).fill(false));
  });

  it("keep what the form does not show", () => {
    const limits = { budgets: [{ max_limit: 1 }], allowed_resources: ["*"] };
    const before = [{ server: "a", allowed_tools: ["x"], blocked_tools: [], ...limits }];
    expect(readTools("a/y", before)).toEqual([{ server: "a", allowed_tools: ["y"], blocked_tools: [], ...limits }]);
    expect(withLimits(readTools("b/y"))).toMatchObject([{ server: "b", budgets: [], rate_limits: [] }]);
  });

  it("are the same after they were shown and read again", () => {
    const patterns = fc.uniqueArray(fc.stringMatching(/^[a-z_*]{1,8}$/), { maxLength: 3 });
    const entry = fc.record({
      server: fc.stringMatching(/^[a-z]{1,4}$/),
      allowed_tools: patterns,
      blocked_tools: patterns,
    });
    const entries = fc
      .uniqueArray(entry, { selector: ({ server }) => server })
      .map((all) => all.filter(({ allowed_tools, blocked_tools }) => allowed_tools.length + blocked_tools.length > 0));
    fc.assert(
      fc.property(entries, (all) => {
        expect(readTools(toolsInWords(all))).toEqual(all);
      }),
    );
  });
});

describe("what changed of a tool", () => {
  const tool: Tool = { name: "a__b", server: "a", tool: "b", description: "New.", input_schema: { b: 1, a: 2 } };

  it("is each field that differs, whatever the order of its parts", () => {
    const approved = { description: "Old.", input_schema: { a: 2, b: 1 }, title: "Gone" };
    expect(changesOf({ ...tool, approval: "changed", approved })).toEqual([
      { field: "title", before: "Gone", after: "" },
      { field: "description", before: "Old.", after: "New." },
    ]);
  });

  it("is not known where what was approved is not", () => {
    expect(changesOf({ ...tool, approval: "changed" })).toBeUndefined();
  });
});
