import { judgePatterns, writeNotes } from "../engine/pipeline/admin/known-models.ts";
import type { Provider } from "../engine/ports/provider.ts";
import type { FirstValue } from "./first-key.ts";
import type { Gathered } from "./gather.ts";
import { addressOf } from "./network/address.ts";
import { isLoopback } from "./network/loopback.ts";
import type { OpenedEngine } from "./open-engine.ts";
import type { ProviderSource } from "./providers/source.ts";
import { alignColumns } from "./terminal/format.ts";

/** The startup banner. */
export interface BannerFacts {
  readonly host: string;
  readonly port: number;
  readonly gathered: Pick<Gathered, "sources" | "file">;
  /** The name of the store; absent without a store. */
  readonly storeName: string | undefined;
  readonly requireKey: boolean;
  /** True if `/api` requires the service credential. */
  readonly isGuarded: boolean;
  /** A key that was just created; its value is shown only here. */
  readonly firstKey: FirstValue | undefined;
  /** The portal's first token, if it was just created; its value is shown only here. */
  readonly firstToken: FirstValue | undefined;
  readonly hasConsole?: boolean | undefined;
  /** A link that signs in to the console once; absent where none was made. */
  readonly signInLink?: FirstValue | undefined;
  /** Where Prometheus finds metrics; absent unless they are served. */
  readonly metricsAt?: string | undefined;
  /** Sentences on models without a known price. */
  readonly notes?: readonly string[] | undefined;
}

/** The table of providers, the address, and a line to paste. Of a vendor's key it holds the last four characters at most. */
export function writeBanner(serving: BannerFacts): string {
  const { host, requireKey, gathered } = serving;
  const { sources } = gathered;
  const address = addressOf(serving);
  return [
    writeProviders(gathered),
    sources.every(({ name }) => name === "local") ? hintForKeys : "",
    writeStore(serving),
    writePortal(address, serving),
    ...(serving.notes ?? []).map((note) => `${note}\n`),
    serving.metricsAt === undefined ? "" : `Metrics for Prometheus are at ${serving.metricsAt}.\n`,
    `\nListening on ${address}. Ctrl-C stops.\n`,
    writeConsole(address, serving),
    isLoopback(host) || requireKey ? "" : openWarning(host),
    "Try it:\n",
    `  ${writeCurl(address, serving)}\n\n`,
  ].join("");
}

/** Sentences on the providers, and the models that keys allow by name, whose prices are unknown. */
export async function noteUnpriced({ engine, sources, renewable }: OpenedEngine, hasKeys: boolean, now: number) {
  const keys = hasKeys ? (await engine.keys.list({ limit: mostKeys })).items : [];
  const named = keys.flatMap(({ provider_configs }) =>
    provider_configs.flatMap(({ provider, allowed_models }) =>
      allowed_models.filter((model) => !model.endsWith("*")).map((model) => nameIn(provider, model)),
    ),
  );
  const providers = sources.map(({ name }) => name).filter((name) => name !== "local");
  const knowledge = { prices: renewable.prices, providers: new Set([...providers, "local"]), now };
  const { unpriced } = judgePatterns([...providers.map((name) => `${name}/*`), ...named], knowledge);
  return writeNotes({ unknown: [], unpriced: unpriced.filter((name) => !name.startsWith("local/")) });
}

/** Keys whose models are looked up at a start. */
const mostKeys = 1_000;

function nameIn(provider: string, model: string): string {
  return provider === "*" || model.startsWith(`${provider}/`) ? model : `${provider}/${model}`;
}

/** The table of providers. */
export function writeProviders({ sources, file }: BannerFacts["gathered"]): string {
  const found = sources.length === 1 ? "1 provider" : `${sources.length} providers`;
  return [
    `tollgate has ${found}${file === undefined ? "" : ` (settings from ${file})`}:\n`,
    alignColumns([["PROVIDER", "FOUND IN", "ADDRESS", "KEY", "OFFERS"], ...sources.map(describe)]),
  ].join("");
}

