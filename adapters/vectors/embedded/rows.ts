import { blockRows, createKernel, headHeader, type Kernel, memoryOffsets, roundBytes } from "./kernel.ts";
import { dotPlanes, measure, type Planes, quantiseRow, type VectorShape } from "./quantise.ts";
import { Memory, type WasmMemory } from "./webassembly.ts";

/** How rows of one length lie in memory, in bytes. */
export interface RowLayout {
  /** Of all parts, as many as are dimensions, and zeros up to whole rounds. */
  readonly plane: number;
  /** Parts that are looked at first. */
  readonly head: number;
  readonly tail: number;
}

/** Rows of one length. The upper plane is where the kernel sees it, the lower one beside it, block by block. */
export interface VectorRows {
  readonly layout: RowLayout;
  readonly scan: Kernel;
  /** What the kernel works on; another one after rows were added. */
  readonly buffer: ArrayBuffer;
  /** What the cosine of any row by its upper plane may be wrong by; of rows that are gone, too. */
  readonly slack: number;
  /** What must be known of a vector before it is written or looked for; `undefined` when it has no direction. */
  measure(vector: ArrayLike<number>): VectorShape | undefined;
  /** Writes a vector's direction; gives the row's number. */
  add(vector: ArrayLike<number>, shape: VectorShape): number;
  /** Gives a row's place free. */
  remove(row: number): void;
  /** The dot product of a vector and a row's direction, from both planes: right to about 0.00001 of the vector's length. */
  dot(vector: ArrayLike<number>, row: number): number;
}

/** The part of a row that is looked at first: enough to see that most rows are far from what is asked. */
const headShare = 1 / 4;

const pageBytes = 65_536;
const mostPages = 65_536;

/** No rows yet. */
export function createRows(dimensions: number): VectorRows {
  const memory = new Memory({ initial: 1, maximum: mostPages });
  const layout = layoutOf(dimensions);
  const lowers: Int8Array[] = [];
  const free: number[] = [];
  let used = 0;
  let slack = 0;
  const { head, plane } = layout;
  // Kept for the next vector: objects over memory outside V8's heap are dear to get.
  const upper = new Int8Array(plane);
  const [front, rest] = [upper.subarray(0, head), upper.subarray(head)];
  let bytes = new Int8Array(memory.buffer);
  let reals = new Float32Array(memory.buffer);
  return {
    layout,
    scan: createKernel(memory),
    get buffer() {
      return memory.buffer;
    },
    get slack() {
      return slack;
    },
    measure: (vector) => measure(vector, layout.head),
    add(vector, shape) {
      const row = free.pop() ?? used++;
      if (row >= lowers.length * blockRows) {
        addBlock(memory, layout, lowers);
        bytes = new Int8Array(memory.buffer);
        reals = new Float32Array(memory.buffer);
      }
      const written = quantiseRow(vector, shape, { upper, ...lowerOf(lowers, row, plane) });
      slack = Math.max(slack, written.slack);
      const { headAt, tailAt } = scopesOf(layout, row);
      reals.set([written.scale * 256, shape.tail], headAt / 4);
      bytes.set(front, headAt + headHeader);
      bytes.set(rest, tailAt);
      return row;
    },
    remove: (row) => void free.push(row),
    dot(vector, row) {
      const { headAt, tailAt } = scopesOf(layout, row);
      const { lower, lowerAt } = lowerOf(lowers, row, plane);
      const front = headAt + headHeader;
      const before = { upper: bytes.subarray(front, front + head), lower, lowerAt };
      const behind = { upper: bytes.subarray(tailAt, tailAt + layout.tail), lower, lowerAt: lowerAt + head };
      return ((dotPlanes(vector, 0, before) + dotPlanes(vector, head, behind)) * (reals[headAt / 4] as number)) / 256;
    },
  };
}

function layoutOf(dimensions: number): RowLayout {
  const rounds = Math.ceil(dimensions / roundBytes);
  const plane = rounds * roundBytes;
  const head = Math.ceil(rounds * headShare) * roundBytes;
  return { plane, head, tail: plane - head };
}

/** Bytes of a block: as many heads, with their headers, as tails. */
export function blockBytes({ head, tail }: RowLayout): number {
  return blockRows * (headHeader + head + tail);
}

/** Makes room for one block, and in the kernel's memory for some ahead: every growth makes V8 look through the whole heap. */
function addBlock(memory: WasmMemory, layout: RowLayout, lowers: Int8Array[]): void {
  const present = memory.buffer.byteLength;
  const needed = memoryOffsets.blocks + (lowers.length + 1) * blockBytes(layout) - present;
  const ahead = Math.min(present / 8, mostPages * pageBytes - present);
  if (needed > 0) memory.grow(Math.ceil(Math.max(needed, ahead) / pageBytes));
  lowers.push(new Int8Array(blockRows * layout.plane));
}

function scopesOf(layout: RowLayout, row: number): { readonly headAt: number; readonly tailAt: number } {
  const { head, tail } = layout;
  const blockAt = memoryOffsets.blocks + Math.floor(row / blockRows) * blockBytes(layout);
  const within = row % blockRows;
  const headStride = headHeader + head;
  return { headAt: blockAt + within * headStride, tailAt: blockAt + blockRows * headStride + within * tail };
}

function lowerOf(lowers: readonly Int8Array[], row: number, plane: number): Pick<Planes, "lower" | "lowerAt"> {
  const lower = lowers[Math.floor(row / blockRows)] as Int8Array; // a row that was added has its block
  return { lower, lowerAt: (row % blockRows) * plane };
}
