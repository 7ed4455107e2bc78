import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import { findNoJson } from "../../../../src/engine/api/no-json.ts";
import { createEngine, type Engine, type GatewayError } from "../../../../src/index.ts";

const never = async () => {
  throw new Error("the provider was asked");
};

/** An engine whose provider must not be asked. */
function openEngine(): Engine {
  const engine = createEngine({ providers: [{ name: "a", chat: never, embed: never, rerank: never, decide: never }] });
  onTestFinished(() => engine.close());
  return engine;
}

function aTool(parameters: object) {
  return { type: "function", function: { name: "f", parameters } };
}

function aPart(file: object) {
  return { type: "file", file };
}

async function refusalOf(asked: Promise<unknown>): Promise<GatewayError> {
  return asked.then(
    () => expect.fail("nothing was refused"),
    (thrown: GatewayError) => thrown,
  );
}

describe("what JSON cannot carry is refused by its field, before anybody is asked", () => {
  const user = { role: "user", content: "x" };
  const asked: [string, (engine: Engine) => Promise<unknown>][] = [
    ["own", ({ chat }) => chat({ model: "a/m", messages: [user], own: 5n } as never)],
    ["own.deep.1", ({ chat }) => chat({ model: "a/m", messages: [user], own: { deep: [1, 2n] } } as never)],
    ["messages.1.own", ({ chat }) => chat({ model: "a/m", messages: [user, { ...user, own: 1n }] } as never)],
    ["metadata.n", ({ chat }) => chat({ model: "a/m", messages: [user], metadata: { n: 1n } } as never)],
    [
      "messages.0.content.0.own",
      ({ chat }) =>
        chat({ model: "a/m", messages: [{ role: "user", content: [{ type: "text", text: "x", own: 1n }] }] } as never),
    ],
    [
      "tools.0.function.parameters.most",
      ({ chat }) =>
        chat({
          model: "a/m",
          messages: [user],
          tools: [{ type: "function", function: { name: "f", parameters: { most: 1n } } }],
        } as never),
    ],
    ["own", ({ embed }) => embed({ model: "a/m", input: "x", own: 1n } as never)],
    [
      "documents.0.meta.n",
      ({ rerank }) => rerank({ model: "a/m", query: "x", documents: [{ text: "y", meta: { n: 1n } }] } as never),
    ],
    [
      "state.n",
      ({ decide }) => decide({ model: "a/m", state: { n: 1n }, questions: { q: { kind: "noul" } } } as never),
    ],
  ];

  it.each(asked)("%s", async (param, ask) => {
    expect(await refusalOf(ask(openEngine()))).toMatchObject({
      code: "invalid_request",
      param,
      message: `\`${param}\`: is a BigInt, which JSON cannot carry`,
    });
  });

  it.each([new Map([["a", 1]]), new Set(["a"])])("also what JSON would carry nothing of: %o", async (told) => {
    const message = (param: string) => `\`${param}\`: is a Map or a Set, of which JSON would carry nothing`;
    for (const [param, more] of [
      ["own", { own: told }],
      ["metadata.tags", { metadata: { tags: told } }],
      ["messages.0.own", { messages: [{ ...user, own: told }] }],
    ] as const) {
      const error = await refusalOf(openEngine().chat({ model: "a/m", messages: [user], ...more } as never));
      expect(error).toMatchObject({ code: "invalid_request", param, message: message(param) });
    }
  });

  it.each([
    ["stream_options", (lost: object) => ({ stream_options: lost })],
    ["response_format", (lost: object) => ({ response_format: lost })],
    ["tools.0.function.parameters", (lost: object) => ({ tools: [aTool(lost)] })],
    ["tools.1.function.parameters.properties", (lost: object) => ({ tools: [aTool({}), aTool({ properties: lost })] })],
    ["messages.0.content.0.file", (lost: object) => ({ messages: [{ ...user, content: [aPart(lost)] }] })],
  ])("also where the schema knows the field and would make an empty object of it: %s", async (param, more) => {
    const refusal = (lost: object) =>
      refusalOf(openEngine().chat({ model: "a/m", messages: [user], ...more(lost) } as never));
    for (const lost of [new Map([["type", "object"]]), new Set(), Object.assign(new Map(), { type: "object" })]) {
      expect(await refusal(lost)).toMatchObject({ code: "invalid_request", param });
    }
    for (const lost of [new Date(0), /a/, Promise.resolve(), new ArrayBuffer(8)]) {
      expect(await refusal(lost)).toMatchObject({ code: "invalid_request", param });
    }
  });

  it("but not an object of a class, or of another realm, which JSON carries as it is", async () => {
    class Schema {
      type = "object";
    }
    class Bare {}
    const asked: unknown[] = [];
    const chat = (request: unknown) => {
      asked.push(request);
      return never();
    };
    const engine = createEngine({ providers: [{ name: "a", chat }] });
    const tools = [new Schema(), new Bare(), runInNewContext("({})")].map(aTool);
    await refusalOf(engine.chat({ model: "a/m", messages: [user], tools } as never));
    expect(asked).toMatchObject([{ tools: [aTool({ type: "object" }), aTool({}), aTool({})] }]);
    await engine.close();
  });

  it("also an object that holds itself", async () => {
    const own: Record<string, unknown> = {};
    own.again = own;
    const error = await refusalOf(openEngine().chat({ model: "a/m", messages: [user], own } as never));
    expect(error).toMatchObject({ code: "invalid_request", param: expect.stringMatching(/^own\.again\./) });
  });

  it("and nothing else: what JSON carries, leaves out or writes by itself", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 1_000; level++) deep = [deep];
    const shared = { a: 1 };
    for (const value of [
      deep,
      [shared, shared],
      new Date(0),
      () => {},
      undefined,
      null,
      "x",
      { toJSON: () => 1, n: 1n },
    ])
      expect(findNoJson(value)).toBeUndefined();
  });
});

describe("an input to embed that is none is told by what was probably meant", () => {
  it.each([
    [[1.5], "`input.0`: must be a whole number"],
    [[[1, 2], [1.5]], "`input.1.0`: must be a whole number"],
    [[1, 2, "a"], "`input.2`: must be a number, not a string"],
    [["a", 1], "`input.1`: must be a string, not a number"],
    [[true], "`input.0`: must be a string or a number or a list, not a boolean"],
    [5, "`input`: must be a string or a list, not a number"],
  ])("%j", async (input, message) => {
    const error = await refusalOf(openEngine().embed({ model: "a/m", input } as never));
    expect(error).toMatchObject({ code: "invalid_request", message });
  });
});
