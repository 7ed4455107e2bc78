// The table of vendors and features of docs/dialects.md. Every cell is what the adapter does with a request that uses the feature: it is
// made with a `fetch` that records the request and answers nothing, so that the page cannot differ from the code.

import { anthropic } from "../adapters/providers/anthropic/index.ts";
import { bedrock } from "../adapters/providers/bedrock/index.ts";
import { cohere } from "../adapters/providers/cohere/index.ts";
import {
  type CompatibleName,
  type CompatibleRow,
  compatible,
  compatibleProviders,
} from "../adapters/providers/compatible/index.ts";
import { gemini } from "../adapters/providers/gemini/index.ts";
import { openai } from "../adapters/providers/openai.ts";
import { systemone } from "../adapters/providers/systemone.ts";
import { vertex } from "../adapters/providers/vertex/index.ts";
import { watsonx } from "../adapters/providers/watsonx/index.ts";
import type { ChatRequest } from "../src/engine/api/chat.ts";
import { isGatewayError } from "../src/engine/errors.ts";
import type { Provider, ProviderCall } from "../src/engine/ports/provider.ts";
import { capabilityNames } from "../src/http/request/call-headers.ts";

/** A vendor as the table asks it. */
export interface ProbedVendor {
  readonly name: string;
  readonly model: string;
  /** The model for embeddings; `model` unless given. */
  readonly embeddingModel?: string;
  make(wire: { readonly fetch: typeof fetch; readonly baseUrl: string; readonly apiKey: string }): Provider;
  /** True for a second row of a vendor, whose other verbs stand in the first. */
  readonly isChatOnly?: boolean;
  /** True where its Responses API is asked only with `upstream: "responses"`. */
  readonly hasForcedResponses?: boolean;
}

/** What became of a probe: the paths that were asked, and what the adapter warned of or refused. */
export interface ProbeResult {
  readonly isOffered: boolean;
  readonly paths: readonly string[];
  readonly remarks: readonly string[];
}

/** A feature, and the request that uses it. */
interface Feature {
  readonly title: string;
  /** Fields whose loss is the loss of the feature. */
  readonly subject: RegExp;
  send(provider: Provider, call: ProviderCall): Promise<unknown> | undefined;
}

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const page = "JVBERi0xLjQKJSVFT0YK";
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const closed = { ...parameters, additionalProperties: false };

