import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { GatewayError } from "../../../src/engine/errors.ts";
import { abortError } from "../../shared/http/failure.ts";
import type { SentenceAnswer, SentenceRequest, SentenceVectors } from "./sentence-protocol.ts";

/** A model that makes vectors of sentences, in a thread of its own. */
export interface SentenceModel {
  /** One vector for each text, and its tokens; ends with the signal. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<SentenceVectors>;
  close(): Promise<void>;
}

/** Whether this is the source and not the build. */
const isSource = import.meta.url.endsWith(".ts");

/** Where the thread's program is: beside this file in the sources, beside every chunk in the build. */
const program = fileURLToPath(new URL(isSource ? "./sentence-worker.ts" : "./sentence-worker.js", import.meta.url));

/** Who waits for an answer. */
interface PendingAnswer {
  resolve(vectors: SentenceVectors): void;
  reject(error: GatewayError): void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, PendingAnswer>;
}

/** The model; its thread is started by the first question, and keeps no process alive that waits for nothing. */
export function openSentenceModel(): SentenceModel {
  let thread: Thread | undefined;
  let requested = 0;
  const start = (): Thread => {
    const started = startThread(() => {
      if (thread === started) thread = undefined;
    });
    return started;
  };
  return {
    embed: (texts, signal) => {
      thread ??= start();
      return ask(thread, { kind: "embed", id: requested++, texts }, signal);
    },
    async close() {
      await thread?.worker.terminate();
    },
  };
}

function startThread(ended: () => void): Thread {
  const execArgv = isSource ? ["--no-warnings", "--experimental-strip-types"] : []; // Node 22.13 needs this flag
  const worker = new Worker(program, { execArgv });
  const thread: Thread = { worker, waiting: new Map() };
  const { waiting } = thread;
  worker.unref();
  worker.on("message", (answer: SentenceAnswer) => {
    const client = waiting.get(answer.id);
    settle(thread, answer.id);
    if ("vectors" in answer) client?.resolve(answer);
    else client?.reject(new GatewayError("upstream_invalid_response", `The local model failed: ${answer.problem}.`));
  });
  const fail = (cause?: unknown) => {
    ended();
    const error = new GatewayError("upstream_unreachable", "The thread of the local model ended.", { cause });
    for (const [id, client] of [...waiting]) {
      settle(thread, id);
      client.reject(error);
    }
  };
  worker.on("error", fail);
  worker.on("exit", () => fail());
  return thread;
}

/** Lets go of a question; a thread that nobody waits for does not hold the process. */
function settle({ worker, waiting }: Thread, id: number): void {
  waiting.delete(id);
  if (waiting.size === 0) worker.unref();
}

function ask(
  thread: Thread,
  question: Extract<SentenceRequest, { kind: "embed" }>,
  signal: AbortSignal,
): Promise<SentenceVectors> {
  const { worker, waiting } = thread;
  const { id } = question;
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      if (!waiting.has(id)) return;
      settle(thread, id);
      worker.postMessage({ kind: "cancel", id } satisfies SentenceRequest);
      reject(abortError(signal));
    };
    waiting.set(id, { resolve, reject });
    worker.ref();
    signal.addEventListener("abort", giveUp);
    worker.postMessage(question);
  });
}
