import { expect } from "vitest";
import type { Belief } from "./judges.ts";

/** A question of each kind. */
export const questions = {
  refund: { kind: "noul" as const, instructions: "Does the customer ask for money back?" },
  team: { kind: "choice" as const, criteria: { billing: "charges and invoices", shipping: null, other: null } },
  anger: { kind: "score" as const, criteria: ["calm", "annoyed", "furious"] },
};
const state = { ticket: "I was charged twice." };
export const request = { model: "a/judge", state, questions };

/** By the text of an option, whatever the question. */
export const beliefs: Readonly<Record<string, number>> = {
  yes: 0.9,
  no: 0.1,
  "billing (charges and invoices)": 0.7,
  shipping: 0.1,
  other: 0.2,
  calm: 0.25,
  annoyed: 0.5,
  furious: 0.25,
};
export const belief: Belief = (_question, option) => beliefs[option] ?? 0;
/** A number as near as sums of logarithms are. */
export const near = (value: number) => expect.closeTo(value, 9);
/** What the belief makes of the questions, whichever way it is read. */
export const answers = {
  refund: { kind: "noul", type: "noul", value: near(0.9), noul: near(0.9) },
  team: {
    kind: "choice",
    type: "choice",
    value: "billing",
    choice: "billing",
    confidence: near(0.55),
    probabilities: { billing: near(0.7), shipping: near(0.1), other: near(0.2) },
  },
  anger: {
    kind: "score",
    type: "score",
    value: near(1),
    score: near(1),
    confidence: near(0.25),
    probabilities: { 0: near(0.25), 1: near(0.5), 2: near(0.25) },
    legend: { 0: "calm", 1: "annoyed", 2: "furious" },
  },
};
