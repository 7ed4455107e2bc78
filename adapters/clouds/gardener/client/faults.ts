import { z } from "zod";
import { GatewayError, withDetails } from "../../../../src/engine/errors.ts";
import { parseJson } from "../../../shared/http/fault.ts";
import { ReportedFault } from "../../shared/failure.ts";
import type { KubeAnswer } from "../sender.ts";
import { type ObjectPath, resources } from "./resources.ts";

/** What Kubernetes answers when it refuses. */
const KubeStatus = z.object({
  kind: z.literal("Status"),
  message: z.string().optional(),
  reason: z.string().optional(),
  details: z
    .object({
      name: z.string().optional(),
      kind: z.string().optional(),
      retryAfterSeconds: z.number().optional(),
      causes: z
        .array(
          z.object({ reason: z.string().optional(), message: z.string().optional(), field: z.string().optional() }),
        )
        .optional(),
    })
    .optional(),
});
type KubeStatus = z.output<typeof KubeStatus>;

/** A refused request: what was asked for, and whether the request held a secret, which refusals may quote. */
export interface RefusedRequest {
  readonly answer: KubeAnswer;
  readonly target: ObjectPath;
  readonly isSecret?: boolean | undefined;
}

/** Longest text of theirs that is kept for the log. */
const longest = 1_000;

/** The status of an answer; nothing when it is none, e.g. the HTML of a proxy, or the plain 404 of a path that is not served. */
export function readStatus({ body }: KubeAnswer): KubeStatus | undefined {
  const parsed = KubeStatus.safeParse(parseJson(body));
  return parsed.success ? parsed.data : undefined;
}

/** The error of a refused request in the portal's words (portal-backends.md, sections 1 and 6). */
export function refusalError({ answer, target, isSecret = false }: RefusedRequest): GatewayError {
  const status = readStatus(answer);
  const title = resources[target.resource].title;
  if (status === undefined)
    return new GatewayError("backend_error", `Gardener answered ${answer.status} without a reason that can be read.`);
  const reported = (isSecret ? "" : (status.message ?? "")).slice(0, longest);
  const cause = reported === "" ? undefined : new ReportedFault(`Gardener answered ${answer.status}: ${reported}`);
  return withDetails(errorOf(answer, { status, reported, title, target }), { cause });
}

/** A refusal as its parts. */
interface ReadRefusal {
  readonly status: KubeStatus;
  /** Their text; empty where the request held a secret. */
  readonly reported: string;
  readonly title: string;
  readonly target: ObjectPath;
}

function errorOf(answer: KubeAnswer, { status, reported, title, target }: ReadRefusal): GatewayError {
  switch (answer.status) {
    case 400:
      return new GatewayError("invalid_request", `Gardener cannot read this ${title}.`);
    case 403:
      return forbiddenError(status, reported, title);
    case 404:
      return new GatewayError("not_found", `There is no ${missingOf(status, target)}.`);
    case 409:
      return new GatewayError("conflict", conflictMessage(status, title));
    case 422:
      return invalidError(status, reported, title);
    default:
      return otherError(answer, status);
  }
}

function missingOf({ details }: KubeStatus, { resource, name, namespace }: ObjectPath): string {
  if (details?.kind === "namespaces") return `namespace ${namespace ?? ""}`.trim();
  return name === undefined ? resources[resource].title : `${resources[resource].title} \`${name}\``;
}

function conflictMessage({ reason }: KubeStatus, title: string): string {
  if (reason === "AlreadyExists") return `There is a ${title} of this name already.`;
  return `The ${title} was changed by somebody else meanwhile: read it again.`;
}

/**
 * A 403 has many meanings. What our own identity may not do is our fault and says nothing to the caller; the other ones are
 * Gardener's way to refuse an input or a state, with the allowed values in the text.
 */
function forbiddenError(status: KubeStatus, reported: string, title: string): GatewayError {
  const { message = "", details } = status;
  if (isAboutOurRights(message)) {
    return new GatewayError(
      "backend_error",
      `Gardener does not let the gateway do this with a ${title} (403): its role lacks the right.`,
    );
  }
  if (details?.causes?.some(({ reason }) => reason === "NamespaceTerminating")) {
    return new GatewayError("conflict", "The namespace is being deleted.");
  }
  if (/exceeded quota|quota exceeded|quota limits exceeded/i.test(message)) {
    return new GatewayError("quota_exceeded", "A quota of the cluster project is used up.");
  }
  if (message.includes("confirmation.gardener.cloud/deletion")) {
    return new GatewayError(
      "conflict",
      `The ${title} is protected: its deletion must be confirmed first, by \`force\` or \`prepare_delete\`.`,
    );
  }
  return new GatewayError("invalid_request", `Gardener refuses this ${title}${fieldClause(reported)}.`);
}

/** Whether a 403 is about the identity of the request, in the forms that Kubernetes' authorizers write. */
function isAboutOurRights(message: string): boolean {
  return (
    message === "" ||
    /\b(?:User|user) "[^"]*"|\bcannot \w+ (?:resource|path) "|system:(?:anonymous|serviceaccount)|RBAC/.test(message)
  );
}

/** A field with what is wrong with it, in plain words or by the values that are supported, as Kubernetes writes them. */
const fieldFault =
  /\b(spec(?:\.[A-Za-z]+|\[[\w-]+\])+): (Unsupported|Invalid|Required|Duplicate|Not found|Forbidden)[ \w]*(?:: [^:;,\]]{1,200}: supported values: ((?:"[\w.+-]{1,80}"(?:, )?){1,50})|: ([a-z][a-z '-]{2,120})(?=[.,;\]]|$))?/g;

/** Returns the fields that are at fault, ten at most; nothing more of the text: it names plugins, objects and schemas. */
function fieldClause(reported: string): string {
  const faults = [...reported.matchAll(fieldFault)].slice(0, 10).map(([, field = "", fault = "", values, words]) => {
    const detail = values === undefined ? words : `supported values: ${values}`;
    return `\`${field}\` is ${fault.toLowerCase()}${detail === undefined ? "" : `; ${detail}`}`;
  });
  return faults.length === 0 ? "" : `: ${faults.join(", ")}`;
}

/** States that Gardener reports as invalid input. */
const stateWords = /no kube-apiserver advertised addresses|is not ready|has a deletion timestamp|being deleted/i;

function invalidError(status: KubeStatus, reported: string, title: string): GatewayError {
  if (stateWords.test(status.message ?? "")) {
    return new GatewayError("conflict", `The ${title} is not ready for this yet.`);
  }
  return new GatewayError("invalid_request", `Gardener refuses this ${title}${fieldClause(reported)}.`);
}

function otherError({ status: code }: KubeAnswer, { reason, details }: KubeStatus): GatewayError {
  if (code === 401) {
    return new GatewayError("backend_error", "Gardener does not accept the gateway's credentials (401).");
  }
  const seconds = details?.retryAfterSeconds;
  const hint = seconds === undefined ? {} : { retryAfterMs: seconds * 1_000 };
  if (code === 504) return new GatewayError("backend_timeout", "Gardener did not finish in time (504).", hint);
  return new GatewayError(
    "backend_error",
    `Gardener answered ${code}${reason === undefined ? "" : ` ${reason}`}.`,
    hint,
  );
}

/** A 422 without causes: one of the `test`s of a JSON patch failed, since somebody else has changed the object. */
export function isFailedTest(answer: KubeAnswer): boolean {
  if (answer.status !== 422) return false;
  const { details } = readStatus(answer) ?? {};
  return details?.causes === undefined && details?.name === undefined;
}
