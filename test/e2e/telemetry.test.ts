import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endAll } from "./command-line.ts";
import { serveFolder } from "./governed-serve.ts";
import { root } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-telemetry-"));
beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
}, 120_000);
afterAll(() => {
  endAll();
  rmSync(folder, { recursive: true, force: true });
});

/** What the registered SDK was told, in the order of the spans' ends. */
interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parent?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

it("serve tells an SDK that is registered before it, below the spans that its callers name, and at its end all of it", async () => {
  const file = join(folder, "spans");
  const sdk = new URL("registered-sdk.ts", import.meta.url).href;
  const server = await serveFolder(folder, { NODE_OPTIONS: `--import ${sdk}`, SPANS: file });
  const client = new OpenAI({ apiKey: server.firstKey ?? "", baseURL: `${server.address}/v1` });
  const question = { model: "local/echo", messages: [{ role: "user" as const, content: "Hello there" }] };
  const callers = [1, 2, 3].map((n) => ({ trace: `${n}`.repeat(32), span: `${n}`.repeat(16) }));
  await Promise.all(
    callers.map(async ({ trace, span }, position) => {
      const options = { headers: { traceparent: `00-${trace}-${span}-01` } };
      if (position > 0) return void (await client.chat.completions.create(question, options));
      for await (const _chunk of await client.chat.completions.create({ ...question, stream: true }, options));
    }),
  );
  await fetch(`${server.address}/v1/models`, { headers: { authorization: `Bearer ${server.firstKey}` } });
  server.process.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  const spans = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line): Span => JSON.parse(line));
  const chats = spans.filter(({ name }) => name === "chat echo");
  expect(new Set(chats.map(({ traceId, parent }) => `${traceId} ${parent}`))).toEqual(
    new Set(callers.map(({ trace, span }) => `${trace} ${span}`)),
  );
  for (const { traceId, spanId, attributes } of chats) {
    expect(spans).toContainEqual(expect.objectContaining({ name: "attempt local/echo", traceId, parent: spanId }));
    expect(attributes).toMatchObject({
      "gen_ai.provider.name": "local",
      "tollgate.key_id": expect.stringMatching(/^vk_/),
    });
  }
  expect(spans.filter(({ parent }) => parent === undefined).map(({ name }) => name)).toEqual(["list_models"]);
  expect(readFileSync(file, "utf8")).not.toContain(server.firstKey);
});
