import fc from "fast-check";
import { expect, it } from "vitest";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import type { Transport } from "../../../../src/engine/ports/transport.ts";
import { createEngine } from "../../../../src/index.ts";

interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What Claude says between two calls: a thought, a text, both or nothing. */
const anyAnswer = fc
  .array(fc.record({ thinks: fc.boolean(), speaks: fc.boolean() }), { minLength: 1, maxLength: 4 })
  .map((steps) =>
    steps.flatMap(({ thinks, speaks }, at): Block[] => [
      ...(thinks ? [{ type: "thinking", thinking: `thought ${at}`, signature: `signature ${at}` }] : []),
      ...(speaks ? [{ type: "text", text: `text ${at}` }] : []),
      { type: "tool_use", id: `toolu_${at}`, name: "look", input: { at } },
    ]),
  );

/** Claude, which gives this answer, and the turn that it got back. */
function claude(content: readonly Block[]) {
  const asked: { messages: { content: unknown }[] }[] = [];
  const usage = { input_tokens: 1, output_tokens: 1 };
  const answer = { id: "m", type: "message", role: "assistant", model: "c", content, stop_reason: "tool_use", usage };
  const transport: Transport = {
    whole: async ({ body }) => {
      asked.push(JSON.parse(`${body}`));
      return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(answer) };
    },
    stream: () => Promise.reject(new Error("not asked for")),
    close: async () => {},
  };
  return { transport, returned: () => asked.at(-1)?.messages[1]?.content };
}

/** gemini-cli keeps signatures of calls and drops the parts that are thoughts. */
it("Claude's thoughts come back where they stood, from a client of Gemini's dialect that drops thoughts", async () => {
  await fc.assert(
    fc.asyncProperty(anyAnswer, async (content) => {
      const vendor = claude(content);
      const engine = createEngine({ providers: [anthropic({ apiKey: "k", transport: vendor.transport })] });
      const ask = async (contents: readonly object[]) => {
        const path = "/genai/v1beta/models/anthropic/claude-sonnet-4-5:generateContent";
        const generationConfig = { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } };
        const body = JSON.stringify({ contents, generationConfig });
        const headers = { "content-type": "application/json" };
        return (await engine.fetch(`http://e${path}`, { method: "POST", headers, body })).json() as Promise<{
          candidates: { content: { parts: { thought?: boolean; functionCall?: { id: string; name: string } }[] } }[];
        }>;
      };
      const question = { role: "user", parts: [{ text: "go" }] };
      const { candidates } = await ask([question]);
      const parts = candidates[0]?.content.parts.filter(({ thought }) => thought !== true) ?? [];
      const results = parts.flatMap(({ functionCall: call }) =>
        call ? [{ functionResponse: { id: call.id, name: call.name, response: { output: "ok" } } }] : [],
      );
      await ask([question, { role: "model", parts }, { role: "user", parts: results }]);
      await engine.close();
      expect(vendor.returned()).toEqual(content);
    }),
    { numRuns: 60 },
  );
});
