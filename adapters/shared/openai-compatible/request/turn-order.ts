import type { ChatMessage } from "../../../../src/engine/api/message.ts";
import type { RequestTarget } from "../compatibility-profile.ts";

/** Models of this maker refuse a user's turn behind results of tools ("Unexpected role 'user' after role 'tool'"), wherever they are served. */
const strictModels = /(?:^|[/.-])(?:mistral|mixtral|ministral|magistral|devstral|codestral|pixtral|voxtral)/i;

/** What stands between results and the user's next turn. */
const filler = { role: "assistant", content: "I have read the results." };

/**
 * The messages in the order that Mistral's models take: the model answers results before the user goes on, and an answer that is to be
 * continued says so. A conversation that has that order is passed on as it is.
 */
export function inStrictOrder(wire: readonly unknown[], model: string, to: RequestTarget): readonly unknown[] {
  if (to.dialect.hasStrictOrder !== true && !strictModels.test(model)) return wire;
  const messages = wire as readonly Pick<ChatMessage, "role">[]; // as messageToWire has made them
  const written = messages.flatMap((message, at) => {
    const isGap = message.role === "user" && messages[at - 1]?.role === "tool";
    return isGap ? [filler, message] : [message];
  });
  if (written.length > messages.length)
    to.warn("`messages` get a short answer of the model between results and the user: the model takes no other order");
  const last = written.at(-1);
  if (last?.role !== "assistant" || to.dialect.hasStrictOrder !== true) return written;
  return [...written.slice(0, -1), { prefix: true, ...last }];
}
