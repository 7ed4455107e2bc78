/** What the vendor still works on. */
const underWay: ReadonlySet<unknown> = new Set(["queued", "in_progress"]);

/** True for a response of the Responses API that is not done yet: it is queued, or in progress. */
export function isUnderWay({ status }: Readonly<Record<string, unknown>>): boolean {
  return underWay.has(status);
}
