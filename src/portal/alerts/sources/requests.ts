import type { AlertContext, AlertFinding, AlertSource } from "./source.ts";

const everyMs = 30_000;

/** A key of which requests were refused by a limit. */
export const limitRefused: AlertSource = {
  ...{ permission: "ai_requests-get", isShared: false, everyMs },
  defaults: { minutes: 15, min_requests: 1 },
  async find({ activity, records, params: { minutes = 0, min_requests: fewest = 1 }, now }) {
    const refused = [...activity.refusals(minutes, now)].filter(([, { bad }]) => bad >= fewest);
    const found = await Promise.all(
      refused.map(async ([id, { bad, last }]): Promise<AlertFinding[]> => {
        const key = (await records.get("key", id))?.record;
        const params = { name: key?.name ?? id, count: bad, minutes, reason: last };
        return key ? [{ key: id, subject: id, params, link: `/ai/keys/${id}` }] : [];
      }),
    );
    return found.flat();
  },
};

/** A target of which a share of the attempts failed. */
export const errorRate: AlertSource = {
  ...{ permission: "ai_health-get", isShared: false, everyMs },
  defaults: { percent: 20, minutes: 5, min_requests: 20, target: undefined },
  async find({ activity, params, now }) {
    const { percent = 0, minutes = 0, min_requests: fewest = 1 } = params;
    return [...activity.attempts(minutes, now)]
      .filter(([target, { all, bad }]) => isWanted(params, target) && all >= fewest && bad * 100 >= all * percent)
      .map(([target, { all, bad }]) => ({
        ...{ key: target, subject: target, link: "/ai/health" },
        params: { name: target, percent: Math.floor((bad * 100) / all), count: all, minutes },
      }));
  },
};

/** A target whose circuit is not closed. */
export const circuitOpen: AlertSource = {
  ...{ permission: "ai_health-get", isShared: false, everyMs },
  defaults: { target: undefined },
  async find({ engine, params }) {
    return engine
      .health()
      .filter(({ target, state }) => state !== "closed" && isWanted(params, target))
      .map(({ target, inARow }) => ({
        ...{ key: target, subject: target, link: "/ai/health" },
        params: { name: target, count: inARow },
      }));
  },
};

/** True for a target that the rule names, alone or by its provider; for every one where it names none. */
function isWanted({ target: wanted }: AlertContext["params"], target: string): boolean {
  return wanted === undefined || target === wanted || target.startsWith(`${wanted}/`);
}
