import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gemini } from "../../../adapters/providers/gemini/index.ts";
import { openai } from "../../../adapters/providers/openai.ts";
import { unwrapper } from "../../../adapters/shared/fitting/wrapped-text.ts";
import { createEngine } from "../../../src/index.ts";
import { chatCompletion, chatCompletionEvents, postJson, scriptedVendor } from "../support/dialects/scripted-vendor.ts";

const list = {
  type: "array",
  items: { $ref: "#/$defs/recipe" },
  $defs: { recipe: { type: "object", properties: {} } },
};
const choice = { type: "string", enum: ["a", "b"] };

/** A vendor that answers `text` in two pieces, and an engine of it. */
function engineAnswering(text: string) {
  const { fetch, seen } = scriptedVendor((body) => {
    if ("contents" in body)
      return { candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }] };
    return body.stream ? chatCompletionEvents([text.slice(0, 5), text.slice(5)]) : chatCompletion(text);
  });
  return {
    engine: createEngine({ providers: [openai({ apiKey: "k", fetch }), gemini({ apiKey: "k", fetch })] }),
    seen,
  };
}

interface Piece {
  readonly candidates: readonly { readonly content: { readonly parts: readonly { readonly text: string }[] } }[];
}

async function generate(
  text: string,
  { model, isStream, config }: { model: string; isStream: boolean; config: object },
) {
  const { engine, seen } = engineAnswering(text);
  const path = `/genai/v1beta/models/${model}:${isStream ? "streamGenerateContent" : "generateContent"}`;
  const body = { contents: [{ role: "user", parts: [{ text: "go" }] }], generationConfig: config };
  const answer = await postJson(engine, { path, body });
  await engine.close();
  const pieces: Piece[] = [JSON.parse(answer.text)].flat();
  const texts = pieces.flatMap(({ candidates }) => candidates.flatMap(({ content }) => content?.parts ?? []));
  return { text: texts.map((part) => part.text).join(""), sent: seen[0]?.body };
}

describe.each([false, true])("streamed %s", (isStream) => {
  test("a list is wrapped for the vendor and unwrapped for the caller", async () => {
    const config = { responseMimeType: "application/json", responseJsonSchema: list };
    const asked = { model: "openai/gpt-4o", isStream, config };
    const { text, sent } = await generate('{ "value" : [{"n":12345678901234567890}] }', asked);
    expect(text.trim()).toBe('[{"n":12345678901234567890}]');
    expect(sent?.response_format).toMatchObject({
      json_schema: {
        schema: {
          type: "object",
          properties: { value: { type: "array", items: { $ref: "#/$defs/recipe" } } },
          required: ["value"],
          additionalProperties: false,
          $defs: list.$defs,
        },
      },
    });
  });
  test.each([
    ["openai/gpt-4o", '{"value":"a"}', false],
    ["gemini/gemini-2.5-pro", '"a"', true],
    ["gemini/gemini-2.5-pro", "a", true],
  ])("text/x.enum of %s that says %s is the bare value", async (model, written, wholeOnly) => {
    const config = { responseMimeType: "text/x.enum", responseSchema: choice };
    const { text } = await generate(written, { model, isStream: isStream && !wholeOnly, config });
    expect(text).toBe("a");
  });
});

test.each([
  [{ type: "object", properties: {} }, false],
  [{ properties: { a: {} } }, false],
  [{}, false],
  [{ anyOf: [{ type: "object" }] }, true],
  [{ $ref: "#/$defs/a", $defs: { a: {} } }, true],
  [{ enum: [1, 2] }, true],
])("schema %j is wrapped: %s", async (schema, isWrapped) => {
  const { engine, seen } = engineAnswering("{}");
  const response_format = { type: "json_schema" as const, json_schema: { name: "x", schema } };
  await engine.chat({ model: "openai/gpt-4o", messages: [{ role: "user", content: "go" }], response_format });
  const sent = JSON.stringify(seen[0]?.body.response_format);
  expect(sent.includes('"required":["value"]')).toBe(isWrapped);
  if (!isWrapped) expect(seen[0]?.body.response_format).toEqual(response_format);
  await engine.close();
});

test("references to the whole schema follow it", async () => {
  const { engine, seen } = engineAnswering('{"value":[]}');
  const schema = { type: "array", items: { $ref: "#" } };
  const response_format = { type: "json_schema" as const, json_schema: { name: "x", schema } };
  await engine.chat({ model: "openai/gpt-4o", messages: [{ role: "user", content: "go" }], response_format });
  expect(JSON.stringify(seen[0]?.body)).toContain('"$ref":"#/properties/value"');
  await engine.close();
});

test("any value comes out of its wrapper however the text is cut", () => {
  const space = fc.constantFrom("", " ", "\n  ");
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.array(space, { minLength: 4, maxLength: 4 }),
      fc.nat(5),
      (value, [a, b, c, d], cut) => {
        const json = JSON.stringify(value, null, cut % 3);
        const text = `${a}{${b}"value":${c}${json}${d}}${a}`;
        const reader = unwrapper();
        let read = "";
        for (let at = 0; at < text.length; at += cut + 1) read += reader.push(text.slice(at, at + cut + 1));
        expect((read + reader.end(true)).trim()).toBe(json.trim());
      },
    ),
  );
});

test("a text without a wrapper stays, and one that was cut off keeps all of its value", () => {
  const read = (text: string, isComplete: boolean) => {
    const reader = unwrapper();
    return reader.push(text) + reader.end(isComplete);
  };
  expect(read("Sorry }", true)).toBe("Sorry }");
  expect(read('{"val', true)).toBe('{"val');
  expect(read('{"value":{"a":{}', false)).toBe('{"a":{}');
});
