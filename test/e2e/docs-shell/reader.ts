import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { ShellLine } from "./lines.ts";
import { type LineSetting, notRun, type PageSetting } from "./pages.ts";

/** Someone who follows a page from its first command to its last, in a folder of their own. */
export interface Reader {
  /** Runs a command of the page; resolves with what is wrong with it, or nothing. */
  follow(line: ShellLine): Promise<string | undefined>;
  /** Runs what goes before the first command of the page. */
  begin(): Promise<string | undefined>;
  leave(): void;
}

/** Where a reader is, and what the page takes for granted. */
export interface ReaderPlace {
  readonly project: string;
  readonly name: string;
  readonly setting: PageSetting;
  readonly env: Readonly<Record<string, string>>;
}

interface Ran {
  readonly status: number | null;
  readonly text: string;
}

const serving = /^(?:npx )?tollgate serve(?!.*--check)/;
const addresses = /http:\/\/(?:127\.0\.0\.1:8080|host)(?=\/)/g;
const slowest = 60_000;

/** What is known of a command by what it begins with. */
export function settingOf<Setting>(text: string, settings: Readonly<Record<string, Setting>>): Setting | undefined {
  return Object.entries(settings).find(([start]) => text.startsWith(start))?.[1];
}

/** Prepares a folder with the page's files below the project, whose packages its commands find. */
export function startReader({ project, name, setting, env }: ReaderPlace): Reader {
  const folder = join(project, "pages", name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(setting.files ?? {})) writeFileSync(join(folder, file), text);
  const path = [join(project, "node_modules/.bin"), dirname(process.execPath), process.env.PATH].join(delimiter);
  const known: Record<string, string> = { PATH: path, HOME: folder, ...env, ...setting.env };
  let server: ChildProcess | undefined;

  const open = (command: string) => spawn("sh", ["-c", command], { cwd: folder, env: known, detached: true });
  const stop = async () => {
    const running = server;
    server = undefined;
    if (running?.pid === undefined || running.exitCode !== null) return;
    process.kill(-running.pid, "SIGTERM");
    await once(running, "close");
  };
  const run = async (command: string, own: LineSetting = {}): Promise<Ran> => {
    if (!serving.test(command)) return end(open(own.until ? `exec ${command}` : command), own);
    await stop();
    server = open(command.replace(serving, "$& --port 0"));
    const { address, text } = await listening(server);
    if (address === undefined) return { status: 1, text };
    const made = (end: string) => readdirSync(folder).filter((file) => file.endsWith(end));
    const [key, token] = [".first-key", ".first-token"].map(
      (end) => made(end).map((file) => readFileSync(join(folder, file), "utf8").trim())[0],
    );
    Object.assign(known, { ADDRESS: address }, key && { KEY: key }, token && { TOKEN: token });
    return { status: 0, text };
  };
  const runAll = async (commands: readonly string[] = []): Promise<string | undefined> => {
    for (const command of commands) {
      const ran = await run(command);
      if (ran.status !== 0) return describe(command, ran);
    }
    return undefined;
  };
  return {
    begin: () => runAll(setting.first),
    async follow({ text }) {
      const own: LineSetting = settingOf(text, setting.lines ?? {}) ?? {};
      const problem = await runAll(own.before);
      if (problem !== undefined) return problem;
      let command = text.replace(addresses, "$ADDRESS").replace(/^curl /, "curl --fail-with-body ");
      for (const [placeholder, value] of own.replace ?? []) command = command.replaceAll(placeholder, value);
      const ran = await run(command, own);
      if (ran.status !== (own.status ?? 0)) return describe(text, ran);
      return own.says && !own.says.test(ran.text) ? describe(`${text}: does not say ${own.says}`, ran) : undefined;
    },
    leave: () => {
      if (server?.pid !== undefined && server.exitCode === null) process.kill(-server.pid, "SIGKILL");
    },
  };
}

/** Whether a command is listed as one that cannot run here. */
export function isListed({ text }: ShellLine): boolean {
  return settingOf(text, notRun) !== undefined;
}

async function end(child: ChildProcess, { input = "", until }: LineSetting): Promise<Ran> {
  const text = listenTo(child);
  child.stdin?.on("error", () => {}).end(input);
  const signal = (name: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, name);
  const timer = setTimeout(() => signal("SIGKILL"), slowest);
  if (until) child.stdout?.on("data", () => until.test(text()) && signal("SIGTERM"));
  const [status] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  return { status, text: text() };
}

/** Resolves when the server says its address, or ends without it. */
async function listening(child: ChildProcess): Promise<{ readonly address?: string; readonly text: string }> {
  const text = listenTo(child);
  const found = () => /Listening on (http:\S+)\. /.exec(text())?.[1];
  const said = new Promise<void>((resolve) =>
    child.stderr?.on(
      "data",
      () => /Try it|token_required|tollgate token create|console/.test(text()) && found() && resolve(),
    ),
  );
  await Promise.race([said, once(child, "close")]);
  const address = found();
  return { ...(address === undefined ? {} : { address }), text: text() };
}

function listenTo({ stdout, stderr }: ChildProcess): () => string {
  let text = "";
  for (const stream of [stdout, stderr])
    stream?.on("data", (piece: Buffer) => {
      text += piece.toString();
    });
  return () => text;
}

function describe(command: string, { status, text }: Ran): string {
  return `${command}\n  (${status}) ${text.slice(-1_500)}`;
}
