import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { GatewayError } from "../engine/errors.ts";
import { type ActiveMember, createActiveSet } from "../engine/pipeline/runtime/active-set.ts";
import { answerHeadFaults, type HeadFaults, headLimit } from "./broken-heads.ts";
import { type ListenAddress, unknownHost } from "./network/address.ts";

/** A listening server. */
export interface Listening {
  readonly port: number;
  /** Ends each connection behind its next answer from now on; the port stays open. */
  announceClose(): void;
  /** Closes the port. Requests on connections that are open are answered as before. */
  stopListening(): void;
  /**
   * Stops accepting connections. Resolves when all responses are written; cuts them off after `graceMs`. Closes a connection without a
   * request after `silentMs`.
   */
  close(graceMs: number, silentMs?: number): Promise<void>;
}

/** How the workers of a gateway share a port. */
interface PortSharing {
  /** True for a port of one worker alone. */
  readonly exclusive?: boolean;
}

/** An answer under way. */
interface Answering extends ActiveMember {
  readonly response: ServerResponse;
}

/** A connection that is open. */
interface Connected extends ActiveMember {
  readonly socket: Socket;
}

/**
 * How long a stop waits for the first request of a connection, or for the rest of its head. Browsers and load balancers open connections
 * before they need them, which `closeIdleConnections` does not take for idle.
 */
const untilPolledMs = 1_000;

/** Longer than the minute of usual load balancers, so that they end an idle connection, and never meet one that we just ended. */
const idleMs = 65_000;

/**
 * Starts to listen; with `heads`, requests that cannot be read are answered like others that fail. Throws `invalid_configuration` with
 * advice if the address is unavailable.
 */
export async function startServer(
  listener: RequestListener,
  address: ListenAddress & PortSharing,
  heads?: HeadFaults,
): Promise<Listening> {
  setGcFlags();
  const answering = createActiveSet<Answering>();
  const connected = createActiveSet<Connected>();
  let isLeaving = false;
  let isClosing = false;
  const server = createServer({ maxHeaderSize: headLimit }, (request, response) => {
    const answer = { response, slot: 0 };
    answering.add(answer);
    if (isLeaving) response.setHeader("connection", "close");
    response.on("close", () => {
      answering.remove(answer);
      if (isClosing) server.closeIdleConnections();
    });
    listener(request, response);
  });
  if (heads) answerHeadFaults(server, (socket) => isBusy(socket, answering), heads);
  server.keepAliveTimeout = idleMs;
  server.on("connection", (socket) => {
    const connection = { socket, slot: 0 };
    connected.add(connection);
    socket.on("close", () => connected.remove(connection));
  });
  const announceClose = () => {
    isLeaving = true;
    for (const { response } of answering) if (!response.headersSent) response.setHeader("connection", "close");
  };
  await listen(server, address);
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    port,
    announceClose,
    stopListening: () => void NetServer.prototype.close.call(server), // that of HTTP ends idle connections, on which a request may be under way
    close(graceMs, silentMs = untilPolledMs) {
      announceClose();
      isClosing = true;
      return new Promise((resolve) => {
        const timers = [
          setTimeout(() => endSilent(connected, answering), silentMs),
          setTimeout(() => server.closeAllConnections(), graceMs),
        ];
        server.close(() => {
          timers.forEach(clearTimeout);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

function isBusy(socket: Socket, answering: Iterable<Answering>): boolean {
  for (const { response } of answering) if (response.req.socket === socket) return true;
  return false;
}

/** Ends the connections on which no answer is under way. */
function endSilent(connected: Iterable<Connected>, answering: Iterable<Answering>): void {
  const busySockets = new Set([...answering].map(({ response }) => response.req.socket));
  for (const { socket } of connected) if (!busySockets.has(socket)) socket.destroy();
}

/** Throws like `startServer` if the address is unavailable, without serving requests. */
export async function tryAddress(address: ListenAddress & PortSharing): Promise<void> {
  const server = createServer();
  await listen(server, address);
  await new Promise((resolve) => server.close(resolve));
}

function listen(server: Server, { host, port, exclusive = false }: ListenAddress & PortSharing): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, { host, port })));
    server.listen({ host, port, exclusive }, resolve);
  });
}

function explain(error: NodeJS.ErrnoException, { host, port }: ListenAddress): GatewayError {
  if (error.code === "ENOTFOUND") return unknownHost(host, error);
  const next = port < 65_535 ? port + 1 : port - 1;
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is taken. Choose another one, --port ${next}, or any free one, --port 0.`,
    EACCES: `Port ${port} may not be opened by this user. Choose one above 1023, such as --port 8080.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. --host 127.0.0.1 is for this machine only, --host 0.0.0.0 for all.`,
  };
  const message =
    problems[error.code ?? ""] ?? `Cannot listen on ${host}, port ${port}: ${error.code ?? error.message}.`;
  return new GatewayError("invalid_configuration", message, { cause: error });
}

/**
 * Makes V8 allocate every object in the young generation. After a first wave of a hundred concurrent requests V8 may otherwise pretenure
 * request objects, which then live until the next full collection (docs/performance.md). Only `serve` sets this flag; an embedding
 * process sets its own.
 */
function setGcFlags(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}
