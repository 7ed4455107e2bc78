import type { Deployment } from "./deployments.ts";
import { below, type FieldsByName, fieldsOf, listOf, type Remark, textIn } from "./remarks.ts";

/** Names of callers as rules. */
export interface Routes {
  readonly rules: readonly FieldsByName[];
  readonly remarks: readonly Remark[];
}

/** The sections that say where a call goes on. */
export interface RouteSections {
  readonly litellm: FieldsByName;
  readonly router: FieldsByName;
}

/** Converts the names that callers use, their aliases and their fallbacks. A longer name is looked at first. */
export function convertRoutes(deployments: readonly Deployment[], sections: RouteSections): Routes {
  const remarks: Remark[] = [];
  const targets = targetsByName(deployments, remarks);
  const fallbacks = readFallbacks(sections, targets, remarks);
  const names = new Map([...targets.keys()].map((name) => [name, name]));
  for (const [alias, model] of readAliases(sections.router)) {
    if (targets.has(model)) names.set(alias, model);
    else remarks.push({ path: ["router_settings", "model_group_alias", alias], problem: "names no model of the list" });
  }
  const rules = [...names].flatMap(([name, model]) => {
    const [first = "", ...others] = targets.get(model) ?? [];
    const further = new Set([...others, ...(fallbacks.get(model) ?? []), ...(fallbacks.get("*") ?? [])]);
    further.delete(first);
    if (name === first && further.size === 0) return [];
    const use = { model: first, ...(further.size === 0 ? {} : { fallbacks: [...further] }) };
    return [{ name, when: { model: name }, use }];
  });
  return { rules: rules.toSorted((one, other) => other.name.length - one.name.length), remarks };
}

/** The targets of each name, in the order of the list. Entries that balance each other become one behind the other. */
function targetsByName(deployments: readonly Deployment[], remarks: Remark[]): Map<string, Set<string>> {
  const targets = new Map<string, Set<string>>();
  for (const { alias, position, target, isAnotherKey } of deployments) {
    if (alias.includes("*") || target.includes("*")) {
      if (alias !== target)
        remarks.push({
          path: ["model_list", position, "model_name"],
          problem: "a pattern of names: callers name the provider, as `provider/model`",
        });
      continue;
    }
    const former = targets.get(alias) ?? new Set<string>();
    if (former.size > 0 && !former.has(target) && !isAnotherKey)
      remarks.push({
        path: ["model_list", position],
        problem: "another provider for this name: it is asked when the first one fails, not in turn with it",
      });
    targets.set(alias, former.add(target));
  }
  return targets;
}

function readAliases(router: FieldsByName): [string, string][] {
  return Object.entries(fieldsOf(router.model_group_alias)).flatMap(([alias, value]) => {
    const model = textIn(value) ?? textIn(fieldsOf(value).model);
    return model === undefined ? [] : [[alias, model]];
  });
}

/** Targets to go on with, by name; those for every name under `*`. */
function readFallbacks(
  { litellm, router }: RouteSections,
  targets: ReadonlyMap<string, ReadonlySet<string>>,
  remarks: Remark[],
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (name: string, models: unknown, path: Remark["path"]) => {
    for (const model of listOf(models)) {
      const known = targets.get(textIn(model) ?? "");
      if (known === undefined) remarks.push(...below(path, [{ path: [], problem: "names no model of the list" }]));
      else found.set(name, new Set([...(found.get(name) ?? []), ...known]));
    }
  };
  for (const [section, fields] of [
    ["router_settings", router],
    ["litellm_settings", litellm],
  ] as const) {
    for (const [position, entry] of listOf(fields.fallbacks).entries())
      for (const [name, models] of Object.entries(fieldsOf(entry)))
        add(name, models, [section, "fallbacks", position, name]);
    add("*", fields.default_fallbacks, [section, "default_fallbacks"]);
  }
  return found;
}
