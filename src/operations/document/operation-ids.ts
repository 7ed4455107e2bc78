import { pascalCase } from "./named-schemas.ts";

/** Verbs of their own for the names of the inference API, which would else be those of their schemas: `chat` and `ChatResponse`. */
const ownNames: Readonly<Record<string, string>> = {
  models: "listModels",
  model: "getModel",
  chat: "createChatCompletion",
  embed: "createEmbeddings",
  rerank: "rerankDocuments",
  decide: "createDecision",
  forget: "forgetAnswer",
  forget_all: "forgetAnswers",
  health: "getHealth",
  health_live: "getLiveness",
  health_ready: "getReadiness",
  document: "getApiDescription",
  cohere_chat: "cohereCreateChat",
  cohere_rerank: "cohereRerankDocuments",
  cohere_embed: "cohereCreateEmbeddings",
  genai_embed: "genaiEmbedContent",
  genai_batch_embed: "genaiBatchEmbedContents",
};

/** The identifier of an operation for generators: a name of letters and digits, `aiCreateKey` for `ai.createKey`. */
export function operationIdOf(name: string): string {
  const pascal = pascalCase(name);
  return ownNames[name] ?? pascal.slice(0, 1).toLowerCase() + pascal.slice(1);
}
