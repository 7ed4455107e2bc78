import type { FunctionDefinition } from "../../../engine/api/tools.ts";
import { isRecord } from "../../../engine/dialects/wire-values.ts";
import { parseArguments } from "../../../engine/runtime/json/exact-json.ts";
import type { Item } from "./items.ts";
import type { ResponseTool } from "./schema.ts";

/** A tool of the vendor's that the caller runs: as a function of a chat, and back. */
interface ClientTool {
  readonly definition: Omit<FunctionDefinition, "name">;
  /** The fields of its item next to those that all calls have. */
  item(called: Readonly<Record<string, unknown>>): Pick<Item, "type"> & Readonly<Record<string, unknown>>;
}

const texts = { type: "array", items: { type: "string" } };
const milliseconds = { type: "integer", description: "Milliseconds after which it is stopped." };

/** platform.openai.com, "Local shell", "Shell" and "Apply patch". */
const clientTools: Readonly<Record<ClientToolName, ClientTool>> = {
  local_shell: {
    definition: {
      description: "Runs a command on the user's machine and returns its output.",
      parameters: {
        type: "object",
        properties: {
          command: { ...texts, description: "The program and its arguments." },
          working_directory: { type: "string" },
          env: { type: "object", additionalProperties: { type: "string" } },
          timeout_ms: milliseconds,
        },
        required: ["command"],
      },
    },
    item: ({ command, env, ...rest }) => ({
      type: "local_shell_call",
      action: { type: "exec", command: textsOf(command), env: isRecord(env) ? env : {}, ...rest },
    }),
  },
  shell: {
    definition: {
      description: "Runs commands in a shell on the user's machine and returns their output.",
      parameters: {
        type: "object",
        properties: {
          commands: { ...texts, description: "Each is a line of the shell." },
          timeout_ms: milliseconds,
          max_output_length: { type: "integer", description: "Most characters of output." },
        },
        required: ["commands"],
      },
    },
    item: ({ commands, timeout_ms = null, max_output_length = null }) => ({
      type: "shell_call",
      action: { commands: textsOf(commands), timeout_ms, max_output_length },
      environment: null,
    }),
  },
  apply_patch: {
    definition: {
      description: "Creates, updates or deletes one file on the user's machine.",
      parameters: {
        type: "object",
        properties: {
          type: { type: "string", enum: ["create_file", "update_file", "delete_file"] },
          path: { type: "string" },
          diff: { type: "string", description: "The change as a V4A diff; none where the file is deleted." },
        },
        required: ["type", "path"],
      },
    },
    item: ({ type = "update_file", path = "", ...rest }) => ({
      type: "apply_patch_call",
      operation: { type, path, ...rest },
    }),
  },
};

export type ClientToolName = "local_shell" | "shell" | "apply_patch";

/** True for the name of a tool of the vendor's that the caller runs. */
export function isClientToolName(name: string): name is ClientToolName {
  return Object.hasOwn(clientTools, name);
}

/** True for a tool of the vendor's that the caller runs; a shell in a container of the vendor's is none. */
export function isClientTool({ type, environment }: ResponseTool): boolean {
  const place = isRecord(environment) ? environment.type : undefined;
  return isClientToolName(type) && (place === undefined || place === "local");
}

/** The tool as a function. */
export function definitionOf(name: ClientToolName): FunctionDefinition {
  return { name, ...clientTools[name].definition };
}

/** The item of a call; arguments that are no object are none. */
export function clientItem(name: ClientToolName, { id, status, call_id }: Item, text: string): Item {
  return { id, status, call_id, ...clientTools[name].item(parseArguments(text) ?? {}) };
}

/** The arguments of a call in a history. */
export function argumentsOf(fields: unknown): string {
  const { type, ...rest } = isRecord(fields) ? fields : {};
  return JSON.stringify(type === undefined || type === "exec" ? rest : { type, ...rest });
}

function textsOf(value: unknown): readonly unknown[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value : [];
}
