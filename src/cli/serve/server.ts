import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { GatewayError } from "../../errors.ts";
import { createRoster, type Enrolled } from "../../pipeline/roster.ts";
import { type Place, unknownHost } from "./address.ts";
import { keepObjectsYoung } from "./collector.ts";

/** A listening server. */
export interface Listening {
  readonly port: number;
  /** Takes no new connections; resolves when the answers under way are written, after `graceMs` they are cut off. */
  close(graceMs: number): Promise<void>;
}

/** An answer under way. */
interface Answering extends Enrolled {
  readonly response: ServerResponse;
}

/** Longer than the minute of usual load balancers, so that they end an idle connection, and never meet one that we just ended. */
const idleMs = 65_000;

/** Starts to listen; throws `invalid_configuration` saying what to do when the place cannot be had. */
export async function startServer(listener: RequestListener, place: Place): Promise<Listening> {
  keepObjectsYoung();
  const answering = createRoster<Answering>();
  let isClosing = false;
  const server = createServer((request, response) => {
    const answer = { response, place: 0 };
    answering.add(answer);
    if (isClosing) response.setHeader("connection", "close");
    response.on("close", () => {
      answering.remove(answer);
      if (isClosing) server.closeIdleConnections();
    });
    listener(request, response);
  });
  server.keepAliveTimeout = idleMs;
  await listen(server, place);
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    port,
    close(graceMs) {
      isClosing = true;
      for (const { response } of answering) if (!response.headersSent) response.setHeader("connection", "close");
      return new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

function listen(server: Server, { host, port }: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, { host, port })));
    server.listen({ host, port }, resolve);
  });
}

function explain(error: NodeJS.ErrnoException, { host, port }: Place): GatewayError {
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
