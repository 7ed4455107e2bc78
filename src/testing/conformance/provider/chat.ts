import assert from "node:assert/strict";
import { mergeChunks } from "../../../engine/metering/merge-chunks.ts";
import type { Provider, RawExchange } from "../../../engine/ports/provider.ts";
import type { ConformanceCase } from "../case.ts";
import { checkChunks, checkResponse, essenceOf, plain } from "./essence.ts";
import type { ChatFixture, ModelsFixture, ProviderMaker, WireExpectation } from "./fixture.ts";
import { againstServer, collect, frozen, need, recordedCall, sendAnswer, sendEvents } from "./play.ts";
import type { SeenRequest } from "./upstream.ts";
import { checkWarnings, checkWire } from "./wire.ts";

type ChatCase = ConformanceCase<ProviderMaker>;

/** What a chat, whole and streamed, must come to. */
export function chatCases(fixture: ChatFixture): ChatCase[] {
  const cases: ChatCase[] = [
    {
      title: `${fixture.name}: a whole answer is asked and read as documented`,
      run: (make) => againstServer(make, (_seen, response) => sendAnswer(response, 200, fixture.answer), askWhole),
    },
  ];
  const { stream } = fixture;
  if (stream === undefined) return cases;
  cases.push({
    title: `${fixture.name}: a stream is asked as documented and folds to the whole answer`,
    run: (make) =>
      againstServer(
        make,
        (_seen, response) => {
          sendEvents(response, stream.bytes);
          response.end();
        },
        askStreamed,
      ),
  });
  return cases;

  async function askWhole(provider: Provider, { observation }: { observation: readonly SeenRequest[] }): Promise<void> {
    const raw: RawExchange = {};
    const call = recordedCall(fixture.model, { raw });
    const response = await need(provider.chat, "chat").call(provider, frozen(structuredClone(fixture.request)), call);
    checkWire(observation, fixture.wire);
    checkResponse(response);
    assert.deepEqual(plain(response), plain(fixture.expected));
    checkWarnings(call, fixture.warnings);
    assert.deepEqual(plain(raw), plain({ request: fixture.wire.body, response: fixture.answer }));
  }

  async function askStreamed(
    provider: Provider,
    { observation }: { observation: readonly SeenRequest[] },
  ): Promise<void> {
    const call = recordedCall(fixture.model);
    const request = frozen(structuredClone({ ...fixture.request, stream: true }));
    const chunks = await collect(need(provider.streamChat, "streamChat").call(provider, request, call));
    checkWire(observation, streamWire(fixture));
    checkChunks(chunks);
    assert.deepEqual(essenceOf(mergeChunks(chunks)), essenceOf(fixture.expected));
    checkWarnings(call, fixture.stream?.warnings ?? fixture.warnings);
  }
}

/** The request that a stream is asked by. */
function streamWire({ wire, stream }: ChatFixture): WireExpectation {
  const body = plain({ ...(wire.body as object), ...stream?.wire.body });
  return { ...wire, path: stream?.wire.path ?? wire.path, body };
}

/** What a list of models must come to. */
export function modelsCases(fixture: ModelsFixture): ChatCase[] {
  const answerAt = (path: string) =>
    fixture.pages.find((page) => page.path === path)?.answer ?? { error: { message: path } };
  const run = (make: ProviderMaker) =>
    againstServer(
      make,
      (observation, response) => sendAnswer(response, 200, answerAt(observation.path)),
      async (provider, { observation }) => {
        const models = await need(provider.listModels, "listModels").call(provider, recordedCall(""));
        assert.deepEqual(plain(models), plain(fixture.expected));
        assert.deepEqual(
          observation.map(({ method, path }) => `${method} ${path}`),
          fixture.pages.map(({ path }) => `GET ${path}`),
        );
      },
    );
  return [{ title: `${fixture.name}: the models are listed with the vendor's own ids`, run }];
}
