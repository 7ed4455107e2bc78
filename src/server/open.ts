import type { Logger } from "pino";
import type { Portal } from "../portal/index.ts";
import { noteUnpriced, writeBanner } from "./banner.ts";
import { namingFile } from "./config/origin.ts";
import { misconfigured } from "./config/references.ts";
import { type FirstName, holdSignal, makeFirstKey, makeSignInLink, passOnFirst } from "./first-key.ts";
import { openListener } from "./listener.ts";
import { addressOf, type ListenAddress, scopeOf } from "./network/address.ts";
import { refuseSelfAddress } from "./network/self-address.ts";
import type { OpenedEngine } from "./open-engine.ts";
import type { WorkerRole } from "./reload/worker-role.ts";
import { type Listening, startServer } from "./server.ts";
import type { SharedClouds } from "./shared-objects.ts";
import type { OpenedStore } from "./store/location.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** The options of the command line, which override the configuration file. */
export interface ServeOptions {
  readonly file: string | undefined;
  readonly port: number | undefined;
  readonly host: string | undefined;
  readonly logLevel: string | undefined;
  readonly graceMs: number | undefined;
  /** Milliseconds between a signal to stop and the end of the port. */
  readonly drainDelayMs?: number | undefined;
  /** Where the number of the process is written, by default `<store file>.pid`. */
  readonly processFile?: string | undefined;
  /** The store file or the address of the database; `false` for no store. */
  readonly store: string | false | undefined;
  /** Answers also without a key. */
  readonly isOpen: boolean;
  /** `false` serves the portal under `/api` only. */
  readonly portalAtRoot?: boolean | undefined;
  /** `false` leaves the web console out. */
  readonly console?: boolean | undefined;
  /** What this process is among the workers of a gateway; absent in one of its own. */
  readonly worker?: WorkerRole | undefined;
}

/** What a server is opened over. */
export interface Opening {
  readonly options: ServeOptions;
  readonly opened: OpenedEngine;
  /** Absent without a store. */
  readonly store: OpenedStore | undefined;
  /** Absent without a store. */
  readonly portal: Portal | undefined;
  readonly shared: SharedClouds;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly terminal: Pick<Terminal, "err" | "folder" | "now" | "isOutputTty" | "isErrorTty" | "onSignal">;
}

/** A server, and what releases the signals that are held while it is opened. */
export interface OpenServer extends Listening {
  readonly stoppedBy: ReturnType<typeof holdSignal>;
}

/** Where it would listen; throws `invalid_configuration` where it could not serve there, or not as it is to. */
export async function checkAddress(
  { options, opened }: Pick<Opening, "options" | "opened">,
  isRetained: boolean,
): Promise<ListenAddress> {
  const { config, sources } = opened;
  const listenAddress = scopeOf(options, config);
  if (config.requireKey === true && !isRetained)
    await namingFile(opened, () => Promise.reject(misconfigured("requireKey", "requires a store")));
  refuseSelfAddress(sources, listenAddress);
  return listenAddress;
}

/** Starts to listen and prints the banner. With an empty store it first creates a key. */
export async function openServer({ options, opened, store, portal, telemetry, ...rest }: Opening): Promise<OpenServer> {
  const { shared, log, terminal } = rest;
  const { engine, config, sources } = opened;
  const { host, port } = await checkAddress({ options, opened }, store !== undefined);
  const requireKey = store !== undefined && !options.isOpen && config.requireKey !== false;
  await engine.ready(); // two gateways on one store are refused before the port is open
  const { listener, heads } = openListener(opened, {
    ...{ host, log, requireKey, portal, shared },
    ...{ portalAtRoot: options.portalAtRoot, console: options.console },
  });
  const server = await startServer(telemetry.follow(listener), { host, port }, heads);
  const stoppedBy = holdSignal(terminal);
  const passOn = (name: FirstName, value: string | undefined) =>
    value === undefined ? undefined : passOnFirst(terminal, name, { value, storeFile: store?.storeFile });
  const firstKey = passOn("first-key", requireKey ? await makeFirstKey(engine.keys, store.store.records) : undefined);
  const firstToken = passOn("first-token", (await portal?.startFirst())?.token);
  const hasConsole = portal !== undefined && (options.console ?? config.server?.console ?? true);
  const place = { host, address: addressOf({ host, port: server.port }), isFirst: firstToken !== undefined, terminal };
  const signInLink = passOn("first-link", hasConsole ? await makeSignInLink(portal, place) : undefined);
  const made = { firstKey, firstToken, hasConsole, signInLink };
  const shown = { requireKey, isGuarded: config.server?.service !== undefined, ...made };
  const isPrinted = options.worker?.announces ?? true;
  const banner =
    isPrinted &&
    writeBanner({
      host,
      port: server.port,
      gathered: opened,
      storeName: store?.storeName,
      metricsAt: telemetry.metricsAt,
      notes: await noteUnpriced(opened, store !== undefined, terminal.now()),
      ...shown,
    });
  if (banner) terminal.err(banner);
  if (!terminal.isOutputTty)
    log.info(
      { host, port: server.port, providers: sources.map(({ name }) => name), worker: options.worker?.number },
      "listening",
    );
  return { ...server, stoppedBy };
}
