import { afterEach, describe, expect, test } from "vitest";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import { gemini } from "../../../../adapters/providers/gemini/index.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import { createEngine } from "../../../../src/index.ts";
import { chatCompletion, claudeMessage, postJson, scriptedVendor } from "../../support/dialects/scripted-vendor.ts";

const candidates = [{ index: 0, content: { role: "model", parts: [{ text: "ok" }] }, finishReason: "STOP" }];
const vendor = scriptedVendor((body) =>
  "contents" in body
    ? { candidates }
    : "max_tokens" in body
      ? claudeMessage([{ type: "text", text: "ok" }])
      : chatCompletion("ok"),
);
const { fetch, seen } = vendor;
const engineWith = (options: object = {}) =>
  createEngine({
    providers: [
      anthropic({ apiKey: "k", fetch, ...options }),
      openai({ apiKey: "k", fetch }),
      gemini({ apiKey: "k", fetch }),
    ],
  });
const claude = "anthropic/claude-sonnet-4-5";
const others = ["openai/gpt-5", "gemini/gemini-2.5-pro"];
afterEach(() => void seen.splice(0));

async function ask(model: string, body: object, { beta, options }: { beta?: string; options?: object } = {}) {
  const engine = engineWith(options);
  const whole = { model, max_tokens: 3000, messages: [{ role: "user", content: "go" }], ...body };
  const headers = beta === undefined ? {} : { "anthropic-beta": beta };
  const answer = await postJson(engine, { path: "/anthropic/v1/messages", body: whole, headers });
  await engine.close();
  expect(answer.text).toContain("ok");
  return { warnings: answer.warnings ?? "", sent: seen.at(-1)?.body ?? {}, headers: seen.at(-1)?.headers };
}

describe("anthropic-beta", () => {
  const thinking = "interleaved-thinking-2025-05-14";
  const long = "context-1m-2025-08-07";

  test("of a caller joins the provider's own as far as it is allowed; a warning names the rest", async () => {
    const own = { beta: ["files-api-2025-04-14"] };
    const { headers, warnings } = await ask(claude, {}, { beta: `${thinking}, ${long},${thinking}`, options: own });
    expect(headers?.get("anthropic-beta")).toBe(`files-api-2025-04-14,${thinking}`);
    expect(warnings).toContain(`\`anthropic-beta\`: ${long} may not be turned on`);
    expect(warnings).not.toContain(thinking);
  });
  test.each([
    [["*"], `${thinking},${long}`],
    [[long], long],
    [[], null],
  ])("callerBetas %j", async (callerBetas, sent) => {
    const { headers } = await ask(claude, {}, { beta: `${thinking},${long}`, options: { callerBetas } });
    expect(headers?.get("anthropic-beta")).toBe(sent);
  });
  test("nothing but words and dashes reaches a header", async () => {
    const { headers, warnings } = await ask(claude, {}, { beta: "a b,c", options: { callerBetas: ["*"] } });
    expect(headers?.get("anthropic-beta")).toBe("c");
    expect(warnings).toContain("a b");
  });
  test.each(others)("%s has none: a warning names the header", async (model) => {
    const { headers, warnings, sent } = await ask(model, {}, { beta: thinking });
    expect(headers?.get("anthropic-beta")).toBeNull();
    expect(warnings).toContain("`anthropic-beta` is not supported by");
    expect(sent).not.toHaveProperty("anthropic");
  });
});

describe("tools", () => {
  const schema = { type: "object", properties: {} };
  const bash = { type: "bash_20250124", name: "bash" };
  const found = { name: "f", defer_loading: true, input_schema: schema };
  const search = {
    type: "web_search_20250305",
    name: "web_search",
    max_uses: 8,
    allowed_domains: ["a.example"],
    user_location: { type: "approximate", country: "DE" },
  };
  const tools = [{ name: "g", input_schema: schema }, bash, found, search];

  test("of the vendor, deferred ones and limits of its search reach it as they are", async () => {
    const { sent, warnings } = await ask(claude, { tools });
    expect(sent.tools).toEqual([tools[0], found, bash, search]);
    expect(warnings).toBe("");
  });
  test.each(others)("%s is sent what it has, and the rest is named", async (model) => {
    const { sent, warnings } = await ask(model, { tools });
    expect(JSON.stringify(sent)).not.toMatch(/bash|defer|a\.example|max_uses/);
    expect(JSON.stringify(sent.tools)).toMatch(/"name":"g".*"name":"f"/);
    for (const field of ["tools.1", "tools.2.defer_loading", "tools.3.max_uses", "tools.3.allowed_domains"])
      expect(warnings).toContain(`\`${field}\` is not supported by`);
    expect(warnings).not.toContain("tools.3.type");
  });
  test("only the chosen ones of allowed_tools are sent", async () => {
    const engine = engineWith();
    const allowed = { mode: "auto", tools: [{ type: "function", function: { name: "g" } }] };
    const body = {
      model: claude,
      messages: [{ role: "user", content: "go" }],
      tools: [{ type: "function", function: { name: "g", parameters: schema } }],
      anthropic: { tools: [bash] },
      tool_choice: { type: "allowed_tools", allowed_tools: allowed },
    };
    await postJson(engine, { path: "/v1/chat/completions", body });
    expect(seen.at(-1)?.body.tools).toEqual([tools[0]]);
    await engine.close();
  });
});

describe("tool_reference", () => {
  const reference = { type: "tool_reference", tool_name: "f" };
  const result = { type: "tool_result", tool_use_id: "t1", content: [reference] };
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "ToolSearch", input: {} }] },
    { role: "user", content: [result] },
  ];

  test("reaches the vendor", async () => {
    const { sent } = await ask(claude, { messages });
    expect((sent.messages as unknown[])[2]).toEqual({ role: "user", content: [result] });
  });
  test.each(others)("is a text for %s", async (model) => {
    const { sent } = await ask(model, { messages });
    expect(JSON.stringify(sent)).toContain("The tool f can be called now.");
    expect(JSON.stringify(sent)).not.toContain("tool_reference");
  });
});
