import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stepOf } from "../../../../console/src/api/keep-session.ts";
import { snippetOf } from "../../../../console/src/code/snippets.ts";
import { rank, scoreOf } from "../../../../console/src/palette/match.ts";
import { type KeyDraft, matchModels, problemsOf, toKeyInput } from "../../../../console/src/screens/keys/key-draft.ts";
import { addEvent, noAnswer } from "../../../../console/src/screens/playground/answer.ts";
import { schemaProblem, toChatInput, toolsProblem } from "../../../../console/src/screens/playground/settings.ts";
import { routeOf } from "../../../../console/src/screens/requests/detail.ts";

describe("a call as code", () => {
  const url = "https://gate.test/v1/chat/completions";
  it("is the same JSON in a shell, whatever the text", () => {
    fc.assert(
      fc.property(fc.string(), (content) => {
        const code = snippetOf("curl", { url, body: { content } });
        const quoted = code.slice(code.indexOf("-d '") + 4, -1);
        expect(JSON.parse(quoted.replaceAll("'\\''", "'"))).toEqual({ content });
      }),
    );
  });

  it("names the key by its variable in each language, and has Python's own constants", () => {
    const body = { stream: true, stop: null, user: "a'b" };
    for (const kind of ["curl", "typescript", "python"] as const)
      expect(snippetOf(kind, { url, body })).toContain("TOLLGATE_KEY");
    expect(snippetOf("python", { url, body })).toContain(`json={"stream": True, "stop": None, "user": "a'b"},`);
  });
});

const draft: KeyDraft = {
  ...{ name: " k ", description: "", tier: "standard", project_id: "", isUserBound: false },
  ...{ tools: "", models: "", budget: "", budgetWindow: "1M", requests: "", requestWindow: "1m", expires: "" },
};

describe("a new key", () => {
  it("is made by one call with all that was typed", () => {
    expect(toKeyInput(draft)).toEqual({ name: "k", description: "", tier: "standard", user_bound: false });
    const full = {
      ...draft,
      project_id: "p",
      models: "a/*, b",
      budget: "5",
      requests: "9",
      expires: "2030-01-01T00:00",
    };
    expect(toKeyInput(full)).toMatchObject({
      project_id: "p",
      llms: ["a/*", "b"],
      budgets: [{ max_limit: 5, reset_duration: "1M" }],
      rate_limits: [{ request_max_limit: 9, request_reset_duration: "1m" }],
      expires_at: new Date("2030-01-01T00:00").toISOString(),
    });
  });

  it("needs a name and numbers", () => {
    expect(problemsOf({ ...draft, name: " " }).name).toBe(true);
    for (const wrong of [{ budget: "much" }, { budget: "-1" }, { requests: "1.5" }, { expires: "never" }])
      expect(problemsOf({ ...draft, ...wrong }).limits, JSON.stringify(wrong)).toBe(true);
    expect(problemsOf(draft)).toEqual({ name: false, tools: false, limits: false });
  });

  it("says which models a pattern names", () => {
    const models = ["openai/gpt-5", "openai/gpt-5-mini", "anthropic/claude-haiku-4-5"];
    expect(matchModels("gpt-5*", models)).toEqual(models.slice(0, 2));
    expect(matchModels("openai/gpt-5", models)).toEqual(models.slice(0, 1));
    expect(matchModels("*/CLAUDE*5", models)).toEqual(models.slice(2));
    expect(matchModels("gpt-6*", models)).toEqual([]);
    expect(matchModels("*mini*mini*", models)).toEqual([]);
  });
});

describe("the palette", () => {
  it("finds what has the typed letters in their order, the name that begins with them first", () => {
    const named = ["Live", "Requests", "Providers and health", "Virtual keys"].map((name) => ({ name }));
    expect(rank("re", named)[0]?.name).toBe("Requests");
    expect(rank("vk", named).map(({ name }) => name)).toEqual(["Virtual keys"]);
    expect(rank("", named)).toEqual(named);
    expect(scoreOf("zz", "Requests")).toBeUndefined();
  });

  it("finds every name by any of its parts", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.nat(), (name, from, length) => {
        expect(scoreOf(name.slice(from % name.length, (from % name.length) + (length % 5)), name)).toBeDefined();
      }),
    );
  });
});

