import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { vertex } from "../../../../adapters/providers/vertex/index.ts";
import { fieldOf } from "../../../../adapters/shared/chat/body-fields.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import type { Transport, WireRequest } from "../../../../src/engine/ports/transport.ts";
import { recordedCall } from "../../../fixtures/native.ts";
import type { Item } from "../../../fixtures/talks/client.ts";
import type { StrictVendor } from "../../../fixtures/talks/vendor.ts";
import { anthropicVendor } from "../../../fixtures/talks/vendor-anthropic.ts";
import { geminiVendor } from "../../../fixtures/talks/vendor-gemini.ts";
import { type TableVendor, tableVendors } from "../../../fixtures/talks/vendors.ts";

const json = { "content-type": "application/json" };
const onVertex = (model: string, strict: StrictVendor): TableVendor => ({
  model,
  strict,
  open: (name, transport) => vertex({ project: "p", location: "global", accessToken: "t", name, transport }),
});
const vendors = Object.entries({
  ...tableVendors,
  "vertex-google": onVertex("gemini-2.5-flash", geminiVendor),
  "vertex-claude": onVertex("claude-sonnet-4-5", anthropicVendor),
});

/** How vendors word it that a parameter is not taken; `path` is the whole one, `name` its last part. */
const wordings: readonly ((path: string, name: string) => Item)[] = [
  (path) => ({ error: { message: `Unsupported parameter: '${path}' is not supported with this model.`, param: path } }),
  (path) => ({ error: { message: `Unrecognized request argument supplied: ${path}` } }),
  (_path, name) => ({ error: { message: `\`${name}\` is deprecated for this model.` } }),
  (_path, name) => ({ error: { message: `${name}: Extra inputs are not permitted` } }),
  (path, name) => ({ error: { message: `Unknown name "${name}" at '${path}': Cannot find field.` } }),
  (_path, name) => ({
    error: { message: `This model doesn't support the ${name} field. Remove ${name} and try again.` },
  }),
  (_path, name) => ({ error: { message: `Malformed input request: #: extraneous key [${name}] is not permitted` } }),
  (_path, name) => ({ error: { message: `unknown field: parameter '${name}' is not a valid field` } }),
];

interface Refusal {
  /** The path in the body that the model refuses. */
  readonly path: string;
  readonly body: Item;
}

/** A vendor whose model refuses one parameter, in these words, and the bodies that it was sent. */
function refusing(strict: StrictVendor, { path, body }: Refusal) {
  const asked: Item[] = [];
  const answer = { kind: "text", mark: "hello" } as const;
  const judge = ({ body: sent }: WireRequest) => {
    const parsed = JSON.parse(String(sent)) as Item;
    asked.push(parsed);
    return fieldOf(parsed, path) === undefined;
  };
  // AWS and Cohere have the message at the top.
  const refused = JSON.stringify({ ...body, message: (body.error as Item | undefined)?.message });
  const bytesOf = async function* (bytes: Uint8Array) {
    yield bytes;
  };
  const transport: Transport = {
    whole: async (request) =>
      judge(request)
        ? { status: 200, headers: json, body: JSON.stringify(strict.whole([answer], "")) }
        : { status: 400, headers: json, body: refused },
    stream: async (request) => {
      if (!judge(request)) return { status: 400, headers: json, body: bytesOf(Buffer.from(refused)) };
      const { type, bytes } = strict.stream([answer], "");
      return { status: 200, headers: { "content-type": type }, body: bytesOf(bytes) };
    },
    close: async () => {},
  };
  return { transport, asked };
}

const request: ChatRequest = {
  model: "m",
  messages: [{ role: "user", content: "go" }],
  temperature: 0.5,
  top_p: 0.9,
  top_k: 7,
  stop: ["END"],
  max_completion_tokens: 4_000,
};

/** Asks once; what the provider warned of. */
async function ask(provider: Provider, model: string, isStream: boolean): Promise<readonly string[]> {
  const call = recordedCall(model);
  if (!isStream) await provider.chat?.(request, call);
  else for await (const _chunk of provider.streamChat?.(request, call) ?? []);
  return call.warnings;
}

/** The paths of all that a body holds, but for the content of what is asked. */
function pathsOf(body: Item, holder = ""): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const path = `${holder}${name}`;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? [path, ...pathsOf(value as Item, `${path}.`)] : [path];
  });
}

const droppable = /(?:^|\.)(?:temperature|top_?[pk]|p|k|stop|stop_?sequences)$/i;

describe.each(vendors)("a parameter that a model of %s refuses", (name, { model, strict, open }) => {
  it("is left out, asked again without once, remembered and named, whole and streamed", async () => {
    const first = refusing(strict, { path: "", body: {} });
    await ask(open(name, first.transport), model, false);
    const paths = pathsOf(first.asked[0] ?? {}).filter((path) => droppable.test(path));
    expect(paths.length).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.constantFrom(...wordings),
        fc.tuple(fc.boolean(), fc.boolean()),
        async (path, wording, [isStream, isLaterStream]) => {
          const body = wording(path, path.split(".").at(-1) ?? "");
          const { transport, asked } = refusing(strict, { path, body });
          const provider = open(name, transport);
          const told = await ask(provider, model, isStream);
          expect(asked).toHaveLength(2);
          const { stream: _form, ...sent } = asked[1] ?? {};
          expect(pathsOf(asked[0] ?? {}).filter((each) => !pathsOf(asked[1] ?? {}).includes(each))).toEqual([path]);
          expect(told.filter((warning) => warning.includes(`\`${path}\` is not supported by ${model}`))).toHaveLength(
            1,
          );
          const later = await ask(provider, model, isLaterStream);
          expect(asked).toHaveLength(3);
          expect(pathsOf(asked[2] ?? {})).not.toContain(path);
          expect(later.join()).toContain(`\`${path}\` is not supported by ${model}`);
          await ask(provider, `${model}-other`, false); // another model is not taken for the one that refused
          expect(pathsOf(asked[3] ?? {})).toContain(path);
          expect(sent).not.toEqual({});
        },
      ),
      { numRuns: 25 },
    );
  });

  it("is a refusal of the request where the request needs it", async () => {
    const first = refusing(strict, { path: "", body: {} });
    await ask(open(name, first.transport), model, false);
    const rest = pathsOf(first.asked[0] ?? {}).filter((path) => !droppable.test(path));
    const needed = rest.filter((path) => /messages|contents|input|max_?\w*tokens$/i.test(path));
    expect(needed.length).toBeGreaterThan(1);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...needed),
        fc.constantFrom(...wordings),
        fc.boolean(),
        async (path, wording, isStream) => {
          const body = wording(path, path.split(".").at(-1) ?? "");
          const { transport, asked } = refusing(strict, { path, body });
          await expect(ask(open(name, transport), model, isStream)).rejects.toMatchObject({ code: "upstream_error" });
          expect(asked).toHaveLength(1);
        },
      ),
      { numRuns: 10 },
    );
  });
});
