// Runs the fault server against the engine, in process and over HTTP, and writes docs/reliability.md from what it found:
// node scripts/reliability.ts
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { anthropic } from "../adapters/providers/anthropic/index.ts";
import { openai } from "../adapters/providers/openai.ts";
import type { Provider, ProviderCall } from "../src/engine/ports/provider.ts";
import { createEngine, createListener, type Engine, systemClock } from "../src/index.ts";
import {
  describeReports,
  type FaultTestCaller,
  type FaultTestReport,
  hedgingOptions,
  httpCaller,
  type NamedReports,
  policyOf,
  quickOptions,
  runFaultTest,
  scenarios,
  startFaultServer,
} from "../src/testing/index.ts";

/** Names of the providers that lead to the fault server, by what they speak. */
export const faultProviderNames = { openai: "fault-openai", anthropic: "fault-anthropic" } as const;

/** A provider of each dialect whose every call goes to the fault server; those with several credentials continue a text, too. */
export function faultProviders(url: string, credentials = 1): Provider[] {
  const makers = [
    (apiKey: string) => openai({ apiKey, baseUrl: `${url}/v1`, name: faultProviderNames.openai }),
    (apiKey: string) => anthropic({ apiKey, baseUrl: url, name: faultProviderNames.anthropic }),
  ];
  return makers.map((make) => withCredentials(make, credentials));
}

function withCredentials(make: (apiKey: string) => Provider, credentials: number): Provider {
  const keys = Array.from({ length: credentials }, (_, n) => `key-${n}`);
  const members = new Map(keys.map((id, n) => [id, make(`sk-fault-${n}000${n}`) as Required<Provider>]));
  const memberFor = ({ credential }: ProviderCall) => members.get(credential as string) as Required<Provider>;
  const streamChat: Provider["streamChat"] = (request, call) => memberFor(call).streamChat(request, call);
  return {
    name: ([...members.values()][0] as Provider).name,
    credentials: keys.map((id) => ({ id })),
    chat: (request, call) => memberFor(call).chat(request, call),
    streamChat,
    ...(credentials > 1 ? { continueChat: streamChat } : {}),
    close: async () => void (await Promise.all([...members.values()].map((member) => member.close()))),
  };
}

/** How the engine is reached. */
const ways: Readonly<
  Record<
    string,
    (engine: Engine, use: (caller: FaultTestCaller) => Promise<FaultTestReport>) => Promise<FaultTestReport>
  >
> = {
  "in process": (engine, use) => use(engine),
  "over HTTP": async (engine, use) => {
    const server = createServer(createListener({ engine }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      return await use(httpCaller({ baseUrl, fetch }));
    } finally {
      server.close();
      server.closeAllConnections();
    }
  },
};

/** Plays every scenario with one credential for each provider and with two, and those of hedging with an engine that hedges, each way. */
export async function runReliability(): Promise<NamedReports> {
  const faultServer = await startFaultServer();
  const reports: Record<string, FaultTestReport> = {};
  try {
    for (const [name, reach] of Object.entries(ways)) {
      const runs: FaultTestReport[] = [];
      for (const engine of engines) runs.push(await runWith(faultServer.url, engine, reach));
      reports[name] = join(runs);
    }
  } finally {
    await faultServer.close();
  }
  return reports;
}

const hedged = scenarios.filter(({ needs }) => needs === "hedge");
const unhedged = scenarios.filter(({ needs }) => needs !== "hedge");

/** The engines that are tried, and in what. */
const engines = [
  { limits: quickOptions, credentials: 1, scenarios: unhedged },
  { limits: quickOptions, credentials: 2, scenarios: unhedged },
  { limits: hedgingOptions, credentials: 1, scenarios: hedged },
];

async function runWith(
  faultServerUrl: string,
  { limits, credentials, scenarios }: (typeof engines)[number],
  reach: (typeof ways)[string],
): Promise<FaultTestReport> {
  const options = { ...limits, providers: faultProviders(faultServerUrl, credentials) };
  const policy = policyOf(options, credentials > 1 ? ["openai", "anthropic"] : []);
  const engine = createEngine(options);
  try {
    return await reach(engine, (caller) =>
      runFaultTest({
        caller,
        faultServerUrl: faultServerUrl,
        policy,
        scenarios,
        providers: faultProviderNames,
        clock: systemClock,
      }),
    );
  } finally {
    await engine.close({ graceMs: 0 });
  }
}

/** What one run leaves out, the other plays. */
function join(runs: readonly FaultTestReport[]): FaultTestReport {
  const rows = runs.flatMap((run) => run.rows);
  const isPlayed = ({ scenario }: { scenario: unknown }) => rows.some((row) => row.scenario === scenario);
  return { rows, leftOut: runs.flatMap((run) => run.leftOut).filter((one) => !isPlayed(one)) };
}

/** The page; the same results give the same text. */
export function writeReliability(reports: NamedReports): string {
  const { timeouts, retry, circuit } = quickOptions;
  return `# Reliability

What the gateway does when a provider misbehaves. A fake provider, the fault server of \`tollgate/testing\`, misbehaves on real sockets by
model name and keeps a log; every scenario is judged from that log and from what the caller saw. Each one is played with OpenAI's and
with Anthropic's interface, whole and streamed where both make sense, with one credential for each provider and with two. Sections
are those of the specification.

Limits of this run: first content ${timeouts.firstContent} ms since the last sign of life and ${timeouts.firstContentMax} ms in all, gap ${timeouts.gap} ms, ${retry.retries} retries with a back-off from ${retry.baseMs} to ${retry.maxMs} ms, circuits open for ${circuit.openMs} ms and ${circuit.maxOpenMs} ms at most (a fifth of the defaults: an outage of a minute takes ${(12 * circuit.openMs) / 1_000} s), ${timeouts.whole} ms for a whole request;
where two are asked at once, the second one after ${hedgingOptions.hedge.after_ms} ms, first content ${hedgingOptions.timeouts.firstContent} ms.

${describeReports(reports)}

This page is made by \`node scripts/reliability.ts\`, from a run; \`test/e2e/fault-server.test.ts\` runs it again and compares.
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = fileURLToPath(new URL("../docs/reliability.md", import.meta.url));
  writeFileSync(path, writeReliability(await runReliability()));
  console.log("wrote docs/reliability.md");
}
