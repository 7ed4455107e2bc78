import type { Attributes } from "@opentelemetry/api";
import type { RequestType } from "../../../src/api/common.ts";
import type { EventMap } from "../../../src/events.ts";

type Reason = EventMap["settled"]["reason"];

/** The conventions' names of what is asked; those that they do not know keep ours. */
const operations: Readonly<Record<RequestType, string>> = {
  list_models: "list_models",
  chat_completion: "chat",
  chat_completion_stream: "chat",
  embedding: "embeddings",
  rerank: "rerank",
  decision: "decision",
};

/** Vendors that the conventions name otherwise than providers here are usually named. */
const vendors: ReadonlyMap<string, string> = new Map([
  ["azure", "azure.ai.openai"],
  ["bedrock", "aws.bedrock"],
  ["gemini", "gcp.gemini"],
  ["mistral", "mistral_ai"],
  ["moonshot", "moonshot_ai"],
  ["vertex", "gcp.vertex_ai"],
  ["xai", "x_ai"],
]);

/** `gen_ai.operation.name` of a request. */
export function operationOf(type: RequestType): string {
  return operations[type];
}

/** The model of a target, without its provider; a list of models is asked of a provider alone. */
export function modelOf(target: string): string | undefined {
  const end = target.indexOf("/");
  return end === -1 ? undefined : target.slice(end + 1);
}

/** `gen_ai.provider.name` of a target. */
export function providerOf(target: string): string {
  const end = target.indexOf("/");
  const name = end === -1 ? target : target.slice(0, end);
  return vendors.get(name) ?? name;
}

/** Provider and model of a target. */
export function targetAttributes(target: string): Attributes {
  const model = modelOf(target);
  const provider = { "gen_ai.provider.name": providerOf(target) };
  return model === undefined ? provider : { ...provider, "gen_ai.request.model": model };
}

/**
 * Provider and model of a target that was tried. The model is left out where the provider refuses the question: any caller may ask for any
 * name, and a metric keeps what it has counted by for ever.
 */
export function triedAttributes(target: string, status: number): Attributes {
  return isRefused(status) ? { "gen_ai.provider.name": providerOf(target) } : targetAttributes(target);
}

/** A timeout and a limit say nothing about the name. */
function isRefused(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429 && status !== 499;
}

/** `error.type`, one of the codes of docs/errors.md, where something went wrong. */
export function errorAttributes(reason: Reason): Attributes {
  return reason === "ok" ? {} : { "error.type": reason };
}
