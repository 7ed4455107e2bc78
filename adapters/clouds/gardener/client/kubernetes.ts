import { z } from "zod";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { parseJson } from "../../../shared/http/fault.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import type { KubeAnswer, KubeRequest, KubeSender } from "../sender.ts";
import { readStatus, refusalError } from "./faults.ts";
import { type ObjectPath, pathOf, resources } from "./resources.ts";

const texts = z.record(z.string(), z.string());
const fields = z.record(z.string(), z.unknown());

/** An object of the Kubernetes API: what the portal reads of it, and whatever else it holds. */
export const KubeObject = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    uid: z.string().optional(),
    resourceVersion: z.string().optional(),
    annotations: texts.optional(),
    labels: texts.optional(),
  }),
  spec: fields.optional(),
  status: fields.optional(),
});
export type KubeObject = z.output<typeof KubeObject>;

const KubeList = z.object({
  metadata: z.object({ continue: z.string().optional() }).optional(),
  items: z.array(KubeObject).nullable(),
});

/** How objects are changed: the fields of a merge patch, or the steps of a JSON patch. Strategic merges fail for custom resources. */
export type ObjectPatch = { readonly merge: unknown } | { readonly steps: readonly unknown[] };

/** A write: what to write where. Refusals of a write that holds a secret are not quoted. */
export interface Write {
  readonly target: ObjectPath;
  readonly body: unknown;
  readonly isSecret?: boolean | undefined;
}

/** The Kubernetes API in objects; refusals are thrown in the portal's words. */
export interface Kubernetes {
  /** The object, or nothing when it is not there. */
  find(target: ObjectPath, deadline: OperationDeadline): Promise<KubeObject | undefined>;
  /** The object, or `not_found`. */
  read(target: ObjectPath, deadline: OperationDeadline): Promise<KubeObject>;
  /** All objects of all pages. */
  list(target: ObjectPath, deadline: OperationDeadline): Promise<KubeObject[]>;
  create(write: Write, deadline: OperationDeadline): Promise<KubeObject>;
  patch(
    target: ObjectPath,
    patch: ObjectPatch & { readonly isSecret?: boolean },
    deadline: OperationDeadline,
  ): Promise<KubeObject>;
  /** The answer to a patch as it comes, for those who look at the refusal themselves. */
  tryPatch(target: ObjectPath, patch: ObjectPatch, deadline: OperationDeadline): Promise<KubeAnswer>;
  /** The parsed answer: a `Status`, or the object itself when it goes only later. */
  remove(target: ObjectPath, deadline: OperationDeadline): Promise<unknown>;
  /** The answer as it comes. */
  send(request: KubeRequest, deadline: OperationDeadline): Promise<KubeAnswer>;
}

/** Times that a list whose pages expired is begun anew. */
const restarts = 3;

/** Joins paths, bodies and errors to a sender. */
export function openKubernetes(sender: KubeSender, pageSize: number): Kubernetes {
  const send = (request: KubeRequest, deadline: OperationDeadline) => sender(request, deadline.signal);

  async function find(target: ObjectPath, deadline: OperationDeadline): Promise<KubeObject | undefined> {
    const answer = await send({ method: "GET", path: pathOf(target) }, deadline);
    if (answer.status === 404 && (readStatus(answer) !== undefined || isUnserved(answer))) return undefined;
    return objectOf(answer, { target });
  }

  async function tryPatch(target: ObjectPath, patch: ObjectPatch, deadline: OperationDeadline): Promise<KubeAnswer> {
    const isMerge = "merge" in patch;
    const contentType = `application/${isMerge ? "merge" : "json"}-patch+json`;
    return send(
      { method: "PATCH", path: pathOf(target), body: isMerge ? patch.merge : patch.steps, contentType },
      deadline,
    );
  }

  return {
    find,
    tryPatch,
    send,
    async read(target, deadline) {
      const found = await find(target, deadline);
      if (found !== undefined) return found;
      throw missingError(target);
    },
    list: (target, deadline) => listAll({ send, target, pageSize }, deadline),
    async create({ target, body, isSecret }, deadline) {
      const { api, kind } = resources[target.resource];
      const request = {
        method: "POST",
        path: pathOf(target),
        body: { apiVersion: api, kind, ...(body as object) },
      } as const;
      return objectOf(await send(request, deadline), { target, isSecret });
    },
    async patch(target, patch, deadline) {
      return objectOf(await tryPatch(target, patch, deadline), { target, isSecret: patch.isSecret });
    },
    async remove(target, deadline) {
      const answer = await send({ method: "DELETE", path: pathOf(target) }, deadline);
      if (answer.status >= 300) throw refusalError({ answer, target });
      return parsedOf(answer);
    },
  };
}

/** The error of an object that is not there. */
export function missingError({ resource, name = "" }: ObjectPath): GatewayError {
  return new GatewayError("not_found", `There is no ${resources[resource].title} \`${name}\`.`);
}

/** Kubernetes says in plain text that it does not serve a path at all. */
function isUnserved({ status, body }: KubeAnswer): boolean {
  return status === 404 && body.trim() === "404 page not found";
}

interface ObjectListing {
  readonly send: (request: KubeRequest, deadline: OperationDeadline) => Promise<KubeAnswer>;
  readonly target: ObjectPath;
  readonly pageSize: number;
}

async function listAll({ send, target, pageSize }: ObjectListing, deadline: OperationDeadline): Promise<KubeObject[]> {
  const path = pathOf(target);
  for (let attempt = 0; attempt < restarts; attempt++) {
    const found: KubeObject[] = [];
    for (let next: string | undefined = ""; next !== undefined; ) {
      const query = new URLSearchParams({ limit: String(pageSize), ...(next === "" ? {} : { continue: next }) });
      const answer = await send({ method: "GET", path: `${path}?${query}` }, deadline);
      if (isUnserved(answer)) return [];
      if (answer.status === 410) break;
      const page = pageOf(answer, target);
      found.push(...page.items);
      if (page.next === undefined) return found;
      next = page.next;
    }
  }
  throw new GatewayError(
    "backend_error",
    `Gardener's list of ${resources[target.resource].plural} expired ${restarts} times while it was read.`,
  );
}

function pageOf(answer: KubeAnswer, target: ObjectPath) {
  if (answer.status >= 300) throw refusalError({ answer, target });
  const parsed = KubeList.safeParse(parsedOf(answer));
  if (!parsed.success) throw unreadable(`no list of ${resources[target.resource].plural}`, parsed.error);
  const next = parsed.data.metadata?.continue;
  return { items: parsed.data.items ?? [], next: next === "" ? undefined : next };
}

/** The object of a good answer; a bad one is thrown. */
export function objectOf(answer: KubeAnswer, { target, isSecret }: Pick<Write, "target" | "isSecret">): KubeObject {
  if (answer.status >= 300) throw refusalError({ answer, target, isSecret });
  const parsed = KubeObject.safeParse(parsedOf(answer));
  if (!parsed.success) throw unreadable(`no ${resources[target.resource].kind}`);
  return parsed.data;
}

/** The parsed JSON of an answer; anything else, e.g. the HTML of a proxy, is `backend_error`. */
export function parsedOf(answer: KubeAnswer): unknown {
  const parsed = parseJson(answer.body);
  if (parsed === undefined) throw unreadable(`no JSON, status ${answer.status}`);
  return parsed;
}

function unreadable(what: string, cause?: unknown): GatewayError {
  return new GatewayError("backend_error", `Gardener gave an answer that cannot be read: ${what}.`, { cause });
}
