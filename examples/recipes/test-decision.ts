import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine } from "tollgate";
import { scriptedEngine } from "tollgate/testing";

/** The function under test: where a ticket goes. What is not clear goes to a person. */
async function routeTicket(engine: Engine, ticket: string): Promise<string> {
  const { answers } = await engine.decide({
    model: "systemone/solar-decide",
    fallbacks: ["perplexity/pplx-decider"],
    state: { ticket },
    questions: {
      refund: { kind: "noul", instructions: "Does the customer ask for money back?" },
      team: { kind: "choice", criteria: { billing: "charges and invoices", shipping: "parcels" } },
    },
    threshold: 0.7,
  });
  if (Array.isArray(answers)) throw new Error("Questions by name have answers by name.");
  const { refund, team } = answers;
  if (refund?.kind === "noul" && !refund.abstained && refund.value > 0.5) return "refunds";
  return team?.kind === "choice" && !team.abstained ? team.value : "a person";
}

test("a ticket that asks for money goes to the refunds", async () => {
  const engine = scriptedEngine({
    "systemone/solar-decide": [{ kind: "decisions", answers: { refund: 0.93, team: "billing" } }],
  });
  assert.equal(await routeTicket(engine, "I was charged twice."), "refunds");
});

test("a ticket that could go to either team goes to a person", async () => {
  const engine = scriptedEngine({
    "systemone/solar-decide": [
      { kind: "decisions", answers: { refund: false, team: { billing: 0.55, shipping: 0.45 } } },
      { kind: "decisions", answers: { refund: false, team: null } }, // the model declines
    ],
  });
  assert.equal(await routeTicket(engine, "Hello?"), "a person");
  assert.equal(await routeTicket(engine, "Hello?"), "a person");
});

test("a second model stands in for the first", async () => {
  const engine = scriptedEngine({
    "systemone/solar-decide": [{ kind: "unreachable" }],
    "perplexity/pplx-decider": [{ kind: "decisions", answers: { refund: 0.2, team: "shipping" } }],
  });
  assert.equal(await routeTicket(engine, "Where is my parcel?"), "shipping");
  assert.equal(engine.calls.at(-1), "perplexity/pplx-decider");
});
