import { describe, expect, it } from "vitest";
import { codeOf, open, request } from "../../../support/run-world.ts";

describe("a streamed run", () => {
  const textOf = async (
    chunks: AsyncIterable<{ choices: readonly { delta: { content?: string | null | undefined } }[] }>,
  ) => {
    let text = "";
    for await (const { choices } of chunks) text += choices[0]?.delta.content ?? "";
    return text;
  };

  it("is one answer: texts as they come, one end, and what the run did in the last chunk", async () => {
    const { engine, calc, key } = await open([
      { text: "Let me see.", calls: [["calc__add", { a: 2, b: 3 }]] },
      { text: "It is 5." },
    ]);
    const chunks = [];
    const stream = await engine.streamTools({ ...request, stream_options: { include_usage: true } }, { key });
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("Let me see.\n\nIt is 5.");
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
    expect(chunks.some(({ choices }) => choices[0]?.delta.tool_calls)).toBe(false);
    expect(chunks.filter(({ usage }) => usage)).toEqual([chunks.at(-1)]);
    expect(chunks.at(-1)).toMatchObject({
      usage: { total_tokens: 300 },
      extra_fields: { tool_run: { ended: "completed", turns: [{ calls: [{ output: "5" }] }, {}] } },
    });
    expect(calc.called).toEqual(["add"]);
  });

  it("ends with the calls that are the caller's", async () => {
    const { engine, key } = await open([{ text: "Hm.", calls: [["calc__add"]] }]);
    const chunks = [];
    for await (const chunk of await engine.streamTools(request, { key, approve: () => "ask" })) chunks.push(chunk);
    expect(chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])).toMatchObject([{ id: "call_0_0" }]);
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(["tool_calls"]);
    expect(chunks.some(({ usage }) => usage)).toBe(false);
  });

  it("ends with its reader, also in the middle of a call, and within its time", async () => {
    const { engine, calc, key } = await open([{ text: "Wait.", calls: [["calc__hang"]] }]);
    for await (const _chunk of await engine.streamTools(request, { key })) break;
    expect(engine.inFlight).toBe(0);
    expect(await codeOf(engine.streamTools(request, { key, timeoutMs: 100 }).then(textOf))).toBe("upstream_timeout");
    expect(calc.called).toEqual(["hang"]);
    expect(engine.inFlight).toBe(0);
  });

  it("fails before it begins where a whole one would", async () => {
    const { engine, key } = await open([{ text: "hello" }]);
    expect(await codeOf(engine.streamTools({ ...request, mcp: ["nothing__*"] }, { key }))).toBe("invalid_request");
  });
});
