import { openEngine } from "../open-engine.ts";
import { scrubberOf, secretsIn } from "../scrub.ts";
import type { Terminal } from "../terminal.ts";
import { writeBanner } from "./banner.ts";
import { untilStopped } from "./drain.ts";
import { openJournal } from "./journal.ts";
import { openListener } from "./listener.ts";
import { refuseLoop } from "./loop.ts";
import { type Listening, startServer } from "./server.ts";

/** What the command line said; it outweighs the configuration file. */
export interface ServeOptions {
  readonly file: string | undefined;
  readonly port: number | undefined;
  readonly host: string | undefined;
  readonly logLevel: string | undefined;
  readonly graceMs: number | undefined;
}

/** Serves until a signal; resolves with the exit code. Lines for people go to stderr, the log to stdout. */
export async function runServer(options: ServeOptions, terminal: Terminal): Promise<number> {
  const opened = await openEngine(terminal, options.file);
  const { engine, config } = opened;
  const host = options.host ?? config.server?.host ?? "127.0.0.1";
  const port = options.port ?? config.server?.port ?? 8_080;
  const log = openJournal(engine, {
    level: options.logLevel ?? config.logLevel ?? "info",
    isForPeople: terminal.isSeen,
    write: terminal.out,
    scrub: scrubberOf([...opened.secrets, ...secretsIn(terminal.env)]),
  });
  const listener = openListener(opened, { host, log });
  let server: Listening;
  try {
    refuseLoop(opened.sources, { host, port });
    server = await startServer(listener, { host, port });
  } catch (thrown) {
    await engine.close({ graceMs: 0 });
    throw thrown;
  }
  terminal.err(writeBanner({ host, port: server.port, gathered: opened }));
  if (!terminal.isSeen)
    log.info({ host, port: server.port, providers: opened.sources.map(({ name }) => name) }, "listening");
  return untilStopped({ engine, server, log, terminal, graceMs: options.graceMs ?? 30_000 });
}
