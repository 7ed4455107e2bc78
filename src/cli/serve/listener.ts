import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import { createListener } from "../../index.ts";
import type { Portal } from "../../portal/index.ts";
import type { Opened } from "../open-engine.ts";
import { answerOwnNames } from "./hosts.ts";
import { noteRefusal } from "./journal.ts";
import { isLoopback } from "./loopback.ts";

/** What is served, and to whom. */
interface Served {
  readonly host: string;
  readonly log: Logger;
  readonly requireKey: boolean;
  readonly portal: Portal | undefined;
}

/** The HTTP API with the settings of the configuration; on a server for this machine alone, for its own names alone. */
export function openListener({ engine, config }: Opened, { host, log, requireKey, portal }: Served): RequestListener {
  const { bodyLimit, keepAliveMs, cors, hosts = [] } = config.server ?? {};
  const onFailure = noteRefusal.bind(undefined, log);
  const listener = createListener({ engine, portal, requireKey, bodyLimit, keepAliveMs, cors, onFailure });
  return isLoopback(host) ? answerOwnNames(listener, { hosts, newEventId: engine.newEventId, onFailure }) : listener;
}
