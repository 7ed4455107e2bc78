import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PostgresServer } from "../../adapters/conformance/stores/postgres-server.ts";
import { start } from "../../e2e/command-line.ts";
import { answerWell, askLab, configOf, type Served, serveFolder, startVendor } from "../../e2e/governed-serve.ts";
import { freePort } from "../../support/free-port.ts";

/** What the books say of one key. */
export interface Books {
  /** Sum of the costs of the ledger's rows, in nano-dollars. */
  readonly ledger: number;
  /** What the counters say that the key has used, in nano-dollars. */
  readonly counters: number;
  /** Calls that the vendor answered since the key was made, by its own log. */
  readonly vendor: number;
}

/** Several gateways over one database and one Redis server, with a vendor that counts. */
export interface Fleet {
  readonly folder: string;
  /** Of the database. */
  readonly schema: string;
  readonly gateways: Served[];
  /** The ports that the gateways have, also after a restart. */
  readonly ports: readonly number[];
  readonly firstKey: string;
  /** Starts the gateway of that number at its port, with variables of its environment that it alone has. */
  serve(number: number, own?: Record<string, string>): Promise<void>;
  /** Makes a key with a hard budget. */
  createKey(name: string): Promise<string>;
  /** Runs a command over the same store. */
  run(...line: string[]): Promise<{ exitCode: number | null; out: string; err: string }>;
  books(name: string): Promise<Books>;
  ask(number: number, key: string, headers?: Record<string, string>): Promise<Response>;
  close(): void;
}

/** What one answer of the vendor costs, in nano-dollars. */
export const costOfCall = 3_010_000;

/** What a fleet is made of. */
interface FleetParts {
  readonly postgres: PostgresServer;
  readonly schema: string;
  readonly redisPort: number;
  readonly count: number;
}

/** Starts the gateways one after the other. */
export async function startFleet({ postgres, schema, redisPort, count }: FleetParts): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-faults-"));
  let answered = 0;
  const before = new Map<string, number>(); // answers when a key was made: one key at a time is used
  const vendor = await startVendor((request: IncomingMessage, response: ServerResponse) => {
    answered += 1;
    answerWell(request, response);
  });
  const env = {
    LAB_SECRET: "sk-lab-0123456789",
    TOLLGATE_SECRET: "the same for all gateways",
    DATABASE: `postgres://tollgate@/postgres?host=${postgres.folder}&schema=${schema}`,
    REDIS: `redis://127.0.0.1:${redisPort}/1`,
  };
  const shared = `store: env:DATABASE\ncounters: env:REDIS\nretry: { retries: 0 }\n`;
  writeFileSync(join(folder, "tollgate.config.yaml"), configOf(vendor.url, shared));
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const gateways: Served[] = [];
  const serve = async (number: number, own: Record<string, string> = {}) => {
    const line = ["--port", String(ports[number]), "--pid-file", `gateway-${number}.pid`, "--drain-delay", "1s"];
    gateways[number] = await serveFolder(folder, { ...env, ...own }, ...line);
  };
  for (const number of ports.keys()) await serve(number);
  const run = async (...line: string[]) => {
    const { ended, out, err } = start(line, { folder, env });
    return { exitCode: await ended, out: out(), err: err() };
  };
  return {
    ...{ folder, schema },
    gateways,
    ports,
    firstKey: gateways.flatMap(({ firstKey }) => firstKey ?? [])[0] ?? "",
    serve,
    run,
    async createKey(name) {
      const { out, err } = await run("key", "create", name, "--allow", "lab/*", "--budget", "100/1d", "--hard");
      const [key] = /sk-tg-\w+/.exec(out) ?? [];
      before.set(name, answered);
      if (key === undefined) throw new Error(`no key: ${out}${err}`);
      return key;
    },
    async books(name) {
      const shown = JSON.parse((await run("key", "show", name, "--json")).out);
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString(); // rows of a gateway whose clock is ahead
      const usage = JSON.parse((await run("usage", "--key", name, "--to", tomorrow, "--json")).out);
      return {
        ledger: usage.reduce((sum: number, row: { cost_nano: number }) => sum + row.cost_nano, 0),
        counters: shown.limits[0].used_nano,
        vendor: answered - (before.get(name) ?? 0),
      };
    },
    ask: (number, key, headers) => askLab(gateways[number]?.address ?? "", key, headers),
    close() {
      vendor.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
