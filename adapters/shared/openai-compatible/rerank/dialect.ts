import type { RerankRequest } from "../../../../src/engine/api/rerank.ts";
import { type TruncationField, writeTruncation } from "../../embeddings/truncation.ts";

/** How a vendor ranks documents, as data. Absent fields have the values of most vendors. */
export interface RerankDialect {
  /** Behind the base URL. */
  readonly path: string;
  /** Fields that the vendor calls otherwise: our name → its name. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Fields that it does not have. `model` and `top_n` are seen to here; of any other the caller is warned. */
  readonly lacks?: readonly string[];
  /** Documents that one request may hold; larger ones are asked in parts. For models that score each document by itself. */
  readonly mostDocuments?: number;
  /** How it says what is done about documents that are too long; absent where it has no choice. */
  readonly truncation?: TruncationField;
  /** Sent with every request. */
  readonly always?: Readonly<Record<string, unknown>>;
}

/** Who is written to, and where to name what it cannot honour. */
export interface RerankAddressee {
  readonly provider: string;
  readonly dialect: RerankDialect;
  warn(warning: string): void;
}

/** Fields that every ranking has, whether the vendor knows them or not. */
const ownFields = new Set(["model", "top_n"]);

/**
 * The body of a request to rank. Documents go as texts: the caller's own are given back, so that ids and whatever else belongs to them
 * is kept. Fields that are not ours go along untouched.
 */
export function rerankToWire(request: RerankRequest, model: string, to: RerankAddressee): Record<string, unknown> {
  const { fallbacks: _f, return_documents: _r, documents, top_n, truncate, ...rest } = request;
  const { renamed = {}, lacks = [], always } = to.dialect;
  const most = top_n === undefined ? undefined : Math.min(top_n, documents.length);
  const fields = { ...rest, model, documents: documents.map(({ text }) => text), top_n: most };
  const wire: Record<string, unknown> = { ...always };
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (!lacks.includes(field)) wire[renamed[field] ?? field] = value;
    else if (!ownFields.has(field)) to.warn(`\`${field}\` is not supported by ${to.provider}`);
  }
  const { provider, dialect } = to;
  writeTruncation(wire, truncate, { provider, truncation: dialect.truncation, warn: (warning) => to.warn(warning) });
  return wire;
}
