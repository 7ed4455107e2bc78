import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { ChatMessage, Delta, ToolCallDelta } from "../../../../src/engine/api/message.ts";
import { withCompleteCalls } from "../../../../src/engine/dialects/openai/complete-calls.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { engineOver, messages } from "../../support/support.ts";

const text = fc.string({ unit: fc.constantFrom(..."abc {}\"'é→\n"), maxLength: 40 });

const called = fc.record({ name: fc.constantFrom("look", "find"), input: text, isCustom: fc.boolean() });

const said = fc.record(
  { content: text, reasoning: text, refusal: text, calls: fc.array(called, { maxLength: 3 }) },
  { requiredKeys: [] },
);
type Said = typeof said extends fc.Arbitrary<infer Value> ? Value : never;

const about = { id: "x", created: 1, model: "m" };

/** The message whole; its content in two parts where the cut is odd. */
function messageOf({ calls, content = "", ...texts }: Said, cut: number): ChatMessage {
  const parts = [content.slice(0, cut), content.slice(cut)].map((part) => ({ type: "text" as const, text: part }));
  const tool_calls = calls?.map(({ name, input, isCustom }, at) => ({
    id: `call-${at}`,
    ...(isCustom
      ? { type: "custom", custom: { name, input } }
      : { type: "function", function: { name, arguments: input } }),
  }));
  return { role: "assistant", content: cut % 2 ? parts : content, ...texts, ...(tool_calls ? { tool_calls } : {}) };
}

/** Each text in two pieces, each call with its name first, as vendors stream it. */
function deltasOf({ calls = [], ...texts }: Said, cut: number): Delta[] {
  const halves = (whole: string) => [whole.slice(0, cut), whole.slice(cut)];
  const fields = Object.entries(texts).flatMap(([field, whole]) => halves(whole).map((half) => ({ [field]: half })));
  const pieces = calls.flatMap(({ name, input, isCustom }, index): ToolCallDelta[] => [
    { index, id: `call-${index}`, ...piece(isCustom, { name, input: "" }) },
    ...halves(input).map((half) => ({ index, ...piece(isCustom, { input: half }) })),
  ]);
  return [...fields, ...pieces.map((call) => ({ tool_calls: [call] }))];
}

function piece(isCustom: boolean, { name, input }: { name?: string; input: string }): ToolCallDelta {
  const named = name === undefined ? {} : { name };
  if (isCustom) return { type: "custom", custom: { ...named, input }, function: { arguments: "" } };
  return { type: "function", function: { ...named, arguments: input } };
}

/** A provider that says nothing of usage. */
function sayer(what: Said, cut: number): Provider {
  const choice = { index: 0, finish_reason: "stop" };
  return {
    name: "a",
    chat: async () => ({
      ...about,
      object: "chat.completion",
      choices: [{ ...choice, message: withCompleteCalls(messageOf(what, cut), "1_0") }],
    }),
    async *streamChat() {
      const chunk = { ...about, object: "chat.completion.chunk" };
      for (const delta of [...deltasOf(what, cut), undefined]) {
        const finish_reason = delta === undefined ? "stop" : null;
        yield { ...chunk, choices: [{ index: 0, finish_reason, delta: delta ?? {} }] };
      }
    },
  };
}

/** The tokens that the books say were generated, of an answer whole or streamed. */
async function counted(what: Said, cut: number, isStreamed: boolean): Promise<number | null | undefined> {
  const { engine } = engineOver([sayer(what, cut)], { store: memoryStore() });
  const request = { model: "a/m", messages };
  if (isStreamed) for await (const _chunk of await engine.streamChat(request));
  else await engine.chat(request);
  const { entries } = await engine.usage.entries({ limit: 1 });
  await engine.close();
  return entries[0]?.attempts[0]?.completion_tokens;
}

it("an answer without usage is estimated by all that it says: content, thoughts, refusal, names and inputs of calls", () =>
  fc.assert(
    fc.asyncProperty(said, fc.nat(40), fc.boolean(), async (what, cut, isStreamed) => {
      const { calls = [], ...texts } = what;
      const all = [...Object.values(texts), ...calls.flatMap(({ name, input }) => [name, input])].join("");
      expect(await counted(what, cut, isStreamed)).toBe(Math.ceil(Buffer.byteLength(all) / 4));
    }),
  ));
