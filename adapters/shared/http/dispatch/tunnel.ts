import type { Socket } from "node:net";
import { type buildConnector, Client } from "undici";

/** Opens connections through a proxy, by `CONNECT`; for `https:` targets TLS goes through the tunnel, end to end. */
export function tunnelConnector(
  direct: buildConnector.connector,
  proxy: URL,
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  return (target, callback) => {
    openTunnel(proxy, `${target.hostname}:${target.port || (target.protocol === "https:" ? 443 : 80)}`, options).then(
      (socket) => {
        if (target.protocol === "https:") direct({ ...target, httpSocket: socket }, callback);
        else callback(null, socket.setNoDelay(true));
      },
      (failure: Error) => callback(failure, null),
    );
  };
}

/** The proxy's answer to `CONNECT` was no; its status is in the code, which messages show. */
function proxyRefusal(status: number): Error {
  return Object.assign(new Error("the proxy refused the connection"), { code: `PROXY_ANSWERED_${status}` });
}

/** A client of its own for each tunnel, since the tunnel takes its connection. */
async function openTunnel(proxy: URL, authority: string, options: buildConnector.BuildOptions): Promise<Socket> {
  const connect = { ...options, servername: undefined }; // that one is the target's
  const client = new Client(proxy.origin, { connect });
  try {
    const { statusCode, socket } = await client.connect({ path: authority, headers: headersFor(proxy, authority) });
    if (statusCode >= 200 && statusCode < 300) return socket as Socket;
    socket.on("error", () => {}).destroy();
    throw proxyRefusal(statusCode);
  } finally {
    client.close().catch(() => {}); // a failed connection has closed it
  }
}

function headersFor({ username, password }: URL, authority: string): Record<string, string> {
  if (username === "" && password === "") return { host: authority };
  const credential = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { host: authority, "proxy-authorization": `Basic ${Buffer.from(credential).toString("base64")}` };
}
