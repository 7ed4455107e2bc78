import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "../packed.ts";

/** An expression of PromQL, and where it stands. */
export interface Expression {
  readonly place: string;
  readonly text: string;
}

/** All expressions of the dashboard and of the rules. */
export function readExpressions(): Expression[] {
  const read = (path: string) => readFileSync(join(root, "deploy", path), "utf8");
  const { panels } = JSON.parse(read("grafana/tollgate.json"));
  const { groups } = parse(read("prometheus/rules.yml"));
  type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };
  type Group = { readonly rules: readonly { readonly alert: string; readonly expr: string }[] };
  return [
    ...(panels as readonly Panel[]).flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ place: `dashboard: ${title}`, text: expr })),
    ),
    ...(groups as readonly Group[]).flatMap(({ rules }) =>
      rules.map(({ alert, expr }) => ({ place: `rules: ${alert}`, text: expr })),
    ),
  ];
}

const label = /([a-z_]+)\s*(?:=~|!=|=|!~)\s*"/g;
const grouping = /\b(?:by|without|on)\s*\(([^)]*)\)/g;

/** Labels that Prometheus itself adds, or that every histogram has. */
const added = new Set(["instance", "job", "le"]);

/** The metrics that an expression reads, and the labels by which it does. */
export function namesIn(text: string): { readonly metrics: readonly string[]; readonly labels: readonly string[] } {
  const inBraces = [...text.matchAll(label)].map(([, name = ""]) => name);
  const inGroups = [...text.matchAll(grouping)].flatMap(([, list = ""]) => list.split(",").map((name) => name.trim()));
  const bare = text.replace(/\{[^}]*\}/g, "").replace(grouping, "");
  const metrics = bare.match(/\b[a-z]+(?:_[a-z0-9]+)+\b(?!\s*\()/g) ?? [];
  return {
    metrics: metrics.filter((name) => !/^\$|__/.test(name)),
    labels: [...inBraces, ...inGroups].filter((name) => !added.has(name)),
  };
}

/** The metrics of a page in the form of Prometheus, each with the labels that it has there. */
export function readPage(page: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of page.split("\n")) {
    const [, name, labels = ""] = /^([a-z][a-z0-9_]*)(?:\{(.*)\})? \S+/.exec(line) ?? [];
    if (name === undefined) continue;
    const known = found.get(name) ?? new Set<string>();
    for (const [, each = ""] of labels.matchAll(/([a-z_]+)="/g)) known.add(each);
    found.set(name, known);
  }
  return found;
}

/** The metrics that docs/telemetry.md names in its tables, with the labels of the same row. */
export function readDocumented(): readonly string[] {
  const text = readFileSync(join(root, "docs", "telemetry.md"), "utf8");
  const [, section = ""] = text.split("\n## Metrics\n");
  const [metrics = ""] = section.split("\n## ");
  return [...metrics.matchAll(/^\| `([a-z0-9_.]+)`/gm)].map(([, name = ""]) => name.replaceAll(".", "_"));
}
