import { describe, expect, it } from "vitest";
import type { DecisionRequest } from "../../../../../../src/engine/api/decisions.ts";
import type { Provider } from "../../../../../../src/engine/ports/provider.ts";
import { belief, beliefs, near, questions, request } from "../../../../support/case.ts";
import { always, byToken, byTool, toolCall, usageOf } from "../../../../support/judges.ts";
import { engineOver, record } from "../../../../support/support.ts";

describe("a bad answer", () => {
  const good = byToken("b", belief);
  const statedAs = (text: string) => always("a", toolCall(text));
  const bad: readonly [string, Provider][] = [
    ["sums to 1.06", statedAs('{"A":0.53,"B":0.53}')],
    ["sums to 0.94", statedAs('{"A":0.47,"B":0.47}')],
    ["leaves an option out", statedAs('{"A":1}')],
    ["names an option that there is not", statedAs('{"A":0.5,"B":0.5,"Z":0}')],
    ["is below nought", statedAs('{"A":1.01,"B":-0.01}')],
    ["is cut short", statedAs('{"A":0.5,"B":')],
    ["calls no tool", always("a", { message: { role: "assistant", content: "Yes." } })],
    ["of a decision provider is missing", decider({})],
    ["of a decision provider is out of range", decider({ q: { kind: "noul", value: 1.01 } })],
    ["of a decision provider is of another kind", decider({ q: { kind: "score", value: 1 } })],
  ];
  const asked = { fallbacks: ["b/judge"], questions: { q: { kind: "noul" as const } } };

  it.each(bad)("that %s fails the attempt, and the next candidate is asked", async (_, provider) => {
    const { engine } = engineOver([provider, good]);
    const steps = record(engine, "fell_back");
    const decided = await engine.decide({ model: "a/judge", ...asked });
    expect(decided.answers).toMatchObject({ q: { kind: "noul", value: near(0.9) } });
    expect(decided.extra_fields?.provider).toBe("b");
    expect(steps).toMatchObject([{ from: "a/judge", to: "b/judge", reason: "upstream_invalid_response" }]);
  });

  it("of one among many questions fails all of them, and is billed all the same", async () => {
    const judge = byTool("a", (question, option) => (question === "team" ? 0.9 : (beliefs[option] ?? 0)));
    const { engine } = engineOver([judge]);
    const failed = await engine.decide(request).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "upstream_invalid_response", status: 502 });
    expect(String(failed)).toContain("`team`");
  });
});

/** A decision provider that says this. */
function decider(told: object): Provider {
  return {
    name: "a",
    decide: async (_request, { id, model }) => ({ id, model, answers: told as never, usage: usageOf(30, 0) }),
  };
}

describe("a decision provider", () => {
  it("is asked once, as the caller asked, and not by chat", async () => {
    const seen: DecisionRequest[] = [];
    const native: Provider = {
      ...decider({ refund: { kind: "noul", value: 0.25 } }),
      chat: async () => Promise.reject(new Error("asked by chat")),
    };
    const noting: Provider = {
      ...native,
      decide(each, call) {
        seen.push(each);
        return (native as Required<Provider>).decide(each, call);
      },
    };
    const { engine } = engineOver([noting]);
    const decided = await engine.decide({ model: "a/m", state: "s", questions: { refund: questions.refund } });
    expect(decided.answers).toMatchObject({ refund: { kind: "noul", value: 0.25 } });
    expect(decided.usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 0 });
    expect(seen).toMatchObject([{ state: "s", questions: { refund: questions.refund } }]);
  });

  it("may answer in the other form: the caller's is the one of the question", async () => {
    const told = [{ type: "predicate", name: "question_0", probability: 0.75, probabilities: [] }];
    const { engine } = engineOver([decider(told)]);
    const asList = await engine.decide({ model: "a/m", input: "s", questions: [{ type: "predicate" }] });
    expect(asList.answers).toMatchObject([{ type: "predicate", probability: 0.75 }]);
    const asMap = await engine.decide({ model: "a/m", questions: { question_0: { kind: "noul" } } });
    expect(asMap.answers).toMatchObject({ question_0: { kind: "noul", value: 0.75 } });
  });
});
