import fc from "fast-check";
import { expect, it } from "vitest";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { stabilise } from "../../../../src/engine/caching/stable.ts";
import { engineOver } from "../../support/support.ts";

const schema = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
const named = fc.record({ name: fc.stringMatching(/^[a-z]{1,6}$/), properties: schema });
const anyTools = fc
  .uniqueArray(named, { selector: ({ name }) => name, minLength: 1, maxLength: 5 })
  .map((all) => all.map(({ name, properties }) => ({ name, parameters: { type: "object", properties } })));
const ask = (tools: readonly object[], more: object = {}) =>
  ({
    model: "a/m",
    messages: [{ role: "user", content: "hi" }],
    tools: tools.map((called) => ({ type: "function", function: called })),
    ...more,
  }) as ChatRequest;
const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());

it("tools in another order, with their fields in another order, are the same prompt, byte for byte", () =>
  fc.assert(
    fc.property(anyTools, schema, (tools, format) => {
      const one = ask(tools, { response_format: format });
      const other = ask(tools.map(reversed).reverse(), { response_format: reversed(format) });
      const { tools: told, response_format } = stabilise(one);
      const again = stabilise(other);
      expect(JSON.stringify([again.tools, again.response_format])).toBe(JSON.stringify([told, response_format]));
    }),
  ));

it("nothing is added, lost or changed but the order", () =>
  fc.assert(
    fc.property(anyTools, schema, (tools, format) => {
      const request = ask(tools, { response_format: format, temperature: 1 });
      const { tools: sorted = [], ...rest } = stabilise(request);
      const { tools: given = [], ...others } = request;
      expect(rest).toEqual(others);
      expect(sorted).toHaveLength(given.length);
      expect(sorted).toEqual(expect.arrayContaining(given));
    }),
  ));

it("tools with a mark for the vendor's cache stay where they are", () => {
  const tools = ["z", "a"].map((name) => ({ type: "function" as const, function: { name } }));
  const marked = tools.map((tool) => ({ ...tool, cache_control: { type: "ephemeral" as const } }));
  const { tools: told } = stabilise({ model: "a/m", messages: [], tools: marked });
  expect(told?.map((tool) => tool.function?.name)).toEqual(["z", "a"]);
});

it("is what providers are sent where the engine is told so, and not otherwise", async () => {
  for (const stablePrompts of [false, true]) {
    const seen: (string | undefined)[] = [];
    const provider = {
      name: "a",
      chat: async (request: ChatRequest) => {
        seen.push(...(request.tools ?? []).map((tool) => tool.function?.name), request.prompt_cache_key);
        const message = { role: "assistant" as const, content: "x" };
        const choices = [{ index: 0, finish_reason: "stop", message }];
        return { id: "1", object: "chat.completion", created: 1, model: "m", choices };
      },
    };
    const { engine } = engineOver([provider], { stablePrompts });
    await engine.chat(ask([{ name: "z" }, { name: "a" }], { prompt_cache_key: "k" }));
    expect(seen).toEqual(stablePrompts ? ["a", "z", "k"] : ["z", "a", "k"]);
  }
});
