import { oddities } from "./oddities.ts";
import { refusals } from "./refusals.ts";
import { answer, wordsOf } from "./speech.ts";
import { streams } from "./streams.ts";
import { continuation, mainText, otherText } from "./texts.ts";
import { transports } from "./transports.ts";
import type { Behaviour } from "./turn.ts";

/** The models that behave. */
const healthy = {
  steady: {
    does: "answers at once, word by word",
    text: mainText,
    act: (turn) => answer(turn, wordsOf(mainText)),
  },
  other: {
    does: "answers at once, with a text of its own",
    text: otherText,
    act: (turn) => answer(turn, wordsOf(otherText)),
  },
  "prefill-accepts": {
    does: "continues a last message of the assistant, and else answers with a text of its own",
    text: continuation,
    act: (turn) => answer(turn, wordsOf(turn.prefill === undefined ? otherText : continuation)),
  },
} as const satisfies Record<string, Behaviour>;

const table = { ...healthy, ...refusals, ...transports, ...streams, ...oddities };

/** A misbehaviour, or the lack of one; the part of a model's name before `@` and `~`. */
export type BehaviourName = keyof typeof table;

/** Every behaviour by its name. */
export const behaviours: Readonly<Record<BehaviourName, Behaviour>> = table;

/** A model's name taken apart: `flapping@2~r1-7` asks for the behaviour `flapping` with 2, in a run tagged `r1-7`. */
export interface FaultModel {
  readonly behaviour: string;
  readonly amount: number | undefined;
  /** Whatever keeps the calls of one test apart from those of others; empty when there is none. */
  readonly tag: string;
}

/** Reads a model's name; any name has the form, not every one a behaviour. */
export function parseFaultModel(model: string): FaultModel {
  const [primary = "", tag = ""] = model.split("~", 2);
  const [behaviour = "", amount] = primary.split("@", 2);
  const number = Number(amount);
  return { behaviour, amount: amount === undefined || !Number.isFinite(number) ? undefined : number, tag };
}

/** The behaviour of that name. */
export function findBehaviour(name: string): Behaviour | undefined {
  return Object.hasOwn(behaviours, name) ? behaviours[name as BehaviourName] : undefined;
}
