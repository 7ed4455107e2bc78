import type { Provider } from "../../ports.ts";
import type { Gathered } from "../gather.ts";
import type { Source } from "../providers/source.ts";
import { alignColumns } from "../words.ts";
import { addressOf } from "./address.ts";
import { isLoopback } from "./loopback.ts";

/** What is said when the server listens. */
export interface Serving {
  readonly host: string;
  readonly port: number;
  readonly gathered: Pick<Gathered, "sources" | "file">;
  /** Where keys and ledger are; absent where nothing is kept. */
  readonly storeName: string | undefined;
  readonly requireKey: boolean;
  /** Under `/api` the service credential is asked for. */
  readonly isGuarded: boolean;
  /** The value of a key that was just made: shown here and never again. */
  readonly firstKey: string | undefined;
  /** The value of the portal's first token, if it was just made: shown here and never again. */
  readonly firstToken: string | undefined;
  /** Where Prometheus finds metrics; absent unless they are served. */
  readonly metricsAt?: string | undefined;
}

/** The table of providers, the address, and a line to paste. Of a vendor's key it holds the last four characters at most. */
export function writeBanner(serving: Serving): string {
  const { host, requireKey, gathered } = serving;
  const { sources } = gathered;
  const address = addressOf(serving);
  return [
    writeProviders(gathered),
    sources.every(({ name }) => name === "local") ? hintForKeys : "",
    writeStore(serving),
    writePortal(address, serving),
    serving.metricsAt === undefined ? "" : `Metrics for Prometheus are at ${serving.metricsAt}.\n`,
    `\nListening on ${address}. Ctrl-C stops.\n`,
    isLoopback(host) || requireKey ? "" : openWarning(host),
    "Try it:\n",
    `  ${writeCurl(address, serving)}\n\n`,
  ].join("");
}

/** The table of providers. */
export function writeProviders({ sources, file }: Serving["gathered"]): string {
  const found = sources.length === 1 ? "1 provider" : `${sources.length} providers`;
  return [
    `tollgate has ${found}${file === undefined ? "" : ` (settings from ${file})`}:\n`,
    alignColumns([["PROVIDER", "FOUND IN", "ADDRESS", "KEY", "OFFERS"], ...sources.map(describe)]),
  ].join("");
}

/** Where keys and the ledger are, and the key that was just made. */
function writeStore({ storeName, requireKey, firstKey }: Serving): string {
  if (storeName === undefined) return "\nNothing is kept: no keys, no budgets, no ledger.\n";
  const kept = `\nKeys and ledger are in ${storeName}. `;
  if (!requireKey) return `${kept}Calls without a key are answered, too.\n`;
  if (firstKey === undefined) return `${kept}Calls need a key: tollgate key create makes one.\n`;
  return `${kept}A first key was made; it may ask everything, and is shown this once:\n  ${firstKey}\n`;
}

/** Where the portal is, and its first token if it was just made. */
function writePortal(address: string, { storeName, isGuarded, firstToken }: Serving): string {
  if (storeName === undefined) return "";
  const guard = isGuarded ? "Under /api it asks for the service credential, too. " : "";
  const where = `The portal is at ${address}/api, described at ${address}/docs. ${guard}`;
  if (firstToken === undefined) return `${where}tollgate token create makes a token.\n`;
  return `${where}A first user, admin, was made; its token may do everything, and is shown this once:\n  ${firstToken}\n`;
}

const hintForKeys =
  "\nNo vendor's key was found. Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or the like, or write tollgate.config.yaml.\n";

function describe(source: Source): readonly string[] {
  const { name, from, address, provider } = source;
  return [name, from, address ?? "-", writeKey(source), verbsOf(provider).join(" ")];
}

/** The end of the key; of one that cannot be shown, and of several, that there are some. What an object holds only its code knows. */
function writeKey({ keyEnd, keys }: Source): string {
  if (keyEnd !== undefined) return `…${keyEnd}`;
  if (keys === undefined) return "set in code";
  if (keys > 1) return `${keys} keys`;
  return keys === 1 ? "is set" : "-";
}

/** The verbs of a provider: the methods that are there. */
function verbsOf({ chat, streamChat, embed, rerank, decide, listModels }: Provider): string[] {
  const verbs = { chat, stream: streamChat, embed, rerank, decide, models: listModels };
  return Object.entries(verbs).flatMap(([verb, method]) => (method === undefined ? [] : [verb]));
}

/**
 * A line for any shell: one request that works at once, against the echo where it is there. A key that only its owner knows stands as
 * `$TOLLGATE_KEY`.
 */
function writeCurl(address: string, { gathered, requireKey, firstKey }: Serving): string {
  const key = requireKey ? ` -H "authorization: Bearer ${firstKey ?? "$TOLLGATE_KEY"}"` : "";
  const hasEcho = gathered.sources.some(({ name, from }) => name === "local" && from === "built in");
  if (!hasEcho) return `curl -sS ${address}/v1/models${key}`;
  const body = { model: "local/echo", messages: [{ role: "user", content: "Hello there" }] };
  const json = "-H 'content-type: application/json'";
  return `curl -sS ${address}/v1/chat/completions${key} ${json} -d '${JSON.stringify(body)}'`;
}

function openWarning(host: string): string {
  const reach =
    host === "0.0.0.0" || host === "::" ? "every machine that reaches this one" : `everybody who reaches ${host}`;
  return `WARNING: inference is open without a key: ${reach} can spend on your providers' accounts.\n`;
}
