import { createListener } from "tollgate";
import type { Script } from "tollgate/testing";
import { afterEach, describe, expect, it } from "vitest";
import { ask } from "../../../examples/recipes/browser.ts";
import { chat, closeAll, listen, model, question, script, servingEngine } from "./serving.ts";

afterEach(closeAll);

const failingScript: Script = { [model]: [{ kind: "fail", status: 404, message: "no such model" }] };

describe("the recipe of a browser", () => {
  async function read(steps: Script, key = ""): Promise<{ readonly pieces: string[]; readonly failure: unknown }> {
    const base = await listen(createListener({ engine: servingEngine(steps), cors: true }));
    const pieces: string[] = [];
    const failure = await ask({ base, key, model, text: question }, (piece) => pieces.push(piece)).catch(
      (error: unknown) => error,
    );
    return { pieces, failure };
  }

  it("reads a stream piece by piece", async () => {
    const { pieces, failure } = await read(script);
    expect(failure).toBeUndefined();
    expect(pieces.filter(Boolean)).toEqual(["A ", "fee ", "for ", "the ", "road."]);
  });

  it("throws what the gateway refuses, and what breaks off", async () => {
    expect((await read(failingScript)).failure).toMatchObject({ message: expect.stringContaining("no such model") });
    const broken = await read({ [model]: [{ kind: "break", text: "A fee for the road.", after: 2 }] });
    expect(broken.pieces.join("")).toBe("A fee ");
    expect(broken.failure).toBeInstanceOf(Error);
  });

  it("loses nothing wherever the bytes are cut", async () => {
    const engine = servingEngine({ [model]: [{ kind: "answer", text: "Añejo 道路 toll." }] });
    const whole = await engine.fetch("http://engine/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...chat, stream: true }),
    });
    const bytes = new Uint8Array(await whole.arrayBuffer());
    for (const size of [1, 2, 3, 7, 64]) {
      const base = await listen((_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
        response.end();
      });
      const pieces: string[] = [];
      await ask({ base, key: "", model, text: question }, (piece) => pieces.push(piece));
      expect(pieces.join("")).toBe("Añejo 道路 toll.");
    }
    const cut = await listen((_request, response) => void response.end(bytes.subarray(0, bytes.length - 20)));
    await expect(ask({ base: cut, key: "", model, text: question }, () => {})).rejects.toThrow("broke off");
  });
});
