import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../../../../../src/engine/api/chat.ts";
import { belief } from "../../../../support/case.ts";
import { byToken, byTool } from "../../../../support/judges.ts";
import { engineOver } from "../../../../support/support.ts";

describe("before anybody is asked, 400 is the answer to", () => {
  const noul = { kind: "noul" };
  const options = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`o${n}`, null]));
  const levels = (count: number) => Array.from({ length: count }, (_, n) => `l${n}`);
  const refused: readonly [string, object][] = [
    ["no questions in the map form", { questions: {} }],
    ["no questions in the list form", { input: "s", questions: [] }],
    ["questions that are missing", {}],
    ["an unknown kind", { questions: { q: { kind: "guess" } } }],
    ["an unknown type", { input: "s", questions: [{ type: "guess" }] }],
    ["a kind of the other form", { input: "s", questions: [{ type: "noul" }] }],
    [
      "duplicate names",
      {
        input: "s",
        questions: [
          { type: "predicate", name: "q" },
          { type: "predicate", name: "q" },
        ],
      },
    ],
    [
      "a name that a missing one gets",
      { input: "s", questions: [{ type: "predicate" }, { type: "predicate", name: "question_0" }] },
    ],
    ["duplicate options", { input: "s", questions: [{ type: "choice", choices: [{ value: "a" }, { value: "a" }] }] }],
    ["duplicate levels", { questions: { q: { kind: "score", criteria: ["a", "a"] } } }],
    ["no options", { questions: { q: { kind: "choice", criteria: {} } } }],
    ["a choice without criteria", { questions: { q: { kind: "choice" } } }],
    ["256 options", { questions: { q: { kind: "choice", criteria: options(256) } } }],
    [
      "256 choices",
      { input: "s", questions: [{ type: "choice", choices: Object.keys(options(256)).map((value) => ({ value })) }] },
    ],
    ["1 level", { questions: { q: { kind: "score", criteria: levels(1) } } }],
    ["11 levels", { questions: { q: { kind: "score", criteria: levels(11) } } }],
    ["11 labels", { input: "s", questions: [{ type: "score", levels: levels(11).map((label) => ({ label })) }] }],
    ["a state that is a number", { state: 7, questions: { q: noul } }],
    ["a state that is a boolean", { state: true, questions: { q: noul } }],
    ["instructions that are a number", { questions: { q: { ...noul, instructions: 7 } } }],
    ["instructions that are a boolean", { questions: { q: { ...noul, instructions: false } } }],
    [
      "a question that cannot be named in JSON",
      { questions: JSON.parse('{"__proto__":{"kind":"noul"},"q":{"kind":"noul"}}') },
    ],
    ["an input beside questions in a map, which would not be looked at", { input: "s", questions: { q: noul } }],
    ["a state beside questions in a list", { state: "s", input: "s", questions: [{ type: "predicate" }] }],
    ["a wish for a stream", { stream: true, questions: { q: noul } }],
  ];

  it.each(refused)("%s", async (_, body) => {
    const asked: ChatRequest[] = [];
    const { engine } = engineOver([byToken("a", belief, asked)]);
    const failed = engine.decide({ model: "a/m", ...body } as never);
    await expect(failed).rejects.toMatchObject({ code: "invalid_request", status: 400, param: expect.any(String) });
    expect(asked).toEqual([]);
  });

  it("none of a state that is null or left out, `type` in place of `kind`, 255 options, 2 and 10 levels", async () => {
    const { engine } = engineOver([byTool("a", (_question, _option, each) => 1 / optionCount(each))]);
    for (const body of [
      { state: null, questions: { q: { type: "noul" } } },
      { questions: { q: noul } },
      { questions: { q: { kind: "choice", criteria: options(255) } } },
      { questions: { q: { kind: "choice", criteria: options(1) } } },
      { questions: { q: { kind: "score", criteria: levels(2) }, r: { kind: "score", criteria: levels(10) } } },
    ])
      expect(await engine.decide({ model: "a/m", ...body } as never)).toMatchObject({ answers: { q: {} } });
  });
});

function optionCount({ tools }: ChatRequest): number {
  return Object.keys(tools?.[0]?.function?.parameters?.properties ?? {}).length;
}
