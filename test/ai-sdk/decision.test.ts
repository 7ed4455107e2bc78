import { expect, it } from "vitest";
import { decisionModel } from "../../src/ai-sdk/decision.ts";
import { near } from "../engine/support/case.ts";
import { byToken } from "../engine/support/judges.ts";
import { engineOver } from "../engine/support/support.ts";

it("a decision of the AI SDK takes votes and escalation in its options, and says what came of them in its metadata", async () => {
  const judge = (name: string, yes: number) => byToken(name, (_question, option) => (option === "yes" ? yes : 1 - yes));
  const { engine } = engineOver([judge("a", 0.6), judge("b", 0.5), judge("c", 0.9)]);
  const model = decisionModel(engine, "a/m", {});
  const tollgate = { votes: ["b/m"], escalate: { model: "c/m", margin: 0.3 }, threshold: 0.95 };
  const { answers, providerMetadata, warnings } = await model.doDecide({
    state: [{ type: "text", text: "s" }],
    questions: { q: { type: "boolean" } },
    providerOptions: { tollgate },
  } as never);
  expect(answers).toEqual({ q: { type: "boolean", probability: near(0.9) } });
  expect(warnings).toEqual([]);
  expect(providerMetadata?.tollgate?.answers).toEqual({
    q: {
      method: "tokens",
      mass: near(0.9),
      abstained: true,
      escalated: { model: "c/m", from: "a/m", margin: near(0.1) },
    },
  });
});
