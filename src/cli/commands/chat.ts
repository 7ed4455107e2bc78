import type { ChatRequest } from "../../api/chat.ts";
import { defineCommand, UsageError } from "../command.ts";

/** `tollgate chat`: ask a model from the shell. */
export const chat = defineCommand({
  name: "chat",
  summary: "ask a model, or talk with it",
  usage: "<model> [prompt]",
  about:
    "Sends one prompt and streams the answer; time, tokens and cost are told on stderr. Without a prompt it reads\n" +
    "what is piped in, or, at a terminal, begins a conversation: Ctrl-C stops an answer, Ctrl-D ends.",
  words: [1, 2],
  options: {
    system: { kind: "text", value: "text", short: "s", about: "instructions ahead of the conversation" },
    "max-tokens": { kind: "integer", value: "n", least: 1, about: "end the answer after this many tokens" },
    temperature: { kind: "number", value: "0-2", least: 0, most: 2, about: "how freely the model chooses its words" },
    fallback: { kind: "list", value: "model", short: "f", about: "asked when those before it fail; may be repeated" },
    json: { kind: "flag", about: "print the whole answer as JSON" },
    "no-stream": { kind: "flag", about: "print the answer when it is complete" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file, in place of tollgate.config.*" },
  },
  examples: [
    ['tollgate chat local/echo "Hello there"', "needs no key"],
    ['tollgate chat openai/gpt-5 "Why is the sky blue?" -f anthropic/claude-sonnet-5', "with a second candidate"],
    ['git diff | tollgate chat openai/gpt-5 -s "Write a commit message for this diff."', "a prompt from a pipe"],
    ["tollgate chat ollama/llama3.2", "a conversation"],
  ],
  async run({ words: [model = "", prompt], values }, terminal) {
    const { openEngine } = await import("../open-engine.ts");
    const { answerOnce, converse } = await import("../conversation.ts");
    const { engine } = await openEngine(terminal, values.config);
    const { system, temperature, fallback } = values;
    const request: ChatRequest = {
      model,
      messages: system === undefined ? [] : [{ role: "system", content: system }],
      max_completion_tokens: values["max-tokens"],
      temperature,
      fallbacks: fallback === undefined ? undefined : [...fallback],
    };
    const style = values.json ? "json" : values["no-stream"] ? "whole" : "streamed";
    const asking = { engine, terminal, style } as const;
    try {
      if (prompt === undefined && terminal.isInteractive) return await converse(asking, request);
      const content = prompt ?? (await terminal.readInput());
      if (content.trim() === "")
        throw new UsageError("There is no prompt.", "Give one behind the model, in quotes, or pipe one in.");
      request.messages.push({ role: "user", content });
      return (await answerOnce(asking, request)).exitCode;
    } finally {
      await engine.close({ graceMs: 0 });
    }
  },
});
