// How long the portal takes to list 10,000 virtual keys, with what each has used and whether it is limited. Through router, both
// validations and JSON; over SQLite.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "../adapters/stores/sqlite/index.ts";
import { createHandler } from "../src/http/server/handler.ts";
import { createEngine } from "../src/index.ts";
import { createPortal } from "../src/portal/index.ts";
import { answerOf, chatRequest } from "./request.ts";
import { judge, median, printTable } from "./table.ts";

const keys = 10_000;
const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-portal-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

const answer = answerOf("bench-model", 1);
const store = sqliteStore(join(folder, "portal.db"));
const engine = createEngine({ providers: [{ name: "bench", chat: async () => answer }], store });
const budgets = [{ max_limit: 10, reset_duration: "1M" as const }];
const portal = createPortal({
  engine,
  store,
  tiers: { bench: { llms: ["bench/*"], budgets } },
  regions: { local: {} },
});
let used = "";
const first = await portal.startFirst();
const caller = await portal.callerOf("usr_admin");
const { ai } = portal.as(caller);

/** Twenty projects of five hundred keys; every tenth key was used. */
for (let made = 0; made < keys; ) {
  const [project] = await ai.createProject({ name: `project ${made}`, description: "", tier: "bench" });
  for (let n = 0; n < 500; n++, made++) {
    const draft = { name: `key ${made}`, description: "of the bench", tier: "bench", user_bound: false };
    const { value } = await ai.createKey({ ...draft, project_id: project?.id ?? "", user: "usr_admin" });
    used = value;
    if (made % 10 === 0) await engine.chat(chatRequest, { key: value });
  }
}

const handle = createHandler({ engine, portal });
const headers = { "auth-token": first?.token ?? "", region: "local" };
const { signal } = new AbortController();
const request = { method: "GET", path: "/ai/keys", query: "", prefix: "", headers, isShared: false, signal };
const list = () =>
  handle({ ...request, read: async () => ({ kind: "bytes", bytes: Buffer.alloc(0), encoding: undefined }) });
const { body } = await list();
const count = (JSON.parse(String(body)) as readonly unknown[]).length;
if (count !== keys) throw new Error(`${count} keys are listed`);

/** Milliseconds of a list, in the middle of fifteen. */
async function measure(before: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 15; round++) {
    await before();
    const started = performance.now();
    await list();
    times.push(performance.now() - started);
  }
  return median(times);
}

const [changed] = await ai.keys({});
const key_id = changed?.id ?? "";
const cases = {
  "nothing changed since": async () => {},
  "a key was used since": () => engine.chat(chatRequest, { key: used }),
  "a key was changed since": () => ai.changeKey({ key_id, name: "another" }),
};
const rows = [];
for (const [what, before] of Object.entries(cases)) {
  const ms = await measure(before);
  const verdict = judge(ms, { goal: 50, floor: 50 });
  rows.push({ what, value: `${ms.toFixed(1)} ms`, ratio: ms / 50, goal: "1 / 1", verdict });
}
printTable(`GET /ai/keys with ${keys} keys, over SQLite`, rows);
await engine.close();
