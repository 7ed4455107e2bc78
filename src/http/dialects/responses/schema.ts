import { z } from "zod";
import { ChatRequest, Effort } from "../../../engine/api/chat.ts";
import { Fallbacks } from "../../../engine/api/common.ts";
import { McpTool } from "../../../engine/api/mcp/tool.ts";

const InputText = z.looseObject({ type: z.literal("input_text"), text: z.string() });
const InputImage = z.looseObject({
  type: z.literal("input_image"),
  image_url: z.string().nullish(),
  file_id: z.string().nullish(),
  detail: z.string().nullish(),
});
const InputFile = z.looseObject({
  type: z.literal("input_file"),
  file_data: z.string().nullish(),
  file_id: z.string().nullish(),
  file_url: z.string().nullish(),
  filename: z.string().nullish(),
});
const InputAudio = z.looseObject({
  type: z.literal("input_audio"),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }),
});

/** What a message or a result holds. */
export const ResponsePart = z.discriminatedUnion("type", [
  InputText,
  InputImage,
  InputFile,
  InputAudio,
  z.looseObject({ type: z.literal("output_text"), text: z.string() }),
  z.looseObject({ type: z.literal("refusal"), refusal: z.string() }),
]);
export type ResponsePart = z.infer<typeof ResponsePart>;

const Content = z.union([z.string(), z.array(ResponsePart)]);
const ReportedText = z.array(z.looseObject({ text: z.string() }));

const NamespacedTool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
  /** Of a custom tool: the grammar of its input. */
  format: z.looseObject({ syntax: z.string().optional(), definition: z.string().optional() }).nullish(),
});

/** A function or a custom tool of the caller's, a namespace of them, the caller's search over tools, or the vendor's web search. */
export const ResponseTool = NamespacedTool.extend({
  tools: z.array(NamespacedTool).optional(),
  /** Of type `mcp`: what the gateway itself runs. */
  server_label: McpTool.shape.server_label.optional(),
  allowed_tools: McpTool.shape.allowed_tools,
  require_approval: McpTool.shape.require_approval,
});
export type ResponseTool = z.infer<typeof ResponseTool>;

/** What names the call of an item; the output of a local shell has the id of its call only. */
const named = { call_id: z.string().nullish(), id: z.string().nullish() };

const KnownItem = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("message").optional(),
    role: z.enum(["user", "assistant", "system", "developer"]),
    content: Content,
  }),
  z.looseObject({
    type: z.literal("function_call"),
    call_id: z.string(),
    name: z.string(),
    namespace: z.string().nullish(),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal("function_call_output"), call_id: z.string(), output: Content }),
  z.looseObject({
    type: z.literal("reasoning"),
    id: z.string().nullish(),
    summary: ReportedText.nullish(),
    content: ReportedText.nullish(),
    encrypted_content: z.string().nullish(),
  }),
  z.looseObject({
    type: z.literal("custom_tool_call"),
    call_id: z.string(),
    name: z.string(),
    namespace: z.string().nullish(),
    input: z.string(),
  }),
  z.looseObject({ type: z.literal("custom_tool_call_output"), call_id: z.string(), output: Content }),
  z.looseObject({ type: z.literal("tool_search_call"), call_id: z.string().nullish(), arguments: z.unknown() }),
  z.looseObject({
    type: z.literal("tool_search_output"),
    call_id: z.string().nullish(),
    tools: z.array(ResponseTool).nullish(),
  }),
  z.looseObject({ type: z.literal("local_shell_call"), ...named, action: z.unknown() }),
  z.looseObject({ type: z.literal("local_shell_call_output"), ...named, output: z.string() }),
  z.looseObject({ type: z.literal("shell_call"), ...named, action: z.unknown() }),
  z.looseObject({
    type: z.literal("shell_call_output"),
    ...named,
    output: z.union([z.string(), z.array(z.record(z.string(), z.unknown()))]),
  }),
  z.looseObject({ type: z.literal("apply_patch_call"), ...named, operation: z.unknown() }),
  z.looseObject({
    type: z.literal("apply_patch_call_output"),
    ...named,
    status: z.string().nullish(),
    output: z.string().nullish(),
  }),
  z.looseObject({ type: z.literal("additional_tools"), tools: z.array(ResponseTool) }),
  z.looseObject({ type: z.literal("item_reference"), id: z.string() }),
  z.looseObject({
    type: z.enum([
      "web_search_call",
      "file_search_call",
      "computer_call",
      "computer_call_output",
      "code_interpreter_call",
      "image_generation_call",
      "mcp_list_tools",
      "mcp_call",
    ]),
  }),
]);

