import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import { consoleFiles } from "../http/console/index.ts";
import { createListener } from "../http/create-engine.ts";
import type { Portal } from "../portal/index.ts";
import type { HeadFaults } from "./broken-heads.ts";
import { describeCaller } from "./logging/caller.ts";
import { noteRefusal } from "./logging/request-log.ts";
import { answerOwnNames } from "./network/hosts.ts";
import { isLoopback } from "./network/loopback.ts";
import type { OpenedEngine } from "./open-engine.ts";
import { serveClusters } from "./shared-clusters.ts";
import { type SharedClouds, serveObjects } from "./shared-objects.ts";

/** The options of the listener: what it serves, and to which callers. */
interface ListenerSettings {
  readonly host: string;
  readonly log: Logger;
  readonly requireKey: boolean;
  readonly portal: Portal | undefined;
  readonly portalAtRoot: boolean | undefined;
  readonly console: boolean | undefined;
  readonly shared: SharedClouds;
}

/** What a server is opened with. */
interface OpenedListener {
  readonly listener: RequestListener;
  readonly heads: HeadFaults;
}

/** The HTTP API with the settings of the configuration; on a server for this machine alone, for its own names alone. */
export function openListener(
  { engine, config }: OpenedEngine,
  { host, log, requireKey, portal, portalAtRoot, console, shared }: ListenerSettings,
): OpenedListener {
  const { bodyLimit, bodyBounds, keepAliveMs, startWaitMs, cors, service, hosts = [] } = config.server ?? {};
  const onFailure = noteRefusal.bind(undefined, log);
  const api = createListener({
    ...{ engine, portal, requireKey, bodyLimit, bodyBounds, keepAliveMs, startWaitMs, cors, service, onFailure },
    describeCaller,
    portalAtRoot: portalAtRoot ?? config.server?.portalAtRoot,
    console: portal && (console ?? config.server?.console ?? true) ? consoleFiles() : undefined,
  });
  const everywhere = serveClusters(serveObjects(api, shared), shared);
  const faults = { newEventId: engine.newEventId, onFailure };
  const listener = isLoopback(host) ? answerOwnNames(everywhere, { hosts, ...faults }) : everywhere;
  return { listener, heads: faults };
}
