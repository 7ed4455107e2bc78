/** What `format` of a reasoning detail says that OpenAI's Responses API sealed. */
export const reasoningFormat = "openai-responses-v1";
