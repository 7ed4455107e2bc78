import type { ChatInput } from "./answer.ts";

/** What all models are asked with, as it was typed. */
export interface ChatSettings {
  /** `project:<id>` or `key:<id>`. */
  readonly account: string;
  readonly system: string;
  readonly temperature: string;
  readonly maxTokens: string;
  /** The JSON Schema of the answer; empty for text. */
  readonly schema: string;
  /** A JSON list of the tools that the models may call; empty for none. */
  readonly tools: string;
}

/** One part of a message. */
type Content = string | readonly Readonly<Record<string, unknown>>[];

/** A message of a conversation. */
export interface ChatTurn {
  readonly role: "user" | "assistant";
  readonly content: Content;
}

/** The settings of a call that a schema can be wrong in. */
export function schemaProblem({ schema }: ChatSettings): boolean {
  if (schema.trim() === "") return false;
  try {
    const read: unknown = JSON.parse(schema);
    return typeof read !== "object" || read === null || Array.isArray(read);
  } catch {
    return true;
  }
}

/** True where the tools are no list of objects. */
export function toolsProblem({ tools }: Pick<ChatSettings, "tools">): boolean {
  return tools.trim() !== "" && readTools(tools) === undefined;
}

function readTools(tools: string): ChatInput["tools"] {
  try {
    const read: unknown = JSON.parse(tools);
    const isList = Array.isArray(read) && read.every((one) => typeof one === "object" && one !== null);
    return isList ? (read as ChatInput["tools"]) : undefined; // seam: the gateway checks each of them
  } catch {
    return undefined;
  }
}

/** The chat that a program would send. */
export function toChatBody(settings: ChatSettings, model: string, turns: readonly ChatTurn[]) {
  const { system, temperature, maxTokens, schema, tools } = settings;
  const known = readTools(tools);
  const format = schema.trim() === "" || schemaProblem(settings) ? undefined : JSON.parse(schema);
  return {
    model,
    messages: [...(system.trim() === "" ? [] : [{ role: "system", content: system }]), ...turns],
    ...(temperature === "" ? {} : { temperature: Number(temperature) }),
    ...(maxTokens === "" ? {} : { max_completion_tokens: Number(maxTokens) }),
    ...(known && known.length > 0 ? { tools: known } : {}),
    ...(format === undefined
      ? {}
      : { response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema: format } } }),
  };
}

/** The same with who pays for it. */
export function toChatInput(settings: ChatSettings, model: string, turns: readonly ChatTurn[]): ChatInput {
  const [kind, id = ""] = splitAccount(settings.account);
  const account = kind === "key" ? { key_id: id } : { project_id: id };
  return { ...toChatBody(settings, model, turns), ...account } as ChatInput; // seam: roles are literals of the row's schema
}

function splitAccount(account: string): readonly [kind: string, id: string] {
  const at = account.indexOf(":");
  return [account.slice(0, at), account.slice(at + 1)];
}
