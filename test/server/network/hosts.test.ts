import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { answerOwnNames } from "../../../src/server/network/hosts.ts";
import { type Listening, startServer } from "../../../src/server/server.ts";

let server: Listening | undefined;
afterEach(() => server?.close(0));

/** What a request with that `host` gets, and what is reported of it. */
async function ask(host: string, hosts: readonly string[] = []) {
  const reported: string[] = [];
  const listener = answerOwnNames((_request, response) => void response.end("answered"), {
    hosts,
    newEventId: () => "evt_1",
    onFailure: (error, { eventId, method, path }) => void reported.push(`${eventId} ${method} ${path} ${error.code}`),
  });
  server = await startServer(listener, { host: "127.0.0.1", port: 0 });
  const { port } = server;
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method: "POST", path: "/v1/models?x=1", headers: { host } });
    asked.on("error", reject).on("response", async (response) => {
      let body = "";
      for await (const piece of response) body += piece;
      resolve({ status: response.statusCode, id: response.headers["x-tg-event-id"], body, reported });
    });
    asked.end("{}");
  });
}

describe("a server for this machine answers to", () => {
  it.each(["", "localhost", "LOCALHOST:8080", "a.localhost:1", "127.0.0.1:8080", "[::1]:8080", "10.0.0.1"])(
    "%s",
    async (host) => expect(await ask(host)).toMatchObject({ status: 200, body: "answered", reported: [] }),
  );

  it("the names of the configuration", async () => {
    expect(await ask("gateway.example:80", ["Gateway.example"])).toMatchObject({ status: 200 });
  });
});

describe("it refuses a name that a web page may have led here", () => {
  it.each(["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "evillocalhost"])(
    "%s",
    async (host) => {
      const body = expect.stringContaining('"param":"host"');
      const reported = ["evt_1 POST /v1/models invalid_request"];
      expect(await ask(host)).toEqual({ status: 400, id: "evt_1", body, reported });
    },
  );
});
