/** The 2 KB chat request of every measurement. */
export const chatRequest = {
  model: "bench/bench-model",
  messages: [
    { role: "system" as const, content: "You are a careful assistant who answers in one paragraph." },
    { role: "user" as const, content: "word ".repeat(360) },
  ],
  temperature: 0.5,
  max_completion_tokens: 400,
};

/** Its JSON with another model's name, as the proxy forwards it. */
export const chatBody = JSON.stringify(chatRequest);

/** What the providers of a bench answer: so many words, 160 unless told. */
export function answerOf(model = "bench-model", words = 160) {
  return {
    id: "x",
    object: "chat.completion" as const,
    created: 1,
    model,
    choices: [
      { index: 0, finish_reason: "stop", message: { role: "assistant" as const, content: "word ".repeat(words) } },
    ],
    usage: { prompt_tokens: 500, completion_tokens: 160, total_tokens: 660 },
  };
}
