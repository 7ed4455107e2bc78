import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";

/** A credential of a provider as the list has it. */
export type Credential = AnswerOf<Areas["ai"]["credentials"]>[number];

/** A credential that was set in the portal: it can be changed here. */
export type OwnCredential = Credential & { readonly id: string };

/** What a credential is used for, as a form holds it. */
export interface UseDraft {
  readonly weight: string;
  /** Names or patterns, separated by commas or lines; empty for all. */
  readonly models: string;
  readonly blocked: string;
}

/** What a form shows of a credential. */
export function toUse({ weight, models, blocked_models }: Partial<Credential> = {}): UseDraft {
  return {
    weight: weight === undefined ? "" : String(weight),
    models: (models ?? []).join(", "),
    blocked: (blocked_models ?? []).join(", "),
  };
}

/** True for a share that the gateway takes; empty for the usual one. */
export function isWeightValid(weight: string): boolean {
  if (weight.trim() === "") return true;
  const share = Number(weight);
  return Number.isFinite(share) && share >= 0 && share <= 1_000_000;
}

/** The names of a field, each once. */
export function readNames(typed: string): string[] {
  const names = typed.split(/[,\n]/).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

/** What a draft stands for; an empty field is not sent. */
export function readUse({ weight, models, blocked }: UseDraft) {
  const [allowed, blocked_models] = [readNames(models), readNames(blocked)];
  return {
    ...(weight.trim() === "" ? {} : { weight: Number(weight) }),
    ...(allowed.length === 0 ? {} : { models: allowed }),
    ...(blocked_models.length === 0 ? {} : { blocked_models }),
  };
}

/** What a draft changes of a credential: an emptied field is null, an unchanged one is not sent. */
export function changedUse(draft: UseDraft, before: Credential) {
  const first = toUse(before);
  const next = readUse(draft);
  return {
    ...(draft.weight === first.weight ? {} : { weight: next.weight ?? null }),
    ...(draft.models === first.models ? {} : { models: next.models ?? null }),
    ...(draft.blocked === first.blocked ? {} : { blocked_models: next.blocked_models ?? null }),
  };
}
