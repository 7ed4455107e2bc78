import { createDecisionSupport, type DecisionSupport } from "./decisions/support.ts";
import { createListedModels, type ListedModels } from "./listed-models.ts";
import { createModelLists, type ModelListDeps, type ModelLists } from "./model-lists.ts";

/** What an engine learns of models from their providers. */
export interface ModelKnowledge {
  readonly deciders: DecisionSupport;
  readonly modelLists: ModelLists;
  readonly listedModels: ListedModels;
}

/** Starts empty. */
export function createModelKnowledge(deps: ModelListDeps): ModelKnowledge {
  return {
    deciders: createDecisionSupport(deps),
    modelLists: createModelLists(deps),
    listedModels: createListedModels(deps),
  };
}
