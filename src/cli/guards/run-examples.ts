import { isGatewayError } from "../../engine/errors.ts";
import { createEngine, type Engine } from "../../http/create-engine.ts";
import { namingFile } from "../../server/config/origin.ts";
import type { Gathered } from "../../server/gather.ts";
import { openGuards } from "../../server/open-guards.ts";
import { onlyPresent } from "../../server/present-options.ts";
import type { GuardExample } from "./examples.ts";

/** What guards did with an example. */
export interface ExampleOutcome {
  readonly example: GuardExample;
  readonly outcome: GuardExample["expect"];
  /** Who refused, and why. */
  readonly guard?: string | undefined;
  readonly reason?: string | undefined;
  readonly isRight: boolean;
}

interface ScriptedTurn {
  request: string;
  answer: string;
}

const model = "guard-test/scripted";

/** Runs examples through the guards of a configuration, whole and streamed; models that guards ask are those of the configuration. */
export async function runExamples(gathered: Gathered, examples: readonly GuardExample[]): Promise<ExampleOutcome[]> {
  const script: ScriptedTurn = { request: "", answer: "" };
  const middleware = await namingFile(gathered, () => openGuards(gathered.config.guards));
  const providers = [...gathered.sources.map(({ provider }) => provider), scripted(script)];
  const engine = createEngine(onlyPresent({ providers, middleware }));
  try {
    const outcomes: ExampleOutcome[] = [];
    for (const example of examples) outcomes.push(await runExample(engine, script, example));
    return outcomes;
  } finally {
    await engine.close({ graceMs: 0 });
  }
}

/** A model that answers as the example says, and notes what it is asked. */
function scripted(script: ScriptedTurn) {
  return {
    name: "guard-test",
    async chat(request: { readonly messages: readonly { readonly content?: unknown }[] }) {
      script.request = String(request.messages.at(-1)?.content);
      const message = { role: "assistant" as const, content: script.answer };
      const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
      const choices = [{ index: 0, finish_reason: "stop", message }];
      return { id: "example", object: "chat.completion", created: 0, model: "scripted", choices, usage };
    },
  };
}

async function runExample(engine: Engine, script: ScriptedTurn, example: GuardExample): Promise<ExampleOutcome> {
  script.answer = example.answer;
  const judged = (
    outcome: GuardExample["expect"],
    refusal?: { middleware: string; reason: string },
  ): ExampleOutcome => {
    const isNamed = example.guard === undefined || example.guard === refusal?.middleware;
    const isRight = outcome === example.expect && (outcome !== "block" || isNamed);
    return { example, outcome, guard: refusal?.middleware, reason: refusal?.reason, isRight };
  };
  try {
    const answer = await engine.chat({ model, messages: [{ role: "user", content: example.request }] });
    const isSame = script.request === example.request && answer.choices[0]?.message.content === example.answer;
    return judged(isSame ? "pass" : "change");
  } catch (thrown) {
    if (!isGatewayError(thrown) || !thrown.blocked) throw thrown;
    return judged("block", thrown.blocked);
  }
}
