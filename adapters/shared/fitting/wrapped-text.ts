/** The one property of an object that a value is wrapped in. */
export const wrapperKey = "value";

/** The beginning of a wrapped value. */
export const wrapperStart = `{"${wrapperKey}":`;

/** Takes a wrapper off a JSON text that comes in pieces. */
export interface Unwrapper {
  /** What of the value the next piece adds, byte for byte. */
  push(text: string): string;
  /** What is left at the end: nothing of a complete text; of one that was cut off, what may belong to the value. */
  end(isComplete: boolean): string;
}

/** More than any wrapper's beginning takes: a text that has not begun with one by then is passed on as it is. */
const longestStart = 256;

/** An unwrapper; `isOpen` where the beginning of the wrapper was said before. A text without a wrapper is passed on as it is. */
export function unwrapper(isOpen = false): Unwrapper {
  let mode: "start" | "value" | "plain" = isOpen ? "value" : "start";
  let start = "";
  /** White space and at most one brace: the end of the wrapper, unless more follows. */
  let held = "";
  let hasBrace = false;

  function pass(text: string): string {
    const at = endOf(text, text.length);
    const isSpace = at === 0;
    if (isSpace) {
      held += text;
      return "";
    }
    const closes = text[at - 1] === "}";
    if (closes && !hasBrace && endOf(text, at - 1) === 0) {
      held += text;
      hasBrace = true;
      return "";
    }
    const from = closes ? endOf(text, at - 1) : at;
    const value = held + text.slice(0, from);
    held = text.slice(from);
    hasBrace = closes;
    return value;
  }

  return {
    push(text) {
      if (mode === "plain") return text;
      if (mode === "value") return pass(text);
      start += text;
      const found = /^\s*\{\s*"value"\s*:/.exec(start);
      if (found === null) {
        if (start.length <= longestStart && wrapperStart.startsWith(start.replace(/\s+/g, ""))) return "";
        mode = "plain";
        return start;
      }
      mode = "value";
      return pass(start.slice(found[0].length));
    },
    end: (isComplete) => (mode === "start" ? start : isComplete && hasBrace ? "" : held),
  };
}

/** Where the white space that ends at `end` begins. */
function endOf(text: string, end: number): number {
  let at = end;
  while (at > 0 && " \n\r\t".includes(text[at - 1] as string)) at--;
  return at;
}
