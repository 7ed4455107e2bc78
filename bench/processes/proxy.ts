import { createServer } from "node:http";
import { Pool } from "undici";

/** A transparent proxy: bytes in, bytes out, over undici's `dispatch`. What any gateway on this Node has to pay at least. */
const upstream = new Pool(process.argv[2] as string, { connections: 4_096, pipelining: 1 });

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts);
    const headers = { "content-type": "application/json" };
    upstream.dispatch(
      { path: "/v1/chat/completions", method: "POST", headers, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, answerHeaders) {
          response.writeHead(status, { "content-type": answerHeaders["content-type"] as string });
        },
        onResponseData(_controller, chunk) {
          response.write(chunk);
        },
        onResponseEnd() {
          response.end();
        },
        onResponseError() {
          response.destroy();
        },
      },
    );
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address) process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit(0));