const features: readonly Feature[] = [
  chatFeature("chat", /^$/, {}),
  {
    title: "stream",
    subject: /^$/,
    send: (provider, call) => drain(provider.streamChat?.(requestOf({ stream: true }), call)),
  },
  chatFeature("tools", /^tools$/, {
    tools: [{ type: "function", function: { name: "weather", parameters } }],
    tool_choice: "required",
    parallel_tool_calls: true,
  }),
  chatFeature("schema", /^response_format/, {
    response_format: { type: "json_schema", json_schema: { name: "place", strict: true, schema: closed } },
  }),
  chatFeature("thinking", /^reasoning(\.effort)?$/, { reasoning: { effort: "medium" } }),
  chatFeature(
    "images",
    /content\.\d+$/,
    contentOf({ type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } }),
  ),
  chatFeature(
    "files",
    /content\.\d+$/,
    contentOf({ type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${page}` } }),
  ),
  {
    title: "embeddings",
    subject: /^$/,
    send: (provider, call) =>
      provider.embed?.({ model: "m", input: ["a"], dimensions: 256, input_type: "document" }, call),
  },
  {
    title: "rerank",
    subject: /^$/,
    send: (provider, call) =>
      provider.rerank?.({ model: "m", query: "a", documents: [{ text: "a" }, { text: "b" }], top_n: 1 }, call),
  },
];

function chatFeature(title: string, subject: RegExp, more: Partial<ChatRequest>): Feature {
  return { title, subject, send: (provider, call) => provider.chat?.(requestOf(more), call) };
}

function requestOf(more: Partial<ChatRequest>): ChatRequest {
  return { model: "m", messages: [{ role: "user", content: "Hello" }], ...more };
}

function contentOf(part: Record<string, unknown>): Partial<ChatRequest> {
  return { messages: [{ role: "user", content: [{ type: "text", text: "Look" }, part] }] } as Partial<ChatRequest>;
}

async function drain(stream: AsyncIterable<unknown> | undefined): Promise<void> {
  for await (const _chunk of stream ?? []);
}

/** Answers the exchange of a key for a token, which is no probe. */
function withTokens(vendor: typeof fetch): typeof fetch {
  const token = { access_token: "a token", expires_in: 3600 };
  return async (url, init) => (`${url}`.includes("/identity/") ? Response.json(token) : vendor(url, init));
}

const native: readonly ProbedVendor[] = [
  { name: "openai", model: "gpt-5.6", make: openai },
  { name: "anthropic", model: "claude-opus-4-6", make: anthropic },
  { name: "gemini", model: "gemini-3-pro-preview", make: gemini },
  { name: "cohere", model: "command-a-03-2025", make: cohere },
  {
    name: "bedrock",
    model: "anthropic.claude-opus-4-6-v1",
    embeddingModel: "cohere.embed-v4:0",
    make: (wire) => bedrock({ ...wire, region: "eu-central-1" }),
  },
  ...["gemini-3-pro-preview", "claude-opus-4-6"].map((model, at) => ({
    name: "vertex",
    model,
    embeddingModel: "gemini-embedding-001",
    isChatOnly: at > 0,
    make: ({ apiKey, ...wire }: Parameters<ProbedVendor["make"]>[0]) =>
      vertex({ ...wire, project: "p", location: "europe-west4", accessToken: async () => apiKey }),
  })),
  {
    name: "watsonx",
    model: "ibm/granite-4-h-small",
    make: (wire) => watsonx({ ...wire, projectId: "p", fetch: withTokens(wire.fetch) }),
  },
  { name: "systemone", model: "s1", make: systemone },
];

/** Models of rows whose answer depends on the family of the model. */
const families: Readonly<Record<string, string>> = { xai: "grok-4", moonshot: "kimi-k2.5", azure: "gpt-5.6" };

/** The feature of a column. */
export function featureOf(title: string): Feature {
  const feature = features.find((one) => one.title === title);
  if (feature === undefined) throw new Error(`no column ${title}`);
  return feature;
}

/** Every vendor of the table. */
export const probedVendors: readonly ProbedVendor[] = [
  ...native,
  ...(Object.entries(compatibleProviders) as [CompatibleName, CompatibleRow][]).map(([name, row]) => ({
    name,
    model: families[name] ?? (typeof row.models === "string" ? "model" : (row.models[0] ?? "model")),
    make: (wire: Parameters<ProbedVendor["make"]>[0]) => compatible(name, wire),
    hasForcedResponses: row.responses === "forced",
  })),
];

/** Sends the request of a feature to the vendor's adapter. */
export async function probe(vendor: ProbedVendor, feature: Feature): Promise<ProbeResult> {
  const paths: string[] = [];
  const remarks: string[] = [];
  const record = async (url: unknown) => {
    paths.push(new URL(String(url)).pathname);
    return new Response("{}", { status: 503, headers: { "content-type": "application/json" } });
  };
  const provider = vendor.make({ fetch: record as typeof fetch, baseUrl: "http://vendor.invalid", apiKey: "key" });
  const model = feature.title === "embeddings" ? (vendor.embeddingModel ?? vendor.model) : vendor.model;
  const coming = feature.send(
    provider,
    callTo(model, (warning) => remarks.push(warning)),
  );
  try {
    await coming;
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown;
    if (paths.length === 0) remarks.push(thrown.message);
  }
  await provider.close?.();
  const isLost = remarks.some(
    (remark) => / is not supported by /.test(remark) && feature.subject.test(fieldOf(remark)),
  );
  return { isOffered: paths.length > 0 && !isLost, paths, remarks };
}

/** The capability headers of callers that the vendor is sent by default: of all that the gateway reads, those that no warning names. */
export async function callerHeadersSentTo(vendor: ProbedVendor): Promise<readonly string[]> {
  const remarks: string[] = [];
  let isAsked = false;
  const record = async () => {
    isAsked = true;
    return new Response("{}", { status: 503, headers: { "content-type": "application/json" } });
  };
  const provider = vendor.make({ fetch: withTokens(record), baseUrl: "http://vendor.invalid", apiKey: "key" });
  const capabilities = Object.fromEntries(capabilityNames.map((name) => [name, "flex"]));
  const call = { ...callTo(vendor.model, (remark) => remarks.push(remark)), capabilities };
  await provider.chat?.(requestOf({}), call).catch(() => {});
  await provider.close?.();
  return isAsked ? capabilityNames.filter((name) => !remarks.some((remark) => remark.includes(`\`${name}\``))) : [];
}

