import { GatewayError } from "../../../src/engine/errors.ts";
import { abortError } from "../../shared/http/failure.ts";
import type { Llama, LlamaEmbeddings, LlamaLibrary, LlamaModel, LlamaSequence } from "./library.ts";

/** Where a model is and how much of it is kept ready. */
export interface LlamaModelOptions {
  /** Path of the `.gguf` file. */
  readonly path: string;
  /** Tokens of a conversation, prompt and answer together; as many as memory allows unless given. */
  readonly contextSize?: number | undefined;
  /** Conversations at once, 1 unless given; more wait. Each takes memory for its context. */
  readonly sequences?: number | undefined;
}

/** A model that is loaded, with its free sequences. */
export interface LoadedModel {
  readonly llama: Llama;
  readonly library: LlamaLibrary;
  readonly model: LlamaModel;
  /** Does some work on a sequence, when one is free. */
  withSequence<Result>(signal: AbortSignal, work: (sequence: LlamaSequence) => Promise<Result>): Promise<Result>;
  embeddings(): Promise<LlamaEmbeddings>;
}

/** What the models run on. */
export interface LlamaRuntime {
  /** Loads a model when it is asked first. */
  find(name: string): Promise<LoadedModel>;
  close(): Promise<void>;
}

export interface RuntimeOptions {
  readonly provider: string;
  readonly models: Readonly<Record<string, LlamaModelOptions>>;
  readonly library: () => Promise<LlamaLibrary>;
  readonly threads?: number | undefined;
  /** For `getLlama`, e.g. `{ gpu: false }`. */
  readonly llama?: object | undefined;
}

/** A runtime that has loaded nothing yet: neither the library nor a model. */
export function createRuntime(options: RuntimeOptions): LlamaRuntime {
  const { provider, models, llama: settings } = options;
  let started: Promise<{ library: LlamaLibrary; llama: Llama }> | undefined;
  const loaded = new Map<string, Promise<LoadedModel>>();
  const start = async () => {
    const library = await options.library();
    return { library, llama: await library.getLlama({ build: "never", progressLogs: false, ...settings }) };
  };
  return {
    async find(name) {
      const found = Object.hasOwn(models, name) ? models[name] : undefined;
      if (!found) throw unknown(provider, name, Object.keys(models));
      started ??= start();
      const running = loaded.get(name) ?? started.then((base) => load(base, found, options.threads));
      loaded.set(name, running);
      try {
        return await running;
      } catch (cause) {
        loaded.delete(name);
        started = loaded.size === 0 ? undefined : started;
        const message = `${provider} could not load \`${name}\`.`;
        throw new GatewayError("upstream_unreachable", message, { provider, cause });
      }
    },
    async close() {
      const base = await started?.catch(() => undefined);
      await base?.llama.dispose();
    },
  };
}

async function load(
  { library, llama }: { library: LlamaLibrary; llama: Llama },
  { path, contextSize, sequences = 1 }: LlamaModelOptions,
  threads: number | undefined,
): Promise<LoadedModel> {
  const model = await llama.loadModel({ modelPath: path });
  const sizes = {
    ...(contextSize === undefined ? {} : { contextSize }),
    ...(threads === undefined ? {} : { threads }),
  };
  let chats: Promise<LlamaSequence[]> | undefined;
  let embeddings: Promise<LlamaEmbeddings> | undefined;
  const pool = createPool(() => {
    chats ??= model
      .createContext({ ...sizes, sequences })
      .then((context) => Array.from({ length: sequences }, () => context.getSequence()));
    return chats;
  });
  return {
    llama,
    library,
    model,
    withSequence: pool,
    embeddings: () => (embeddings ??= model.createEmbeddingContext(sizes)),
  };
}

/** Hands out a few things one after the other; who comes when none is free waits in line. */
function createPool<Thing>(fill: () => Promise<Thing[]>) {
  const line: (() => void)[] = [];
  return async <Result>(signal: AbortSignal, work: (item: Thing) => Promise<Result>): Promise<Result> => {
    const free = await fill(); // the same list for all
    while (free.length === 0) await turn(line, signal);
    const resource = free.pop() as Thing;
    try {
      return await work(resource);
    } finally {
      free.push(resource);
      line.shift()?.();
    }
  };
}

function turn(line: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      line.splice(line.indexOf(go), 1);
      reject(abortError(signal));
    };
    const go = () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    if (signal.aborted) return reject(abortError(signal));
    signal.addEventListener("abort", giveUp, { once: true });
    line.push(go);
  });
}

function unknown(provider: string, name: string, known: readonly string[]): GatewayError {
  const message = `${provider} has no model \`${name}\`; it has ${known.map((each) => `\`${each}\``).join(", ")}.`;
  const upstream = { status: 404, type: "invalid_request_error", code: "model_not_found", param: "model", message };
  return new GatewayError("upstream_error", message, { provider, upstream });
}
