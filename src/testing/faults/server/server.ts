import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../../engine/ports/clock.ts";
import { behaviours, findBehaviour, parseFaultModel } from "../behaviours/behaviours.ts";
import { refuse } from "../behaviours/speech.ts";
import type { FaultTurn } from "../behaviours/turn.ts";
import { dialectOf } from "../wire/dialect.ts";
import type { FaultRequest, WireDialect } from "../wire/wire.ts";
import { type CallLog, openCallLog } from "./call-log.ts";
import { perform } from "./perform.ts";

/** A fault server that listens. */
export interface ListeningFaultServer {
  readonly port: number;
  close(): Promise<void>;
}

interface Backstage {
  readonly callLog: CallLog;
  readonly clock: Clock;
  /** Gives each run a number of its own. */
  readonly nextRun: () => number;
}

/**
 * Serves the fault server on the loopback interface: `POST …/chat/completions` and `POST …/messages` misbehave by model name,
 * `GET …/models` lists the names, `GET /__log[?tag=…]` tells what reached it, `DELETE /__log` forgets it, `POST /__run` gives a number
 * that no other run has.
 */
export async function serveFaults(clock: Clock, port = 0): Promise<ListeningFaultServer> {
  let runs = 0;
  const nextRun = () => {
    runs += 1;
    return runs;
  };
  const backstage: Backstage = { callLog: openCallLog(() => clock.now()), clock, nextRun };
  const server = createServer((request, response) => {
    // Whoever reads the log begins another scenario: its first connection is a fresh one, or a reset would say nothing about the server.
    if (request.url?.startsWith("/__log")) server.closeIdleConnections();
    receive(request, response, backstage).catch((thrown: unknown) => response.destroy(thrown as Error));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function receive(request: IncomingMessage, response: ServerResponse, backstage: Backstage): Promise<void> {
  request.socket.setNoDelay(true);
  const body = await readBody(request);
  const url = new URL(request.url ?? "/", "http://fault-server");
  if (request.method === "GET" && url.pathname.endsWith("/models")) {
    sendJson(response, listModels());
    return;
  }
  const dialect = dialectOf(url.pathname);
  const ask = dialect?.read(body) ?? elsewhere(url);
  if (dialect && ask) await answer({ ask, dialect, credential: credentialOf(request) }, response, backstage);
  else sendJson(response, control(request.method ?? "", url, backstage));
}

interface FaultCall {
  readonly ask: FaultRequest;
  readonly dialect: WireDialect;
  readonly credential: string;
}

async function answer({ ask, dialect, credential }: FaultCall, response: ServerResponse, backstage: Backstage) {
  const { callLog, clock } = backstage;
  const noted = callLog.note({ ask, dialect: dialect.name, credential });
  const { behaviour, amount } = parseFaultModel(ask.model);
  const { turn: nth, credential: position, sinceFirst } = noted;
  const turn: FaultTurn = { ...ask, dialect, amount, turn: nth, credential: position, sinceFirst, now: clock.now() };
  const steps = findBehaviour(behaviour)?.act(turn) ?? refuse(turn, "not_found");
  await perform(steps, { response, noted, clock });
}

/** A client that follows a redirect may turn POST into GET; it is written down under the model that it came from all the same. */
function elsewhere(url: URL): FaultRequest | undefined {
  const model = url.searchParams.get("model");
  if (model === null) return undefined;
  return {
    model: `elsewhere~${parseFaultModel(model).tag}`,
    isStream: false,
    wantsUsage: false,
    prefill: undefined,
    messages: 0,
  };
}

/** What the fault server's own addresses answer; `undefined` for one that it does not have. */
function control(method: string, { pathname, searchParams }: URL, { callLog, nextRun }: Backstage): unknown {
  if (pathname === "/__log" && method === "GET") return callLog.read(searchParams.get("tag") ?? undefined);
  if (pathname === "/__log" && method === "DELETE") {
    callLog.clear();
    return callLog.read();
  }
  if (pathname === "/__run" && method === "POST") return { run: nextRun() };
  return undefined;
}

/** A list that both vendors' clients read. */
function listModels(): object {
  const models = Object.keys(behaviours).map((id) => {
    const created_at = "2026-01-01T00:00:00Z";
    return {
      id,
      object: "model",
      type: "model",
      display_name: id,
      created: 1_767_225_600,
      created_at,
      owned_by: "fault-server",
    };
  });
  return { object: "list", data: models, has_more: false, first_id: models.at(0)?.id, last_id: models.at(-1)?.id };
}

function credentialOf({ headers }: IncomingMessage): string {
  const bearer = headers.authorization?.replace(/^Bearer +/i, "");
  return [bearer, headers["x-api-key"], headers["api-key"]].flat().find(Boolean) ?? "";
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Sends what was found, or that there is no such thing. */
function sendJson(response: ServerResponse, found: unknown): void {
  response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(found ?? { error: { message: "The fault server has no such address." } }));
}
