import { z } from "zod";
import { findAnswerTable } from "../../operations/page.ts";
import type { PortalRow } from "../../operations/portal/table.ts";
import { toJson } from "../context.ts";
import { sendWhole } from "../encoding/compress.ts";
import { toCsv, wantsCsv } from "../encoding/csv.ts";
import { type HttpRequest, type HttpResponse, readHeader } from "../message.ts";

/** What a row of the portal answers. */
interface RowValue {
  readonly row: PortalRow;
  /** Undefined for an answer without a body. */
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes an answer as JSON, a list as CSV for a client that asks for it, and nothing as 204. */
export async function writeValue({ row, value, headers }: RowValue, request: HttpRequest): Promise<HttpResponse> {
  const response = writeBody(row, value, readHeader(request.headers, "accept"));
  // Keys, tokens, kubeconfigs: some answers are secrets, and none is for a cache.
  Object.assign(response.headers, headers, { "cache-control": "no-store" });
  // The size of a compressed answer tells of what is in it: a secret goes out as it is.
  return row.operation.isSecret ? response : sendWhole(response, request);
}

function writeBody({ area, name, operation }: PortalRow, value: unknown, accept: string | undefined): HttpResponse {
  if (value === undefined) return { status: 204, headers: {}, body: "" };
  const table = operation.isTable && wantsCsv(accept) ? findAnswerTable(operation.output) : undefined;
  if (!table) return toJson(value);
  const { element, member } = table;
  const columns = element instanceof z.ZodObject ? Object.keys(element.shape) : [];
  const { rows, next } = readTable(value, member);
  const response = toCsv(rows, { columns, file: `${area}-${name}` });
  return next === undefined ? response : { ...response, headers: { ...response.headers, "x-tg-next": next } };
}

/** The rows of an answer; a list that is a member says in a header what `next` says in the body. */
function readTable(
  value: unknown,
  member: string | undefined,
): { rows: readonly unknown[]; next?: string | undefined } {
  if (member === undefined) return { rows: value as readonly unknown[] }; // seam: the answer is of the operation's schema
  const { [member]: rows, next } = value as Readonly<Record<string, unknown>>;
  return { rows: rows as readonly unknown[], next: typeof next === "string" ? next : undefined };
}
