// Run by Node, Deno and Bun in a project into which the packed tarball was installed; prints what came of each check as one line of JSON.
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createEngine, createListener, GatewayError } from "tollgate";
import { memoryCache } from "tollgate/caches/memory";
import { webhook } from "tollgate/messages/webhook";
import { openai } from "tollgate/providers/openai";
import { memoryStore } from "tollgate/stores/memory";
import { sqliteStore } from "tollgate/stores/sqlite";
import { network } from "tollgate/transports/undici";

const { VENDOR = "", CREDENTIAL = "" } = process.env;
const store = sqliteStore("runtimes.db");
const allow = ["openai/*"];
const retry = { retries: 0 };
const engine = createEngine({ store, retry, providers: [openai({ apiKey: CREDENTIAL, baseUrl: `${VENDOR}/v1` })] });

type Options = Parameters<typeof engine.chat>[1];

const asked = (model: string) => ({ model: `openai/${model}`, messages: [{ role: "user" as const, content: "Hi" }] });

async function chat(model: string, options?: Options) {
  const answer = await engine.chat(asked(model), options);
  return [answer.choices[0]?.message?.content, answer.usage?.total_tokens];
}

async function stream(model: string, options?: Options) {
  const texts: string[] = [];
  try {
    for await (const { choices } of await engine.streamChat(asked(model), options)) {
      const text = choices[0]?.delta?.content;
      if (text) texts.push(text);
      if (model === "broken") await fetch(`${VENDOR}/break`);
    }
    return texts;
  } catch (thrown) {
    return [...texts, told(thrown)];
  }
}

/** What a program sees of an error: its code and message, or that it is none of ours. */
function told(thrown: unknown): string {
  if (thrown instanceof GatewayError) return `${thrown.code}: ${thrown.message}`;
  return `no GatewayError: ${thrown instanceof Error ? thrown.stack : thrown}`;
}

/** Waits until the vendor has seen a caller of this model leave. */
async function hangupOf(model: string): Promise<boolean> {
  for (let n = 0; n < 100; n++) {
    const models = (await (await fetch(`${VENDOR}/hangups`)).json()) as string[];
    if (models.includes(model)) return true;
  }
  return false;
}

async function aborted(ask: (signal: AbortSignal) => Promise<unknown>): Promise<string> {
  const caller = new AbortController();
  setTimeout(() => caller.abort(), 100);
  return ask(caller.signal).then(String, told);
}

type Send = (model: string, more?: { readonly stream?: boolean; readonly signal?: AbortSignal }) => Promise<Response>;

