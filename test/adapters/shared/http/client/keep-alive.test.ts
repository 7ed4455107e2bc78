import { expect, it } from "vitest";
import { anthropic } from "../../../../../adapters/providers/anthropic/index.ts";
import { startUpstream } from "../../../../../src/testing/conformance/provider/upstream.ts";
import { collect, readBytes, recordedCall, textOf } from "../../../../fixtures/native.ts";

it("streams that end with the vendor's last event leave their connection to the next, though its end comes later", async () => {
  const vendor = await startUpstream((_seen, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(readBytes("anthropic/text.sse"));
    setImmediate(() => setImmediate(() => response.end()));
  });
  const provider = anthropic({ apiKey: "k", baseUrl: vendor.url });
  const request = { model: "anthropic/m", messages: [{ role: "user" as const, content: "Hi" }] };
  for (let stream = 0; stream < 12; stream++) {
    expect(textOf(await collect(provider.streamChat?.(request, recordedCall("m"))))).toContain("hello");
  }
  expect(vendor.observation).toHaveLength(12);
  expect(vendor.sockets()).toBeLessThanOrEqual(2);
  await provider.close?.();
  await vendor.close();
});
