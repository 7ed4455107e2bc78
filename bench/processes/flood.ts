import { Agent, request } from "node:http";

/** Keeps so many calls of one key with 200 KB each under way, until its parent leaves. Arguments: ports with commas, the key, how many. */
const [, , ports, key, count] = process.argv as [string, string, string, string, string];
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const body = JSON.stringify({ model: "local/echo", messages: [{ role: "user", content: "x".repeat(200_000) }] });
const headers = {
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
  "content-length": Buffer.byteLength(body),
};

function ask(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { agent, host: "127.0.0.1", port, path: "/v1/chat/completions", method: "POST", headers };
    const sent = request(options, (response) => {
      response.resume();
      response.on("end", resolve);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function keepAsking(port: number): Promise<void> {
  for (;;) await ask(port);
}

const all = ports.split(",").map(Number);
for (let at = 0; at < Number(count); at++) void keepAsking(all[at % all.length] ?? 0);
process.send?.({ port: 0 });
process.on("disconnect", () => process.exit(0));
