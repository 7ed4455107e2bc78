import type { AnswerListQuestion, AnswerPage, CachedAnswer, ListedAnswer } from "../../src/engine/ports/answers.ts";

/** The place of an answer in the order of a list: when it expires, then its id. */
export type AnswerPlace = Pick<ListedAnswer, "expiresAt" | "id">;

/** Reads `after`; the beginning where it is absent or unreadable. */
export function readPlace(after: string | undefined): AnswerPlace {
  const colon = after?.indexOf(":") ?? -1;
  const expiresAt = Number(after?.slice(0, colon));
  if (after === undefined || colon < 1 || !Number.isFinite(expiresAt)) return { expiresAt: 0, id: "" };
  return { expiresAt, id: after.slice(colon + 1) };
}

/** True for an answer behind a place. */
export function isBehind(answer: AnswerPlace, place: AnswerPlace): boolean {
  return answer.expiresAt === place.expiresAt ? answer.id > place.id : answer.expiresAt > place.expiresAt;
}

/** Cuts a page out of answers, which are in any order. */
export function cutAnswers(answers: readonly ListedAnswer[], { limit, after, now }: AnswerListQuestion): AnswerPage {
  const place = readPlace(after);
  const left = answers
    .filter((answer) => answer.expiresAt > now && isBehind(answer, place))
    .sort((one, other) => (isBehind(one, other) ? 1 : -1));
  const shown = left.slice(0, limit);
  const last = shown.at(-1);
  return left.length > limit && last ? { answers: shown, next: `${last.expiresAt}:${last.id}` } : { answers: shown };
}

/** Returns what a list shows of an answer. */
export function showListed({ provider, deployment, cost, storedAt, expiresAt }: CachedAnswer) {
  return { provider, deployment, cost, storedAt, expiresAt };
}
