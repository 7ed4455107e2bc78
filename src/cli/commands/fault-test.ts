import type { CheckedConfig } from "../../server/config/shape.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";
import type { FaultTestReport, FaultTestRow } from "../../testing/faults/run/run.ts";
import { defineCommand } from "../program/command.ts";

/** `tollgate fault-test`: the fault-injection server against the limits of a configuration. */
export const faultTest = defineCommand({
  name: "fault-test",
  summary: "test your deadlines and retries against injected provider faults",
  usage: "",
  about:
    "Starts a fault-injection server on this machine and calls it through an engine with the deadlines and retries of your\n" +
    "configuration. It calls no real provider and needs no key. With the default deadlines this takes minutes, because silent\n" +
    "connections run into their timeouts. Exit code 1 if the gateway violated an expectation.",
  words: [0, 0],
  options: {
    quick: { kind: "flag", about: "use short deadlines instead of the configured ones; takes seconds" },
    only: { kind: "text", value: "words", about: "run only the scenarios whose name contains this text" },
    json: { kind: "flag", about: "print the results as JSON" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file; default: tollgate.config.*" },
  },
  examples: [
    ["tollgate fault-test --quick", "run all scenarios in seconds"],
    ['tollgate fault-test --only "silent"', "see how long your deadlines wait for a silent provider"],
  ],
  async run({ values }, terminal) {
    const report = await runAgainst(values.quick ? undefined : await readLimits(terminal, values.config), values.only);
    terminal.out(values.json ? `${JSON.stringify(toJson(report), null, 2)}\n` : writeReport(report));
    return report.rows.length > 0 && report.rows.every(({ passed }) => passed) ? 0 : 1;
  },
});

type FaultTestLimits = Pick<CheckedConfig, "timeouts" | "retry">;

async function readLimits({ folder, env }: Terminal, file: string | undefined): Promise<FaultTestLimits> {
  const { readConfigFile } = await import("../../server/config/file.ts");
  const { readSettings } = await import("../../server/settings.ts");
  return readSettings(await readConfigFile(folder, file), env).config;
}

/** Plays the scenarios against an engine with these limits, or with small ones. */
async function runAgainst(limits: FaultTestLimits | undefined, only = ""): Promise<FaultTestReport> {
  const [
    { createEngine, systemClock },
    { startFaultServer },
    { runFaultTest },
    { policyOf, quickOptions },
    { scenarios },
  ] = await Promise.all([
    import("../../http/create-engine.ts"),
    import("../../testing/faults/server/start.ts"),
    import("../../testing/faults/run/run.ts"),
    import("../../testing/faults/run/policy.ts"),
    import("../../testing/faults/scenarios/scenarios.ts"),
  ]);
  const fake = await startFaultServer();
  const { onlyPresent } = await import("../../server/present-options.ts");
  const chosen = limits && {
    timeouts: onlyPresent(limits.timeouts ?? {}),
    retry: onlyPresent(limits.retry ?? {}),
  };
  const options = { ...(chosen ?? quickOptions), providers: await makeProviders(fake.url) };
  const engine = createEngine(options);
  try {
    return await runFaultTest({
      caller: engine,
      faultServerUrl: fake.url,
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
  return [openai({ apiKey: "sk-fault", baseUrl: `${url}/v1` }), anthropic({ apiKey: "sk-fault", baseUrl: url })];
}

function toJson({ rows, leftOut }: FaultTestReport): object {
  const named = (row: FaultTestRow) => ({ ...row, scenario: row.scenario.name });
  return { rows: rows.map(named), left_out: leftOut.map((one) => ({ ...one, scenario: one.scenario.name })) };
}

function writeReport({ rows, leftOut }: FaultTestReport): string {
  const failed = rows.filter(({ passed }) => !passed);
  const failures = failed.map(({ scenario, dialect, mode: way, expected, observation: seen, problems }) =>
    [
      `failed: ${scenario.name} (${dialect}, ${way})`,
      `  expected: ${expected}`,
      `  observed: ${seen}`,
      `  ${problems.join("; ")}`,
    ].join("\n"),
  );
  const names = new Set(leftOut.map(({ scenario }) => scenario.name));
  const sum = `${rows.length - failed.length} of ${rows.length} passed; ${names.size} scenarios skipped: they need another configuration.`;
  return `${[...failures, sum].join("\n")}\n`;
}
