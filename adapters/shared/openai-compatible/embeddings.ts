import type { EmbeddingRequest, EmbeddingResponse } from "../../../src/engine/api/embeddings.ts";
import type { Usage } from "../../../src/engine/api/usage.ts";
import { readUsage } from "../../../src/engine/dialects/openai/usage.ts";
import { isRecord, optionalText } from "../../../src/engine/dialects/wire-values.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { embedAll } from "../embeddings/embed.ts";
import { inputTypeIn } from "../embeddings/input-types.ts";
import { textsOf } from "../embeddings/inputs.ts";
import { writeTruncation } from "../embeddings/truncation.ts";
import type { HttpClient } from "../http/client.ts";
import type { EmbeddingDialect, Warned } from "./compatibility-profile.ts";
import { addFields, type WireBody } from "./request/to-wire.ts";
import { invalidAnswer, type ReadContext, throwFault } from "./response/answer.ts";

/** A vendor of OpenAI's embeddings, with its deviations; it need not chat. */
export interface EmbeddingVendor {
  readonly provider: string;
  readonly http: HttpClient;
  readonly dialect: EmbeddingDialect;
}

/** Embeddings of such a vendor, in as many requests as it takes. */
export function embedWith(
  { provider, http, dialect }: EmbeddingVendor,
  request: EmbeddingRequest,
  call: ProviderCall,
): Promise<EmbeddingResponse> {
  return embedAll(request, call, {
    provider,
    limits: dialect.limits,
    async ask(part, own) {
      const warn = (warning: string) => own.warn(warning);
      const body = embeddingToWire(part, own.model, { provider, warn, dialect });
      return readEmbeddings(await http.post(dialect.path ?? "/embeddings", body, own), { provider, http, call: own });
    },
  });
}

/** The body of `POST /embeddings`. */
export function embeddingToWire(
  request: EmbeddingRequest,
  model: string,
  to: Warned & { readonly dialect: EmbeddingDialect },
): WireBody {
  const { fallbacks: _f, model: _m, encoding_format, truncate, ...rest } = request;
  const { dialect, provider } = to;
  if (dialect.lacksTokens) textsOf(request, provider);
  const { unsupported = [], renamed = {}, demanded = {} } = dialect;
  const wire: WireBody = { model };
  addFields(wire, withInputType(rest, to), { to, unsupported, renamed });
  if (encoding_format !== undefined && !dialect.lacksBase64) wire.encoding_format = encoding_format;
  writeTruncation(wire, truncate, { provider, truncation: dialect.truncation, warn: (warning) => to.warn(warning) });
  for (const [field, value] of Object.entries(demanded)) {
    if (wire[field] !== undefined) continue;
    wire[field] = value;
    to.warn(`\`${field}\` is "${value}" unless given, since ${provider} demands one`);
  }
  return wire;
}

/** Queries and documents are embedded differently, and every vendor has its own words for them. */
function withInputType(fields: WireBody, to: Warned & { readonly dialect: EmbeddingDialect }): WireBody {
  const { input_type: requested, ...rest } = fields;
  const words = to.dialect.inputTypes;
  if (words === undefined || requested === undefined || requested === null) return fields;
  const input_type = inputTypeIn(words, requested);
  if (input_type !== undefined) return { ...rest, input_type };
  to.warn(`\`input_type\` ${JSON.stringify(requested)} is not supported by ${to.provider}`);
  return rest;
}

/** An answer of `POST /embeddings` in our form. */
function readEmbeddings(raw: unknown, reading: ReadContext): EmbeddingResponse {
  if (!isRecord(raw)) throw invalidAnswer(reading.provider, "is no object");
  throwFault(raw, reading);
  if (!Array.isArray(raw.data)) throw invalidAnswer(reading.provider, "has no vectors");
  const vectors = raw.data.filter(isRecord).map((vector, at) => ({
    ...vector,
    index: typeof vector.index === "number" ? vector.index : at,
    object: "embedding",
    embedding: vector.embedding as EmbeddingResponse["data"][number]["embedding"],
  }));
  const model = optionalText(raw.model) ?? reading.call.model;
  const usage = embeddingUsage(raw.usage);
  const { usage: _usage, ...rest } = raw;
  const answer = { ...rest, object: "list", model, data: vectors };
  return usage === undefined ? answer : { ...answer, usage };
}

/** The usage of embeddings is a prompt only: where a vendor states only the total, that is the prompt. */
function embeddingUsage(raw: unknown): Usage | undefined {
  if (!isRecord(raw)) return undefined;
  return readUsage({ ...raw, prompt_tokens: raw.prompt_tokens ?? raw.total_tokens });
}
