import { op } from "../../../operations/define.ts";
import * as schema from "./schema.ts";

/** The rows of Anthropic's Messages API. */
export const rows = {
  anthropic_messages: op("POST /anthropic/v1/messages", "virtual_key", "Create a message, as Anthropic's API has it", {
    in: schema.AnthropicRequest,
    out: schema.AnthropicMessage,
    stream: schema.AnthropicEvent,
  }),
  anthropic_count_tokens: op(
    "POST /anthropic/v1/messages/count_tokens",
    "virtual_key",
    "Count the tokens of a message, as Anthropic's API does",
    { in: schema.AnthropicRequest, out: schema.AnthropicTokenCount },
  ),
  anthropic_models: op("GET /anthropic/v1/models", "virtual_key", "List models, as Anthropic's API does", {
    in: schema.AnthropicModelQuery,
    out: schema.AnthropicModelList,
  }),
  anthropic_model: op("GET /anthropic/v1/models/{+model}", "virtual_key", "Read a model, as Anthropic's API does", {
    out: schema.AnthropicModel,
  }),
};
