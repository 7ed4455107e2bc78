import type { WallReport, WallRow } from "../../testing/wall/run.ts";
import { defineCommand } from "../command.ts";
import type { GatewayConfig } from "../config/shape.ts";
import type { Terminal } from "../terminal.ts";

/** `tollgate wall`: the fault wall against the limits of a configuration. */
export const wall = defineCommand({
  name: "wall",
  summary: "try your deadlines and retries against a provider that misbehaves",
  usage: "",
  about:
    "Starts a fake provider on this machine that fails in dozens of ways, and asks it through an engine with the deadlines and\n" +
    "retries of your configuration. No other provider is asked, and no key is used. With the usual deadlines this takes minutes:\n" +
    "what is silent is waited for. Exit code 1 when the gateway did anything that it must not do.",
  words: [0, 0],
  options: {
    quick: { kind: "flag", about: "with small limits in place of the configuration's, in seconds" },
    only: { kind: "text", value: "words", about: "only scenarios with these words in their name" },
    json: { kind: "flag", about: "print the results as JSON" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file, in place of tollgate.config.*" },
  },
  examples: [
    ["tollgate wall --quick", "all scenarios, in seconds"],
    ['tollgate wall --only "silent"', "how long your own limits wait for a silent route"],
  ],
  async run({ values }, terminal) {
    const report = await runAgainst(values.quick ? undefined : await readLimits(terminal, values.config), values.only);
    terminal.out(values.json ? `${JSON.stringify(toJson(report), null, 2)}\n` : writeReport(report));
    return report.rows.length > 0 && report.rows.every(({ passed }) => passed) ? 0 : 1;
  },
});

type Limits = Pick<GatewayConfig, "timeouts" | "retry">;

async function readLimits({ folder, env }: Terminal, asked: string | undefined): Promise<Limits> {
  const { readConfigFile } = await import("../config/file.ts");
  const { readSettings } = await import("../settings.ts");
  return readSettings(await readConfigFile(folder, asked), env).config;
}

/** Plays the scenarios against an engine with these limits, or with small ones. */
async function runAgainst(limits: Limits | undefined, only = ""): Promise<WallReport> {
  const [{ createEngine, systemClock }, { startWall }, { runWall }, { policyOf, quickOptions }, { scenarios }] =
    await Promise.all([
      import("../../index.ts"),
      import("../../testing/wall/start.ts"),
      import("../../testing/wall/run.ts"),
      import("../../testing/wall/policy.ts"),
      import("../../testing/wall/scenarios.ts"),
    ]);
  const fake = await startWall();
  const { onlyPresent } = await import("../present.ts");
  const chosen = limits && {
    timeouts: onlyPresent(limits.timeouts ?? {}),
    retry: onlyPresent(limits.retry ?? {}),
  };
  const options = { ...(chosen ?? quickOptions), providers: await makeProviders(fake.url) };
  const engine = createEngine(options);
  try {
    return await runWall({
      caller: engine,
      wallUrl: fake.url,
      clock: systemClock,
      policy: policyOf(options),
      providers: { openai: "openai", anthropic: "anthropic" },
      scenarios: scenarios.filter(({ name }) => name.includes(only)),
      // With patient limits nearly all of them wait nearly all of the time.
      concurrency: chosen ? 100 : 16,
    });
  } finally {
    await engine.close({ graceMs: 0 });
    await fake.close();
  }
}

async function makeProviders(url: string) {
  const { openai } = await import("tollgate/providers/openai");
  const { anthropic } = await import("tollgate/providers/anthropic");
  return [openai({ apiKey: "sk-wall", baseUrl: `${url}/v1` }), anthropic({ apiKey: "sk-wall", baseUrl: url })];
}

function toJson({ rows, leftOut }: WallReport): object {
  const named = (row: WallRow) => ({ ...row, scenario: row.scenario.name });
  return { rows: rows.map(named), left_out: leftOut.map((one) => ({ ...one, scenario: one.scenario.name })) };
}

function writeReport({ rows, leftOut }: WallReport): string {
  const failed = rows.filter(({ passed }) => !passed);
  const told = failed.map(({ scenario, dialect, way, expected, seen, problems }) =>
    [
      `failed: ${scenario.name} (${dialect}, ${way})`,
      `  demanded: ${expected}`,
      `  seen:     ${seen}`,
      `  ${problems.join("; ")}`,
    ].join("\n"),
  );
  const names = new Set(leftOut.map(({ scenario }) => scenario.name));
  const sum = `${rows.length - failed.length} of ${rows.length} passed; ${names.size} scenarios need another configuration.`;
  return `${[...told, sum].join("\n")}\n`;
}
