import type { CallOptions, Engine } from "../engine.ts";
import { readJson } from "./body.ts";
import { readCredentials } from "./credentials.ts";
import type { Exchange } from "./endpoint.ts";
import { type HttpResponse, readHeader } from "./exchange.ts";

/** What the inference API is served from. */
export interface InferenceOptions {
  readonly engine: Engine;
  /** What virtual keys begin with, in any case; `sk-tg-` by default. */
  readonly keyPrefix?: string | undefined;
  /** Bytes of a request's body, before and after decompression; 100 MB by default. */
  readonly bodyLimit?: number | undefined;
}

/** The same with its defaults. */
export type Source = { readonly [Name in keyof InferenceOptions]-?: NonNullable<InferenceOptions[Name]> };

/** Answers one operation; rejects with whatever went wrong. */
export type Answer = (exchange: Exchange, source: Source) => Promise<HttpResponse>;

/** Fills in the defaults. */
export function sourceOf({ engine, keyPrefix, bodyLimit }: InferenceOptions): Source {
  return { engine, keyPrefix: keyPrefix ?? "sk-tg-", bodyLimit: bodyLimit ?? 100_000_000 };
}

/** The body as JSON; the model it names is noted for the body of an error. */
export async function readInput(exchange: Exchange, { bodyLimit }: Source): Promise<unknown> {
  const body = await readJson(exchange.request, bodyLimit);
  if (typeof body === "object" && body !== null && "model" in body && typeof body.model === "string") {
    exchange.model = body.model;
  }
  return body;
}

/** What the headers of a request say beside its body. */
export function callOptions({ request, eventId }: Exchange, { keyPrefix }: Source): CallOptions {
  const { headers, signal } = request;
  const key = readCredentials(headers, keyPrefix).virtualKey;
  const raw = readHeader(headers, "x-tg-raw")?.toLowerCase() === "true";
  const options: CallOptions & { readonly key: string | undefined } = { signal, eventId, raw, key };
  return options;
}

/** A value as a whole answer. */
export function toJson(value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status: 200, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) };
}
