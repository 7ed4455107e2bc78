import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import { endAll, everythingPrinted, start } from "./command-line.ts";
import { serveFolder } from "./governed-serve.ts";
import { root } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-reload-"));
const reloads = 50;

/** What the vendor saw of a request of the test: the provider and the configuration of each try, and the credential. */
const seen = new Map<string, string[]>();

/** `first` of each configuration does not have the model; `second` answers with the number of the configuration. */
const vendor = createServer(async (request, response) => {
  const [, provider = "", number = ""] = /^\/(first|second)\/(\d+)\//.exec(request.url ?? "") ?? [];
  const { messages } = JSON.parse(await textOf(request));
  const id = String(messages[0].content);
  seen.set(id, [...(seen.get(id) ?? []), `${provider} ${number} ${request.headers.authorization}`]);
  const found = provider === "second";
  response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
  const message = { role: "assistant", content: number };
  const choices = [{ index: 0, finish_reason: "stop", message }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const answer = { id: "chatcmpl-1", object: "chat.completion", created: 1_763_600_000, model: "m", choices, usage };
  response.end(JSON.stringify(found ? answer : { error: { message: "no such model", code: "model_not_found" } }));
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += piece;
  return text;
}

const secretOf = (number: number) => `sk-of-configuration-${number}`;

function write(number: number, broken = ""): void {
  const { port } = vendor.address() as AddressInfo;
  const provider = (name: string) =>
    `  ${name}: { baseUrl: "http://127.0.0.1:${port}/${name}/${number}/v1", apiKey: "${secretOf(number)}" }`;
  const lines = ["discover: false", `timeouts: { connect: ${5_000 + number} }`, "providers:"];
  writeFileSync(
    join(folder, "tollgate.config.yaml"),
    [...lines, provider("first"), provider("second"), broken].join("\n"),
  );
}

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
}, 120_000);
afterAll(() => {
  endAll();
  vendor.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("tollgate reload", () => {
  it("under load: no request fails, each goes by one configuration, a broken file changes nothing", async () => {
    write(0);
    const server = await serveFolder(folder, {});
    const processFile = join(folder, "tollgate.db.pid");
    let asked = 0;
    let isOver = false;
    const answers: { readonly id: string; readonly status: number; readonly number: string }[] = [];
    const ask = async () => {
      while (!isOver) {
        const id = `request ${asked++}`;
        const body = { model: "first/m", fallbacks: ["second/m"], messages: [{ role: "user", content: id }] };
        const response = await fetch(`${server.address}/v1/chat/completions`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${server.firstKey}` },
          body: JSON.stringify(body),
        });
        const answer = (await response.json()) as { choices?: { message: { content: string } }[] };
        answers.push({ id, status: response.status, number: answer.choices?.[0]?.message.content ?? "" });
      }
    };
    const callers = Array.from({ length: 8 }, ask);
    for (let n = 1; n <= reloads; n++) {
      const isBroken = n % 2 === 0;
      write(n, isBroken ? "timeouts_: {}" : "");
      server.process.kill("SIGHUP");
      await expect.poll(() => readFileSync(processFile, "utf8"), { timeout: 30_000 }).toContain(`"count":${n},`);
      expect(readFileSync(processFile, "utf8")).toContain(`"isApplied":${!isBroken}`);
    }
    isOver = true;
    await Promise.all(callers);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    for (const { id, number } of answers) {
      const expected = ["first", "second"].map((name) => `${name} ${number} Bearer ${secretOf(Number(number))}`);
      expect(seen.get(id), id).toEqual(expected);
    }
    const used = new Set(answers.map(({ number }) => Number(number)));
    expect([...used].filter((number) => number > 0 && number % 2 === 0)).toEqual([]);
    expect(used.size).toBeGreaterThan(10);
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(existsSync(processFile)).toBe(false);
    const store = sqliteStore(join(folder, "tollgate.db"));
    let rows = 0;
    for (let after: string | undefined, isMore = true; isMore; isMore = after !== undefined) {
      const page = await store.ledger.entries({ limit: 1_000, ...(after === undefined ? {} : { after }) });
      rows += page.entries.filter(({ status }) => status === 200).length;
      after = page.next;
    }
    await store.close();
    expect(rows).toBe(answers.length);
  }, 120_000);

  it("says what changed, refuses what needs a restart, and prints no secret", async () => {
    write(100);
    const server = await serveFolder(folder, {});
    write(101);
    const reload = async () => {
      const run = start(["reload"], { folder });
      return { code: await run.ended, text: run.out() + run.err() };
    };
    const changes = "~providers.first.apiKey, ~providers.first.baseUrl";
    expect(await reload()).toMatchObject({ code: 0, text: expect.stringContaining(changes) });
    write(101, "server: { bodyLimit: 1000 }");
    const refused = "`server` can change only with a restart";
    expect(await reload()).toMatchObject({ code: 1, text: expect.stringContaining(refused) });
    write(101, "rules: nonsense");
    expect(await reload()).toMatchObject({ code: 1, text: expect.stringContaining("`rules`") });
    write(101);
    server.process.kill("SIGTERM");
    await server.ended;
    expect(await reload()).toMatchObject({ code: 1, text: expect.stringContaining("no gateway runs over this store") });
    expect(everythingPrinted()).not.toContain("sk-of-configuration");
  }, 60_000);
});
