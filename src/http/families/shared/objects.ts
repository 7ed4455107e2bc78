import { mayHoldIds, parseWithIds } from "../../../ports/exact-json.ts";
import type { Exchange } from "../../endpoint.ts";
import { readInput, type Source } from "../../source.ts";

/** The body of a request whose calls have arguments as objects, with all digits of its long whole numbers ({@link parseWithIds}). */
export async function readObjects(exchange: Exchange, source: Source): Promise<unknown> {
  let text = "";
  const body = await readInput(exchange, source, (read) => {
    text = read;
  });
  return mayHoldIds(text) ? parseWithIds(text) : body;
}
