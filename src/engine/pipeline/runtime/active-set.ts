/** A member of an active set; the set owns `slot`. */
export interface ActiveMember {
  slot: number;
}

/** Is told when a set is no longer empty, and when it is again. */
export interface ActiveSetWatcher {
  filled(): void;
  emptied(): void;
}

/** The members under way. */
export interface ActiveSet<Member extends ActiveMember> extends Iterable<Member> {
  readonly size: number;
  add(member: Member): void;
  /** Does nothing for one that is not a member. */
  remove(member: Member): void;
  /** Resolves as soon as the set is empty. */
  emptied(): Promise<void>;
}

/**
 * A set of objects that come and go with every request. Not a `Set`: under such traffic that throws its table away every few requests,
 * and the old tables keep the requests of their time alive through every collection of young objects.
 */
export function createActiveSet<Member extends ActiveMember>(watcher?: ActiveSetWatcher): ActiveSet<Member> {
  const members: Member[] = [];
  let waiting: (() => void)[] = [];
  const notifyEmptied = () => {
    const resolvers = waiting;
    waiting = [];
    for (const resolve of resolvers) resolve();
  };
  return {
    get size() {
      return members.length;
    },
    add(member) {
      member.slot = members.length;
      members.push(member);
      if (members.length === 1) watcher?.filled();
    },
    remove(member) {
      if (members[member.slot] !== member) return;
      const last = members.pop() as Member;
      if (last !== member) {
        last.slot = member.slot;
        members[last.slot] = last;
      }
      if (members.length > 0) return;
      watcher?.emptied();
      if (waiting.length > 0) notifyEmptied();
    },
    emptied() {
      return new Promise((resolve) => {
        if (members.length === 0) resolve();
        else waiting.push(resolve);
      });
    },
    [Symbol.iterator]: () => [...members][Symbol.iterator](),
  };
}
