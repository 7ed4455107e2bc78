import fc from "fast-check";
import { isDeep } from "./depth.ts";

/** Milliseconds that the runs of one property may take in the sampled tier; a run that has begun ends. */
const budgetMs = Number(process.env.PROPERTY_MS ?? 60);

/** Runs that every property makes, however long they take: a loaded machine lowers the depth of a property, never to nothing. */
const floor = 6;

/** Ends the runs of a property when their time is over. What failed is shrunk to its end. */
const withinBudget: fc.Plugin<unknown> = () => {
  const start = performance.now();
  let runs = 0;
  let hasFailed = false;
  const isOver = () => !hasFailed && runs >= floor && performance.now() - start > budgetMs;
  const note = <Outcome>(outcome: Outcome): Outcome => {
    runs++;
    hasFailed ||= outcome !== null && !fc.PreconditionFailure.isFailure(outcome);
    return outcome;
  };
  return {
    decorateRun: (nested) => (value) => {
      if (isOver()) return new fc.PreconditionFailure(true);
      const outcome = nested(value);
      return outcome instanceof Promise ? outcome.then(note) : note(outcome);
    },
  };
};

if (!isDeep) fc.installGlobalPlugin(withinBudget);
