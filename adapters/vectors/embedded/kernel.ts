import { assemble, type Code, types, wasm } from "./assembly.ts";
import { Instance, Module, type WasmMemory } from "./webassembly.ts";

/** Bytes that one instruction reads. */
const width = 16;

/** Bytes of a row that one round of the kernel compares; it takes twice as many of the question, whose parts are 16 bits wide. */
export const roundBytes = 64;

/** Bytes in front of a head: the row's scale, the length of its tail, both float32, and what keeps the parts aligned. */
export const headHeader = 16;

/** Rows of a block. A block holds all heads, then all tails: a scan of the heads reads one range. */
export const blockRows = 1_024;

/** Where the kernel's inputs lie, all in the first page: the question, its terms, the rows' numbers, room for their scores. */
export const memoryOffsets = { question: 0, settings: 16_384, list: 16_416, scores: 40_976, blocks: 65_536 } as const;

/** The terms of a question, by their place: bytes of a head with its header, of a tail, of a block; then as float32 the score that is
 * needed, and the length of the question's tail. */
export const scalesAt = {
  head: memoryOffsets.settings,
  tail: memoryOffsets.settings + 4,
  block: memoryOffsets.settings + 8,
  needed: memoryOffsets.settings + 12,
  tailLength: memoryOffsets.settings + 16,
} as const;

/** Rows that one call takes at most: what list and scores have room for. */
export const batchRows = (memoryOffsets.scores - memoryOffsets.list) / 4;

/** Dimensions at most: what the question has room for. */
export const mostDimensions = (memoryOffsets.settings - memoryOffsets.question) / 2;

/** Compares the question with the first `count` rows of the list. */
export type Kernel = (count: number) => void;

const count = 0;
const [list, end, number, block, row, part, stop, requested, raw, sum, read, score] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
] as const;
const { get, set, v128Load, f32x4Lane, i32Const, f32Load } = wasm;

/** A term as a whole number, and as float32. */
const term = (address: number): Code => [...i32Const(address), ...wasm.i32Load];
const realTerm = (address: number): Code => [...i32Const(address), ...f32Load()];

/** Adds the products of sixteen parts, `offset` bytes into the round. */
const addParts = (offset: number): readonly Code[] => [
  [...get(part), ...v128Load(offset), ...set(read)],
  [...get(read), ...wasm.i16x8ExtendLow, ...get(requested), ...v128Load(2 * offset), ...wasm.i32x4Dot],
  [...get(read), ...wasm.i16x8ExtendHigh, ...get(requested), ...v128Load(2 * offset + width), ...wasm.i32x4Dot],
  [...wasm.i32x4Add, ...get(sum), ...wasm.i32x4Add, ...set(sum)],
];

/** Goes on comparing up to `stop`. */
const addRounds: readonly Code[] = [
  wasm.loop,
  ...[0, 1, 2, 3].flatMap((step) => addParts(step * width)),
  [...get(requested), ...i32Const(2 * roundBytes), ...wasm.i32Add, ...set(requested)],
  [...get(part), ...i32Const(roundBytes), ...wasm.i32Add, ...set(part)],
  [...get(part), ...get(stop), ...wasm.i32LtU, ...wasm.brIf(0)],
  wasm.end,
];

/** Sets the score to what the sums amount to: their total, times the row's scale. */
const scoreSums: readonly Code[] = [
  [...get(sum), ...wasm.f32x4Convert, ...set(read)],
  [...get(read), ...f32x4Lane(0), ...get(read), ...f32x4Lane(1), ...wasm.f32Add],
  [...get(read), ...f32x4Lane(2), ...get(read), ...f32x4Lane(3), ...wasm.f32Add, ...wasm.f32Add],
  [...get(row), ...f32Load(), ...wasm.f32Mul, ...set(score)],
];

/**
 * For each row number in the list: the dot product of the row's signed bytes with the question's 16-bit numbers, times the row's scale,
 * as float32. Per sixteen parts of a row that is two widenings, two dot products and two additions; sums are 32 bits wide, so that parts
 * of the question may have 14 bits in up to 8,192 dimensions. A row whose head shows that it cannot come up to the score that is needed
 * (what lies behind the heads adds the product of its lengths at most) is not read further, and has that bound as its score. One row
 * after the other: several side by side are slower where they do not fit the processor's caches (docs/decisions/0012-vectors.md).
 */
const bytesOfModule = assemble({
  name: "scan",
  parameters: 1,
  locals: [
    [9, types.i32],
    [2, types.v128],
    [1, types.f32],
  ],
  body: [
    [...i32Const(memoryOffsets.list), ...set(list), ...i32Const(memoryOffsets.scores), ...set(raw)],
    [...get(list), ...get(count), ...i32Const(4), ...wasm.i32Mul, ...wasm.i32Add, ...set(end)],
    wasm.block,
    wasm.loop, // over the rows
    [...get(list), ...get(end), ...wasm.i32Eq, ...wasm.brIf(1)],
    [...get(list), ...wasm.i32Load, ...set(number)],
    [...get(number), ...i32Const(Math.log2(blockRows)), ...wasm.i32ShrU, ...term(scalesAt.block), ...wasm.i32Mul],
    [...i32Const(memoryOffsets.blocks), ...wasm.i32Add, ...set(block)],
    [...get(number), ...i32Const(blockRows - 1), ...wasm.i32And, ...set(number)],
    [...get(block), ...get(number), ...term(scalesAt.head), ...wasm.i32Mul, ...wasm.i32Add, ...set(row)],
    [...get(row), ...i32Const(headHeader), ...wasm.i32Add, ...set(part)],
    [...get(row), ...term(scalesAt.head), ...wasm.i32Add, ...set(stop)],
    [...i32Const(memoryOffsets.question), ...set(requested), ...wasm.v128Zero, ...set(sum)],
    ...addRounds,
    ...scoreSums,
    wasm.block, // the tail, unless it cannot matter
    [...get(row), ...f32Load(4), ...realTerm(scalesAt.tailLength), ...wasm.f32Mul],
    [...get(score), ...wasm.f32Add, ...set(score)],
    [...get(score), ...realTerm(scalesAt.needed), ...wasm.f32Lt, ...wasm.brIf(0)],
    [...term(scalesAt.tail), ...wasm.i32Eqz, ...wasm.brIf(0)],
    [...get(block), ...term(scalesAt.head), ...i32Const(blockRows), ...wasm.i32Mul, ...wasm.i32Add],
    [...get(number), ...term(scalesAt.tail), ...wasm.i32Mul, ...wasm.i32Add, ...set(part)],
    [...get(part), ...term(scalesAt.tail), ...wasm.i32Add, ...set(stop)],
    ...addRounds,
    ...scoreSums,
    wasm.end,
    [...get(raw), ...get(score), ...wasm.f32Store],
    [...get(raw), ...i32Const(4), ...wasm.i32Add, ...set(raw)],
    [...get(list), ...i32Const(4), ...wasm.i32Add, ...set(list)],
    wasm.br(0),
    wasm.end,
    wasm.end,
  ],
});

let compiled: object | undefined;

/** The kernel over a memory; the module is compiled when it is needed first. */
export function createKernel(memory: WasmMemory): Kernel {
  compiled ??= new Module(bytesOfModule);
  const { exports } = new Instance(compiled, { env: { memory } });
  return exports.scan as Kernel; // as the module says above
}
