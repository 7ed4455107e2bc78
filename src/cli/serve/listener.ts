import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import { createListener } from "../../index.ts";
import type { Portal } from "../../portal/index.ts";
import type { Opened } from "../open-engine.ts";
import { answerOwnNames } from "./hosts.ts";
import { noteRefusal } from "./journal.ts";
import { isLoopback } from "./loopback.ts";
import { type SharedObjects, serveObjects } from "./objects.ts";

/** What is served, and to whom. */
interface Served {
  readonly host: string;
  readonly log: Logger;
  readonly requireKey: boolean;
  readonly portal: Portal | undefined;
  readonly shared: SharedObjects;
}

/** The HTTP API with the settings of the configuration; on a server for this machine alone, for its own names alone. */
export function openListener(
  { engine, config }: Opened,
  { host, log, requireKey, portal, shared }: Served,
): RequestListener {
  const { bodyLimit, keepAliveMs, cors, service, hosts = [] } = config.server ?? {};
  const onFailure = noteRefusal.bind(undefined, log);
  const api = createListener({ engine, portal, requireKey, bodyLimit, keepAliveMs, cors, service, onFailure });
  const listener = serveObjects(api, shared);
  return isLoopback(host) ? answerOwnNames(listener, { hosts, newEventId: engine.newEventId, onFailure }) : listener;
}
