import { createHash } from "node:crypto";
import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ChatMessage, ToolCall, ToolCallDelta } from "../../../src/engine/api/message.ts";
import type { Tool, ToolChoice } from "../../../src/engine/api/tools.ts";
import { withCompleteCalls } from "../../../src/engine/dialects/openai/complete-calls.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import type { Rewriter } from "./rewritten.ts";
import type { NameRule } from "./vendor-forms.ts";

type Names = ReadonlyMap<string, string>;

/**
 * Sends the names of tools that a vendor refuses (`github/list.issues`, or too long) under names that it takes, in tools, choice and
 * history alike, and gives calls their own names back. The same request gets the same names each time.
 */
export function toolNames(rule: NameRule): Rewriter {
  return (request) => {
    const names = namesFor(request, rule);
    if (names === undefined) return undefined;
    const originals = new Map([...names].map(([own, sent]) => [sent, own]));
    return {
      request: renamed(request, names),
      answer: (answer) => ({
        ...answer,
        choices: answer.choices.map((choice) => ({
          ...choice,
          message: withCompleteCalls(renamedMessage(choice.message, originals), `${answer.id}_${choice.index}`),
        })),
      }),
      chunks: () => (chunk) =>
        chunk.choices.some(({ delta }) => delta.tool_calls !== undefined)
          ? {
              ...chunk,
              choices: chunk.choices.map((choice) => ({ ...choice, delta: renamedDelta(choice.delta, originals) })),
            }
          : chunk,
    };
  };
}

/** The names that must be sent under others; `undefined` where there is none. */
function namesFor(request: ChatRequest, rule: NameRule): Names | undefined {
  const refused = new Set<string>();
  const used = new Set<string>();
  for (const name of namesIn(request)) (isTaken(name, rule) ? used : refused).add(name);
  if (refused.size === 0) return undefined;
  const names = new Map<string, string>();
  for (const name of refused) {
    const plain = plainName(name, rule);
    const sent = plain.length > rule.most || used.has(plain) ? distinctName(plain, name, rule) : plain;
    used.add(sent);
    names.set(name, sent);
  }
  return names;
}

/** A call without a name is no name to send under another one. */
function isTaken(name: string, { characters, first, most }: NameRule): boolean {
  return name === "" || (name.length <= most && characters.test(name) && first?.test(name) !== false);
}

function plainName(name: string, { characters, first }: NameRule): string {
  const plain = [...name].map((character) => (characters.test(character) ? character : "_")).join("");
  return first?.test(plain) === false ? `_${plain}` : plain;
}

/** The name with a digest of what it was. */
function distinctName(plain: string, name: string, { most }: NameRule): string {
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${plain.slice(0, most - digest.length - 1)}_${digest}`;
}

function* namesIn({ tools = [], messages, tool_choice: choice }: ChatRequest): Generator<string> {
  for (const tool of tools) yield nameOf(tool);
  for (const { role, name, tool_calls: calls = [] } of messages) {
    if (role === "tool" && name !== undefined) yield name;
    for (const call of calls) yield nameOf(call);
  }
  if (typeof choice !== "object") return;
  yield nameOf(choice);
  for (const tool of choice.allowed_tools?.tools ?? []) yield nameOf(tool);
}

interface Named {
  readonly function?: { readonly name?: string | undefined } | undefined;
  readonly custom?: unknown;
}

function nameOf({ function: called, custom }: Named): string {
  if (called?.name !== undefined) return called.name;
  return isRecord(custom) && typeof custom.name === "string" ? custom.name : "";
}

function renamed(request: ChatRequest, names: Names): ChatRequest {
  const { tools, messages, tool_choice: choice, anthropic } = request;
  return {
    ...request,
    messages: messages.map((message) => renamedMessage(message, names)),
    ...(tools && { tools: tools.map((tool): Tool => renamedOne(tool, names)) }),
    ...(choice && { tool_choice: renamedChoice(choice, names) }),
    ...(anthropic?.deferred_tools && {
      anthropic: { ...anthropic, deferred_tools: anthropic.deferred_tools.map((name) => names.get(name) ?? name) },
    }),
  };
}

function renamedOne<Item extends Named>(item: Item, names: Names): Item {
  const name = names.get(nameOf(item));
  if (name === undefined) return item;
  return item.function === undefined
    ? { ...item, custom: { ...(item.custom as object), name } } // nameOf has found a record
    : { ...item, function: { ...item.function, name } };
}

function renamedMessage(message: ChatMessage, names: Names): ChatMessage {
  const { role, name, tool_calls: calls } = message;
  const named = role === "tool" && name !== undefined ? { name: names.get(name) ?? name } : {};
  if (calls === undefined) return { ...message, ...named };
  return { ...message, ...named, tool_calls: calls.map((call): ToolCall => renamedOne(call, names)) };
}

function renamedDelta<Delta extends { tool_calls?: ToolCallDelta[] | undefined }>(delta: Delta, names: Names): Delta {
  const { tool_calls: calls } = delta;
  return calls === undefined ? delta : { ...delta, tool_calls: calls.map((call) => renamedOne(call, names)) };
}

function renamedChoice(choice: ToolChoice, names: Names): ToolChoice {
  if (typeof choice === "string") return choice;
  const { allowed_tools: allowed } = choice;
  const own = renamedOne(choice, names);
  if (allowed?.tools === undefined) return own;
  return { ...own, allowed_tools: { ...allowed, tools: allowed.tools.map((tool) => renamedOne(tool, names)) } };
}
