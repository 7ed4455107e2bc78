import { fromDollars, type NanoDollars, toDollars } from "../metering/money.ts";
import { matchesAny, type Patterns } from "./glob.ts";
import { formatMinute, type Hours, isWithin } from "./hours.ts";
import { fitsName, type Identify, identifyByName } from "./model-identity.ts";

/** What must be true for a rule to match; all that is given must hold, and nothing given always holds. */
export interface Conditions {
  /** Field of the request's `metadata` → patterns for its value; a string, number or boolean is compared as text. */
  readonly metadata?: Readonly<Record<string, Patterns>> | undefined;
  /** Patterns for the requested model, e.g. `openai/gpt-5*`, under whichever of its names: dated, `-latest`, in other letter cases. */
  readonly model?: Patterns | undefined;
  /** Patterns for the id of the virtual key. */
  readonly key?: Patterns | undefined;
  /** Patterns for the id of the key's project. */
  readonly project?: Patterns | undefined;
  readonly hours?: Hours | undefined;
  /** US dollars left of the tightest budget. Never holds where no budget is set. */
  readonly budgetLeft?: { readonly atLeast?: number | undefined; readonly below?: number | undefined } | undefined;
}

/** What is known of a request when its route is planned. */
export interface RouteFacts {
  /** The asked model as the caller wrote it. */
  readonly model: string;
  /** How names of models are understood; by the names alone unless given. */
  readonly identify?: Identify | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Id of the virtual key; absent for the trusted caller. */
  readonly key?: string | undefined;
  readonly project?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What is left of the tightest budget; absent when there is none. */
  readonly budgetLeft?: NanoDollars | undefined;
}

interface Judge<Wanted> {
  readonly holds: (requested: Wanted, facts: RouteFacts) => boolean;
  /** What was looked at and what was wanted of it, true whether it holds or not. */
  readonly notify: (requested: Wanted, facts: RouteFacts) => string;
}

type Judges = { readonly [Name in keyof Conditions]-?: Judge<NonNullable<Conditions[Name]>> };

const judges: Judges = {
  metadata: {
    holds: (requested, { metadata }) =>
      Object.entries(requested).every(([field, patterns]) => fits(patterns, textOf(metadata, field))),
    notify: (requested, { metadata }) =>
      Object.entries(requested)
        .map(([field, patterns]) => `metadata.${field} is ${show(textOf(metadata, field))}, wanted ${list(patterns)}`)
        .join("; "),
  },
  model: {
    holds: (requested, { model, identify = identifyByName }) => fitsName(requested, model, identify),
    notify: (requested, { model }) => `the model is ${show(model)}, wanted ${list(requested)}`,
  },
  key: {
    holds: (requested, { key }) => fits(requested, key),
    notify: (requested, { key }) => `the key is ${show(key)}, wanted ${list(requested)}`,
  },
  project: {
    holds: (requested, { project }) => fits(requested, project),
    notify: (requested, { project }) => `the project is ${show(project)}, wanted ${list(requested)}`,
  },
  hours: {
    holds: (requested, { now }) => isWithin(requested, now),
    notify: ({ from, to, days }, { now }) =>
      `it is ${formatMinute(now)} UTC, wanted ${from} to ${to}${days ? ` on ${days.join(", ")}` : ""}`,
  },
  budgetLeft: {
    holds: ({ atLeast, below }, { budgetLeft }) =>
      budgetLeft !== undefined &&
      (atLeast === undefined || budgetLeft >= fromDollars(atLeast)) &&
      (below === undefined || budgetLeft < fromDollars(below)),
    notify: ({ atLeast, below }, { budgetLeft }) => {
      const left = budgetLeft === undefined ? "no budget is set" : `$${toDollars(budgetLeft)} of the budget are left`;
      const bounds = [
        atLeast === undefined ? "" : `at least $${atLeast}`,
        below === undefined ? "" : `below $${below}`,
      ];
      return `${left}, wanted ${bounds.filter(Boolean).join(" and ") || "any"}`;
    },
  },
};

const names = Object.keys(judges) as (keyof Conditions)[];

/** True when everything that is given holds. */
export function holdAll(conditions: Conditions | undefined, facts: RouteFacts): boolean {
  if (!conditions) return true;
  for (const name of names) {
    const requested = conditions[name];
    if (requested !== undefined && !(judges[name] as Judge<unknown>).holds(requested, facts)) return false;
  }
  return true;
}

/** One condition, whether it holds, and the words that say why. */
export interface Finding {
  readonly condition: keyof Conditions;
  readonly holds: boolean;
  readonly words: string;
}

/** Looks at every condition that is given, and says what it found. */
export function explainConditions(conditions: Conditions | undefined, facts: RouteFacts): readonly Finding[] {
  return names.flatMap((condition) => {
    const requested = conditions?.[condition];
    if (requested === undefined) return [];
    const { holds, notify } = judges[condition] as Judge<unknown>;
    return [{ condition, holds: holds(requested, facts), words: notify(requested, facts) }];
  });
}

function fits(patterns: Patterns, text: string | undefined): boolean {
  return text !== undefined && matchesAny(patterns, text);
}

function textOf(metadata: RouteFacts["metadata"], field: string): string | undefined {
  if (!metadata || !Object.hasOwn(metadata, field)) return undefined;
  const value = metadata[field];
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? `${value}` : undefined;
}

function show(text: string | undefined): string {
  return text === undefined ? "absent" : `\`${text}\``;
}

function list(patterns: Patterns): string {
  return [patterns].flat().map(show).join(" or ") || "nothing";
}
