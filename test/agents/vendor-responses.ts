import { type Seen, seals, type Turn, type VendorInterface } from "./script.ts";

interface Item {
  readonly type?: string;
  readonly id?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly tools?: readonly Tool[];
  readonly output?: unknown;
  readonly encrypted_content?: string;
}

interface ResponsesBody {
  readonly input?: string | readonly Item[];
  readonly include?: readonly string[];
  readonly store?: boolean;
  readonly tools?: readonly Tool[];
}

/** A tool, or a namespace of tools; conversations may add some, too. */
interface Tool {
  readonly type: string;
  readonly name?: string;
  readonly tools?: readonly Tool[];
}

/** A tool of a namespace by one name. */
function fullName(name = "", namespace = ""): string {
  return namespace === "" ? name : `${namespace}__${name}`;
}

function namesOf(tools: readonly Tool[]): string[] {
  return tools.flatMap(({ name, tools: inner }) => inner?.map((tool) => fullName(tool.name, name)) ?? name ?? []);
}

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

const head = { id: "resp_scripted", object: "response", created_at: 1_763_600_000, model: "gpt-5.6-sol", error: null };
const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 120,
};
const thought = {
  id: "rs_scripted",
  type: "reasoning",
  summary: [{ type: "summary_text", text: "A command would do." }],
  encrypted_content: seals.openai,
};

function itemsOf(turn: Turn): readonly (Event & { readonly id: string })[] {
  if (turn.kind === "text") {
    const content = [{ type: "output_text", text: turn.text, annotations: [], logprobs: [] }];
    return [{ id: "msg_scripted", type: "message", role: "assistant", status: "completed", content }];
  }
  const { id: call_id, tool, arguments: args } = turn;
  const [name = "", namespace] = tool.split("__").toReversed();
  const call = { id: "fc_scripted", call_id, name, ...(namespace && { namespace }), status: "completed" };
  if (namespace) return [thought, { type: "custom_tool_call", ...call, input: `${args.input}` }];
  return [thought, { type: "function_call", ...call, arguments: JSON.stringify(args) }];
}

function listInput({ input = [] }: ResponsesBody): readonly Item[] {
  return typeof input === "string" ? [] : input;
}

const isCall = ({ type }: Item) => type === "function_call" || type === "custom_tool_call";
const isResult = ({ type }: Item) => type === "function_call_output" || type === "custom_tool_call_output";

/** What the newest models refuse: thoughts that are not theirs, their own calls without the thought before them, calls without results. */
function refusalOf(body: ResponsesBody): string | undefined {
  const items = listInput(body);
  for (const [at, item] of items.entries()) {
    if (item.type === "reasoning" && item.encrypted_content !== seals.openai)
      return `The encrypted content for item ${item.id} could not be verified.`;
    if (item.type === "item_reference") return `Item with id '${item.id}' not found.`;
    const before = items[at - 1];
    if (item.id === "fc_scripted" && before?.type !== "reasoning")
      return `Item '${item.id}' of type 'function_call' was provided without its required 'reasoning' item.`;
    if (isCall(item) && !items.some((other) => isResult(other) && other.call_id === item.call_id))
      return `No tool output found for function call ${item.call_id}.`;
  }
  if (body.store !== false || !body.include?.includes("reasoning.encrypted_content"))
    return "This organisation keeps nothing: ask for reasoning.encrypted_content with store set to false.";
  return undefined;
}

function eventsOf(turn: Turn): readonly Event[] {
  const output = itemsOf(turn);
  const begun = { ...head, status: "in_progress", output: [], usage: null };
  return [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...output.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item: { ...item, ...blank(item.type) } },
      ...deltasOf(turn, { item_id: item.id, output_index, type: item.type }),
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: { ...head, status: "completed", output, usage } },
  ];
}

function blank(type: string): object {
  if (type === "reasoning") return { summary: [], encrypted_content: "" };
  if (type === "message") return { content: [], status: "in_progress" };
  return { [type === "custom_tool_call" ? "input" : "arguments"]: "", status: "in_progress" };
}

interface Place {
  readonly item_id: string;
  readonly output_index: number;
  readonly type: string;
}

function deltasOf(turn: Turn, { type, ...place }: Place): readonly Event[] {
  if (type === "reasoning") {
    const part = { ...place, summary_index: 0 };
    const summary = { type: "summary_text", text: "A command would do." };
    return [
      { type: "response.reasoning_summary_part.added", ...part, part: { ...summary, text: "" } },
      { type: "response.reasoning_summary_text.delta", ...part, delta: summary.text },
      { type: "response.reasoning_summary_text.done", ...part, text: summary.text },
      { type: "response.reasoning_summary_part.done", ...part, part: summary },
    ];
  }
  if (turn.kind === "text") return textDeltas(turn.text, { ...place, content_index: 0 });
  const isCustom = type === "custom_tool_call";
  const written = isCustom ? `${turn.arguments.input}` : JSON.stringify(turn.arguments);
  const half = Math.floor(written.length / 2);
  const name = isCustom ? "response.custom_tool_call_input" : "response.function_call_arguments";
  return [
    { type: `${name}.delta`, ...place, delta: written.slice(0, half) },
    { type: `${name}.delta`, ...place, delta: written.slice(half) },
    { type: `${name}.done`, ...place, [isCustom ? "input" : "arguments"]: written },
  ];
}

function textDeltas(text: string, part: object): readonly Event[] {
  const empty = { type: "output_text", text: "", annotations: [], logprobs: [] };
  return [
    { type: "response.content_part.added", ...part, part: empty },
    { type: "response.output_text.delta", ...part, delta: text, logprobs: [] },
    { type: "response.output_text.done", ...part, text, logprobs: [] },
    { type: "response.content_part.done", ...part, part: { ...empty, text } },
  ];
}

/** OpenAI's Responses API of a newest model that keeps nothing: its thoughts travel sealed. */
export const responsesInterface: VendorInterface = {
  vendor: "openai",
  path: /\/v1\/responses$/,
  isStream: ({ stream }) => stream === true,
  refusalOf,
  read(body) {
    const { tools = [] } = body as ResponsesBody;
    const items = listInput(body);
    return {
      tools: [...namesOf(tools), ...items.flatMap(({ tools: added = [] }) => namesOf(added))],
      calls: items
        .filter(isCall)
        .map(({ call_id: id, name, namespace }): Seen => ({ id, text: fullName(name, namespace) })),
      results: items.filter(isResult).map(({ call_id: id, output }): Seen => ({ id, text: JSON.stringify(output) })),
      seals: items.flatMap(({ encrypted_content: sealed }) => sealed ?? []),
    };
  },
  stream: (turn) => eventsOf(turn).map((event, sequence_number) => ({ ...event, sequence_number })),
  whole: (turn) => ({ ...head, status: "completed", incomplete_details: null, output: itemsOf(turn), usage }),
  end: "",
};
