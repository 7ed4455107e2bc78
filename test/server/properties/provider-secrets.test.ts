import { inspect } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import { createFetch, type Engine } from "../../../src/index.ts";
import { openRequestLog } from "../../../src/server/logging/request-log.ts";
import { engineOver } from "../../engine/support/support.ts";
import { encodings, escapedIn, holds } from "../../fixtures/leaks.ts";
import { collect } from "../../fixtures/native.ts";
import { type Recorded, type RecordedStream, recordedAnswers, recordedStreams } from "../../fixtures/odd.ts";
import { openVendor, vendorNames } from "../../fixtures/open-vendors.ts";

const answers = vendorNames.flatMap(recordedAnswers);
const streams = vendorNames.flatMap(recordedStreams);

/** What a provider is opened with: each is long enough to be one, and some need escapes wherever they are written. */
const secret = fc
  .tuple(fc.constantFrom("sk-", "K/", 'q"', "b\\", "a+b%", "e&<"), fc.stringMatching(/^[A-Za-z0-9_+/=.~-]{9,30}$/))
  .map((parts) => parts.join(""));
const configuration = fc.record({ apiKey: secret, header: secret, query: secret });
type Configuration = typeof configuration extends fc.Arbitrary<infer Value> ? Value : never;

/** What of the configuration the answer repeats, how, and where. */
const leak = fc.record({
  which: fc.constantFrom<keyof Configuration>("apiKey", "header", "query"),
  how: fc.constantFrom(...(Object.keys(encodings) as (keyof typeof encodings)[])),
  where: fc.nat(200),
  isEscaped: fc.boolean(),
});
type Leak = typeof leak extends fc.Arbitrary<infer Value> ? Value : never;

/** The JSON of a value with the secret behind one of its texts, in a field that nobody knows, or as the name of one. */
function withLeak(value: unknown, configured: Configuration, { which, how, where, isEscaped }: Leak): string {
  const copy = structuredClone(value);
  const written = encodings[how](configured[which]);
  const places: (() => void)[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (!Array.isArray(node)) places.push(() => Object.assign(node, { unknown: written }, { [written]: 1 }));
    for (const [name, member] of Object.entries(node)) {
      if (typeof member === "string") places.push(() => Object.assign(node, { [name]: `${member} ${written}` }));
      visit(member);
    }
  };
  visit(copy);
  places[where % Math.max(1, places.length)]?.();
  const json = JSON.stringify(copy);
  return isEscaped ? escapedIn(json, Object.values(configured)) : json;
}

/** All that comes out of an engine: what is listened to, what is logged without the log's own redaction, and what is noted here. */
function watched(vendor: string, configured: Configuration, transport: Transport) {
  const { engine } = engineOver([openVendor(vendor, { ...configured, transport })], {
    ...{ store: memoryStore(), retry: { retries: 0 } },
  });
  const seen: string[] = [];
  const note = (value: unknown) =>
    void seen.push(JSON.stringify(value) ?? "", inspect(value, { depth: 12, breakLength: Number.POSITIVE_INFINITY }));
  for (const name of ["planned", "attempted", "fell_back", "defect", "settled", "cache"] as const)
    engine.on(name, note);
  const write = (line: string) => void seen.push(line);
  openRequestLog(engine, { level: "debug", isForPeople: false, write, scrub: (text) => text, now: () => 0 });
  return { engine, seen, note };
}

async function expectNoLeak(seen: readonly string[], configured: Configuration): Promise<void> {
  for (const text of seen) {
    for (const value of Object.values(configured)) expect(holds(text, value) ? text : "").toBe("");
  }
}

const asks = {
  chat: (engine: Engine, request: never) => engine.chat(request, { raw: true }),
  embedding: (engine: Engine, request: never) => engine.embed(request, { raw: true }),
  rerank: (engine: Engine, request: never) => engine.rerank(request, { raw: true }),
  models: (engine: Engine) => engine.models(),
} satisfies Record<Recorded["kind"], (engine: Engine, request: never) => Promise<unknown>>;

const paths = { chat: "/v1/chat/completions", embedding: "/v1/embeddings", rerank: "/v1/rerank", models: "/v1/models" };

/** The same over HTTP: status line, headers and body. */
async function overHttp(engine: Engine, path: string, request: object): Promise<string> {
  const ask = createFetch(engine);
  const headers = { "content-type": "application/json", "x-tg-raw": "true" };
  const isGet = path === paths.models;
  const response = await ask(`http://gateway${path}`, {
    method: isGet ? "GET" : "POST",
    headers,
    ...(isGet ? {} : { body: JSON.stringify(request) }),
  });
  return `${JSON.stringify([...response.headers])} ${await response.text()}`;
}

