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
}

/**
 * A set of objects that come and go with every request. Not a `Set`: under such traffic that throws its table away every few requests,
 * and the old tables keep the requests of their time alive through every collection of young objects.
 */
export function createRoster<Member extends Enrolled>(): Roster<Member> {
  const members: Member[] = [];
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
      if (last === member) return;
      last.place = member.place;
      members[last.place] = last;
    },
    [Symbol.iterator]: () => [...members][Symbol.iterator](),
  };
}
