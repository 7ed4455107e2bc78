import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { ChatChunk } from "../../../engine/api/chat.ts";
import { type GatewayError, isGatewayError } from "../../../engine/errors.ts";
import { mergeChunks } from "../../../engine/metering/merge-chunks.ts";
import type { Provider } from "../../../engine/ports/provider.ts";
import type { ConformanceCase } from "../case.ts";
import { essenceOf } from "./essence.ts";
import type { ChatFixture, ProviderMaker } from "./fixture.ts";
import { againstServer, bytesOf, collect, failureOf, inPieces, need, recordedCall, sendEvents } from "./play.ts";

type StreamCase = ConformanceCase<ProviderMaker>;

/** Milliseconds in which the end of a call must reach the vendor's socket; the machine may be busy. */
const atOnce = 500;

/** Which bytes of a stream it is cut before. */
export interface Cuts {
  /** 1, the default, for each of them; 16 for one of sixteen, where another provider of the same code is cut everywhere. */
  readonly every?: number | undefined;
  /** The first of them; 0 by default. */
  readonly from?: number | undefined;
}

/** What holds of a stream however the network treats it. */
export function streamCases(fixture: ChatFixture, { every = 1, from = 0 }: Cuts = {}): StreamCase[] {
  if (fixture.stream === undefined) return [];
  const bytes = bytesOf(fixture.stream.bytes);
  const cuts = Array.from({ length: Math.ceil((bytes.length - from) / every) }, (_, index) => from + index * every);
  const { name } = fixture;
  return [
    {
      title: `${name}: a stream reads the same wherever its bytes are cut`,
      run: (make) => cutInTwo(make, fixture, { bytes, cuts }),
    },
    {
      title: `${name}: a stream that is cut short never looks complete`,
      run: (make) => cutShort(make, fixture, { bytes, cuts }),
    },
    {
      title: `${name}: a stream whose socket breaks throws upstream_stream_broken, unless all of it had come`,
      run: (make) => breakOff(make, fixture, bytes),
    },
    {
      title: `${name}: an abort ends a stream and the vendor's work at once`,
      run: (make) => abort(make, fixture, bytes),
    },
    {
      title: `${name}: a reader that stops ends the vendor's work at once`,
      run: (make) => stopReading(make, fixture, bytes),
    },
  ];
}

function open(provider: Provider, fixture: ChatFixture, signal?: AbortSignal): AsyncIterable<ChatChunk> {
  const call = recordedCall(fixture.model, signal === undefined ? {} : { signal });
  return need(provider.streamChat, "streamChat").call(provider, fixture.request, call);
}

interface CutStream {
  readonly bytes: Uint8Array;
  readonly cuts: readonly number[];
}

async function cutInTwo(make: ProviderMaker, fixture: ChatFixture, { bytes, cuts }: CutStream): Promise<void> {
  const expected = essenceOf(fixture.expected);
  const read = async (pieces: Uint8Array[]) =>
    essenceOf(mergeChunks(await collect(open(inPieces(make, pieces), fixture))));
  for (const at of cuts) {
    assert.deepEqual(await read([bytes.subarray(0, at), bytes.subarray(at)]), expected, `cut before byte ${at}`);
  }
  assert.deepEqual(await read([...bytes].map((byte) => Uint8Array.of(byte))), expected, "byte by byte");
}

/** Every beginning of the stream; the usage may be lost. */
async function cutShort(make: ProviderMaker, fixture: ChatFixture, { bytes, cuts }: CutStream): Promise<void> {
  let errors = 0;
  for (const length of cuts) {
    const provider = inPieces(make, [bytes.subarray(0, length)]);
    if (await judgeEnding(provider, fixture, `after ${length} bytes`)) errors += 1;
  }
  assert.ok(errors > 0, "no beginning of the stream was incomplete");
}

/** A stream that was lost ends in an error (true), or had all of the content already. */
async function judgeEnding(provider: Provider, fixture: ChatFixture, when: string): Promise<boolean> {
  const ending = await collect(open(provider, fixture)).catch(gatewayError);
  if (!Array.isArray(ending)) assert.equal(ending.code, "upstream_stream_broken", when);
  else assert.deepEqual(essenceOf(mergeChunks(ending)).choices, essenceOf(fixture.expected).choices, when);
  return !Array.isArray(ending);
}

function gatewayError(thrown: unknown): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  throw thrown;
}

/** Sends the first half of a stream and tells of the response, which stays open. */
function stalling(
  make: ProviderMaker,
  bytes: Uint8Array,
  check: (provider: Provider, response: Promise<ServerResponse>) => Promise<void>,
) {
  let notify = (_response: ServerResponse) => {};
  const response = new Promise<ServerResponse>((resolve) => {
    notify = resolve;
  });
  const answer = (_seen: unknown, open: ServerResponse) => {
    sendEvents(open, bytes.subarray(0, Math.ceil(bytes.length / 2)));
    notify(open);
  };
  return againstServer(make, answer, (provider) => check(provider, response));
}

async function breakOff(make: ProviderMaker, fixture: ChatFixture, bytes: Uint8Array): Promise<void> {
  await stalling(make, bytes, async (provider, response) => {
    void response.then((open) => setImmediate(() => open.socket?.resetAndDestroy()));
    await judgeEnding(provider, fixture, "after the first half");
  });
}

async function abort(make: ProviderMaker, fixture: ChatFixture, bytes: Uint8Array): Promise<void> {
  await stalling(make, bytes, async (provider, response) => {
    const controller = new AbortController();
    const failed = failureOf(collect(open(provider, fixture, controller.signal)));
    const closed = once(await response, "close");
    await new Promise(setImmediate);
    const start = performance.now();
    controller.abort();
    assert.equal((await failed).code, "request_cancelled");
    await closed;
    assert.ok(performance.now() - start < atOnce, "the vendor works on");
  });
}

async function stopReading(make: ProviderMaker, fixture: ChatFixture, bytes: Uint8Array): Promise<void> {
  await stalling(make, bytes, async (provider, response) => {
    const chunks = open(provider, fixture)[Symbol.asyncIterator]();
    const first = await chunks.next();
    assert.equal(first.done, false, "the first half of the stream holds no chunk");
    const closed = once(await response, "close");
    const start = performance.now();
    await chunks.return?.();
    await closed;
    assert.ok(performance.now() - start < atOnce, "the vendor works on");
  });
}