/** The lines about the store and the key that was just created. */
function writeStore({ storeName, requireKey, firstKey }: BannerFacts): string {
  if (storeName === undefined) return "\nNothing is kept: no keys, no budgets, no ledger.\n";
  const store = `\nKeys and ledger are in ${storeName}. `;
  if (!requireKey) return `${store}Calls without a key are answered, too.\n`;
  if (firstKey === undefined) return `${store}Calls need a key: tollgate key create makes one.\n`;
  return `${store}A first key was made; it may ask everything, ${whereIs(firstKey, "tollgate key create")}`;
}

/** The lines about the portal and its first token, if it was just created. */
function writePortal(address: string, { storeName, isGuarded, firstToken }: BannerFacts): string {
  if (storeName === undefined) return "";
  const guard = isGuarded ? "Under /api it asks for the service credential, too. " : "";
  const where = `The portal is at ${address}/api, described at ${address}/docs. ${guard}`;
  if (firstToken === undefined) return `${where}tollgate token create makes a token.\n`;
  const at = whereIs(firstToken, "tollgate token create");
  return `${where}A first user, admin, was made; its token may do everything, ${at}`;
}

/** The line about the console, with the link that signs in to it. */
function writeConsole(address: string, { hasConsole, signInLink }: BannerFacts): string {
  if (!hasConsole) return "";
  if (signInLink?.kind === "shown")
    return `Console: ${signInLink.value} (signs in once, within ten minutes, on this machine only)\n`;
  if (signInLink?.kind === "written")
    return `Console: ${address}/console. A link that signs in once, within ten minutes, is in ${signInLink.file}.\n`;
  return `Console: ${address}/console. Sign in with a token, or with a username and password.\n`;
}

/** The end of a sentence on a value of the first start. */
function whereIs(first: FirstValue, command: string): string {
  if (first.kind === "shown") return `and is shown this once:\n  ${first.value}\n`;
  if (first.kind === "written") return `and is in ${first.file}, which its owner alone can read.\n`;
  return `but could not be written to ${first.file} (${first.problem}): ${command} makes another.\n`;
}

const hintForKeys =
  "\nNo vendor's key was found. Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or the like, or write tollgate.config.yaml.\n";

function describe(source: ProviderSource): readonly string[] {
  const { name, from, address, provider } = source;
  return [name, from, address ?? "-", writeKey(source), verbsOf(provider).join(" ")];
}

/** The end of the key; of one that cannot be shown, and of several, that there are some. What an object holds only its code knows. */
function writeKey({ keyEnd, keys }: ProviderSource): string {
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
 * A shell command for one request that works immediately, against the echo model if it is available. A key whose value is unknown appears
 * as `$TOLLGATE_KEY`.
 */
function writeCurl(address: string, { gathered, requireKey, firstKey }: BannerFacts): string {
  const key = requireKey ? ` -H "authorization: Bearer ${writeKeyArgument(firstKey)}"` : "";
  const hasEcho = gathered.sources.some(({ name, from }) => name === "local" && from === "built in");
  if (!hasEcho) return `curl -sS ${address}/v1/models${key}`;
  const body = { model: "local/echo", messages: [{ role: "user", content: "Hello there" }] };
  const json = "-H 'content-type: application/json'";
  return `curl -sS ${address}/v1/chat/completions${key} ${json} -d '${JSON.stringify(body)}'`;
}

/** The key as a shell writes it. */
function writeKeyArgument(firstKey: FirstValue | undefined): string {
  if (firstKey?.kind === "shown") return firstKey.value;
  return firstKey?.kind === "written" ? `$(cat '${firstKey.file.replaceAll("'", "'\\''")}')` : "$TOLLGATE_KEY";
}

function openWarning(host: string): string {
  const reach =
    host === "0.0.0.0" || host === "::" ? "every machine that reaches this one" : `everybody who reaches ${host}`;
  return `WARNING: inference is open without a key: ${reach} can spend on your providers' accounts.\n`;
}
