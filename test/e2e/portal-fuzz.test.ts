import { Agent, createServer, type Server, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { local } from "../../adapters/providers/local/index.ts";
import { memoryStore } from "../../adapters/stores/memory/index.ts";
import { createEngine, createListener } from "../../src/index.ts";
import { createPortal } from "../../src/portal/index.ts";
import { openLocal } from "../clouds/support/local.ts";
import { collectIds, createFuzzer, type FuzzRequest, judge, type ReadDocument } from "../portal/support/fuzz.ts";
import type { Answer } from "../portal/support/gateway.ts";

const requests = 20_000;
/** After so many a new gateway is made: the broken and the sound may have changed everything, also who may do what. */
const perGateway = 1_000;

interface Served {
  readonly server: Server;
  readonly port: number;
  readonly token: string;
  close(): Promise<void>;
}

async function serve(): Promise<Served> {
  const store = memoryStore();
  const engine = createEngine({ providers: [local()], store });
  const portal = createPortal({
    engine,
    store,
    regions: { "eu-1": await openLocal({ records: store.records }) },
    secret: "a secret of the tests",
  });
  const first = await portal.startFirst();
  const server = createServer(createListener({ engine, portal }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    await new Promise((resolve) => server.close(resolve));
    await engine.close({ graceMs: 0 });
  };
  return { server, port, token: first?.token ?? "", close };
}

/** Over a socket, since many operations are GET with a body, which `fetch` refuses. */
function ask(
  { port, token }: Served,
  agent: Agent,
  { method, path, body, headers = {} }: FuzzRequest,
): Promise<Answer> {
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const json =
    body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  const all = Object.entries({ "auth-token": token, region: "eu-1", ...json, ...headers }).filter(
    ([, value]) => value !== undefined,
  );
  return new Promise((resolve, reject) => {
    const sent = send(
      { port, host: "127.0.0.1", agent, method, path, headers: Object.fromEntries(all) as never },
      (response) => {
        const status = response.statusCode ?? 0;
        if (response.headers["content-type"]?.startsWith("text/event-stream")) {
          response.destroy(); // it goes on for minutes: its events are tested one by one
          return resolve({ status, headers: {}, body: undefined });
        }
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("error", reject);
        response.on("end", () => {
          const said = Buffer.concat(pieces).toString("utf8");
          const parsed: unknown = said === "" ? undefined : JSON.parse(said);
          resolve({ status, headers: {}, body: parsed });
        });
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}

test(`${requests} requests made from the served document: no failure of ours, no answer that breaks its schema`, async () => {
  const agent = new Agent({ keepAlive: true });
  const statuses = new Map<number, number>();
  for (let from = 0; from < requests; from += perGateway) {
    const served = await serve();
    const document = (await ask(served, agent, { operationId: "", method: "GET", path: "/openapi.json" }))
      .body as ReadDocument;
    const fuzzers = ["", "/api"].map((mount) => createFuzzer(document, mount));
    const seen: string[] = [];
    for (let seed = from + 1; seed <= from + perGateway; seed++) {
      const request = fuzzers[seed % 2]?.(seed, seen);
      if (!request) continue;
      const answer = await ask(served, agent, request);
      expect(judge(request, answer), `seed ${seed}: ${JSON.stringify(request).slice(0, 1_000)}`).toBeUndefined();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      collectIds(answer.body, seen);
    }
    await served.close();
  }
  agent.destroy();
  const often = [...statuses].filter(([, count]) => count > 20).map(([status]) => status);
  expect(often).toEqual(expect.arrayContaining([200, 204, 400, 401, 404]));
}, 600_000);
