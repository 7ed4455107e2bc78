import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";

export interface ConnectProxy {
  readonly url: string;
  /** The targets of its tunnels, with the credentials that came with each. */
  readonly tunnels: [authority: string, credentials: string | undefined][];
}

/** A CONNECT proxy that resolves every name to this machine, as a company's resolver resolves inner names. */
export async function startProxy(refuses?: number): Promise<ConnectProxy> {
  const tunnels: ConnectProxy["tunnels"] = [];
  const server = createServer();
  server.on("connect", ({ url = "", headers }, socket, head) => {
    tunnels.push([url, headers["proxy-authorization"]]);
    socket.on("error", () => {});
    if (refuses !== undefined) return void socket.end(`HTTP/1.1 ${refuses} No\r\ncontent-length: 0\r\n\r\n`);
    const upstream = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tunnels };
}
