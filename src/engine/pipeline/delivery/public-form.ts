import type { ChatChunk, ChatResponse } from "../../api/chat.ts";
import type { Annotation } from "../../api/message.ts";
import { withCompleteCalls } from "../../dialects/openai/complete-calls.ts";
import { writeServiceTier } from "../../dialects/openai/service-tier.ts";

/** The part of an answer or a chunk that names the tier that served it. */
interface Tiered {
  service_tier?: string | null | undefined;
}

/**
 * Returns a whole answer in the words that clients of the interface know: its tier is one of OpenAI's, its citations have all their
 * members, its tool calls theirs. The same object where nothing differs.
 */
export function toPublicAnswer(answer: ChatResponse): ChatResponse {
  const served = withPublicTier(answer);
  const { choices, ...rest } = served;
  if (!choices.some(({ message }) => message.annotations?.length || message.tool_calls)) return served;
  return {
    ...rest,
    choices: choices.map((choice) => {
      const message = withCompleteCalls(choice.message, `${answer.id}_${choice.index}`);
      const { annotations, content } = message;
      if (!annotations?.length) return message === choice.message ? choice : { ...choice, message };
      const length = typeof content === "string" ? content.length : 0;
      return {
        ...choice,
        message: { ...message, annotations: annotations.map((one) => complete(one, length)) },
      };
    }),
  };
}

/** The same of a chunk; `length` is that of the text so far. */
export function toPublicChunk(chunk: ChatChunk, length: number): ChatChunk {
  const served = chunk.service_tier === undefined ? chunk : withPublicTier(chunk);
  if (!served.choices.some(({ delta }) => delta.annotations?.length)) return served;
  return {
    ...served,
    choices: served.choices.map((choice) => {
      const { annotations } = choice.delta;
      if (!annotations?.length) return choice;
      return { ...choice, delta: { ...choice.delta, annotations: annotations.map((one) => complete(one, length)) } };
    }),
  };
}

function withPublicTier<Form extends Tiered>(form: Form): Form {
  const { service_tier: tier } = form;
  if (tier === undefined || tier === null) return form;
  const word = writeServiceTier(tier);
  if (word === tier) return form;
  const { service_tier: _vendors, ...rest } = form;
  return (word === undefined ? rest : { ...rest, service_tier: word }) as Form;
}

/** A citation of a page without a title is shown by its address; one without a range is of the whole text. */
function complete(annotation: Annotation, length: number): Annotation {
  const { url_citation: page } = annotation;
  if (page === undefined) return annotation;
  const { url = "", title = url, start_index = 0, end_index = length } = page;
  return { ...annotation, url_citation: { ...page, url, title, start_index, end_index } };
}
