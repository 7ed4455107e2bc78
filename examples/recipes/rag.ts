import { type Engine, textOf } from "tollgate";

interface Passage {
  readonly text: string;
  readonly vector: readonly number[];
}

/** Embeds texts, at most 100 a call. */
async function embed(engine: Engine, texts: readonly string[]): Promise<number[][]> {
  const vectors: number[][] = [];
  for (let from = 0; from < texts.length; from += 100) {
    const input = texts.slice(from, from + 100);
    const { data } = await engine.embed({ model: "openai/text-embedding-3-small", input });
    vectors.push(...data.map(({ embedding }) => embedding as number[]));
  }
  return vectors;
}

export async function index(engine: Engine, texts: readonly string[]): Promise<Passage[]> {
  const vectors = await embed(engine, texts);
  return texts.map((text, at) => ({ text, vector: vectors[at] ?? [] }));
}

/** Answers from the passages: the nearest 20 by vector, the best 3 of them by a reranker, and those as the model's sources. */
export async function answer(engine: Engine, passages: readonly Passage[], question: string) {
  const [vector = []] = await embed(engine, [question]);
  const product = (one: readonly number[]) => one.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0);
  const near = passages.toSorted((one, other) => product(other.vector) - product(one.vector)).slice(0, 20);
  const documents = near.map(({ text }) => text);
  const { results } = await engine.rerank({ model: "cohere/rerank-v3.5", query: question, documents, top_n: 3 });
  const sources = results.map(({ index }) => documents[index] ?? "");
  const reply = await engine.chat({
    model: "openai/gpt-5-mini",
    messages: [
      { role: "system", content: `Answer from these sources only:\n${sources.join("\n---\n")}` },
      { role: "user", content: question },
    ],
  });
  return { text: textOf(reply), sources };
}
