import type { Logger } from "pino";
import type { Portal } from "../../portal/index.ts";
import type { OpenedStore } from "../books/place.ts";
import { namingFile } from "../config/origin.ts";
import { misconfigured } from "../config/references.ts";
import type { Opened } from "../open-engine.ts";
import type { Terminal } from "../terminal.ts";
import { type Place, placeOf } from "./address.ts";
import { writeBanner } from "./banner.ts";
import { holdSignal, makeFirstKey } from "./first-key.ts";
import { openListener } from "./listener.ts";
import { refuseLoop } from "./loop.ts";
import type { SharedObjects } from "./objects.ts";
import { type Listening, startServer } from "./server.ts";
import type { Telemetry } from "./telemetry.ts";

/** What the command line said; it outweighs the configuration file. */
export interface ServeOptions {
  readonly file: string | undefined;
  readonly port: number | undefined;
  readonly host: string | undefined;
  readonly logLevel: string | undefined;
  readonly graceMs: number | undefined;
  /** The file of keys and ledger, or their database's address; `false` for none. */
  readonly store: string | false | undefined;
  /** Answers also without a key. */
  readonly isOpen: boolean;
}

/** What a server is opened over. */
export interface Opening {
  readonly options: ServeOptions;
  readonly opened: Opened;
  /** Absent where nothing is kept. */
  readonly kept: OpenedStore | undefined;
  /** Absent where nothing is kept. */
  readonly portal: Portal | undefined;
  readonly shared: SharedObjects;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly terminal: Pick<Terminal, "err" | "isSeen" | "onSignal">;
}

/** A server, and the signal that came while it was opened. */
export interface Open extends Listening {
  readonly stoppedBy: ReturnType<ReturnType<typeof holdSignal>>;
}

/** Where it would listen; throws `invalid_configuration` where it could not serve there, or not as it is to. */
export async function checkPlace(
  { options, opened }: Pick<Opening, "options" | "opened">,
  isKept: boolean,
): Promise<Place> {
  const { config, sources } = opened;
  const place = placeOf(options, config);
  if (config.requireKey === true && !isKept)
    await namingFile(opened, () => Promise.reject(misconfigured("requireKey", "needs a store to keep keys in")));
  refuseLoop(sources, place);
  return place;
}

/** Listens, and says where and how it is reached; on an empty store with a first key. */
export async function openServer({ options, opened, kept, portal, telemetry, ...rest }: Opening): Promise<Open> {
  const { shared, log, terminal } = rest;
  const { engine, config, sources } = opened;
  const { host, port } = await checkPlace({ options, opened }, kept !== undefined);
  const requireKey = kept !== undefined && !options.isOpen && config.requireKey !== false;
  await engine.ready(); // two gateways on one store are refused before the port is open
  const listener = telemetry.follow(openListener(opened, { host, log, requireKey, portal, shared }));
  const server = await startServer(listener, { host, port });
  const letGo = holdSignal(terminal);
  const firstKey = requireKey ? await makeFirstKey(engine.keys, kept.store.records) : undefined;
  const firstToken = (await portal?.startFirst())?.token;
  const shown = { requireKey, isGuarded: config.server?.service !== undefined, firstKey, firstToken };
  terminal.err(
    writeBanner({
      host,
      port: server.port,
      gathered: opened,
      storeName: kept?.storeName,
      metricsAt: telemetry.metricsAt,
      ...shown,
    }),
  );
  if (!terminal.isSeen) log.info({ host, port: server.port, providers: sources.map(({ name }) => name) }, "listening");
  return { ...server, stoppedBy: letGo() };
}
