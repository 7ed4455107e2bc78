import type { Model } from "../../engine/api/models.ts";

/**
 * A model with the members that clients require: `object` and `created` (0 where nobody says when) those of OpenAI, `type` and
 * `capabilities` those of Mistral.
 */
export function writeModel(model: Model): object {
  return { object: "model", created: 0, type: "base", capabilities: capabilitiesOf(model), ...model };
}

/** What is not known is taken to be there: a client that hides a model is worse than a call that is refused. */
function capabilitiesOf({ supported_parameters: parameters, architecture }: Model): object {
  const { input_modalities: input, output_modalities: output } = architecture ?? {};
  const isChatModel = output === undefined || output.length === 0 || output.includes("text");
  return {
    completion_chat: isChatModel,
    function_calling: isChatModel && (parameters?.includes("tools") ?? true),
    vision: input?.includes("image") ?? false,
  };
}
