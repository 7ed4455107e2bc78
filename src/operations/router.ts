import { GatewayError } from "../engine/errors.ts";

/** The part of a row that the router reads. */
interface Routable {
  readonly method: string;
  readonly path: string;
}

/** The outcome of a look-up. For a path that has other methods only, it lists them. */
export type Match<Row> =
  | { readonly kind: "found"; readonly row: Row; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "other_methods"; readonly methods: readonly string[] }
  | { readonly kind: "unknown" };

/** Finds the row of a method and a path (percent-encoded, without query). */
export type Router<Row> = (method: string, path: string) => Match<Row>;

/** A row at the end of its path, with the names of the segments that are parameters. */
interface Leaf<Row> {
  readonly row: Row;
  readonly names: readonly string[];
}

interface RouteNode<Row> {
  readonly literals: Map<string, RouteNode<Row>>;
  parameter: RouteNode<Row> | undefined;
  /** Parameters that take the rest of the path, by the suffix that follows them; the longest first. */
  readonly rests: Rest<Row>[];
  readonly leaves: Map<string, Leaf<Row>>;
}

interface Rest<Row> {
  readonly suffix: string;
  readonly leaves: Map<string, Leaf<Row>>;
}

/** One look-up on its way down the tree. */
interface Search {
  readonly method: string;
  readonly path: string;
  /** Raw values of the parameters passed so far. */
  readonly values: string[];
  readonly otherMethods: Set<string>;
}

const unknown = { kind: "unknown" } as const;
const noParams: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Builds a router: literal segments win over `{parameters}`, these over `{+rests}`, and where that leads nowhere, or has no row of this
 * method, the search goes back. Throws `invalid_configuration` when two rows share method and shape.
 */
export function createRouter<Row extends Routable>(rows: Iterable<Row>): Router<Row> {
  const root = emptyNode<Row>();
  const literal = new Map<string, Map<string, Match<Row>>>();
  for (const row of rows) {
    const { method, path } = row;
    if (plant(root, row) > 0) continue;
    const paths = literal.get(method) ?? new Map<string, Match<Row>>();
    literal.set(method, paths.set(path, { kind: "found", row, params: noParams }));
  }
  return (method, path) => literal.get(method)?.get(path) ?? search(root, method, path);
}

function emptyNode<Row>(): RouteNode<Row> {
  return { literals: new Map(), parameter: undefined, rests: [], leaves: new Map() };
}

/** Adds a row; returns how many parameters its path has. */
function plant<Row extends Routable>(root: RouteNode<Row>, row: Row): number {
  const names: string[] = [];
  const { leaves } = row.path
    .slice(1)
    .split("/")
    .reduce<RouteNode<Row> | Rest<Row>>((node, segment) => grow(node, segment, names), root);
  const rival = leaves.get(row.method);
  if (rival) {
    const message = `Two operations share one route: ${row.method} ${rival.row.path} and ${row.method} ${row.path}.`;
    throw new GatewayError("invalid_configuration", message);
  }
  leaves.set(row.method, { row, names });
  return names.length;
}

/** Returns the node behind a segment, and records the name of the segment's parameter. */
function grow<Row>(node: RouteNode<Row> | Rest<Row>, segment: string, names: string[]): RouteNode<Row> | Rest<Row> {
  if ("suffix" in node)
    throw new GatewayError("invalid_configuration", `No segment can follow a rest parameter: /${segment}.`);
  const [, name, rest, suffix = ""] = /^\{(?:([^+}][^}]*)\}|\+([^}]+)\}(.*))$/.exec(segment) ?? [];
  if (name === undefined && rest === undefined) return childOf(node, segment);
  names.push(name ?? rest ?? "");
  return rest === undefined ? parameterOf(node) : restOf(node, suffix);
}

function parameterOf<Row>(node: RouteNode<Row>): RouteNode<Row> {
  node.parameter ??= emptyNode();
  return node.parameter;
}

function restOf<Row>(node: RouteNode<Row>, suffix: string): Rest<Row> {
  const known = node.rests.find((rest) => rest.suffix === suffix);
  if (known) return known;
  const rest: Rest<Row> = { suffix, leaves: new Map() };
  node.rests.push(rest);
  node.rests.sort((one, other) => other.suffix.length - one.suffix.length);
  return rest;
}

function childOf<Row>(node: RouteNode<Row>, segment: string): RouteNode<Row> {
  const known = node.literals.get(segment);
  if (known) return known;
  const child = emptyNode<Row>();
  node.literals.set(segment, child);
  return child;
}

function search<Row>(root: RouteNode<Row>, method: string, path: string): Match<Row> {
  if (path.charCodeAt(0) !== slash) return unknown;
  const state: Search = { method, path, values: [], otherMethods: new Set() };
  const leaf = descend(root, 1, state);
  if (leaf) return { kind: "found", row: leaf.row, params: paramsOf(leaf.names, state.values) };
  return state.otherMethods.size > 0 ? { kind: "other_methods", methods: [...state.otherMethods] } : unknown;
}

const slash = 47;

function descend<Row>(node: RouteNode<Row>, from: number, state: Search): Leaf<Row> | undefined {
  const { path, values } = state;
  if (from > path.length) return leafOf(node.leaves, state);
  const at = path.indexOf("/", from);
  const end = at === -1 ? path.length : at;
  const segment = path.slice(from, end);
  const literal = node.literals.get(segment);
  const found = literal && descend(literal, end + 1, state);
  if (found || segment === "") return found;
  if (node.parameter) {
    values.push(segment);
    const behind = descend(node.parameter, end + 1, state);
    if (behind) return behind;
    values.pop();
  }
  return node.rests.length === 0 ? undefined : takeRest(node.rests, path.slice(from), state);
}

function leafOf<Row>(leaves: ReadonlyMap<string, Leaf<Row>>, state: Search): Leaf<Row> | undefined {
  const leaf = leaves.get(state.method);
  if (!leaf) for (const method of leaves.keys()) state.otherMethods.add(method);
  return leaf;
}

/** The colon of a suffix may be encoded: as a path both are the same to many clients. */
function takeRest<Row>(rests: readonly Rest<Row>[], encoded: string, state: Search): Leaf<Row> | undefined {
  const rest = encoded.replaceAll(/%3a/gi, ":");
  for (const { suffix, leaves } of rests) {
    if (!rest.endsWith(suffix) || rest.length === suffix.length) continue;
    const leaf = leafOf(leaves, state);
    if (leaf === undefined) continue;
    state.values.push(rest.slice(0, rest.length - suffix.length));
    return leaf;
  }
  return undefined;
}

function paramsOf(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [position, name] of names.entries()) params[name] = decode(name, values[position] ?? "");
  return params;
}

function decode(name: string, value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    const message = `\`${name}\` in the path is not valid percent-encoding.`;
    throw new GatewayError("invalid_request", message, { param: name });
  }
}
