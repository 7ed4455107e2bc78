import { describe, expect, it } from "vitest";
import { ModelListRequest } from "../../../../src/engine/api/models.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { parserOf } from "../../../../src/engine/pipeline/call/parse.ts";
import { chat } from "../../../../src/engine/pipeline/verbs/chat.ts";
import { decide } from "../../../../src/engine/pipeline/verbs/decide/decide.ts";
import { embed, rerank } from "../../../../src/engine/pipeline/verbs/retrieval.ts";
import { chatRows } from "../../support/chat-rows.ts";
import { embedRows, modelsRows, rerankRows } from "../../support/other-rows.ts";
import { messages, type Refused } from "../../support/row.ts";

const isRefused = (value: unknown): value is Refused => typeof value === "object" && value !== null && "param" in value;

const tables = {
  chat: { parse: chat.parse, base: { model: "a/b", messages }, rows: chatRows },
  embeddings: { parse: embed.parse, base: { model: "a/b", input: "x" }, rows: embedRows },
  rerank: { parse: rerank.parse, base: { model: "a/b", query: "x", documents: [{ text: "x" }] }, rows: rerankRows },
  models: { parse: parserOf(ModelListRequest), base: {}, rows: modelsRows },
};

for (const [name, { parse, base, rows }] of Object.entries(tables)) {
  describe(`${name}: every field and bound of the specification`, () => {
    for (const [field, { valid, invalid }] of Object.entries(rows)) {
      it.each(valid.map((value) => [value]))(`${field} takes %j and passes it on`, (value) => {
        const request = parse({ ...base, [field]: value }) as Record<string, unknown>;
        expect(request[field]).toEqual(name === "models" && field === "page_size" ? Number(value) : value);
      });
      it.each(invalid.map((each) => (isRefused(each) ? [each.value, each.param] : [each, field])))(
        `${field} refuses %j`,
        (value, param) => {
          const error = refusalOf(() => parse({ ...base, [field]: value }));
          expect(error).toMatchObject({ code: "invalid_request", status: 400, param });
          expect(error.message).toContain(String(param));
        },
      );
    }
  });
}

describe("the message of a refused field", () => {
  const ask = { model: "a/b", messages };
  it.each([
    [
      "the bound that broke, where a choice of types takes the type",
      { ...ask, stop: ["a", "b", "c", "d", "e"] },
      "must have at most 4 items",
    ],
    ["all types of a choice that takes none of them", { ...ask, stop: 5 }, "must be a string or a list, not a number"],
    [
      "the same, where the choice is inside",
      { ...ask, messages: [{ role: "user", content: 5 }] },
      "a string or a list",
    ],
    [
      "the words of a choice between words and an object",
      { ...ask, tool_choice: "some" },
      "must be one of none, auto, required",
    ],
    ["what a missing field should be", { model: "a/b" }, "`messages`: is missing: it must be a list"],
  ])("names %s", (_rule, request, words) => {
    const { message } = refusalOf(() => chat.parse(request));
    expect(message).toContain(words);
    expect(message).not.toMatch(/undefined|Invalid input$/);
  });
  it("does not speak of NaN to who sent a text for a number", () => {
    const { message } = refusalOf(() => tables.models.parse({ page_size: "x" }));
    expect(message).toBe("`page_size`: must be a number");
  });
});

describe("what clients send besides", () => {
  it("a null field counts as absent", () => {
    expect(chat.parse({ model: "a/b", messages, stop: null, temperature: null })).toEqual({ model: "a/b", messages });
  });
  it("unknown fields are accepted and kept", () => {
    expect(chat.parse({ model: "a/b", messages, top_k: 40 })).toMatchObject({ top_k: 40 });
  });
  it("the older names max_tokens and reasoning_effort are read as their present ones", () => {
    const request = chat.parse({ model: "a/b", messages, max_tokens: 5, reasoning_effort: "low" });
    expect(request).toEqual({ model: "a/b", messages, max_completion_tokens: 5, reasoning: { effort: "low" } });
  });
  it.each([
    [{ max_tokens: 0 }, "max_tokens"],
    [{ max_tokens: 0.5, reasoning_effort: "low" }, "max_tokens"],
    [{ reasoning_effort: 5 }, "reasoning_effort"],
  ])("and are held to the same bounds under the name that the caller gave: %j", (more, param) => {
    expect(refusalOf(() => chat.parse({ model: "a/b", messages, ...more }))).toMatchObject({ param });
  });
  it.each(["max", "default"])("an effort of a vendor's own stays by the vendor's name: %s", (effort) => {
    const request = { model: "a/b", messages, reasoning_effort: effort };
    expect(chat.parse(request)).toEqual(request);
  });
  it("OpenAI's word for prompts kept in memory is read as ours", () => {
    const request = chat.parse({ model: "a/b", messages, prompt_cache_retention: "in_memory" });
    expect(request).toEqual({ model: "a/b", messages, prompt_cache_retention: "in-memory" });
  });
  it.each([undefined, null, 1, "x", [], true])("a body that is %j is refused", (body) => {
    for (const { parse } of [chat, embed, rerank, decide]) expect(refusalOf(() => parse(body)).status).toBe(400);
  });
});

function refusalOf(parse: () => unknown): GatewayError {
  try {
    parse();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
}
