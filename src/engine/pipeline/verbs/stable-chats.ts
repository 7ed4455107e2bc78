import { stabilise } from "../../caching/stable.ts";
import { plainChats } from "./chat.ts";
import { parseChat } from "./parse-chat.ts";

const parse = (input: unknown) => stabilise(parseChat(input));

/** Both verbs for prompts that providers recognise: parts of the prompt get an order that does not change from call to call. */
export const stableChats = {
  chat: { ...plainChats.chat, parse },
  streamChat: { ...plainChats.streamChat, parse },
};