describe("an answer that is streamed", () => {
  const chunk = (content: string) => ({
    type: "chunk" as const,
    event_id: "evt_1",
    chunk: { choices: [{ delta: { content } }] },
  });
  it("grows with each chunk and ends with its cost", () => {
    let answer = addEvent({ ...noAnswer, isPending: true }, chunk(""), 5);
    expect(answer.firstToken).toBeUndefined();
    answer = addEvent(addEvent(answer, chunk("He"), 10), chunk("llo"), 20);
    const usage = { prompt_tokens: 3, completion_tokens: 2, cost: { total_cost: 0.5 } };
    answer = addEvent(answer, { type: "chunk", event_id: "evt_1", chunk: { choices: [], usage } }, 25);
    answer = addEvent(answer, { type: "done", event_id: "evt_1" }, 30);
    expect(answer).toMatchObject({
      text: "Hello",
      firstToken: 10,
      total: 30,
      cost: 0.5,
      completionTokens: 2,
      isDone: true,
    });
  });

  it("keeps what came before it broke", () => {
    const error = { code: "upstream_stream_broken", message: "It broke." };
    const broken = addEvent(addEvent(noAnswer, chunk("Hel"), 1), { type: "error", event_id: "evt_1", error }, 2);
    expect(broken).toMatchObject({ text: "Hel", isPending: false, isDone: false });
    expect(broken.error?.code).toBe("upstream_stream_broken");
  });

  it("is asked for on the chosen account, as JSON where there is a schema", () => {
    const settings = {
      account: "project:prj:1",
      system: "Be brief.",
      temperature: "0.5",
      maxTokens: "9",
      schema: '{"type":"object"}',
      tools: '[{"type":"function","function":{"name":"now"}}]',
    };
    expect(toChatInput(settings, "a/b", [{ role: "user", content: "hi" }])).toMatchObject({
      project_id: "prj:1",
      temperature: 0.5,
      max_completion_tokens: 9,
      messages: [{ role: "system", content: "Be brief." }, { role: "user" }],
      response_format: { type: "json_schema", json_schema: { schema: { type: "object" } } },
      tools: [{ type: "function", function: { name: "now" } }],
    });
    expect(toChatInput({ ...settings, tools: "" }, "a/b", [])).not.toHaveProperty("tools");
    const problems = ["{", "{}", "[1]", "[]", ""].map((tools) => toolsProblem({ tools }));
    expect(problems).toEqual([true, true, true, false, false]);
    expect([schemaProblem({ ...settings, schema: "{" }), schemaProblem({ ...settings, schema: "" })]).toEqual([
      true,
      false,
    ]);
  });
});

it("a route tells what was skipped, asked and left, in this order", () => {
  const attempt = { provider: "a", model: "m", status: 503, reason: "circuit_open", latency: 4 };
  const attempts = [attempt, { ...attempt, provider: "b", status: 200, reason: "ok" }] as never;
  const skipped = [
    { entry: "c/m", reason: "model_blocked", message: "" },
    { entry: "e/m", reason: "circuit_open", message: "" },
  ];
  expect(
    routeOf({ attempts, skipped, plan: ["e/m", "a/m", "b/m", "d/m"] }).map(({ target, kind }) => [target, kind]),
  ).toEqual([
    ["c/m", "skipped"],
    ["e/m", "skipped"],
    ["a/m", "failed"],
    ["b/m", "answered"],
    ["d/m", "spare"],
  ]);
});

describe("a session", () => {
  const minute = 60_000;
  const times = { renewedAt: 0, idleEndsAt: 30 * minute, endsAt: 720 * minute };
  it("is renewed in the second half of its idle time for somebody who works", () => {
    expect(stepOf({ ...times, activeAt: minute }, 10 * minute)).toBe("none");
    expect(stepOf({ ...times, activeAt: minute }, 16 * minute)).toBe("renew");
    expect(stepOf({ ...times, activeAt: -minute }, 16 * minute)).toBe("none");
    expect(stepOf({ ...times, activeAt: minute }, 31 * minute)).toBe("none");
  });

  it("warns before its absolute end, which no renewal moves", () => {
    expect(stepOf({ ...times, idleEndsAt: 720 * minute, activeAt: 714 * minute }, 716 * minute)).toBe("warn");
  });
});
