/** Something with a row of its own. */
interface RowOwner {
  readonly row: number;
}

/** Rows that are compared with each other. */
export interface Space<Owner extends RowOwner> {
  readonly name: string;
  /** Their numbers, in no order. A view: good until the next change. */
  readonly rows: Uint32Array;
  ownerOf(row: number): Owner | undefined;
  add(owner: Owner): void;
  /** Takes one out; the last one moves to its place. */
  remove(owner: Owner): void;
}

const firstRoom = 4;

/** An empty space. */
export function createSpace<Owner extends RowOwner>(name: string): Space<Owner> {
  let numbers = new Uint32Array(firstRoom);
  let count = 0;
  /** Owners by row, with their places among the numbers. */
  const owners = new Map<number, { readonly owner: Owner; context: number }>();
  return {
    name,
    get rows() {
      return numbers.subarray(0, count);
    },
    ownerOf: (row) => owners.get(row)?.owner,
    add(owner) {
      if (count === numbers.length) {
        const more = new Uint32Array(count * 2);
        more.set(numbers);
        numbers = more;
      }
      owners.set(owner.row, { owner, context: count });
      numbers[count++] = owner.row;
    },
    remove({ row }) {
      const owned = owners.get(row);
      if (!owned) return;
      owners.delete(row);
      const last = numbers[--count] as number;
      numbers[owned.context] = last;
      const moved = owners.get(last);
      if (moved) moved.context = owned.context;
    },
  };
}
