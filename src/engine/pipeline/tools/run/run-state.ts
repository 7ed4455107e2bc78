import type { ChatRequest, ChatResponse } from "../../../api/chat.ts";
import type { ChatMessage } from "../../../api/message.ts";
import type { Usage } from "../../../api/usage.ts";
import { GatewayError } from "../../../errors.ts";
import { notifySafely } from "../../../runtime/notify.ts";
import type { CallOptions } from "../../call/options.ts";
import { type CheckedRunOptions, type RunDeadline, readRunOptions, startDeadline } from "./bounds.ts";
import { collectTools, type RunTools } from "./collect-tools.ts";
import type { RunParts } from "./run-parts.ts";
import type {
  ToolRunEnding,
  ToolRunEvent,
  ToolRunOptions,
  ToolRunRequest,
  ToolRunResult,
  ToolRunSummary,
  ToolRunTurn,
} from "./tool-run.ts";
import { totalUsage } from "./totals.ts";

/** A run under way. */
export interface RunState {
  readonly parts: RunParts;
  readonly tools: RunTools;
  readonly options: CheckedRunOptions;
  readonly deadline: RunDeadline;
  /** What each turn is asked with, next to the messages and the tools. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The conversation so far. */
  readonly messages: ChatMessage[];
  readonly turns: ToolRunTurn[];
  /** Of every turn and every call that says. */
  readonly usages: (Usage | undefined)[];
  readonly notify: (event: ToolRunEvent) => void;
  /** The last answer of the model. */
  answer: ChatResponse | undefined;
  answers: number;
  calls: number;
  cost: number;
  ended: ToolRunEnding | undefined;
}

/** Begins a run: its time, and the tools that it may use. Throws what is wrong with the request. */
export async function openRun(parts: RunParts, request: ToolRunRequest, provided: ToolRunOptions): Promise<RunState> {
  const options = readRunOptions(provided);
  const { messages, tools, mcp, ...fields } = request;
  if (!Array.isArray(messages)) throw invalid("messages", "must be a list of messages");
  if (Number((fields as { readonly n?: unknown }).n ?? fields.extra?.n ?? 1) > 1)
    throw invalid("n", "must be 1: a run of tools goes on from one answer");
  const deadline = startDeadline(parts.ports.clock, options);
  const { key, keyId, toolTokens } = options.turnOptions;
  const { onEvent } = options;
  try {
    const collected = await collectTools(parts, { tools, mcp }, { key, keyId, toolTokens, signal: deadline.signal });
    return {
      ...{ parts, options, deadline, fields, tools: collected, messages: [...messages], turns: [], usages: [] },
      ...{ answer: undefined, answers: 0, calls: 0, cost: 0, ended: undefined },
      notify: (event) => onEvent && notifySafely(() => onEvent(event)),
    };
  } catch (thrown) {
    deadline.close();
    throw thrown;
  }
}

/** What the model is asked next. A call that was demanded is demanded once: the run would not end otherwise. */
export function nextTurn({ fields, messages, tools, options, answers, deadline }: RunState) {
  const { tool_choice: choice, ...rest } = fields;
  const { definitions } = tools;
  const isDemanded = choice !== undefined && choice !== "auto" && choice !== "none";
  const chosen = choice === undefined || (isDemanded && answers > 0) ? {} : { tool_choice: choice };
  const offered = definitions.length === 0 ? {} : { tools: [...definitions], ...chosen };
  const { eventId, toolTokens: _own, ...turnOptions } = options.turnOptions;
  return {
    request: { ...rest, messages: [...messages], ...offered } as ChatRequest, // the verb checks it
    options: { ...turnOptions, ...(answers === 0 ? { eventId } : {}), signal: deadline.signal } satisfies CallOptions,
  };
}

/** What a run did so far. */
export function summaryOf({ ended, turns, cost, tools }: RunState): ToolRunSummary {
  const { listed, unavailable } = tools;
  return { ended: ended ?? "completed", turns, cost, tools: listed, unavailable };
}

/** What a run did, at its end. */
export function resultOf(state: RunState): ToolRunResult {
  const { answer, usages, messages } = state;
  if (!answer) throw new GatewayError("internal", "A run of tools has ended without an answer.");
  const { usage: _last, ...rest } = answer;
  const usage = totalUsage(usages);
  return { answer: { ...rest, ...(usage ? { usage } : {}) }, messages, ...summaryOf(state) };
}

function invalid(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\` ${problem}.`, { param });
}
