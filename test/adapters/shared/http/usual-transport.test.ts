import { describe, expect, it, vi } from "vitest";
import { canDispatch } from "../../../../adapters/shared/http/dispatch/can-dispatch.ts";
import { networkError } from "../../../../adapters/shared/http/failure.ts";
import { usualTransport } from "../../../../adapters/shared/http/usual-transport.ts";
import { closedAfter, post, textOf, upstream } from "../../support/shared/http/setup.ts";

/** What Bun has in place of undici's pool. */
class EmptyPool {}

describe("the usual transport", () => {
  it("is undici's where that can dispatch", async () => {
    const sent = vi.spyOn(globalThis, "fetch");
    const server = await upstream((_seen, response) => void response.end("ok"));
    expect(canDispatch()).toBe(true);
    expect((await closedAfter(usualTransport()).whole(post(server.url))).body).toBe("ok");
    expect(sent).not.toHaveBeenCalled();
  });

  it("closes what was not opened, and what is just being opened", async () => {
    await usualTransport().close();
    const server = await upstream(() => {});
    const transport = usualTransport();
    const caller = new AbortController();
    const asked = transport.whole(post(server.url, { signal: caller.signal }));
    const closed = transport.close();
    caller.abort();
    await expect(asked).rejects.toMatchObject({ code: expect.stringMatching(/^(request_cancelled|shutting_down)$/) });
    await closed;
  });

  it("is the runtime's fetch where undici cannot dispatch, without a deadline of that fetch", async () => {
    const sent = vi.spyOn(globalThis, "fetch");
    const server = await upstream((_seen, response) => void response.end("ok"));
    const transport = closedAfter(usualTransport(EmptyPool));
    expect(canDispatch(EmptyPool)).toBe(false);
    expect((await transport.whole(post(server.url))).body).toBe("ok");
    expect(await textOf((await transport.stream(post(server.url))).body)).toBe("ok");
    expect(sent.mock.calls.map(([, init]) => init)).toEqual(Array(2).fill(expect.objectContaining({ timeout: false })));
  });
});

it.each([
  "Malformed_HTTP_Response",
  "InvalidHTTPResponse",
  "InvalidContentLength",
  "UnsupportedTransferEncoding",
  "ZlibError",
  "BrotliDecompressionError",
  "ZstdDecompressionError",
])("what Bun's fetch cannot read (%s) is upstream_invalid_response", (code) => {
  const error = networkError({ code }, { url: "http://127.0.0.1:1/", peer: "acme" }, "before the answer");
  expect(error).toMatchObject({
    code: "upstream_invalid_response",
    message: `The answer of acme cannot be read: ${code}.`,
  });
});