const knownTypes: ReadonlySet<unknown> = new Set(
  KnownItem.options.flatMap(({ shape: { type } }) => {
    const inner = type instanceof z.ZodOptional ? type.unwrap() : type;
    return inner instanceof z.ZodEnum ? inner.options : [inner.value];
  }),
);

/** An item of a type that this list does not know; the compiler sees the type as one literal. */
const UnknownItem = z
  .looseObject({ type: z.string() as unknown as z.ZodType<"of a newer client"> })
  .refine(({ type }) => !knownTypes.has(type), { abort: true }); // else the union would report this branch only

/** One item of the conversation; a message may leave its type out. */
export const ResponseItem = z.union([KnownItem, UnknownItem]);
export type ResponseItem = z.infer<typeof ResponseItem>;
/** The schemas of the items, one by one. */
export const itemSchemas: readonly unknown[] = [...KnownItem.options, UnknownItem];

export const ResponseToolChoice = z.union([
  z.enum(["none", "auto", "required"]),
  z.looseObject({
    type: z.string(),
    name: z.string().optional(),
    mode: z.enum(["auto", "required"]).optional(),
    tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).optional(),
  }),
]);

const { max_completion_tokens, ...chat } = ChatRequest.shape;

/** Body of `POST /v1/responses`; bounds are those of the canonical request. */
export const ResponseRequest = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(ResponseItem)]),
  instructions: z.string().optional(),
  fallbacks: Fallbacks.optional(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_obfuscation: z.boolean().optional() }).optional(),
  store: z.boolean().optional(),
  background: z.boolean().optional(),
  tools: z.array(ResponseTool).optional(),
  tool_choice: ResponseToolChoice.optional(),
  parallel_tool_calls: z.boolean().optional(),
  text: z
    .looseObject({
      format: z
        .discriminatedUnion("type", [
          z.looseObject({ type: z.literal("text") }),
          z.looseObject({ type: z.literal("json_object") }),
          z.looseObject({
            type: z.literal("json_schema"),
            name: z.string(),
            schema: z.record(z.string(), z.unknown()),
            strict: z.boolean().nullish(),
            description: z.string().optional(),
          }),
        ])
        .optional(),
      verbosity: chat.verbosity.nullable(),
    })
    .optional(),
  reasoning: z
    .looseObject({ effort: z.enum([...Effort.options, "max"]).nullish(), summary: z.string().nullish() })
    .optional(),
  include: z.array(z.string()).optional(),
  max_output_tokens: max_completion_tokens,
  temperature: chat.temperature,
  top_p: chat.top_p,
  top_logprobs: chat.top_logprobs,
  metadata: z.record(z.string(), z.string()).optional(),
  prompt_cache_key: z.string().optional(),
  prompt_cache_retention: z.enum(["in-memory", "in_memory", "24h"]).optional(),
  safety_identifier: z.string().optional(),
  service_tier: z.string().optional(),
  truncation: z.string().optional(),
  user: z.string().optional(),
});
export type ResponseRequest = z.infer<typeof ResponseRequest>;

/** Body of `POST /v1/responses/input_tokens`: a request that may have no input yet. */
export const ResponseCountRequest = ResponseRequest.extend({ input: ResponseRequest.shape.input.optional() });

const count = z.int().nonnegative();

export const ResponseUsage = z.looseObject({
  input_tokens: count,
  input_tokens_details: z.looseObject({ cached_tokens: count, cache_write_tokens: count }),
  output_tokens: count,
  output_tokens_details: z.looseObject({ reasoning_tokens: count }),
  total_tokens: count,
});
export type ResponseUsage = z.infer<typeof ResponseUsage>;

/** How many tokens the input of a response has. */
export const ResponseCount = z.looseObject({ object: z.literal("response.input_tokens"), input_tokens: count });

/** A whole answer. */
export const ResponseObject = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.int(),
  status: z.enum(["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]),
  model: z.string(),
  output: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
  usage: ResponseUsage.optional(),
});
export type ResponseObject = z.infer<typeof ResponseObject>;

/** One event of a streamed answer; `event:` of its frame is its `type`. */
export const ResponseEvent = z.looseObject({ type: z.string(), sequence_number: z.int() });
