import { describe, expect, test } from "vitest";
import { readRequest } from "../../../../../src/http/dialects/anthropic/request.ts";

const read = (body: object) => readRequest({ model: "a/m", max_tokens: 100, messages: [], ...body });

describe("a block that may be marked for the cache", () => {
  const mark = { type: "ephemeral", ttl: "1h" };
  const text = { type: "text", text: "a" };
  const source = { type: "text", data: "a" };
  const result = { type: "tool_result", tool_use_id: "t" };
  const blocks: [string, object][] = [
    ["text", text],
    ["image", { type: "image", source: { type: "url", url: "https://a.example/b.png" } }],
    ["document", { type: "document", source }],
    ["search_result", { type: "search_result", source: "s", title: "t", content: [text] }],
    ["tool_result", result],
  ];
  const userOf = (block: object) => ({ messages: [{ role: "user", content: [block] }] });
  test.each(blocks)("of type %s takes a mark, and refuses what is none", (_type, block) => {
    expect(read(userOf({ ...block, cache_control: mark })).notes.warnings.join()).not.toContain("cache_control");
    expect(() => read(userOf({ ...block, cache_control: { type: 5 } }))).toThrow(/cache_control/);
  });

  test("is refused without what it is made of", () => {
    for (const incomplete of [{ type: "text" }, { type: "text", data: 5 }])
      expect(() => read(userOf({ type: "document", source: incomplete }))).toThrow(/source.*data/);
  });
});
