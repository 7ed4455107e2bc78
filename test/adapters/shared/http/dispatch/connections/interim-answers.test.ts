import { describe, expect, it } from "vitest";
import { undiciTransport } from "../../../../../../adapters/shared/http/dispatch/undici.ts";
import { turns } from "../../../../../http/support/server.ts";
import { closedAfter, post, rawServer } from "../../../../support/shared/http/setup.ts";

const interim = "HTTP/1.1 100 Continue\r\n\r\n";
const answer = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe.each(["whole", "stream"] as const)("an unasked 100 Continue (%s)", (way) => {
  const textOf = async (url: string, transport = closedAfter(undiciTransport())) => {
    if (way === "whole") return (await transport.whole(post(url))).body;
    let text = "";
    for await (const piece of (await transport.stream(post(url))).body) text += Buffer.from(piece).toString();
    return text;
  };

  it.each([
    ["in front of the answer", [interim + answer("well")]],
    ["in a packet of its own", [interim, answer("well")]],
    ["twice, with fields", [`HTTP/1.1 100 Go on\r\nx-a: b\r\n\r\n${interim}`, answer("well")]],
  ])("%s is no answer", async (_how, packets) => {
    const { host } = await rawServer((socket) => {
      socket.on("data", async () => {
        for (const packet of packets) {
          socket.write(packet);
          await turns(5);
        }
      });
    });
    expect(await textOf(`http://${host}/`)).toBe("well");
  });

  it("before each answer of a connection leaves that in use, and its words in a body alone", async () => {
    let connections = 0;
    const { host } = await rawServer((socket) => {
      connections++;
      socket.on("data", async () => {
        socket.write(interim + answer(`first ${interim}`).slice(0, -interim.length));
        await turns(5);
        socket.write(interim);
      });
    });
    const transport = closedAfter(undiciTransport());
    for (let n = 0; n < 3; n++) {
      expect(await textOf(`http://${host}/`, transport)).toBe(`first ${interim}`);
      await turns(5);
    }
    expect(connections).toBe(1);
  });
});
