import type { Attributes } from "@opentelemetry/api";
import type { RequestType } from "../../../src/engine/api/common.ts";
import type { EventMap } from "../../../src/engine/events.ts";

type Reason = EventMap["settled"]["reason"];

/** The conventions' names of what is asked; those that they do not know keep ours. */
const operations: Readonly<Record<RequestType, string>> = {
  list_models: "list_models",
  chat_completion: "chat",
  chat_completion_stream: "chat",
  embedding: "embeddings",
  rerank: "rerank",
  decision: "decision",
  tool_call: "execute_tool",
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

/** More than anybody uses; with each of them a page of metrics gets some 6 KB longer. */
const mostModels = 200;

/** Provider and model of targets, for metrics. */
export interface Labels {
  of(target: string): Attributes;
  /** Of a target that was tried, with the status that came of it: without the model where its provider refuses the question. */
  ofTried(target: string, status: number): Attributes;
}

/**
 * Any caller may ask for any name, some servers answer to any, and a metric keeps what it has counted by for ever: the first 200 models
 * that were not refused are named, what comes later is counted by its provider alone.
 */
export function createLabels(): Labels {
  const named = new Map<string, Attributes>();
  const of = (target: string): Attributes => {
    const known = named.get(target);
    if (known !== undefined) return known;
    const model = modelOf(target);
    const provider = { "gen_ai.provider.name": providerOf(target) };
    if (model === undefined || named.size === mostModels) return provider;
    const both = { ...provider, "gen_ai.request.model": model };
    named.set(target, both);
    return both;
  };
  return {
    of,
    ofTried: (target, status) => (isRefused(status) ? { "gen_ai.provider.name": providerOf(target) } : of(target)),
  };
}

/** A timeout and a limit say nothing about the name. */
function isRefused(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429 && status !== 499;
}

/** `error.type`, one of the codes of docs/errors.md, where something went wrong. */
export function errorAttributes(reason: Reason): Attributes {
  return reason === "ok" ? {} : { "error.type": reason };
}

/** The same with the status, which tells a caller's mistake from a vendor's failure where both are `upstream_error`. */
export function failureAttributes(reason: Reason, status: number): Attributes {
  return reason === "ok" ? {} : { "error.type": reason, "tollgate.status": status };
}
