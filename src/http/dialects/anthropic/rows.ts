import { type Operation, op } from "../../../operations/define.ts";
import { routes } from "./routes.ts";
import * as schema from "./schema.ts";

const failure = schema.AnthropicFailure;

/** The rows of Anthropic's Messages API. */
export const rows = {
  anthropic_messages: op(routes.anthropic_messages, "virtual_key", "Create a message, as Anthropic's API has it", {
    in: schema.AnthropicRequest,
    out: schema.AnthropicMessage,
    stream: schema.AnthropicEvent,
    failure,
  }),
  anthropic_count_tokens: op(
    routes.anthropic_count_tokens,
    "virtual_key",
    "Count the tokens of a message, as Anthropic's API does",
    { in: schema.AnthropicRequest, out: schema.AnthropicTokenCount, failure },
  ),
  anthropic_models: op(routes.anthropic_models, "virtual_key", "List models, as Anthropic's API does", {
    in: schema.AnthropicModelQuery,
    out: schema.AnthropicModelList,
    failure,
  }),
  anthropic_model: op(routes.anthropic_model, "virtual_key", "Read a model, as Anthropic's API does", {
    out: schema.AnthropicModel,
    failure,
  }),
} satisfies Record<keyof typeof routes, Operation>;
