import type { ChatChunk, ChatRequest, ChatResponse } from "../../api/chat.ts";
import {
  type CustomCallReader,
  customCallReader,
  customNames,
  hasCustomTools,
  restoreCustomCall,
  withFunctions,
} from "../../dialects/custom-tools.ts";
import type { Provider } from "../../ports/provider.ts";
import type { OwnedCallIds } from "../call/owned-ids.ts";
import type { Holder } from "../runtime/held/id-seal.ts";
import { chunkSealer, sealAnswer, withSentIds } from "../stored-ids/answers.ts";
import { checkForm, checkSource } from "./answer-form.ts";
import type { Attempt } from "./attempt.ts";
import { openBackground } from "./background.ts";
import { askChunks, askWhole } from "./bridge.ts";
import type { TargetRun } from "./target-run.ts";
import { askOnce } from "./try-once.ts";

/**
 * Asks for a whole answer. A provider without custom tools is sent functions in their place, and its calls come back as the caller's. A
 * caller with a key gets ids of its own for what the vendor holds.
 */
export function askChat(provider: Required<Provider>, request: ChatRequest, attempt: Attempt): Promise<ChatResponse> {
  if (attempt.responses?.isBackground) return askInBackground(provider, request, attempt);
  return attempt.call.ids ? askOwned(provider, request, attempt) : askPlain(provider, request, attempt);
}

async function askInBackground(provider: Required<Provider>, request: ChatRequest, attempt: Attempt) {
  const background = openBackground(attempt);
  attempt.background = background;
  try {
    return await askOwned(provider, request, attempt);
  } catch (thrown) {
    background.failed(thrown);
    throw thrown;
  } finally {
    background.end();
  }
}

async function askOwned(provider: Required<Provider>, request: ChatRequest, attempt: Attempt): Promise<ChatResponse> {
  const { ids } = attempt.call;
  if (!ids) return askPlain(provider, request, attempt);
  try {
    return sealAnswer(await askPlain(provider, request, attempt), ids, holderOf(attempt));
  } catch (thrown) {
    throw withSentIds(thrown, ids);
  }
}

function holderOf({ target, credential }: Attempt): Holder {
  return { provider: target.provider, credential, model: target.model };
}

async function askPlain(provider: Required<Provider>, request: ChatRequest, attempt: Attempt): Promise<ChatResponse> {
  if (!lacksTools(provider, request, attempt)) return askWhole(provider, request, attempt);
  const names = customNames(request);
  const answer = await askWhole(provider, withFunctions(request), attempt);
  return { ...answer, choices: answer.choices.map((choice) => restoreChoice(choice, names)) };
}

/** Lets a vendor count the prompt; none that counts has custom tools. */
export function countOnce(run: TargetRun, request: ChatRequest) {
  const counted = hasCustomTools(request) ? withFunctions(request) : request;
  return askOnce(run, (provider: Provider, attempt) => (provider as Required<Provider>).countTokens(counted, attempt));
}

/** Asks for a stream, as {@link askChat} asks for a whole answer. */
export function askStream(
  provider: Required<Provider>,
  request: ChatRequest,
  asked: StreamAttempt,
): AsyncIterable<ChatChunk> {
  const chunks = askPlainStream(provider, request, asked);
  const { attempt } = asked;
  return attempt.call.ids ? ownedChunks(chunks, attempt.call.ids, attempt) : chunks;
}

async function* ownedChunks(
  chunks: AsyncIterable<ChatChunk>,
  ids: OwnedCallIds,
  attempt: Attempt,
): AsyncIterable<ChatChunk> {
  const seal = chunkSealer(ids, holderOf(attempt));
  try {
    for await (const chunk of chunks) yield seal(checkForm("chunk", chunk, attempt));
  } catch (thrown) {
    throw withSentIds(thrown, ids);
  }
}

function askPlainStream(
  provider: Required<Provider>,
  request: ChatRequest,
  { attempt, method = "streamChat" }: StreamAttempt,
): AsyncIterable<ChatChunk> {
  const ask = (sent: ChatRequest) =>
    method === "streamChat"
      ? askChunks(provider, sent, attempt)
      : checkSource(provider[method](sent, attempt), attempt);
  if (!lacksTools(provider, request, attempt)) return ask(request);
  const chunks = ask(withFunctions(request));
  const names = customNames(request);
  const readers = new Map<number, CustomCallReader>();
  return (async function* restored() {
    for await (const chunk of chunks)
      yield restoreChunk(checkForm("chunk", chunk, attempt), (index) => readerOf(index));
  })();

  function readerOf(index: number): CustomCallReader {
    const reader = readers.get(index) ?? customCallReader(names);
    readers.set(index, reader);
    return reader;
  }
}

function restoreChunk(chunk: ChatChunk, readerOf: (index: number) => CustomCallReader): ChatChunk {
  const choices = chunk.choices.map((choice) => {
    const delta = readerOf(choice.index).read(choice.delta, choice.finish_reason !== null);
    return { ...choice, delta };
  });
  return { ...chunk, choices };
}

/** How a stream is asked for. */
interface StreamAttempt {
  readonly attempt: Attempt;
  readonly method?: "streamChat" | "continueChat";
}

/** True where custom tools must become functions. Throws what only a provider of the Responses API can honour. */
function lacksTools(provider: Provider, request: ChatRequest, { responses }: Attempt): boolean {
  if (responses?.refusal && !provider.speaksResponses) throw responses.refusal;
  return !provider.takesCustomTools && hasCustomTools(request);
}

function restoreChoice<Choice extends ChatResponse["choices"][number]>(choice: Choice, names: ReadonlySet<string>) {
  const { tool_calls: calls } = choice.message;
  if (!calls) return choice;
  return { ...choice, message: { ...choice.message, tool_calls: calls.map((call) => restoreCustomCall(call, names)) } };
}
