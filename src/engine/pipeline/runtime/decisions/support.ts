import type { Distribution } from "../../../decisions/distribution.ts";
import type { Clock } from "../../../ports/clock.ts";
import { type BoundedCache, createBoundedCache } from "../../../runtime/bounded-cache.ts";

/** Models that are remembered; callers choose their names, so their number is unbounded. */
const remembered = 10_000;
/** Milliseconds for which a model is asked in another way than it might be. */
const retryMs = 600_000;
/** Answers in a row without the probabilities that were asked for, after which a model is asked in another way. */
const strikesAllowed = 3;
/** Answers about an empty state that are kept. */
const mostPriors = 10_000;

/** What decisions have learnt of a model. */
export interface DeciderTraits {
  /** Alternatives of a token that the vendor lists at most, where it refused to list more. */
  readonly alternatives?: number | undefined;
  /** The model's template has no system message. */
  readonly lacksSystemRole?: boolean | undefined;
  /** The vendor takes no schema for an answer, or none with log probabilities. */
  readonly lacksSchema?: boolean | undefined;
}

/** What decisions have learnt of models (`provider/model`); ways that failed are tried again after ten minutes. */
export interface DecisionSupport {
  /** True while a model is not asked for log probabilities: it refused to give them, or three answers in a row lacked them. */
  lacksLogprobs(target: string): boolean;
  /** Notes that the model refuses to give log probabilities. */
  refuseLogprobs(target: string): void;
  /** Notes whether an answer had the probabilities that were asked for. */
  noteLogprobs(target: string, hadThem: boolean): void;
  /** True while a model is not asked natively, since its vendor said that it does not decide. */
  lacksNative(target: string): boolean;
  refuseNative(target: string): void;
  traitsOf(target: string): DeciderTraits;
  /** Adds to the traits; false where nothing of it is new. */
  learn(target: string, traits: DeciderTraits): boolean;
  /** What models answered about an empty state, by target and question. */
  readonly priors: BoundedCache<Distribution>;
}

interface Remembered extends DeciderTraits {
  strikes: number;
  logprobsAt: number;
  nativeAt: number;
  alternatives?: number | undefined;
  lacksSystemRole?: boolean | undefined;
}

/** A memory without models. */
export function createDecisionSupport({ clock }: { readonly clock: Clock }): DecisionSupport {
  const models = createBoundedCache<Remembered>(remembered);
  const priors = createBoundedCache<Distribution>(mostPriors);
  const entryOf = (target: string): Remembered => {
    const entry = models.get(target) ?? { strikes: 0, logprobsAt: 0, nativeAt: 0 };
    models.set(target, entry);
    return entry;
  };
  const refuseLogprobs = (target: string) => {
    Object.assign(entryOf(target), { strikes: 0, logprobsAt: clock.now() + retryMs });
  };
  return {
    priors,
    lacksLogprobs: (target) => (models.get(target)?.logprobsAt ?? 0) > clock.now(),
    refuseLogprobs,
    noteLogprobs(target, hadThem) {
      const entry = entryOf(target);
      entry.strikes = hadThem ? 0 : entry.strikes + 1;
      if (entry.strikes >= strikesAllowed) refuseLogprobs(target);
    },
    lacksNative: (target) => (models.get(target)?.nativeAt ?? 0) > clock.now(),
    refuseNative(target) {
      entryOf(target).nativeAt = clock.now() + retryMs;
    },
    traitsOf: (target) => models.get(target) ?? noTraits,
    learn(target, traits) {
      const entry = entryOf(target);
      const isNew = Object.entries(traits).some(([name, value]) => entry[name as keyof DeciderTraits] !== value);
      Object.assign(entry, traits);
      return isNew;
    },
  };
}

const noTraits: DeciderTraits = {};
