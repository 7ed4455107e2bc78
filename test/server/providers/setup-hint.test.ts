import { describe, expect, it } from "vitest";
import { createEngine } from "../../../src/index.ts";
import { kinds } from "../../../src/server/providers/kinds.ts";
import { setupHintFor } from "../../../src/server/providers/setup-hint.ts";

describe("how a provider that is known and not configured is set up", () => {
  const hint = setupHintFor({});
  it.each([
    ["groq", "set `GROQ_API_KEY`, or `providers.groq` in the configuration"],
    ["databricks", "set `DATABRICKS_TOKEN` and `DATABRICKS_HOST`, or `providers.databricks` in the configuration"],
    ["ollama", "set `OLLAMA_HOST`, or `providers.ollama` in the configuration"],
    ["vertex", "declare `providers.vertex` in the configuration"],
    ["nobody", undefined],
    ["constructor", undefined],
  ])("%s: %s", (name, words) => {
    expect(hint(name)).toBe(words);
  });

  it("names its variable for every vendor that is found by one", () => {
    for (const [name, { keyVariables, urlVariable, placeVariables = {}, needsKey, isSelfHosted }] of Object.entries(
      kinds,
    )) {
      const variables = [keyVariables[0], urlVariable, ...Object.values(placeVariables)].filter(Boolean);
      const [found = isSelfHosted ? urlVariable : undefined] = keyVariables;
      if (found === undefined || (isSelfHosted && urlVariable === undefined)) continue; // those are found where they run
      expect(hint(name), name).toContain(isSelfHosted ? `\`${urlVariable}\`` : `\`${found}\``);
      if (!needsKey) continue;
      const named = [...(hint(name) ?? "").matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, variable]) => variable);
      expect(
        named.every((variable) => variables.includes(variable)),
        name,
      ).toBe(true);
    }
  });

  it.each(
    "moonshot zai minimax dashscope volcengine siliconflow huggingface github cloudflare databricks snowflake watsonx sambanova nebius novita baseten scaleway ovhcloud vercel litellm".split(
      " ",
    ),
  )("%s, whom people ask for by name, has a variable", (name) => {
    expect(hint(name)).toMatch(/^set `[A-Z0-9_]+`/);
    expect(Object.keys(kinds)).toContain(name);
  });

  it("names a setting for every kind", () => {
    for (const name of Object.keys(kinds)) expect(hint(name)).toContain(`\`providers.${name}\``);
  });

  it("names no variable where none is looked at, and says what was switched off", () => {
    expect(setupHintFor({ discover: false })("groq")).toBe("declare `providers.groq` in the configuration");
    expect(setupHintFor({ providers: { groq: false } })("groq")).toBe(
      "`providers.groq` in the configuration switches it off",
    );
  });

  it("stands in the error of an engine and of its listener", async () => {
    const engine = createEngine({
      providers: [
        {
          name: "mine",
          async listModels() {
            return [];
          },
        },
      ],
      setupHint: hint,
    });
    const chat = { model: "groq/llama", messages: [{ role: "user" as const, content: "Hi" }] };
    const message =
      "No provider `groq` is configured: set `GROQ_API_KEY`, or `providers.groq` in the configuration; there are: mine.";
    await expect(engine.chat(chat)).rejects.toMatchObject({ code: "provider_not_found", status: 404, message });
    const response = await engine.fetch("http://engine/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(chat),
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { type: "provider_not_found", message } });
    await engine.close();
  });
});
