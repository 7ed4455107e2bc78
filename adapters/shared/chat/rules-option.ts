import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import type { Check } from "../../../src/engine/runtime/checks.ts";
import type { ModelRules, RulesByModel } from "./model-rules.ts";
import { isNeeded, openaiPlaces, type ParameterPlaces } from "./parameter-places.ts";

/** What models take otherwise than this release says, by patterns of their names with `*`; the first that fits counts. */
export type ModelRulesOption = Readonly<Record<string, ModelRules>>;

/** An option of all providers that write requests in a vendor's own fields. */
export interface RulesOptions {
  /**
   * What models take otherwise than this release says: `{ "claude-opus-9*": { efforts: { max: "high" }, parameters: { top_k: false } } }`.
   * Names of parameters are those of the vendor's request.
   */
  readonly modelRules?: ModelRulesOption | undefined;
}

/** Checks the option `modelRules` of the interface that has these places. */
export function rulesCheck(places: ParameterPlaces = openaiPlaces): Check {
  return [
    (value) => isRecord(value) && Object.values(value).every((rules) => areRules(rules, places)),
    "an object by model, with `efforts`, `tiers` and `parameters` of each; no parameter that a request needs can be refused",
  ];
}

function areRules(value: unknown, places: ParameterPlaces): boolean {
  if (!isRecord(value)) return false;
  const { efforts = {}, tiers = {}, parameters = {}, ...others } = value;
  return (
    Object.keys(others).length === 0 &&
    isRecordOf(efforts, (word) => typeof word === "string") &&
    isRecordOf(tiers, (word) => typeof word === "string") &&
    isRecordOf(parameters, (isTaken, path) => typeof isTaken === "boolean" && (isTaken || !isNeeded(path, places)))
  );
}

function isRecordOf(value: unknown, fits: (member: unknown, name: string) => boolean): boolean {
  return isRecord(value) && Object.entries(value).every(([name, member]) => fits(member, name));
}

/** The rules by the name of a model; `undefined` where the option says nothing of any. */
export function rulesIn(option: ModelRulesOption | undefined): RulesByModel | undefined {
  if (option === undefined || Object.keys(option).length === 0) return undefined;
  return (model) => settingFor(option, model);
}

/** The first setting whose pattern fits the model's name. */
export function settingFor<Setting>(settings: Readonly<Record<string, Setting>>, model: string): Setting | undefined {
  return Object.entries(settings).find(([pattern]) => fits(pattern, model))?.[1];
}

/** Whether a model's name fits a pattern, in which `*` stands for any characters. */
function fits(pattern: string, model: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  if (!model.startsWith(first)) return false;
  const last = others.pop();
  if (last === undefined) return model === pattern;
  let at = first.length;
  for (const part of others) {
    const found = model.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return model.length - last.length >= at && model.endsWith(last);
}
