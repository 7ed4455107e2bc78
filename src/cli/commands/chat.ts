import type { ChatRequest } from "../../engine/api/chat.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { defineCommand } from "../program/command.ts";

/** `tollgate chat`: ask a model from the shell. */
export const chat = defineCommand({
  name: "chat",
  summary: "send a prompt to a model, or start a conversation",
  usage: "<model> [prompt]",
  about:
    "Sends one prompt and streams the answer to stdout. Time, tokens and cost go to stderr. Without a prompt it reads stdin.\n" +
    "At a terminal it starts a conversation: Ctrl-C stops an answer, Ctrl-D ends the conversation.",
  words: [1, 2],
  options: {
    system: { kind: "text", value: "text", short: "s", about: "system prompt" },
    "max-tokens": { kind: "integer", value: "n", least: 1, about: "maximum number of tokens in the answer" },
    temperature: { kind: "number", value: "0-2", least: 0, most: 2, about: "sampling temperature" },
    fallback: {
      kind: "list",
      value: "model",
      short: "f",
      about: "model to try when the previous ones fail; repeatable",
    },
    json: { kind: "flag", about: "print the complete answer as JSON" },
    "no-stream": { kind: "flag", about: "print the answer only when it is complete" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file; default: tollgate.config.*" },
  },
  examples: [
    ['tollgate chat local/echo "Hello there"', "works without an API key"],
    ['tollgate chat openai/gpt-5 "Why is the sky blue?" -f anthropic/claude-sonnet-5', "with a fallback"],
    [
      'git diff | tollgate chat openai/gpt-5 -s "Write a commit message for this diff."',
      "read the rest of the prompt from a pipe",
    ],
    ["tollgate chat ollama/llama3.2", "start a conversation"],
  ],
  async run({ words: [model = "", prompt], values }, terminal) {
    const { openEngine } = await import("../../server/open-engine.ts");
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
        throw new UsageError("The prompt is missing.", "Write it after the model, in quotes, or pipe it to stdin.");
      request.messages.push({ role: "user", content });
      return (await answerOnce(asking, request)).exitCode;
    } finally {
      await engine.close({ graceMs: 0 });
    }
  },
});
