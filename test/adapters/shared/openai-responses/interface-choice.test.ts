import { describe, expect, it } from "vitest";
import { openai } from "../../../../adapters/providers/openai.ts";
import { interfaceFor } from "../../../../adapters/shared/openai-responses/interface-choice.ts";
import { createEngine } from "../../../../src/index.ts";
import { scriptedWorld } from "../../../../src/testing/index.ts";

describe("the interface of a model", () => {
  const choice = { "gpt-7-mini": "chat", "gpt-7*": "responses", "*-pro-*": "chat", "a*b*c": "responses" } as const;
  it.each([
    ["gpt-7-mini", "chat"],
    ["gpt-7", "responses"],
    ["gpt-7-mini-2", "responses"],
    ["gpt-8", "auto"],
    ["x-pro-1", "chat"],
    ["x-pro", "auto"],
    ["abc", "responses"],
    ["ac", "auto"],
    ["aXbYc", "responses"],
  ])("%s: %s", (model, setting) => {
    expect(interfaceFor(choice, model)).toBe(setting);
  });

  it("is asked, and the rules of this release do not count then", async () => {
    const asked: string[] = [];
    const send: typeof fetch = async (url) => {
      asked.push(new URL(String(url)).pathname);
      return new Response("{}", { status: 400, headers: { "content-type": "application/json" } });
    };
    const upstream = { "gpt-4*": "responses", "gpt-5-codex": "chat" } as const;
    const engine = createEngine({ ...scriptedWorld(), providers: [openai({ apiKey: "k", fetch: send, upstream })] });
    for (const model of ["gpt-4o", "gpt-5-codex", "gpt-5.1-codex"]) {
      const messages = [{ role: "user" as const, content: "Hi" }];
      await engine.chat({ model: `openai/${model}`, messages }).catch(() => {});
    }
    expect(asked).toEqual(["/v1/responses", "/v1/chat/completions", "/v1/responses"]);
  });

  it.each(["other", { "gpt-7*": "other" }, 5, null])("%j is refused by name", (upstream) => {
    expect(() => openai({ apiKey: "k", upstream } as never)).toThrow(expect.objectContaining({ param: "upstream" }));
  });
});
