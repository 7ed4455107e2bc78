import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { openai } from "../../../../adapters/providers/openai.ts";
import { createEngine } from "../../../../src/index.ts";
import {
  clientOf,
  closeAll,
  closers,
  keyOf,
  lab,
  model,
  refusalOf,
  start,
  world,
} from "../../support/responses/stored-world.ts";
import { storingOpenai } from "../../support/responses/storing-openai.ts";

afterEach(closeAll);

const stored = { model, store: true, input: "abc" } as const;

describe("a stored response of OpenAI's", () => {
  it("is read, continued, listed and deleted by the key that made it, with ids of the gateway's", async () => {
    const { vendor, ...rest } = world();
    const engine = start({ vendor, ...rest });
    const { responses } = clientOf(engine, (await keyOf(engine)).key);
    const first = await responses.create(stored);
    expect(first.output_text).toBe("cba");
    expect(first.id).toMatch(/^resp_tg1/);
    expect(first.output[0]?.id).toMatch(/^msg_tg1/);
    expect(JSON.stringify(first)).not.toContain("vendor");
    expect(await responses.retrieve(first.id)).toMatchObject({ id: first.id, output: first.output });
    const second = await responses.create({ ...stored, input: "de", previous_response_id: first.id });
    expect(second).toMatchObject({ output_text: "cbaed", previous_response_id: first.id });
    expect(new Set(vendor.asked.map(({ account }) => account)).size).toBe(1);
    const reference = { type: "item_reference" as const, id: first.output[0]?.id ?? "" };
    const third = await responses.create({ ...stored, input: [reference, { role: "user", content: "f" }] });
    expect(third.output_text).toBe("fabc");
    const page = await responses.inputItems.list(second.id, { limit: 1 });
    expect(page.data).toMatchObject([{ id: expect.stringMatching(/^msg_tg1/), content: "de" }]);
    expect((await responses.inputItems.list(second.id, { after: page.data[0]?.id ?? "" })).data).toEqual([]);
    await responses.delete(first.id);
    const gone = `Response with id '${first.id}' not found.`;
    expect(await refusalOf(responses.retrieve(first.id))).toMatchObject({ status: 404, message: `404 ${gone}` });
    const lost = await refusalOf(responses.create({ ...stored, previous_response_id: first.id }));
    expect(lost.message).toContain(`Previous response with id '${first.id}' not found.`);
    expect(vendor.ids()).toHaveLength(2);
  });

  it("goes on with the credential that holds it, however often it is asked", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9), { minLength: 1, maxLength: 12 }), async (from) => {
        const { vendor, ...rest } = world();
        const engine = start({ vendor, ...rest });
        const { responses } = clientOf(engine, (await keyOf(engine)).key);
        const made = [await responses.create(stored), await responses.create(stored), await responses.create(stored)];
        for (const at of from) {
          const before = made[at % made.length];
          if (before) made.push(await responses.create({ ...stored, previous_response_id: before.id }));
        }
        expect(vendor.asked).toHaveLength(3 + from.length);
      }),
      { numRuns: 20 },
    );
  });

  it("streams with the same ids that it is read by", async () => {
    const engine = start(world());
    const { responses } = clientOf(engine, (await keyOf(engine)).key);
    const stream = responses.stream({ ...stored, stream: true });
    const items = new Set<string>();
    for await (const event of stream) if ("item_id" in event) items.add(event.item_id);
    const response = await stream.finalResponse();
    expect([...items]).toEqual([response.output[0]?.id]);
    const read = await responses.retrieve(response.id);
    expect(read).toMatchObject({ id: response.id, output_text: response.output_text });
    expect(read.output.map(({ id }) => id)).toEqual([...items]);
  });

  it("is there after a restart, in another process, and after the key's value has changed", async () => {
    const here = world();
    const first = start(here);
    const { id, key } = await keyOf(first);
    const made = await clientOf(first, key).responses.create(stored);
    const second = start(here);
    expect(await clientOf(second, key).responses.retrieve(made.id)).toMatchObject({ id: made.id });
    const { value: fresh } = await second.keys.rotate(id);
    const { responses } = clientOf(second, fresh);
    const next = await responses.create({ ...stored, previous_response_id: made.id });
    expect(next.output_text).toBe("cbacba");
  });

  it("keeps the vendor's ids where the vendor stores nothing", async () => {
    const engine = start(world());
    const { responses } = clientOf(engine, (await keyOf(engine)).key);
    const made = await responses.create({ ...stored, store: false, include: ["reasoning.encrypted_content"] });
    expect(made).toMatchObject({ id: "resp_vendor1x", output: [{ id: "msg_vendor1x" }] });
    const again = await responses.create({
      ...stored,
      store: false,
      input: made.output as never,
      truncation: "auto",
      tools: [{ type: "web_search" }],
    });
    expect(again.output_text).toBe("abc");
  });

  it("is continued by no other vendor, and not with a credential that is gone or not the key's", async () => {
    const here = world();
    const engine = start(here);
    const { id, key } = await keyOf(engine);
    const { responses } = clientOf(engine, key);
    const made = await responses.create(stored);
    const other = await refusalOf(responses.create({ ...stored, model: "lab/m", previous_response_id: made.id }));
    expect(other).toMatchObject({ status: 400, param: "previous_response_id" });
    expect(other.message).toContain("is held by `openai`, and `lab/m` cannot go on from it");
    const account = here.vendor.asked[0]?.account.replace("sk-", "") ?? "";
    const spare = account === "one" ? "two" : "one";
    await engine.keys.update(id, {
      provider_configs: [{ provider: "openai", allowed_models: ["*"], key_ids: [spare] }],
    });
    const barred = await refusalOf(responses.create({ ...stored, previous_response_id: made.id }));
    expect(barred).toMatchObject({ status: 400, param: "previous_response_id" });
    expect(await refusalOf(responses.retrieve(made.id))).toMatchObject({ status: 503 });
    await engine.keys.update(id, { provider_configs: [{ provider: "lab", allowed_models: ["*"] }] });
    expect(await refusalOf(responses.retrieve(made.id))).toMatchObject({ status: 403 });
    expect(here.vendor.asked).toHaveLength(1);
  });

  it("is the trusted caller's by the vendor's own id, with whatever credential holds it", async () => {
    const vendor = storingOpenai();
    const credentials = ["one", "two"].map((id) => ({ id, apiKey: `sk-${id}` }));
    const engine = createEngine({ providers: [openai({ credentials, transport: vendor.transport }), lab] });
    closers.push(() => engine.close());
    const { responses } = clientOf(engine, "unused");
    for (let n = 0; n < 6; n++) await responses.create(stored);
    for (const id of vendor.ids()) expect(await engine.storedResponses.retrieve(id)).toMatchObject({ id });
    expect(await responses.retrieve("resp_vendor3x")).toMatchObject({ id: "resp_vendor3x" });
    await expect(engine.storedResponses.retrieve("resp_0")).rejects.toMatchObject({ code: "not_found" });
    expect(await engine.storedResponses.delete("resp_vendor3x")).toMatchObject({ deleted: true });
  });

  it("is made with `prompt`, `include` and `truncation` as the caller sends them; other vendors refuse a `prompt`", async () => {
    const here = world();
    const engine = start(here);
    const { responses } = clientOf(engine, (await keyOf(engine)).key);
    const more = {
      prompt: { id: "pmpt_1" },
      include: ["reasoning.encrypted_content" as const],
      truncation: "auto" as const,
    };
    await responses.create({ ...stored, ...more });
    expect(here.vendor.asked[0]?.body).toEqual({ ...stored, ...more, model: "gpt-5.6-sol" });
    const refused = await refusalOf(responses.create({ ...stored, ...more, model: "lab/m" }));
    expect(refused).toMatchObject({ status: 400, param: "prompt" });
  });

  it("is a 400 in plain words where no vendor stores any", async () => {
    const engine = createEngine({ providers: [lab] });
    closers.push(() => engine.close());
    const refusal = await refusalOf(clientOf(engine, "unused").responses.retrieve("resp_1"));
    expect(refusal).toMatchObject({ status: 400, code: "unsupported_operation" });
  });

  it("is not read as a stream: the error names the parameter", async () => {
    const engine = start(world());
    const { responses } = clientOf(engine, (await keyOf(engine)).key);
    const { id } = await responses.create(stored);
    expect(await refusalOf(responses.retrieve(id, { stream: true }))).toMatchObject({ status: 400, param: "stream" });
    const from = responses.retrieve(id, { starting_after: 3 } as never);
    expect(await refusalOf(from)).toMatchObject({ status: 400, param: "starting_after" });
  });
});
