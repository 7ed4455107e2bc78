import fc from "fast-check";
import type OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { clientOf, closeAll, keyOf, model, refusalOf, start, world } from "../../support/responses/stored-world.ts";

afterEach(closeAll);

const stored = { model, store: true, input: "abc" } as const;

type Responses = OpenAI["responses"];

/** Everything that names a response or an item by its id. */
const uses: Readonly<Record<string, (responses: Responses, id: string) => Promise<unknown>>> = {
  continue: (responses, id) => responses.create({ ...stored, previous_response_id: id }),
  "continue in the background": (responses, id) =>
    responses.create({ ...stored, background: true, previous_response_id: id }),
  "continue as a stream": (responses, id) => responses.create({ ...stored, stream: true, previous_response_id: id }),
  "go on in a conversation": (responses, id) => responses.create({ ...stored, conversation: id }),
  "refer to an item": (responses, id) => responses.create({ ...stored, input: [{ type: "item_reference", id }] }),
  "bring a thought by its id": (responses, id) =>
    responses.create({ ...stored, input: [{ type: "reasoning", id, summary: [] }] }),
  "bring a picture by its id": (responses, id) =>
    responses.create({ ...stored, input: [{ type: "image_generation_call", id }] as never }),
  "use a container": (responses, id) =>
    responses.create({ ...stored, tools: [{ type: "code_interpreter", container: id }] }),
  retrieve: (responses, id) => responses.retrieve(id),
  list: (responses, id) => responses.inputItems.list(id),
  delete: (responses, id) => responses.delete(id),
  cancel: (responses, id) => responses.cancel(id),
};

describe("what one key has made", () => {
  it("is to another key as what is not there: the same status, code and words, and the vendor is not asked", async () => {
    const here = world();
    const engine = start(here);
    const [ours, theirs] = [await keyOf(engine), await keyOf(engine)];
    const made = await clientOf(engine, ours.key).responses.create(stored);
    const { responses } = clientOf(engine, theirs.key);
    const own = await responses.create(stored);
    const asked = here.vendor.asked.length;
    const item = made.output[0]?.id ?? "";
    const changed = own.id.replace(/.{3}s$/, "AAAs");
    for (const [name, use] of Object.entries(uses)) {
      const said = await Promise.all(
        [made.id, item, "resp_vendor1x", "msg_vendor1x", changed, "resp_none", "cntr_none"].map(async (id) => {
          const refusal = await refusalOf(use(responses, id));
          return { ...refusal, message: refusal.message.replaceAll(id, "ID") };
        }),
      );
      expect([name, said]).toEqual([name, said.map(() => said[0])]);
      expect(said[0]).toMatchObject({ status: 404, message: expect.stringContaining("with id 'ID' not found") });
    }
    expect(here.vendor.asked).toHaveLength(asked);
  });

  it("is not reached by a body that says a field twice, be the first of the two long", async () => {
    const here = world();
    const engine = start(here);
    const [ours, theirs] = [await keyOf(engine), await keyOf(engine)];
    await clientOf(engine, ours.key).responses.create({ ...stored, input: "SECRET" });
    const asked = here.vendor.asked.length;
    const foreign = JSON.stringify([
      { type: "item_reference", id: "msg_vendor1x" },
      { role: "user", content: "x".repeat(200_000) },
    ]);
    const own = JSON.stringify([{ role: "user", content: "y" }]);
    for (const [first, last] of [
      [foreign, own],
      [own, foreign],
    ]) {
      const body = `{"model":"${model}","store":true,"input":${first},"input":${last}}`;
      const headers = { "content-type": "application/json", authorization: `Bearer ${theirs.key}` };
      const answer = await engine.fetch("http://gateway/v1/responses", { method: "POST", headers, body });
      expect(await answer.text()).not.toContain("TERCES");
    }
    expect(JSON.stringify(here.vendor.asked.slice(asked))).not.toContain("msg_vendor1x");
  });

  it("is reached by no sequence of calls of another key, however it puts together the ids that it knows", async () => {
    const step = fc.record({
      use: fc.constantFrom(...Object.keys(uses)),
      at: fc.nat(),
      prefix: fc.constantFrom("", "resp_", "msg_", "rs_", "cntr_"),
      cut: fc.nat(40),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const here = world();
        const engine = start(here);
        const [ours, theirs] = [await keyOf(engine), await keyOf(engine)];
        const secret = await clientOf(engine, ours.key).responses.create({ ...stored, input: "SECRET" });
        const raw = here.vendor.ids()[0] ?? "";
        const { responses } = clientOf(engine, theirs.key);
        const own = await responses.create({ ...stored, input: "mine" });
        const known = [secret.id, raw, secret.output[0]?.id ?? "", "msg_vendor1x", own.id, own.output[0]?.id ?? ""];
        for (const { use, at, prefix, cut } of steps) {
          const [one = "", other = ""] = [known[at % known.length], known[(at * 7 + cut) % known.length]];
          const mixed = cut % 3 === 0 ? one : one.slice(0, cut) + other.slice(cut);
          const id = prefix === "" ? mixed : mixed.replace(/^[a-z]+_/, prefix);
          const answer = await uses[use]?.(responses, id).catch(() => undefined);
          const text = await textOf(answer);
          expect(text).not.toContain("TERCES");
          expect(text).not.toContain("SECRET");
        }
        expect(here.vendor.ids()).toContain(raw);
        const bodies = here.vendor.asked.slice(1).map(({ path, body }) => `${path} ${JSON.stringify(body)}`);
        expect(bodies.filter((body) => body.includes(raw) || body.includes("msg_vendor1x"))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

async function textOf(answer: unknown): Promise<string> {
  if (typeof answer !== "object" || answer === null || !(Symbol.asyncIterator in answer))
    return JSON.stringify(answer) ?? "";
  const events: unknown[] = [];
  for await (const event of answer as AsyncIterable<unknown>) events.push(event);
  return JSON.stringify(events);
}
