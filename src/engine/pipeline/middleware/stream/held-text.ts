import type { TextPlace } from "../../../ports/middleware/middleware.ts";
import type { ActiveMiddleware } from "../active.ts";
import type { PassText } from "../texts.ts";

/** The place behind the last end of a sentence in a piece of text, or -1. `before` is the character in front of the piece. */
function lastBoundary(piece: string, before: string): number {
  for (let at = piece.length - 1; at >= 0; at--) {
    const character = piece[at] as string;
    if (wideEnds.includes(character)) return at + 1;
    if (!isSpace(character)) continue;
    const previous = at > 0 ? (piece[at - 1] as string) : before;
    if (ends.includes(previous) || (character === "\n" && previous === "\n")) return at + 1;
  }
  return -1;
}

/** They end a sentence before white space. */
const ends = ".!?…";
/** They end one by themselves. */
const wideEnds = "。！？";

function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}

/** One guard on its way through a stream. */
export interface GuardStage {
  readonly one: ActiveMiddleware;
  readonly pass: PassText;
}

/** Characters that all guards of a stream hold back together; an answer that has more without an end is refused. */
export const mostHeld = 8 * 1024 * 1024;

/** What the texts of a stream hold back. */
export interface HeldAmount {
  characters: number;
}

/**
 * One text of a stream in front of one guard: the guard gets it in pieces that end where it wants them to. Where something else begins
 * before such an end, what is there is passed early, and the guard sees it again with what follows; if what has left does not stand, the
 * answer is refused.
 */
export interface HeldText {
  /** Takes a piece; resolves with what may leave. */
  push(piece: string): Promise<string>;
  /** Something else begins, or the answer ends: resolves with what may leave of the rest. */
  flush(isEnd: boolean): Promise<string>;
}

/** Early passes of one stretch of text; then it waits for its end, so that the work stays linear. */
const mostEarly = 64;

interface HeldState {
  pieces: string[];
  /** What has been passed early of the stretch, as it came and as it left. */
  early: string;
  left: string;
  earlyCount: number;
  /** The last character. */
  last: string;
}

function holdText({ one, pass }: GuardStage, place: TextPlace, held: HeldAmount): HeldText {
  const isPlain = one.middleware.stream?.hold === "chunk";
  const state: HeldState = { pieces: [], early: "", left: "", earlyCount: 0, last: "" };
  const passStretch = async (stretch: string) => {
    const passed = await pass(stretch, place);
    if (!passed.startsWith(state.left)) one.context.block("split", "A text that was cut must not be put together.");
    return passed;
  };
  return {
    async push(piece) {
      if (isPlain) return pass(piece, place);
      held.characters += piece.length;
      if (held.characters > mostHeld) one.context.block("too_much", "The answer is too long to be held back.");
      const end = lastBoundary(piece, state.last);
      state.last = piece.at(-1) ?? state.last;
      if (end === -1) {
        state.pieces.push(piece);
        return "";
      }
      const stretch = state.early + state.pieces.join("") + piece.slice(0, end);
      const passed = (await passStretch(stretch)).slice(state.left.length);
      const rest = piece.slice(end);
      held.characters -= stretch.length;
      Object.assign(state, { pieces: rest === "" ? [] : [rest], early: "", left: "", earlyCount: 0 });
      return passed;
    },
    async flush(isEnd) {
      if (state.pieces.length === 0 || (!isEnd && state.earlyCount === mostEarly)) return "";
      const stretch = state.early + state.pieces.join("");
      const passed = await passStretch(stretch);
      const leaves = passed.slice(state.left.length);
      Object.assign(state, { pieces: [], early: stretch, left: passed, earlyCount: state.earlyCount + 1 });
      return leaves;
    },
  };
}

/** One text of a stream in front of all its guards. */
export interface GuardedText extends HeldText {
  /** True once it left otherwise than it came. */
  isChanged(): boolean;
}

/** Guards in the order in which the text passes them. */
export function guardText(stages: readonly GuardStage[], place: TextPlace, held: HeldAmount): GuardedText {
  let isChanged = false;
  const texts = stages.map(({ one, pass }) => {
    const noting: PassText = async (text, where) => {
      const passed = await pass(text, where);
      if (passed !== text) isChanged = true;
      return passed;
    };
    return holdText({ one, pass: noting }, place, held);
  });
  return {
    isChanged: () => isChanged,
    async push(piece) {
      let text = piece;
      for (const one of texts) {
        if (text === "") return "";
        text = await one.push(text);
      }
      return text;
    },
    async flush(isEnd) {
      let text = "";
      for (const one of texts) text = (text === "" ? "" : await one.push(text)) + (await one.flush(isEnd));
      return text;
    },
  };
}

/** The guards of a stream as one, for texts that come whole. */
export function passThrough(stages: readonly GuardStage[]): PassText {
  return async (text, place) => {
    let passed = text;
    for (const { pass } of stages) passed = await pass(passed, place);
    return passed;
  };
}
