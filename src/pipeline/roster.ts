/** Something that a roster holds; `place` is the roster's own. */
export interface Enrolled {
  place: number;
}

/** Who is under way. */
export interface Roster<Member extends Enrolled> extends Iterable<Member> {
  readonly size: number;
  add(member: Member): void;
  /** Does nothing for one that is not on the roster. */
  remove(member: Member): void;
  /** Resolves as soon as nobody is on it. */
  emptied(): Promise<void>;
}

/**
 * A set of objects that come and go with every request. Not a `Set`: under such traffic that throws its table away every few requests,
 * and the old tables keep the requests of their time alive through every collection of young objects.
 */
export function createRoster<Member extends Enrolled>(): Roster<Member> {
  const members: Member[] = [];
  let waiting: (() => void)[] = [];
  const tellEmptied = () => {
    const told = waiting;
    waiting = [];
    for (const resolve of told) resolve();
  };
  return {
    get size() {
      return members.length;
    },
    add(member) {
      member.place = members.length;
      members.push(member);
    },
    remove(member) {
      if (members[member.place] !== member) return;
      const last = members.pop() as Member;
      if (last !== member) {
        last.place = member.place;
        members[last.place] = last;
      }
      if (members.length === 0 && waiting.length > 0) tellEmptied();
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
