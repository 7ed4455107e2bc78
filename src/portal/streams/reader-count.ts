import { GatewayError } from "../../engine/errors.ts";

/** Streams of one user, and of all, at once. */
interface ReaderBounds {
  readonly mostOfUser: number;
  readonly mostOfAll: number;
}

/** Counts the open streams of users, in this process. */
export function createReaderCount({ mostOfUser, mostOfAll }: ReaderBounds) {
  const counts = new Map<string, number>();
  return {
    /** Throws `concurrency_limited` where there is no room for another. */
    check(user: string) {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      if ((counts.get(user) ?? 0) < mostOfUser && all < mostOfAll) return;
      const message = `Too many streams of this kind are open: at most ${mostOfUser} of one user.`;
      throw new GatewayError("concurrency_limited", message);
    },
    add(user: string, more: number) {
      const count = (counts.get(user) ?? 0) + more;
      if (count > 0) counts.set(user, count);
      else counts.delete(user);
    },
  };
}
