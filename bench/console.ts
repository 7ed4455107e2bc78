// What an open console costs the requests of others: a governed request with its live log open, beside one without.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "undici";
import { loadProcess } from "./load.ts";
import { type BenchProcess, pin, startProcess } from "./processes/spawn.ts";
import { chatBody } from "./request.ts";
import { judge, median, printTable } from "./table.ts";

const starts = Number(process.env.STARTS ?? 5);
const [warmUps, perWarmUp, turns, perTurn, connections] = [6, 8_000, 8, 2_500, 32] as const;
const [measuredCore, loadCore] = [0, 1] as const;

/** Opens the live log as the console does; the returned function closes it and resolves with the events that were shown. */
async function openConsole({ port, token }: BenchProcess): Promise<() => Promise<number>> {
  const headers = { "auth-token": token ?? "", region: "eu-1" };
  const client = new Client(`http://127.0.0.1:${port}`);
  const { statusCode, body } = await client.request({ path: "/ai/requests/stream", method: "GET", headers });
  if (statusCode !== 200) throw new Error(`The live log answers ${statusCode}.`);
  let events = 0;
  body.on("data", (piece: Buffer) => {
    events += piece.toString().split("\nevent: settled").length - 1;
  });
  body.on("error", () => undefined); // it is left open until the end
  return async () => {
    await client.destroy();
    return events;
  };
}

const ratios: number[] = [];
let events = 0;
const mock = await startProcess("mock");
for (const pid of [mock.pid, process.pid]) pin(pid, loadCore);
for (let start = 0; start < starts; start++) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-"));
  const upstream = `http://127.0.0.1:${mock.port}`;
  const watched = await startProcess("portal", upstream, join(folder, "watched.db"));
  const alone = await startProcess("portal", upstream, join(folder, "alone.db"));
  for (const { pid } of [watched, alone]) pin(pid, measuredCore);
  const take = async (one: BenchProcess, count: number) =>
    (await loadProcess(one, { count, connections, body: chatBody })).micros;
  for (let round = 0; round < warmUps; round++) for (const one of [watched, alone]) await take(one, perWarmUp);
  const close = await openConsole(watched);
  for (let turn = 0; turn < turns; turn++) {
    // Every second time the other way round, so that none always follows the same one.
    const isFirst = turn % 2 === 0;
    const before = isFirst ? undefined : await take(alone, perTurn);
    const open = await take(watched, perTurn);
    ratios.push(open / (before ?? (await take(alone, perTurn))));
  }
  events += await close();
  for (const one of [watched, alone]) one.stop();
  rmSync(folder, { recursive: true });
}
mock.stop();
const ratio = median(ratios);
printTable(`a governed request, CPU, with the console's live log open (${events} events were shown)`, [
  {
    what: "of the same without",
    value: ratio.toFixed(3),
    goal: "≤ 1.05",
    verdict: judge(ratio, { goal: 1.05, floor: 1.1 }),
  },
]);
