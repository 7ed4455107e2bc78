import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the upstream received it; `body` is parsed when it was JSON, else text. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** What an upstream does with a request that it has read. */
export type Answerer = (observation: SeenRequest, response: ServerResponse) => void | Promise<void>;

/** A vendor of our own on the loopback interface. */
export interface Upstream {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Requests so far, oldest first. */
  readonly observation: readonly SeenRequest[];
  /** Sockets that were opened so far. */
  sockets(): number;
  close(): Promise<void>;
}

/** Starts a real HTTP server on a free port that answers every request by `answer`. */
export async function startUpstream(answer: Answerer): Promise<Upstream> {
  const observation: SeenRequest[] = [];
  let sockets = 0;
  const server = createServer((request, response) => {
    void readRequest(request).then((read) => {
      observation.push(read);
      return answer(read, response);
    }, ignore);
  });
  server.on("connection", () => {
    sockets += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    observation,
    sockets: () => sockets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const text = Buffer.concat(pieces).toString("utf8");
  return { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A request that was cut off before it was read asks for nothing. */
function ignore(): void {}
