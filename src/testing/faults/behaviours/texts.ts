import { wordsOf } from "./speech.ts";

/** What a healthy model says; holds characters of two, three and four bytes, so that a cut can fall inside one. */
export const mainText =
  "The server stands while züge, 猫 and 🚂 go by; nobody counts them, yet everyone hears each single one of them.";

/** What another model says; its first word is none of {@link mainText}. */
export const otherText =
  "Another voice speaks here, and it tells a wholly different story from its first word to its last.";

/** What a model says that was asked to continue. */
export const continuation = " … and from there on another one took up the thread and told it to its end.";

/** Words of {@link mainText} that are sent before a stream breaks. */
export const firstWords = 7;

/** The part of {@link mainText} that is sent before a stream breaks. */
export const firstText = wordsOf(mainText).slice(0, firstWords).join("");
