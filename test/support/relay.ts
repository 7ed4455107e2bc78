import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server of this machine that can go bad. */
export interface Relay {
  readonly port: number;
  /** Connections made until now. */
  readonly connections: number;
  /** What the server has said until now, in pieces. */
  readonly answers: number;
  /** From now on nothing passes on the connections that there are, and neither end is told; new ones are good. */
  hush(): void;
  /** Cuts the connections that there are as soon as one of them has been told something by the server, which never arrives. */
  cutAtNextAnswer(): void;
  /** Leads new connections to another port; those that there are stay where they are, as in a fail-over. */
  redirect(port: number): void;
  close(): Promise<void>;
}

/** Passes bytes on to a port. */
export async function startRelay(to: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let answers = 0;
  let hushed = 0;
  let isCutting = false;
  let target = to;
  const server = createServer((near) => {
    const number = ++connections;
    const far = connect(target, "127.0.0.1");
    const end = () => {
      near.destroy();
      far.destroy();
    };
    const isGood = () => number > hushed;
    near.on("data", (piece) => isGood() && far.write(piece));
    far.on("data", (piece) => {
      answers++;
      if (!isCutting) return void (isGood() && near.write(piece));
      isCutting = false;
      for (const socket of sockets) socket.destroy();
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", end).on("close", () => {
        sockets.delete(socket);
        if (isGood()) end();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    get answers() {
      return answers;
    },
    hush() {
      hushed = connections;
    },
    cutAtNextAnswer() {
      isCutting = true;
    },
    redirect(port) {
      target = port;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
