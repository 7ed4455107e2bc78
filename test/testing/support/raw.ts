import { connect } from "node:net";

/** How the other side ended a connection: closed it, reset it, or not at all. */
export type Ending = "closed" | "reset" | "open";

/** A connection as it is on the wire, without any HTTP client in between. */
export interface RawConnection {
  /** What was received so far, as it came. */
  readonly pieces: readonly Buffer[];
  readonly ending: Ending;
  /** Resolves when the other side has ended the connection. */
  readonly over: Promise<Ending>;
  /** Resolves when what was received holds this, or the connection is over. */
  received(text: RegExp): Promise<void>;
  close(): void;
}

/** What is asked for. */
export interface RawRequest {
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one POST over a socket of its own and keeps every byte that comes back. */
export function post(url: string, { path, body, headers = {} }: RawRequest): RawConnection {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const pieces: Buffer[] = [];
  const waiting = new Set<() => void>();
  let ending: Ending = "open";
  const over = new Promise<Ending>((resolve) => {
    const finish = (how: Ending) => {
      if (ending === "open") ending = how;
      resolve(ending);
      for (const check of waiting) check();
    };
    socket.on("error", () => finish("reset"));
    socket.on("end", () => finish("closed"));
  });
  socket.on("data", (piece) => {
    pieces.push(piece);
    for (const check of waiting) check();
  });
  const content = Buffer.from(JSON.stringify(body));
  const all = { host, "content-type": "application/json", "content-length": String(content.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  socket.write(content);
  return {
    pieces,
    get ending() {
      return ending;
    },
    over,
    received: (text) =>
      new Promise((resolve) => {
        const check = () => {
          if (ending === "open" && !text.test(Buffer.concat(pieces).toString("utf8"))) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    close: () => socket.destroy(),
  };
}

/** A message taken apart. */
export interface RawMessage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body so far, without the lengths of chunks. */
  readonly body: Buffer;
  /** How many chunks it came in, one for each write of the server; a body with an announced length has none. */
  readonly chunks: number;
  /** True when the message says that it is over: its last chunk, or its announced length. */
  readonly isWhole: boolean;
}

/** Reads what a connection received as one HTTP/1.1 message. */
export function readMessage({ pieces }: Pick<RawConnection, "pieces">): RawMessage {
  const all = Buffer.concat(pieces);
  const split = all.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = all.subarray(0, split).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const rest = all.subarray(split + 4);
  const status = Number(statusLine.split(" ")[1]);
  if (headers["transfer-encoding"] === "chunked") return { status, headers, ...readChunks(rest) };
  return { status, headers, body: rest, chunks: 0, isWhole: rest.length === Number(headers["content-length"] ?? 0) };
}

function readChunks(bytes: Buffer): Pick<RawMessage, "body" | "chunks" | "isWhole"> {
  const chunks: Buffer[] = [];
  let rest = bytes;
  for (;;) {
    const line = rest.indexOf("\r\n");
    if (line === -1) return { body: Buffer.concat(chunks), chunks: chunks.length, isWhole: false };
    const size = Number.parseInt(rest.subarray(0, line).toString("latin1"), 16);
    if (size === 0) return { body: Buffer.concat(chunks), chunks: chunks.length, isWhole: true };
    chunks.push(rest.subarray(line + 2, line + 2 + size));
    rest = rest.subarray(line + 2 + size + 2);
  }
}

/** The `data:` of each event of a stream. */
export function eventsOf(body: Buffer): string[] {
  const frames = body.toString("utf8").split("\n\n");
  return frames
    .flatMap((frame) => frame.split("\n").filter((line) => line.startsWith("data: ")))
    .map((line) => line.slice(6));
}

/** The text that the events of a stream carry, in either dialect. */
export function streamedText(body: Buffer): string {
  const texts = eventsOf(body).map((data) => {
    try {
      const event = JSON.parse(data);
      return event.choices?.[0]?.delta?.content ?? event.delta?.text ?? "";
    } catch {
      return "";
    }
  });
  return texts.join("");
}

/** The text of a whole answer, in either dialect. */
export function wholeText(body: Buffer): string {
  const answer = JSON.parse(body.toString("utf8"));
  return answer.choices?.[0]?.message?.content ?? answer.content?.[0]?.text ?? "";
}
