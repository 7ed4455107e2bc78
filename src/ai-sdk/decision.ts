import type {
  Experimental_DecisionModelV4,
  Experimental_DecisionModelV4Answer,
  Experimental_DecisionModelV4CallOptions,
  Experimental_DecisionModelV4Question,
  Experimental_DecisionModelV4State,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { DecisionRequest, MapAnswer, MapQuestion } from "../engine/api/decisions.ts";
import type { CallOptions, CoreEngine } from "../engine/engine.ts";
import { GatewayError } from "../engine/errors.ts";
import { toMetadata, toSdkWarnings } from "./answer.ts";
import { toPart } from "./media.ts";

/** A model of the engine for `experimental_decide` of the AI SDK; any chat model will do. Questions about boxes are for models that decide natively. */
export function decisionModel(
  engine: Pick<CoreEngine, "decide">,
  modelId: string,
  own: CallOptions,
): Experimental_DecisionModelV4 {
  return {
    specificationVersion: "v4",
    provider: "tollgate",
    modelId,
    supportedQuestionTypes: ["choice", "score", "boolean", "box"],
    async doDecide({ state, questions, abortSignal, providerOptions, ...left }) {
      const requested = Object.entries(questions).map(([name, question]) => [name, toQuestion(question)]);
      const request = {
        ...providerOptions?.tollgate,
        model: modelId,
        state: toState(state),
        ...imagesOf(state),
        questions: Object.fromEntries(requested),
      } as DecisionRequest; // what the options hold beside is for the engine to check
      const { answers, usage, model, id, extra_fields } = await engine.decide(request, {
        ...own,
        signal: abortSignal,
      });
      const named = Object.entries(answers as Record<string, MapAnswer>);
      const refused = named.flatMap(([name, { kind }]) => (kind === "refusal" ? [name] : []));
      if (refused.length > 0) throw await refusalError(refused, modelId);
      const entries = named.map(([name, answer]) => [name, toAnswer(answer)]);
      return {
        answers: Object.fromEntries(entries),
        warnings: [...toSdkWarnings(extra_fields), ...leftOut(left)],
        providerMetadata: withReadouts(toMetadata(extra_fields, usage), named),
        ...(usage ? { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } } : {}),
        response: { id, modelId: model },
      };
    },
  };
}

/** How each answer came about, which the SDK's own answers have no place for: `providerMetadata.tollgate.answers`. */
function withReadouts(
  { tollgate }: SharedV4ProviderMetadata,
  named: readonly (readonly [string, MapAnswer])[],
): SharedV4ProviderMetadata {
  const readouts = named.map(([name, { method, mass, orders, abstained, calibration, voters, escalated }]) => {
    const readout = { method, mass, orders, abstained, calibration, voters, escalated };
    return [name, Object.fromEntries(Object.entries(readout).filter(([, value]) => value !== undefined))];
  });
  return { tollgate: { ...tollgate, answers: Object.fromEntries(readouts) } };
}

/** What the SDK brings that a decision has no use for. */
function leftOut(left: Pick<Experimental_DecisionModelV4CallOptions, "maxOutputTokens" | "reasoning" | "headers">) {
  return (["maxOutputTokens", "reasoning", "headers"] as const).flatMap((feature) => {
    const value = left[feature];
    if (value === undefined || (feature === "headers" && Object.keys(value).every((name) => name === "user-agent")))
      return [];
    return [{ type: "unsupported" as const, feature, details: `\`${feature}\` has no meaning for a decision here.` }];
  });
}

/** The SDK's own error; the package is there where the SDK is. */
async function refusalError(questionIds: string[], modelId: string): Promise<Error> {
  const { Experimental_DecisionRefusalError: DecisionRefusalError } = await import("@ai-sdk/provider");
  return new DecisionRefusalError({ questionIds, provider: "tollgate", modelId });
}

/** One text or value as it is, several as a list. */
function toState(parts: Experimental_DecisionModelV4State): unknown {
  const values = parts.flatMap((part) => (part.type === "file" ? [] : [part.type === "text" ? part.text : part.value]));
  return values.length === 1 ? values[0] : values;
}

function imagesOf(parts: Experimental_DecisionModelV4State): { readonly images?: readonly string[] } {
  const files = parts.filter((part) => part.type === "file").map(toPart);
  const images = files.map((file) => {
    if (file.type === "image_url") return file.image_url.url;
    const message = "A state of `experimental_decide` takes text, JSON and pictures here, no other files.";
    throw new GatewayError("unsupported_operation", message, { param: "state" });
  });
  return images.length === 0 ? {} : { images };
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
    case "box":
      return { kind: "box", ...requested };
  }
}

function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function toAnswer(answer: MapAnswer): Experimental_DecisionModelV4Answer {
  switch (answer.kind) {
    case "noul":
      return { type: "boolean", probability: answer.value };
    case "score":
      return { type: "score", score: answer.value, probabilities: answer.probabilities };
    case "choice":
      return { type: "choice", choice: answer.value, probabilities: answer.probabilities };
    case "box":
      return { type: "box", box: answer.value };
    case "refusal":
      throw new GatewayError("internal", "A refusal is no answer of the SDK.");
  }
}
