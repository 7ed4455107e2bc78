import { createLogprobsSupport, type LogprobsSupport } from "./logprobs-support.ts";
import { createModelLists, type ModelListDeps, type ModelLists } from "./model-lists.ts";

/** What an engine learns of models from their providers. */
export interface ModelKnowledge {
  readonly logprobs: LogprobsSupport;
  readonly modelLists: ModelLists;
}

/** Starts empty. */
export function createModelKnowledge(deps: ModelListDeps): ModelKnowledge {
  return { logprobs: createLogprobsSupport(), modelLists: createModelLists(deps) };
}
