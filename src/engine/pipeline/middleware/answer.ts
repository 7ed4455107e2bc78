import type { ChatResponse } from "../../api/chat.ts";
import type { ToolCallResponse } from "../../api/mcp/call.ts";
import type { Middleware, MiddlewareAnswer, MiddlewareRequest } from "../../ports/middleware/middleware.ts";
import type { ActiveMiddleware } from "./active.ts";
import { passChat, split } from "./chat-texts.ts";
import { runHook } from "./hook.ts";
import { type PassText, passDeep } from "./texts.ts";
import { passToolAnswer } from "./tool-words.ts";

export { noteAnswer } from "./logged-answer.ts";
export { withoutMessages, withoutServerWords } from "./tool-words.ts";

/** The request after the hooks of all middleware, in order. `read` checks what one of them gives. */
export async function passRequest<Request extends MiddlewareRequest>(
  active: readonly ActiveMiddleware[],
  request: Request,
  read: (request: unknown) => Request,
): Promise<Request> {
  let passed = request;
  for (const one of active) {
    const unchanged = passed;
    const hook = () => one.middleware.request?.(unchanged, one.context) as Request | undefined; // of the verb that it is called for
    if (!one.middleware.request) continue;
    const check = (value: Request) => (value === unchanged ? unchanged : read(value));
    passed = await runHook(one, { phase: "request", unchanged, hook, check });
  }
  return passed;
}

/** True for a middleware that reads answers. */
export function readsAnswers({ answer, stream }: Middleware): boolean {
  return answer !== undefined || stream !== undefined;
}

/** The answer after all middleware, the last of the list first. */
export async function passAnswer<Answer extends MiddlewareAnswer>(
  active: readonly ActiveMiddleware[],
  answer: Answer,
): Promise<Answer> {
  let passed = answer;
  for (const one of active.toReversed()) {
    const { middleware, context } = one;
    const unchanged = passed;
    if (middleware.answer) {
      const hook = () => middleware.answer?.(unchanged, context) as Answer | undefined; // of the verb that it is called for
      passed = await runHook(one, { phase: "answer", unchanged, hook, check: checkAnswer });
    } else if (middleware.stream) {
      passed = await passTexts(one, unchanged);
    }
  }
  return plainCopy(passed);
}

function checkAnswer<Answer>(answer: Answer): Answer {
  if (typeof answer === "object" && answer !== null) return answer;
  throw new TypeError("A middleware gave an answer that is no object.");
}

/** Texts of one answer that a middleware is called for; more are refused. */
const mostTexts = 20_000;

/** Passes one text through the guard of a middleware. */
export function textPasser(one: ActiveMiddleware): PassText {
  const { middleware, context } = one;
  let count = 0;
  return (unchanged, place) => {
    if (++count > mostTexts) context.block("too_much", "The answer has too many texts to be checked.");
    const hook = () => middleware.stream?.text(unchanged, context, place);
    return runHook<string>(one, { phase: "text", unchanged, hook, check: checkText });
  };
}

function checkText(text: string): string {
  if (typeof text === "string") return text;
  throw new TypeError("A middleware gave a text that is no string.");
}

async function passTexts<Answer extends MiddlewareAnswer>(one: ActiveMiddleware, answer: Answer): Promise<Answer> {
  const pass = textPasser(one);
  const lost = (what: string) => noteLoss(one, what);
  if (one.context.verb === "chat") return (await passChat(answer as ChatResponse, pass, lost)) as Answer; // by the verb
  if (one.context.verb === "tool") return (await passToolAnswer(answer as ToolCallResponse, pass, lost)) as Answer;
  const { picked, rest } = split(answer, ["id", "object", "model", "usage", "extra_fields", "service_tier"]);
  const texts = one.context.verb === "embed" ? rest : await passDeep(rest, pass, { kind: "other", choice: 0 });
  return { ...picked, ...texts } as Answer; // the same members
}

/** Says in a warning what a guarded answer lacks. */
export function noteLoss({ warnings }: ActiveMiddleware, what: string): void {
  const warning = `middleware: \`${what}\` is left out, since it holds text that was not checked`;
  if (!warnings.includes(warning)) warnings.push(warning);
}

/** Without symbols: they carry what vendors sent, as it was. */
function plainCopy<Answer extends object>(answer: Answer): Answer {
  return Object.fromEntries(Object.entries(answer)) as Answer;
}

/** The answer with the warnings of its middleware. */
export function withWarnings<Answer extends object>(answer: Answer, warnings: readonly string[]): Answer {
  if (warnings.length === 0) return answer;
  const { extra_fields: extra } = answer as { readonly extra_fields?: { readonly warnings?: readonly string[] } };
  return { ...answer, extra_fields: { ...extra, warnings: [...(extra?.warnings ?? []), ...warnings] } };
}
