import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import { behaviours, parseFaultModel } from "../../../../../src/testing/faults/behaviours/behaviours.ts";
import { missingFor } from "../../../../../src/testing/faults/scenarios/scenario.ts";
import {
  describeReports,
  type FaultTestReport,
  type FaultTestRow,
  hedgingOptions,
  httpCaller,
  policyOf,
  quickPolicy,
  type Scenario,
  scenarios,
} from "../../../../../src/testing/index.ts";

describe("the table of scenarios", () => {
  it("has a name for each, used once", () => {
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  });
  it("plays every behaviour that the fault server has", () => {
    const played = scenarios.flatMap(({ model, fallback }) => [parseFaultModel(model).behaviour, fallback ?? ""]);
    expect(Object.keys(behaviours).filter((name) => !played.includes(name))).toEqual([]);
  });
  it("plays each scenario at least one way, and demands a text of a behaviour that has one", () => {
    for (const { expectation: conduct } of scenarios) {
      expect(Object.keys(conduct).length).toBeGreaterThan(0);
      for (const each of Object.values(conduct))
        if (each?.outcome.kind === "answer") expect(each.outcome.calls ?? each.outcome.text).not.toHaveLength(0);
    }
  });
});

describe("policyOf", () => {
  it("takes the defaults of the engine", () => {
    expect(policyOf({ providers: [] })).toEqual({
      firstContent: 60_000,
      firstContentMax: 300_000,
      gap: 30_000,
      whole: 600_000,
      retry: { retries: 2, baseMs: 500, maxMs: 5_000, patienceMs: 2_000 },
      credentials: 1,
      prefill: [],
      recovers: true,
      circuit: { consecutive: 5, openMs: 5_000, maxOpenMs: 11_500 },
    });
  });
  it("takes what the options say, and the least number of credentials", () => {
    const one = { id: "a" };
    const providers = [
      { name: "a", credentials: [one, one] },
      { name: "b", credentials: [one, one, one] },
    ];
    const policy = policyOf({ providers, timeouts: { gap: 5 }, retry: { retries: 7 }, recovery: "error" }, ["openai"]);
    expect(policy).toMatchObject({ gap: 5, credentials: 2, recovers: false, prefill: ["openai"] });
    expect(policy.retry.retries).toBe(7);
  });
});

describe("a caller with other bounds", () => {
  it("is not asked for what a longer cool-down, or a longer wait for content, cannot show", () => {
    const bounded = { needs: "bounded_circuit" } as const;
    expect(missingFor(bounded, policyOf({ providers: [] }), "openai")).toBeUndefined();
    const long = policyOf({ providers: [], circuit: { maxOpenMs: 60_000 } });
    expect(missingFor(bounded, long, "openai")).toBe("the caller's circuits stay open for longer");
    const patient = policyOf({ providers: [] });
    expect(missingFor({ needs: "content_deadline" }, patient, "openai")).toMatch("longer than a minute");
    expect(missingFor({ needs: "content_deadline" }, quickPolicy, "openai")).toBeUndefined();
  });
});

describe("a caller that asks two at once", () => {
  const [plain, hedging] = [quickPolicy, policyOf({ ...hedgingOptions, providers: [] })];
  it("plays what needs that, which no other caller does", () => {
    const needs = { needs: "hedge", fallback: "other" } as const;
    expect(missingFor(needs, hedging, "openai")).toBeUndefined();
    expect(missingFor(needs, plain, "openai")).toBe("the caller does not ask two at once");
  });
  it("plays nothing else that has a fallback, since its second call may come at any time", () => {
    expect(missingFor({ fallback: "other" }, hedging, "openai")).toBe("the caller asks two at once");
    expect(missingFor({ fallback: "other" }, plain, "openai")).toBeUndefined();
    expect(missingFor({}, hedging, "openai")).toBeUndefined();
  });
});

