import type { ChatRequest, ChatResponse } from "../../../src/engine/api/chat.ts";
import type { Usage } from "../../../src/engine/api/usage.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";

/** The options of a question as its prompt lists them: label → text. */
function listedOptions({ messages }: ChatRequest): Map<string, string> {
  const text = textOf(messages);
  const lines = text.slice(text.indexOf("\nOptions:\n")).matchAll(/^(\w+): (.*)$/gm);
  return new Map([...lines].map(([, label = "", option = ""]) => [label, option]));
}

/** The name of the question that a prompt asks. */
export function askedQuestion({ messages }: ChatRequest): string {
  return /^Question `(.*)`:$/m.exec(textOf(messages))?.[1] ?? "";
}

/** The text of the last message; its pictures have none. */
function textOf(messages: ChatRequest["messages"]): string {
  const { content } = messages.at(-1) ?? {};
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** How sure a scripted model is of each option, by the text of the option. */
export type Belief = (question: string, option: string, request: ChatRequest) => number;

export const usageOf = (prompt: number, completion: number): Usage => {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
};

function answerOf(call: ProviderCall, choice: Partial<ChatResponse["choices"][number]>): ChatResponse {
  const message = { role: "assistant" as const, content: null };
  return {
    id: call.id,
    object: "chat.completion",
    created: 1,
    model: call.model,
    usage: usageOf(100, 1),
    choices: [{ index: 0, finish_reason: "length", message, ...choice }],
  };
}

/** A model with log probabilities: those of the labels are its belief, some tokens are something else, every label comes with a space, too. */
export function byToken(name: string, belief: Belief, asked: ChatRequest[] = []): Provider {
  return {
    name,
    async chat(request, call) {
      asked.push(request);
      const question = askedQuestion(request);
      const labels = [...listedOptions(request)].map(
        ([label, option]) => [label, belief(question, option, request)] as const,
      );
      const top = labels.flatMap(([label, probability], at) => {
        const share = at % 2 ? 0.8 : 0.3; // of the label without a space
        return [
          { token: label, logprob: Math.log(probability * share) },
          { token: ` ${label}`, logprob: Math.log(probability * (0.9 - share)) },
        ];
      });
      const noise = { token: "The", logprob: Math.log(0.1) };
      const top_logprobs = [noise, ...top].filter(({ logprob }) => logprob > -100);
      return answerOf(call, { log_probs: { content: [{ ...noise, top_logprobs }] } });
    },
  };
}

/** A model without log probabilities, which states its belief by the tool. */
export function byTool(name: string, belief: Belief, asked: ChatRequest[] = []): Provider {
  return {
    name,
    async chat(request, call) {
      asked.push(request);
      if (!request.tools) return answerOf(call, {});
      const question = askedQuestion(request);
      const stated = [...listedOptions(request)].map(([label, option]) => [label, belief(question, option, request)]);
      const text = JSON.stringify(Object.fromEntries(stated));
      return { ...answerOf(call, toolCall(text)), usage: usageOf(150, 20) };
    },
  };
}

/** A choice that calls the tool with these arguments. */
export function toolCall(text: string): Partial<ChatResponse["choices"][number]> {
  const calls = [{ id: "c", type: "function" as const, function: { name: "answer", arguments: text } }];
  return { finish_reason: "tool_calls", message: { role: "assistant", content: null, tool_calls: calls } };
}

/** A chat provider whose every answer is this choice. */
export function always(name: string, choice: Partial<ChatResponse["choices"][number]>): Provider {
  return { name, chat: async (_request, call) => answerOf(call, choice) };
}
