import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../../src/server/server.ts";

const host = "127.0.0.1";

/** A server that begins every answer, and ends it when it is released. */
async function startAnswering() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await startServer(
    (_request, response) => {
      response.write("begun ");
      released.then(() => response.end("done"));
    },
    { host, port: 0 },
  );
  onTestFinished(() => server.close(0));
  return { server, release };
}

/** A connection that has been accepted: connections are, in the order in which they were made. */
async function connectTo(port: number, said: string): Promise<Socket> {
  const socket = connect(port, host);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write(said);
  await (await fetch(`http://${host}:${port}/`)).body?.cancel();
  return socket;
}

it.each([
  ["said nothing", ""],
  ["said half a head", "GET /health HTTP/1.1\r\nhost: localhost\r\n"],
])("a connection that %s does not hold up a stop", async (_title, said) => {
  const { server } = await startAnswering();
  const socket = await connectTo(server.port, said);
  const ended = once(socket, "close");
  socket.resume().on("error", () => {});
  await server.close(60_000, 0);
  await ended;
});

it("an answer under way is written though silent connections are ended beside it", async () => {
  const { server, release } = await startAnswering();
  const socket = await connectTo(server.port, "");
  const response = await fetch(`http://${host}:${server.port}/`);
  const ended = once(socket.resume(), "close");
  const closed = server.close(60_000, 0);
  await ended;
  release();
  expect(await response.text()).toBe("begun done");
  await closed;
});