interface VendorAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string | Uint8Array;
  readonly cut?: number;
}

/** A transport that answers everything like this; what is streamed comes in pieces of so many bytes. */
function answering({ status = 200, type = "application/json", body, cut = 1_000 }: VendorAnswer): Transport {
  const bytes = Buffer.from(body);
  const headers = { "content-type": type };
  return {
    whole: async () => ({ status, headers, body: bytes.toString("utf8") }),
    stream: async () => ({
      ...{ status, headers },
      body: (async function* () {
        for (let at = 0; at < bytes.length; at += cut) yield bytes.subarray(at, at + cut);
      })(),
    }),
    close: async () => {},
  };
}

it("no answer of a vendor, good or refused, carries a configured secret to a caller, an event or a log", () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...answers),
      fc.record({
        ...{ configured: configuration, given: leak },
        status: fc.constantFrom(200, 200, 200, 302, 400, 401, 403, 404, 429, 500),
      }),
      async ({ vendor, kind, model, request, answer }, { configured, given, status }) => {
        const body = withLeak(answer, configured, given);
        const { engine, seen, note } = watched(vendor, configured, answering({ status, body }));
        const asked = { ...request, model: `${vendor}/${model}`, fallbacks: undefined };
        await asks[kind](engine, asked as never).then(note, note);
        seen.push(await overHttp(engine, paths[kind], asked));
        await engine.close();
        await expectNoLeak(seen, configured);
      },
    ),
    { numRuns: 200 },
  ));

/** Shapes in which vendors refuse; the last are an error page and a proxy's text. */
const refusals = [
  (words: string) => ({ error: { message: words, type: words, code: words, param: words } }),
  (words: string) => ({ error: words, code: words }),
  (words: string) => ({ detail: [{ msg: words, loc: [words], type: words }] }),
  (words: string) => ({ type: "error", error: { type: "api_error", message: words, details: { error_code: words } } }),
  (words: string) => ({ error: { code: 400, message: words, status: words, details: [{ reason: words }] } }),
  (words: string) => ({ message: words, __type: words }),
  (words: string) => words,
  (words: string) => `<html>${words}</html>`,
];

it("no refusal, whatever its shape, status and media type, streamed or whole", () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...vendorNames),
      fc.record({
        ...{ configured: configuration, given: leak },
        shape: fc.constantFrom(...refusals),
        status: fc.constantFrom(200, 301, 400, 401, 402, 403, 404, 422, 429, 500, 503),
        type: fc.constantFrom("application/json", "text/plain", "text/html", "reflected"),
        isStream: fc.boolean(),
      }),
      async (vendor, { configured, given: { which, how }, shape, status, type, isStream }) => {
        const words = encodings[how](configured[which]);
        const made = shape(words);
        const body = typeof made === "string" ? made : JSON.stringify(made);
        const media = type === "reflected" ? `x/${words}` : type;
        const { engine, seen, note } = watched(vendor, configured, answering({ status, type: media, body }));
        const request = { model: `${vendor}/m`, messages: [{ role: "user" as const, content: "Go" }] };
        const asked = isStream
          ? engine.streamChat(request, { raw: true }).then(collect)
          : engine.chat(request, { raw: true });
        await asked.then(note, note);
        seen.push(await overHttp(engine, paths.chat, { ...request, stream: isStream }));
        await engine.close();
        await expectNoLeak(seen, configured);
      },
    ),
    { numRuns: 200 },
  ));

it("no event of a stream, wherever the socket cuts it", () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...streams),
      fc.record({
        ...{ configured: configuration, given: leak },
        ...{ event: fc.nat(40), cut: fc.integer({ min: 1, max: 200 }) },
      }),
      async (stream, { configured, given, event, cut }) => {
        const at = event % stream.events.length;
        const played = await readAll(stream.played(at, withLeak(stream.events[at], configured, given)));
        const { engine, seen, note } = watched(
          stream.vendor,
          configured,
          answering({ type: played.type, body: played.bytes, cut }),
        );
        const request = { model: `${stream.vendor}/m`, messages: [{ role: "user" as const, content: "Go" }] };
        await engine.streamChat(request, { raw: true }).then(collect).then(note, note);
        seen.push(await overHttp(engine, paths.chat, { ...request, stream: true }));
        await engine.close();
        await expectNoLeak(seen, configured);
      },
    ),
    { numRuns: 150 },
  ));

async function readAll(transport: ReturnType<RecordedStream["played"]>) {
  const { headers, body } = await transport.stream({} as never);
  const pieces = await collect(body);
  return { type: headers["content-type"] ?? "", bytes: Buffer.concat(pieces) };
}