function callTo(model: string, warn: ProviderCall["warn"]): ProviderCall {
  const timeouts = { connect: 1_000, firstContent: 1_000, gap: 1_000, whole: 1_000 };
  return { id: "probe", model, startedAt: 0, signal: new AbortController().signal, timeouts, raw: undefined, warn };
}

function fieldOf(remark: string): string {
  return /^`([^`]+)`/.exec(remark)?.[1] ?? "";
}

/** The table, and the notes of its cells. */
export async function describeVendors(): Promise<string> {
  const notes = new Map<string, number>();
  const lines: string[] = [];
  for (const vendor of probedVendors) lines.push(await describeVendor(vendor, notes));
  const titles = ["Vendor", ...features.map(({ title }) => title), "decisions", "asked at", "`callerHeaders`"];
  const legend = [...notes].map(([text, number]) => `${number}. ${text}`);
  return [`| ${titles.join(" | ")} |`, `|${"---|".repeat(titles.length)}`, ...lines, "", ...legend].join("\n");
}

async function describeVendor(vendor: ProbedVendor, notes: Map<string, number>): Promise<string> {
  const asked = new Set<string>();
  const cells: string[] = [];
  for (const feature of features) {
    const result = await probe(vendor, feature);
    const isRetrieval = feature.title === "embeddings" || feature.title === "rerank";
    if (!isRetrieval) for (const path of result.paths) asked.add(shorten(path, vendor));
    cells.push(vendor.isChatOnly && isRetrieval ? "○" : cellOf(result, vendor, notes));
  }
  const provider = vendor.make({ fetch, baseUrl: "http://vendor.invalid", apiKey: "key" });
  const byChat = noteOf("A chat with a schema is read as the decision.", notes);
  cells.push(provider.decide ? "●" : provider.chat ? `◐ ${byChat}` : "○");
  if (provider.speaksResponses) asked.add("/responses");
  const more = vendor.hasForcedResponses ? ['`/responses` with `upstream: "responses"`'] : [];
  await provider.close?.();
  const label =
    native.filter(({ name }) => name === vendor.name).length > 1
      ? `\`${vendor.name}\` ${vendor.model}`
      : `\`${vendor.name}\``;
  const ways = [...[...asked].map((way) => `\`${way}\``), ...more];
  const headers = (await callerHeadersSentTo(vendor)).map((name) => `\`${name}\``);
  return `| ${[label, ...cells, ways.join(", ") || "–", headers.join(", ") || "–"].join(" | ")} |`;
}

function cellOf({ isOffered, remarks }: ProbeResult, vendor: ProbedVendor, notes: Map<string, number>): string {
  if (!isOffered) return "○";
  if (remarks.length === 0) return "●";
  return `◐ ${remarks.map((remark) => noteOf(withoutName(remark, vendor), notes)).join(", ")}`;
}

function noteOf(text: string, notes: Map<string, number>): number {
  const number = notes.get(text) ?? notes.size + 1;
  notes.set(text, number);
  return number;
}

/** The same remark of two vendors is one note. */
function withoutName(remark: string, { name, model }: ProbedVendor): string {
  return `${remark
    .replaceAll(model, "the model")
    .replaceAll(new RegExp(`\\b${name}\\b`, "g"), "the vendor")
    .replace(/\.$/, "")}.`;
}

/** A path without the model and the vendor's own prefix. */
function shorten(path: string, { model }: ProbedVendor): string {
  const named = decodeURIComponent(path).replaceAll(model, "{model}");
  return (
    /(\/(?:v2\/)?chat(?:\/completions)?|\/responses|\/v1\/messages|[/:][^/]*\{model\}.*)$/.exec(named)?.[0] ?? named
  );
}
