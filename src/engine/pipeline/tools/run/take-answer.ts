import type { ChatResponse } from "../../../api/chat.ts";
import type { ChatMessage, ToolCall } from "../../../api/message.ts";
import { GatewayError } from "../../../errors.ts";
import { parseArguments } from "../../../runtime/json/exact-json.ts";
import { type DecidedCall, isSpent, makeCall } from "./make-call.ts";
import type { RunState } from "./run-state.ts";
import type { Approval, AskedToolCall, ToolRunCall, ToolRunEnding } from "./tool-run.ts";
import { dollarsOf } from "./totals.ts";

/** Takes an answer of the model and makes the calls in it. The run has `ended` where the model is not asked again. */
export async function takeAnswer(state: RunState, answer: ChatResponse): Promise<void> {
  const [choice] = answer.choices;
  if (!choice) throw new GatewayError("upstream_invalid_response", "The answer has no choice.");
  const { message, finish_reason } = choice;
  state.answer = answer;
  state.answers++;
  state.messages.push(message);
  state.usages.push(answer.usage);
  state.cost += dollarsOf(answer.usage);
  const calls = await makeCalls(state, message.tool_calls ?? [], false);
  const text = typeof message.content === "string" && message.content !== "" ? { text: message.content } : {};
  const { id, usage } = answer;
  addTurn(state, { id, ...text, finish_reason, ...(usage ? { usage } : {}), calls });
}

/** Makes the calls of MCP servers and of functions here that the request's own last message holds without a result. */
export async function resumeCalls(state: RunState): Promise<void> {
  const { messages, tools } = state;
  const at = messages.findLastIndex(({ role }) => role !== "tool");
  const { role, tool_calls: asked = [] } = messages[at] ?? {};
  if (role !== "assistant") return;
  const answered = new Set(messages.slice(at + 1).map(({ tool_call_id: id }) => id));
  const isOwn = ({ function: named }: ToolCall) => (tools.byName.get(named?.name ?? "")?.kind ?? "caller") !== "caller";
  const left = asked.filter((call) => isOwn(call) && !answered.has(call.id));
  if (left.length === 0) return;
  if (left.length > state.options.maxCalls)
    throw new GatewayError("invalid_request", `\`messages.${at}\` has more calls than \`maxCalls\`.`, {
      param: `messages.${at}`,
    });
  addTurn(state, { calls: await makeCalls(state, left, true) });
}

function addTurn(state: RunState, turn: RunState["turns"][number]): void {
  state.turns.push(turn);
  state.notify({ type: "turn", turn });
}

async function makeCalls(state: RunState, calls: readonly ToolCall[], isResumed: boolean): Promise<ToolRunCall[]> {
  if (calls.length === 0) {
    state.ended = "completed";
    return [];
  }
  const leave = (ended: ToolRunEnding) => {
    state.ended = ended;
    return calls.map((call): ToolRunCall => ({ ...describe(state, call), outcome: "left", cost: 0 }));
  };
  const bound = isResumed ? undefined : boundOf(state, calls.length);
  if (bound) return leave(bound);
  const decided: DecidedCall[] = [];
  for (const call of calls) {
    const next = await decide(state, askedOf(state, call, isResumed));
    if (next === "ask") return leave("tool_calls");
    decided.push(next);
  }
  const results: ToolRunCall[] = [];
  for (const [at, each] of decided.entries()) results.push(await settle(state, calls[at] as ToolCall, each));
  if (!isResumed && isSpent(state)) state.ended = "max_cost";
  return results;
}

/** Makes one call; its result is the next message. */
async function settle(state: RunState, call: ToolCall, decided: DecidedCall): Promise<ToolRunCall> {
  state.calls++;
  state.notify({ type: "call", call: decided.call });
  const { outcome, output = "", cost = 0 } = await makeCall(state, decided);
  state.cost += cost;
  const failed = outcome === "answered" ? {} : { is_error: true };
  const message: ChatMessage = { role: "tool", tool_call_id: call.id ?? "", content: output, ...failed };
  state.messages.push(message);
  const result = { ...describe(state, call), outcome, output, cost };
  state.notify({ type: "result", result });
  return result;
}

/** The bound that so many more calls, and the turn behind them, would pass. */
function boundOf({ answers, calls, cost, options }: RunState, more: number): ToolRunEnding | undefined {
  if (answers >= options.maxTurns) return "max_turns";
  if (calls + more > options.maxCalls) return "max_calls";
  return isSpent({ cost, options }) ? "max_cost" : undefined;
}

/** What becomes of a call: `"ask"` where it is the caller's. One that was left and is sent again was asked for already. */
async function decide(state: RunState, call: AskedToolCall): Promise<DecidedCall | "ask"> {
  const { tools, options, deadline } = state;
  const tool = tools.byName.get(call.name);
  if (tool?.kind === "caller") return "ask";
  const { approve } = options;
  if (!tool || !approve) return { call, tool, approval: true };
  const approval: Approval = await deadline.within(Promise.resolve().then(() => approve(call)));
  state.notify({ type: "approval", call, approval });
  if (approval !== "ask")
    return { call, tool, approval: approval === true || typeof approval === "object" ? approval : false };
  return call.isResumed ? { call, tool, approval: { refused: "The call was not approved." } } : "ask";
}

function askedOf({ tools }: RunState, { id = "", function: named }: ToolCall, isResumed: boolean): AskedToolCall {
  const { name = "", arguments: text } = named ?? {};
  const tool = tools.byName.get(name);
  return { id, name, arguments: parseArguments(text), tool: tool?.kind === "mcp" ? tool.tool : undefined, isResumed };
}

function describe({ tools }: RunState, { id = "", function: named, ...rest }: ToolCall) {
  const { name: custom } = (rest.custom ?? {}) as { readonly name?: string };
  const name = named?.name ?? custom ?? "";
  const tool = tools.byName.get(name);
  const where = tool?.kind === "mcp" ? { server: tool.tool.server, tool: tool.tool.tool } : {};
  return { id, name, ...where, arguments: named?.arguments ?? "" };
}
