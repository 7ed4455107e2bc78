import type { ChatRequest, ChatResponse } from "../engine/api/chat.ts";
import { isGatewayError } from "../engine/errors.ts";
import { mergeChunks } from "../engine/metering/merge-chunks.ts";
import type { Engine } from "../http/create-engine.ts";
import { writeFailure, writeTime, writeUsage } from "../server/terminal/format.ts";
import { plainText } from "../server/terminal/plain-text.ts";
import type { Terminal } from "../server/terminal/terminal.ts";

/** The engine to call, the terminal, and the output style. */
export interface ChatSession {
  readonly engine: Engine;
  readonly terminal: Terminal;
  readonly style: "streamed" | "whole" | "json";
}

/** What became of a question. */
interface ChatOutcome {
  readonly exitCode: number;
  /** The text of the answer; `undefined` if the call failed or was stopped. */
  readonly text: string | undefined;
}

/** Sends one request and prints the answer, then the target, time and cost to stderr. SIGINT stops it (exit code 130). */
export async function answerOnce({ engine, terminal, style }: ChatSession, request: ChatRequest): Promise<ChatOutcome> {
  const controller = new AbortController();
  const forget = terminal.onSignal(() => controller.abort());
  const startedAt = terminal.now();
  const printed = printer(terminal);
  try {
    const answer =
      style === "streamed"
        ? await stream(engine, request, { signal: controller.signal, print: printed.print })
        : await engine.chat(request, { signal: controller.signal });
    if (style === "json") printed.print(`${JSON.stringify(answer, null, 2)}`);
    else if (style === "whole") printed.print(textOf(answer));
    printed.endLine();
    if (style !== "json") terminal.err(describe(answer, terminal.now() - startedAt));
    return { exitCode: 0, text: textOf(answer) };
  } catch (thrown) {
    printed.endLine();
    if (controller.signal.aborted) return { exitCode: 130, text: undefined };
    if (!isGatewayError(thrown) || thrown.code === "internal") throw thrown;
    terminal.err(`tollgate: ${writeFailure(thrown)}`);
    return { exitCode: 1, text: undefined };
  } finally {
    forget();
  }
}

/** Runs a conversation: sends each input line with the history until the input ends. */
export async function converse(asking: ChatSession, { messages, ...rest }: ChatRequest): Promise<number> {
  const { terminal } = asking;
  terminal.err(`Talking with ${rest.model}. Ctrl-C stops an answer, Ctrl-D ends.\n`);
  const history = [...messages];
  for (let line = await terminal.readLine("> "); line !== undefined; line = await terminal.readLine("> ")) {
    if (line.trim() === "") continue;
    const message = { role: "user" as const, content: line };
    const { text } = await answerOnce(asking, { ...rest, messages: [...history, message] });
    if (text !== undefined) history.push(message, { role: "assistant", content: text });
  }
  terminal.err("\n");
  return 0;
}

interface StreamedAnswer {
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
}

async function stream(engine: Engine, request: ChatRequest, { signal, print }: StreamedAnswer): Promise<ChatResponse> {
  const withUsage = { ...request, stream_options: { include_usage: true } };
  const chunks = [];
  const warnings = new Set<string>();
  for await (const chunk of await engine.streamChat(withUsage, { signal })) {
    const delta = chunk.choices[0]?.delta;
    print(`${delta?.content ?? ""}${delta?.refusal ?? ""}`);
    for (const warning of chunk.extra_fields?.warnings ?? []) warnings.add(warning);
    chunks.push(chunk);
  }
  const extra = chunks.at(-1)?.extra_fields;
  const whole = mergeChunks(chunks);
  return extra === undefined ? whole : { ...whole, extra_fields: { ...extra, warnings: [...warnings] } };
}

function textOf({ choices }: ChatResponse): string {
  const message = choices[0]?.message;
  const content = typeof message?.content === "string" ? message.content : "";
  return `${content}${message?.refusal ?? ""}`;
}

/** Prints what comes, and ends the line that is open at the end. */
function printer(terminal: Terminal) {
  let last = "\n";
  return {
    print(text: string) {
      if (text === "") return;
      terminal.out(terminal.isOutputTty ? plainText(text) : text);
      last = text;
    },
    endLine() {
      if (!last.endsWith("\n")) terminal.out("\n");
    },
  };
}

function describe({ usage, choices, extra_fields }: ChatResponse, ms: number): string {
  const served = `${extra_fields?.provider ?? ""}/${extra_fields?.model_deployment ?? ""}`;
  const isCut = choices[0]?.finish_reason === "length";
  const parts = [
    served,
    usage === undefined ? "usage unknown" : writeUsage(usage),
    writeTime(ms),
    ...(isCut ? ["cut off at the token limit"] : []),
  ];
  const warnings = (extra_fields?.warnings ?? []).map((warning) => `warning: ${warning}\n`);
  return `${warnings.join("")}[${parts.join(", ")}]\n`;
}
