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
