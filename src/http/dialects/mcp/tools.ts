import { z } from "zod";
import { ChatRequest, ChatResponse } from "../../../engine/api/chat.ts";
import { DecisionMapRequest, DecisionResponse } from "../../../engine/api/decisions.ts";
import { EmbeddingRequest, EmbeddingResponse } from "../../../engine/api/embeddings.ts";
import { ModelListRequest, ModelListResponse } from "../../../engine/api/models.ts";
import { RerankRequest, RerankResponse } from "../../../engine/api/rerank.ts";
import type { CallOptions, CoreEngine } from "../../../engine/engine.ts";

/** A verb of the engine as a tool. */
export interface VerbTool {
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** The engine checks what it is given. */
  call(engine: CoreEngine, provided: never, options: CallOptions): Promise<object>;
  /** What a model is shown of the answer; all of it as JSON unless given. */
  show?(answer: never): string;
}

/** The tools by name. */
export const verbTools: Readonly<Record<string, VerbTool>> = {
  chat: {
    description: "Ask a chat model. `model` is `provider/model`; the tool `models` lists them.",
    input: ChatRequest.omit({ stream: true, stream_options: true }),
    output: ChatResponse,
    call: (engine, provided, options) => engine.chat(provided, options),
    show: ({ choices }: ChatResponse) => choices.map(({ message }) => textOf(message)).join("\n\n"),
  },
  embed: {
    description: "Turn texts into vectors.",
    input: EmbeddingRequest,
    output: EmbeddingResponse,
    call: (engine, provided, options) => engine.embed(provided, options),
  },
  rerank: {
    description: "Put documents in the order of their relevance to a query.",
    input: RerankRequest,
    output: RerankResponse,
    call: (engine, provided, options) => engine.rerank(provided, options),
  },
  decide: {
    description:
      "Answer typed questions (yes or no, one of several options, a level) about a situation, with probabilities.",
    input: DecisionMapRequest, // the list form is taken, too; Anthropic refuses tools whose schema is one of several
    output: DecisionResponse,
    call: (engine, provided, options) => engine.decide(provided, options),
  },
  models: {
    description: "List the models that may be called, with their sizes and prices.",
    input: ModelListRequest,
    output: ModelListResponse,
    call: (engine, provided, options) => engine.models(provided, options),
  },
};

function textOf({ content, tool_calls }: ChatResponse["choices"][number]["message"]): string {
  const text = typeof content === "string" ? content : content ? JSON.stringify(content) : "";
  return tool_calls?.length ? `${text}${JSON.stringify(tool_calls)}` : text;
}

let described: readonly object[] | undefined;

/** The list of tools as the protocol has it; written once. */
export function describeTools(): readonly object[] {
  described ??= Object.entries(verbTools).map(([name, { description, input, output }]) => {
    return {
      name,
      description,
      inputSchema: schemaOf(input, "input"),
      outputSchema: schemaOf(output, "output"),
      annotations,
    };
  });
  return described;
}

/** Calling a verb changes nothing, asks others, and costs again each time. */
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true };

function schemaOf(type: z.ZodType, io: "input" | "output"): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { io, unrepresentable: "any" });
  return { type: "object", ...schema };
}