describe("httpCaller", () => {
  const options = { signal: new AbortController().signal };
  const request = { model: "a/b", messages: [] };
  const frame = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const chunk = { id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [] };
  const callerOf = (response: Response, seen: Request[] = []) =>
    httpCaller({
      baseUrl: "http://gateway/v1",
      key: "sk-tg-1",
      fetch: async (url, init) => {
        seen.push(new Request(url as string, init));
        return response;
      },
    });
  const read = async (body: string): Promise<unknown> => {
    const chunks: unknown[] = [];
    try {
      for await (const one of await callerOf(new Response(body)).streamChat(request, options)) chunks.push(one);
      return chunks;
    } catch (thrown) {
      return thrown;
    }
  };
  const errorBody = {
    event_id: "e",
    type: "upstream_error",
    is_gateway_error: false,
    status_code: 429,
    error: { type: "requests", code: null, message: "slow down", param: null, event_id: "e", attempts: [] },
    extra_fields: {},
  };

  it("sends the request with the key, as a stream where one is asked for", async () => {
    const seen: Request[] = [];
    for await (const _chunk of await callerOf(new Response("data: [DONE]\n\n"), seen).streamChat(request, options));
    expect(seen[0]?.url).toBe("http://gateway/v1/chat/completions");
    expect(seen[0]?.headers.get("x-tg-key")).toBe("sk-tg-1");
    expect(await seen[0]?.json()).toEqual({ ...request, stream: true });
  });
  it("gives the chunks of a stream that ends in [DONE], and no comments", async () => {
    expect(await read(`: keep-alive\n\n${frame(chunk)}: keep-alive\n\n${frame(chunk)}data: [DONE]\n\n`)).toEqual([
      chunk,
      chunk,
    ]);
  });
  it.each([
    ["closes without [DONE]", frame(chunk), /without \[DONE\]/],
    ["says more behind [DONE]", `data: [DONE]\n\n${frame(chunk)}`, /behind \[DONE\]/],
    ["names an event", `event: chunk\n${frame(chunk)}data: [DONE]\n\n`, /not one line/],
    ["sends two lines", `data: {\ndata: }\n\ndata: [DONE]\n\n`, /not one line/],
    ["fails with a type that there is not", frame({ ...errorBody, type: "oops" }), /the error type "oops"/],
  ])("refuses a stream that %s", async (_what, body, problem) => {
    expect(String(await read(body))).toMatch(problem);
  });
  it("throws the error frame of a stream as the gateway's error", async () => {
    expect(await read(frame(chunk) + frame(errorBody))).toMatchObject({ code: "upstream_error", status: 429 });
  });
  it("throws an error answer as the gateway's error, with the time to come back", async () => {
    const init = { status: 429, headers: { "retry-after": "7" } };
    const thrown = callerOf(new Response(JSON.stringify(errorBody), init)).chat(request, options);
    await expect(thrown).rejects.toMatchObject({ code: "upstream_error", status: 429, retryAfterMs: 7_000 });
  });
  it("throws `request_cancelled` when it was the caller who hung up", async () => {
    const signal = AbortSignal.abort();
    const caller = httpCaller({ baseUrl: "http://gateway/v1", fetch: () => Promise.reject(new Error("aborted")) });
    await expect(caller.chat(request, { signal })).rejects.toMatchObject({ code: "request_cancelled" });
    await expect(caller.chat(request, options)).rejects.not.toBeInstanceOf(GatewayError);
  });
});

describe("describeReports", () => {
  const [scenario, other] = scenarios as readonly [Scenario, Scenario, ...Scenario[]];
  const row = (more: Partial<FaultTestRow>): FaultTestRow => ({
    scenario,
    dialect: "openai",
    mode: "whole",
    expected: "asked once: the answer",
    observation: "1 calls: 123 ms",
    passed: true,
    problems: [],
    plays: 1,
    ...more,
  });
  const report = (...rows: FaultTestRow[]): FaultTestReport => ({ rows, leftOut: [] });
  const cells = (text: string) => text.split("\n").map((line) => line.split(" | ").map((cell) => cell.trim()));

  it("has a line for each scenario and a column for each caller", () => {
    const reports = {
      "in process": report(row({}), row({ mode: "streamed" })),
      "over HTTP": report(row({ scenario: other })),
    };
    const [header, , first, second] = cells(describeReports(reports));
    expect(header?.slice(-2)).toEqual(["in process", "over HTTP |"]);
    expect(first?.[0]).toBe(`| ${scenario.name}`);
    expect(first?.slice(-2)).toEqual(["passed", "not played |"]);
    expect(second?.slice(-2)).toEqual(["not played", "passed |"]);
  });
  it("says what both ways demand in one sentence, and else in two", () => {
    const streamed = row({ mode: "streamed", expected: "asked twice: nothing" });
    expect(describeReports({ a: report(row({}), row({ mode: "streamed" })) })).toContain("| asked once: the answer |");
    expect(describeReports({ a: report(row({}), streamed) })).toContain(
      "| whole: asked once: the answer; streamed: asked twice: nothing |",
    );
  });
  it("names what failed", () => {
    const failed = row({ passed: false, dialect: "anthropic", mode: "streamed", problems: ["late"] });
    expect(describeReports({ a: report(row({}), failed) })).toContain("| failed: anthropic streamed |");
  });
  it("holds nothing that differs from run to run", () => {
    expect(describeReports({ a: report(row({ observation: "2 calls: 9 ms", plays: 2 })) })).toBe(
      describeReports({ a: report(row({})) }),
    );
  });
});

it("the quick policy lets a slow first token pass and a silent one not", () => {
  expect(quickPolicy.firstContent).toBeGreaterThan(200);
  expect(quickPolicy.firstContent).toBeLessThan(1_000);
});
