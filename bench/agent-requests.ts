import { rmSync } from "node:fs";
import { loadProcess, sendLoad } from "./load.ts";
import { type BenchProcess, pin, startProcess } from "./processes/spawn.ts";
import { chatBody } from "./request.ts";
import { median } from "./table.ts";

/**
 * Requests as coding agents send them: a long conversation with 20 tools, and a picture of 10 MB. CPU of a request against a transparent
 * proxy's, on one core with the vendor and the load on the other, and how long a small request next to them waits at most.
 * `node bench/agent-requests.ts`
 */
const rounds = 5;
const warmUps = 2;
const file = `/tmp/tollgate-agents-${process.pid}.db`;

const tools = Array.from({ length: 20 }, (_, index) => ({
  type: "function",
  function: {
    name: `tool_${index}`,
    description:
      "Reads a part of a file of the working folder and says what is in it, line by line, with their numbers. ".repeat(
        4,
      ),
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "The file's path, relative to the working folder." },
        from: { type: "integer", minimum: 1, description: "The first line." },
        mode: { type: "string", enum: ["text", "hex", "summary"] },
      },
      required: ["path"],
      additionalProperties: false,
    },
  },
}));

/** A turn of an agent: a call of a tool and its result of some 2.5 KB of code. */
function turn(index: number): object[] {
  const remark = index % 8 === 0 ? "naïve – but it works" : "naive, but it works";
  const line = `  const value${index} = readFile("src/part-${index}.ts").split("\\n"); // ${remark}\n`;
  const call = {
    id: `call_${index}`,
    type: "function",
    function: { name: "tool_1", arguments: `{"path":"src/${index}.ts"}` },
  };
  return [
    { role: "assistant", content: `I read part ${index} next.`, tool_calls: [call] },
    { role: "tool", tool_call_id: call.id, content: line.repeat(30) },
  ];
}

function bodyOf(kilobytes: number): string {
  const messages: object[] = [
    { role: "system", content: "You are a careful coding agent. ".repeat(60) },
    { role: "user", content: "Mend the test that fails." },
  ];
  const write = () => JSON.stringify({ model: "bench/bench-model", messages, tools, max_completion_tokens: 400 });
  for (let index = 0, size = write().length; size < kilobytes * 1000; index++) {
    const added = turn(index);
    messages.push(...added);
    size += JSON.stringify(added).length;
  }
  return write();
}

function pictureOf(megabytes: number): string {
  const data = Buffer.alloc((megabytes * 750_000) | 0, "picture").toString("base64");
  const content = [
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
  ];
  return JSON.stringify({
    model: "bench/bench-model",
    messages: [{ role: "user", content }],
    max_completion_tokens: 400,
  });
}

const requests = [
  { what: "38 KB", body: bodyOf(38), count: 600 },
  { what: "205 KB", body: bodyOf(205), count: 200 },
  { what: "960 KB", body: bodyOf(960), count: 50 },
  { what: "10 MB picture", body: pictureOf(10), count: 8 },
];

const mock = await startProcess("mock");
const origin = `http://127.0.0.1:${mock.port}`;
const contestants: readonly (readonly [string, BenchProcess])[] = [
  ["raw proxy", await startProcess("proxy", origin)],
  ["tollgate", await startProcess("gateway", origin)],
  ["tollgate, key and ledger", await startProcess("governed", origin, file)],
];
pin(process.pid, 1);
pin(mock.pid, 1);
for (const [, { pid }] of contestants) pin(pid, 0);

console.log(
  "| request | gateway | CPU ms | × the proxy | p50 ms at one connection | longest wait of a small request, ms |",
);
console.log("|---|---|---|---|---|---|");
for (const request of requests) {
  const measured: Measured[][] = [];
  for (let round = 0; round < warmUps + rounds; round++) measured.push(await measureAll(request));
  const counted = measured.slice(warmUps);
  const middle = (index: number, what: keyof Measured) => median(counted.map((round) => round[index]?.[what] ?? 0));
  for (const [index, [name]] of contestants.entries()) {
    const cpu = middle(index, "cpu");
    const cells = [request.what, name, cpu.toFixed(2), (cpu / middle(0, "cpu")).toFixed(1)];
    console.log(`| ${[...cells, middle(index, "single").toFixed(1), middle(index, "wait").toFixed(1)].join(" | ")} |`);
  }
}
for (const [, gateway] of contestants) gateway.stop();
mock.stop();
for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });

interface Measured {
  /** CPU of a request, in milliseconds. */
  readonly cpu: number;
  readonly single: number;
  readonly wait: number;
}

async function measureAll(request: (typeof requests)[number]): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const [, gateway] of contestants) all.push(await measure(gateway, request));
  return all;
}

/** Many requests at once; then a few one after another, and the longest that a small one next to them took. */
async function measure(gateway: BenchProcess, { body, count }: (typeof requests)[number]): Promise<Measured> {
  const { micros } = await loadProcess(gateway, { count, connections: 4, body });
  const { port, key } = gateway;
  let wait = 0;
  let isOver = false;
  const small = async () => {
    while (!isOver) {
      const startedAt = performance.now();
      await sendLoad({ port, key, count: 1, connections: 1, body: chatBody });
      wait = Math.max(wait, performance.now() - startedAt);
    }
  };
  const waiting = small();
  const { p50 } = await sendLoad({ port, key, count: 5, connections: 1, body });
  isOver = true;
  await waiting;
  return { cpu: micros / 1000, single: p50, wait };
}
