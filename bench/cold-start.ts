import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { judge, median, printTable } from "./table.ts";

/** From nothing to a client with one provider, in a process of its own and as a bundle: the built tollgate next to others. */
const root = fileURLToPath(new URL("..", import.meta.url));
const rounds = Number(process.argv[2] ?? 15);

const programs = {
  tollgate: `import { createEngine } from "tollgate"; import { openai } from "tollgate/providers/openai";
    globalThis.made = createEngine({ providers: [openai({ apiKey: "x" })] });`,
  openai: `import { OpenAI } from "openai";
    globalThis.made = new OpenAI({ apiKey: "x" });`,
  "ai, @ai-sdk/openai": `import { generateText, streamText } from "ai"; import { createOpenAI } from "@ai-sdk/openai";
    globalThis.made = [generateText, streamText, createOpenAI({ apiKey: "x" })("gpt-4o")];`,
};
type Name = keyof typeof programs;
const names = Object.keys(programs) as Name[];

/** A cold process, from its first line to what the program makes: milliseconds that passed, and that its threads computed. */
function start(name: Name): { readonly ms: number; readonly cpuMs: number } {
  const program = programs[name].replace(/import (\{.*?\}) from (".*?");/g, "const $1 = await import($2);");
  const script = `const before = process.cpuUsage(); const from = performance.now(); ${program}
    const ms = performance.now() - from; const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000 }));`;
  const node = ["--input-type=module", "--eval", script];
  return JSON.parse(execFileSync(process.execPath, node, { cwd: root, encoding: "utf8" }));
}

/** Kilobytes of the program as a bundle, minified: what it loads at its start, and all with what it may load later. */
async function bundle(name: Name): Promise<{ readonly atStart: number; readonly all: number }> {
  const { metafile } = await build({
    stdin: { contents: programs[name], resolveDir: root, sourcefile: "program.js" },
    ...{ bundle: true, minify: true, splitting: true, metafile: true, write: false, outdir: "out", logLevel: "error" },
    ...{ platform: "node", format: "esm", target: "node22", tsconfigRaw: {} },
  });
  const { outputs } = metafile;
  const sum = (paths: Iterable<string>) => [...paths].reduce((bytes, path) => bytes + (outputs[path]?.bytes ?? 0), 0);
  return { atStart: sum(loadedAtStart(outputs)) / 1000, all: sum(Object.keys(outputs)) / 1000 };
}

function loadedAtStart(outputs: Metafile["outputs"]): Set<string> {
  const found = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint?.includes("program.js")));
  for (const path of found) {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && next in outputs) found.add(next);
    }
  }
  return found;
}

const starts = new Map(names.map((name) => [name, [] as ReturnType<typeof start>[]]));
for (let round = 0; round < rounds; round++) for (const name of names) starts.get(name)?.push(start(name));
const middle = (name: Name, of: "ms" | "cpuMs") => median((starts.get(name) ?? []).map((each) => each[of]));

const rows = names.map((name) => {
  const ms = middle(name, "ms");
  const limits = name === "tollgate" ? { goal: "110 / 110", verdict: judge(ms, { goal: 110, floor: 110 }) } : {};
  const value = `${ms.toFixed(0)} ms, ${middle(name, "cpuMs").toFixed(0)} of CPU`;
  return { what: name, value, ratio: middle(name, "cpuMs") / middle("openai", "cpuMs"), ...limits };
});
printTable(`Cold start, the median of ${rounds} in turns; the ratio is of CPU, to openai`, rows);

const bundles = await Promise.all(names.map(async (name) => ({ name, ...(await bundle(name)) })));
const sizes = bundles.map(({ name, atStart, all }) => {
  const limits = name === "tollgate" ? { goal: "900 / 900", verdict: judge(atStart, { goal: 900, floor: 900 }) } : {};
  return { what: name, value: `${atStart.toFixed(0)} kB at the start, ${all.toFixed(0)} kB in all`, ...limits };
});
printTable("Minified bundle", sizes);
