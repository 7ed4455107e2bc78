import type {
  Experimental_DecisionModelV4,
  Experimental_DecisionModelV4Answer,
  Experimental_DecisionModelV4Question,
  Experimental_DecisionModelV4State,
} from "@ai-sdk/provider";
import type { DecisionRequest, MapAnswer, MapQuestion } from "../api/decisions.ts";
import type { CallOptions, CoreEngine } from "../engine.ts";
import { GatewayError } from "../errors.ts";
import { toMetadata, toSdkWarnings } from "./answer.ts";

/** A model of the engine for `experimental_decide` of the AI SDK; any chat model will do. It answers no questions about boxes. */
export function decisionModel(
  engine: Pick<CoreEngine, "decide">,
  modelId: string,
  own: CallOptions,
): Experimental_DecisionModelV4 {
  return {
    specificationVersion: "v4",
    provider: "tollgate",
    modelId,
    supportedQuestionTypes: ["choice", "score", "boolean"],
    async doDecide({ state, questions, abortSignal, providerOptions }) {
      const requested = Object.entries(questions).map(([name, question]) => [name, toQuestion(question)]);
      const request = {
        ...providerOptions?.tollgate,
        model: modelId,
        state: toState(state),
        questions: Object.fromEntries(requested),
      } as DecisionRequest; // what the options hold beside is for the engine to check
      const { answers, usage, model, id, extra_fields } = await engine.decide(request, {
        ...own,
        signal: abortSignal,
      });
      const entries = Object.entries(answers as Record<string, MapAnswer>).map(([name, answer]) => [
        name,
        toAnswer(answer),
      ]);
      return {
        answers: Object.fromEntries(entries),
        warnings: toSdkWarnings(extra_fields),
        providerMetadata: toMetadata(extra_fields, usage),
        ...(usage ? { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } } : {}),
        response: { id, modelId: model },
      };
    },
  };
}

/** One text or value as it is, several as a list. */
function toState(parts: Experimental_DecisionModelV4State): unknown {
  const values = parts.map((part) => {
    if (part.type === "text") return part.text;
    if (part.type === "json") return part.value;
    const message = "A state of `experimental_decide` takes text and JSON here, no files.";
    throw new GatewayError("unsupported_operation", message, { param: "state" });
  });
  return values.length === 1 ? values[0] : values;
}

function toQuestion(question: Experimental_DecisionModelV4Question): MapQuestion {
  const { instructions } = question;
  const requested = (instructions === undefined ? {} : { instructions }) as Pick<MapQuestion, "instructions">;
  switch (question.type) {
    case "boolean": {
      const entries = Object.entries(question.criteria ?? {}).map(([side, meaning]) => [side, toText(meaning)]);
      return { kind: "noul", ...requested, criteria: Object.fromEntries(entries) };
    }
    case "choice": {
      const callSdk = Object.entries(question.criteria).map(([option, meaning]) => [option, toText(meaning)]);
      return { kind: "choice", ...requested, criteria: Object.fromEntries(callSdk) };
    }
    case "score":
      return {
        kind: "score",
        ...requested,
        criteria: question.criteria.map((level, at) => toText(level) ?? String(at)),
      };
    case "box": {
      const message = "Questions of the type `box` have no answer here.";
      throw new GatewayError("unsupported_operation", message, { param: "questions" });
    }
  }
}

function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function toAnswer(answer: MapAnswer): Experimental_DecisionModelV4Answer {
  if (answer.kind === "noul") return { type: "boolean", probability: answer.value };
  const { probabilities } = answer;
  if (answer.kind === "score") return { type: "score", score: answer.value, probabilities };
  return { type: "choice", choice: answer.value, probabilities };
}