/** The engine behind `node:http`, for one check. */
async function overHttp<Result>(check: (send: Send, port: number, key: string) => Promise<Result>): Promise<Result> {
  const server = createServer(createListener({ engine }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { value } = await engine.keys.create({ name: "http", allow });
  const headers = { "content-type": "application/json", authorization: `Bearer ${value}` };
  const send: Send = (model, { signal, ...more } = {}) =>
    fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      ...{ method: "POST", headers, body: JSON.stringify({ ...asked(model), ...more }) },
      ...(signal ? { signal } : {}),
    });
  try {
    return await check(send, port, value);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** All that the listener says to one request until it closes the connection; Bun's `fetch` loses what comes together with the end. */
async function rawAnswer(model: string, port: number, key: string): Promise<string> {
  const body = JSON.stringify({ ...asked(model), stream: true });
  const head = ["POST /v1/chat/completions HTTP/1.1", "host: localhost", `content-length: ${body.length}`];
  const rest = ["content-type: application/json", `authorization: Bearer ${key}`, "", body];
  const socket = connect(port, "127.0.0.1");
  socket.write([...head, ...rest].join("\r\n"));
  let text = "";
  for await (const piece of socket) text += piece;
  return text;
}

const checks: Record<string, () => Promise<unknown>> = {
  "a whole answer": () => chat("gpt-4o-mini"),
  "a stream": () => stream("gpt-4o-mini"),
  "a compressed answer": () => chat("zipped"),
  "a stream that ends early": () => stream("ended"),
  "a stream whose connection breaks": () => stream("broken"),
  "a whole answer that is cut": () => chat("short"),
  "an answer that cannot be decompressed": () => chat("unreadable"),
  "a refused credential": () => chat("refused"),
  "no server": async () => {
    const other = createEngine({ retry, providers: [openai({ apiKey: "x", baseUrl: "http://127.0.0.1:1/v1" })] });
    return other.chat(asked("gpt-4o-mini")).finally(() => other.close());
  },
  "a deadline": () => chat("silent", { timeouts: { whole: 150 } }),
  "an aborted call": () => aborted((signal) => chat("silent", { signal })),
  "an aborted stream": () => aborted((signal) => stream("endless", { signal })),
  "a stream that its reader leaves": async () => {
    for await (const _ of await engine.streamChat(asked("endless"))) break;
    return hangupOf("endless");
  },
  "a spent budget, in memory": async () => {
    const own = createEngine({
      ...{ store: memoryStore(), retry },
      providers: [openai({ apiKey: CREDENTIAL, baseUrl: `${VENDOR}/v1` })],
    });
    const { value } = await own.keys.create({ name: "poor", allow, budget: "0.000001/1M", hard: true });
    return own.chat(asked("gpt-4o-mini"), { key: value }).finally(() => own.close());
  },
  "an answer from the cache": async () => {
    const own = createEngine({
      ...{ cache: { answers: memoryCache(), ttl: 60_000 }, retry },
      providers: [openai({ apiKey: CREDENTIAL, baseUrl: `${VENDOR}/v1` })],
    });
    await own.chat(asked("gpt-4o-mini"));
    const again = await own.chat(asked("gpt-4o-mini")).finally(() => own.close());
    return again.extra_fields?.cache_debug?.cache_hit;
  },
  "over HTTP": () =>
    overHttp(async (send) => {
      const answer = await send("gpt-4o-mini");
      const { choices } = (await answer.json()) as { choices: { message: { content: string } }[] };
      return [answer.status, choices[0]?.message.content];
    }),
  "a stream over HTTP": () =>
    overHttp(async (send) => {
      const events = await (await send("gpt-4o-mini", { stream: true })).text();
      return [...events.matchAll(/"content":"([^"]*)"/g), ...events.matchAll(/data: (\[DONE\])/g)].map(
        ([, text]) => text,
      );
    }),
  "a stream over HTTP that ends early": () =>
    overHttp(async (_send, port, key) => {
      const text = await rawAnswer("ended", port, key);
      return [/"code":"(\w+)"/.exec(text)?.[1], text.includes("[DONE]"), text.endsWith("0\r\n\r\n")];
    }),
  "a caller over HTTP that hangs up": () =>
    overHttp(async (send) => {
      const caller = new AbortController();
      const answer = await send("left", { stream: true, signal: caller.signal });
      await answer.body?.getReader().read();
      caller.abort();
      return hangupOf("left");
    }),
  "the Fetch handler": async () => {
    const body = JSON.stringify(asked("gpt-4o-mini"));
    const { value } = await engine.keys.create({ name: "fetch", allow });
    const headers = { "content-type": "application/json", authorization: `Bearer ${value}` };
    const answer = await engine.fetch("http://engine/v1/chat/completions", { method: "POST", headers, body });
    return [answer.status, (await answer.text()).includes("hello you")];
  },
  "a ledger in SQLite, opened again": async () => {
    const { value, key } = await engine.keys.create({ name: "app", allow, budget: "1/1M" });
    await chat("gpt-4o-mini", { key: value });
    await engine.close();
    const again = createEngine({ store: sqliteStore("runtimes.db"), providers: [openai({ apiKey: "x" })] });
    const { entries } = await again.usage.entries({ limit: 10, filters: { key_id: key.id } });
    await again.close();
    return entries.map(({ status, attempts }) => [status, attempts[0]?.prompt_tokens]);
  },
  "settings of the network": async () => void (await network({ proxy: { https: "http://127.0.0.1:1" } }).close()),
  webhooks: async () => webhook().check("https://hooks.example/"),
};

const outcomes: Record<string, unknown> = {};
for (const [name, check] of Object.entries(checks)) outcomes[name] = (await check().catch(told)) ?? "done";
console.log(JSON.stringify(outcomes));
