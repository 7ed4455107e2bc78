import { mayHoldIds, parseWithIds } from "../../../engine/runtime/json/exact-json.ts";
import { type HttpContext, readInput } from "../../context.ts";
import type { RequestContext } from "../../response/request-context.ts";

/** The body of a chat whose calls have arguments as objects, with all digits of its long whole numbers ({@link parseWithIds}). */
export async function readObjects(request: RequestContext, context: HttpContext): Promise<unknown> {
  request.requestType = "chat_completion";
  let text = "";
  const body = await readInput(request, context, (read) => {
    text = read;
  });
  return mayHoldIds(text) ? parseWithIds(text) : body;
}
