import type { Provider } from "../../ports.ts";
import type { Gathered } from "../gather.ts";
import type { Source } from "../providers/source.ts";
import { alignColumns } from "../words.ts";
import { isLoopback } from "./loopback.ts";

/** What is said when the server listens. */
export interface Serving {
  readonly host: string;
  readonly port: number;
  readonly gathered: Pick<Gathered, "sources" | "file">;
}

/** The table of providers, the address, and a line to paste. Holds no secret: of a key the last four characters at most. */
export function writeBanner({ host, port, gathered: { sources, file } }: Serving): string {
  const address = `http://${nameOf(host)}:${port}`;
  const found = sources.length === 1 ? "1 provider" : `${sources.length} providers`;
  return [
    `tollgate has ${found}${file === undefined ? "" : ` (settings from ${file})`}:\n`,
    alignColumns([["PROVIDER", "FOUND IN", "ADDRESS", "KEY", "OFFERS"], ...sources.map(describe)]),
    sources.every(({ name }) => name === "local") ? hintForKeys : "",
    `\nListening on ${address}. Ctrl-C stops.\n`,
    isLoopback(host) ? "" : openWarning(host),
    "Try it:\n",
    `  ${writeCurl(address, sources)}\n\n`,
  ].join("");
}

const hintForKeys =
  "\nNo vendor's key was found. Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or the like, or write tollgate.config.yaml.\n";

function describe({ name, from, address, keyEnd, provider }: Source): readonly string[] {
  return [name, from, address ?? "-", keyEnd === undefined ? "-" : `…${keyEnd}`, verbsOf(provider).join(" ")];
}

/** The verbs of a provider: the methods that are there. */
function verbsOf({ chat, streamChat, embed, rerank, decide, listModels }: Provider): string[] {
  const verbs = { chat, stream: streamChat, embed, rerank, decide, models: listModels };
  return Object.entries(verbs).flatMap(([verb, method]) => (method === undefined ? [] : [verb]));
}

/** A line for any shell: one request that works at once, against the echo where it is there. */
function writeCurl(address: string, sources: readonly Source[]): string {
  const hasEcho = sources.some(({ name, from }) => name === "local" && from === "built in");
  if (!hasEcho) return `curl -sS ${address}/v1/models`;
  const body = { model: "local/echo", messages: [{ role: "user", content: "Hello there" }] };
  return `curl -sS ${address}/v1/chat/completions -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}

/** The host as a URL has it, and as this machine reaches it. */
function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function openWarning(host: string): string {
  const reach =
    host === "0.0.0.0" || host === "::" ? "every machine that reaches this one" : `everybody who reaches ${host}`;
  return `WARNING: inference is open without a key: ${reach} can spend on your providers' accounts.\n`;
}
