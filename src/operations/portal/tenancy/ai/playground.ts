import { z } from "zod";
import { ChatRequest } from "../../../../engine/api/chat.ts";
import { op } from "../../../define.ts";
import { flag, id, text, words } from "../../fields.ts";

const {
  messages,
  temperature,
  top_p,
  max_completion_tokens,
  response_format,
  reasoning,
  tools,
  tool_choice,
  stop,
  seed,
} = ChatRequest.shape;

/** One event of an answer: `chunk` has the chunk as `POST /v1/chat/completions` streams it, `error` the body of the failure, `done` neither. */
export const AiPlaygroundEvent = z.looseObject({
  type: z.enum(["chunk", "error", "done"]),
  /** The request, as the list of requests has it. */
  event_id: z.string(),
});
export type AiPlaygroundEvent = z.output<typeof AiPlaygroundEvent>;

/** Chats of somebody who is signed in to the console: no virtual key enters the browser. */
export const aiPlayground = {
  playground: op(
    "POST /ai/playground/chat",
    "ai_playground-post",
    "Chat with a model on the account of a project or a virtual key; the answer is streamed",
    {
      in: {
        project_id: id.optional(),
        key_id: id.optional(),
        model: text,
        fallbacks: words.max(64).optional(),
        messages: messages.min(1).max(1_000),
        ...{ temperature, top_p, max_completion_tokens, response_format, reasoning, tools, tool_choice, stop, seed },
        no_cache: flag.optional(),
      },
      stream: AiPlaygroundEvent,
      isQuery: true,
      isExtension: true,
      rules: [
        "Exactly one of `key_id` and `project_id` is required: it pays.",
        "A `function` is required in a tool of that type.",
      ],
    },
  ),
};
