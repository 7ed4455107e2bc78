import { fitPlatt, fitTemperature, mostForPlatt } from "./fit.ts";
import { applyMap, type CalibrationKind, type CalibrationMap } from "./map.ts";
import { type LabelledAnswer, type Scores, scoresOf } from "./scores.ts";

/** Labelled answers that a map is fitted to at least. */
export const fewestAnswers = 10;

/** Scores on answers that a fit has not seen, by what was fitted; `none` are the model's own probabilities. */
export type HeldOutScores = { readonly none: Scores } & { readonly [Kind in CalibrationKind]?: Scores };

/** What came of labelled answers. */
export interface Calibrated {
  /** Fitted to all answers; `undefined` where the model's own probabilities have the least log loss. */
  readonly map: CalibrationMap | undefined;
  readonly heldOut: HeldOutScores;
}

type Fit = (answers: readonly LabelledAnswer[]) => CalibrationMap;

const fits: Readonly<Record<CalibrationKind, Fit>> = { temperature: fitTemperature, platt: fitPlatt };

/**
 * Fits the map with the least log loss on answers that it has not seen, in five shuffled folds: none, a temperature or Platt scaling,
 * or only the given kind. The shuffle is the same every time, so that a file gives the same map.
 */
export function chooseMap(answers: readonly LabelledAnswer[], only?: CalibrationKind): Calibrated {
  const options = answers[0]?.distribution.length ?? 0;
  const kinds = (["temperature", "platt"] as const).filter(
    (kind) => (only === undefined || kind === only) && (kind !== "platt" || options <= mostForPlatt),
  );
  const shuffled = shuffle(answers);
  const none = scoresOf(answers);
  const scores = kinds.map((kind) => [kind, scoresOf(heldOut(shuffled, fits[kind]))] as const);
  const [best] = scores.toSorted(([, one], [, other]) => one.log_loss - other.log_loss);
  const isBetter = best !== undefined && (only !== undefined || best[1].log_loss < none.log_loss);
  return { map: isBetter ? fits[best[0]](answers) : undefined, heldOut: { none, ...Object.fromEntries(scores) } };
}

const foldCount = 5;

/** Every answer as a map makes it that was fitted to the other folds. */
function heldOut(answers: readonly LabelledAnswer[], fitTo: Fit): readonly LabelledAnswer[] {
  return Array.from({ length: foldCount }, (_, fold) => {
    const isHeldOut = (at: number) => at % foldCount === fold;
    const map = fitTo(answers.filter((_answer, at) => !isHeldOut(at)));
    const outside = answers.filter((_answer, at) => isHeldOut(at));
    return outside.map(({ distribution, truth }) => ({ distribution: applyMap(map, distribution), truth }));
  }).flat();
}

/** Fisher and Yates, with the multiplicative congruence of Park and Miller (1988). */
export function shuffle<Item>(items: readonly Item[]): readonly Item[] {
  const shuffled = [...items];
  let state = 20_261;
  for (let last = shuffled.length - 1; last > 0; last--) {
    state = (state * 48_271) % 2_147_483_647;
    const chosen = state % (last + 1);
    [shuffled[last], shuffled[chosen]] = [shuffled[chosen] as Item, shuffled[last] as Item];
  }
  return shuffled;
}
