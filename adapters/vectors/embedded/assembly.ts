/**
 * The few words of WebAssembly that the kernel is written in, and what turns them into the bytes of a module (WebAssembly core
 * specification, chapter 5, "Binary format"). Not a compiler: each word is one instruction, written where the stack machine meets it.
 */
export type Code = readonly number[];

/** An unsigned number in LEB128. */
function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
}

/** A signed number in LEB128. */
function signed(value: number): Code {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const byte = rest & 0x7f;
    const isLast = rest >> 6 === 0 || rest >> 6 === -1;
    bytes.push(isLast ? byte : byte | 0x80);
    if (isLast) return bytes;
  }
}

const simd = (...opcode: readonly number[]): Code => [0xfd, ...opcode];
/** Alignment (as a power of two) and offset of an access to memory. */
const at = (alignment: number, offset = 0): Code => [alignment, ...unsigned(offset)];

/** Instructions by their names in the text format. */
export const wasm = {
  get: (local: number): Code => [0x20, ...unsigned(local)],
  set: (local: number): Code => [0x21, ...unsigned(local)],
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  end: [0x0b],
  br: (depth: number): Code => [0x0c, depth],
  brIf: (depth: number): Code => [0x0d, depth],
  i32Const: (value: number): Code => [0x41, ...signed(value)],
  i32Add: [0x6a],
  i32Mul: [0x6c],
  i32And: [0x71],
  i32ShrU: [0x76],
  i32Eqz: [0x45],
  i32Eq: [0x46],
  i32LtU: [0x49],
  i32Load: [0x28, ...at(2)],
  f32Load: (offset = 0): Code => [0x2a, ...at(2, offset)],
  f32Store: [0x38, ...at(2)],
  f32Lt: [0x5d],
  f32Add: [0x92],
  f32Mul: [0x94],
  v128Load: (offset = 0): Code => simd(0x00, ...at(4, offset)),
  v128Zero: simd(0x0c, ...new Array<number>(16).fill(0)),
  /** Eight signed bytes as eight 16-bit numbers: the lower or the upper half of sixteen. */
  i16x8ExtendLow: simd(0x87, 0x01),
  i16x8ExtendHigh: simd(0x88, 0x01),
  /** Products of eight pairs of 16-bit numbers, neighbours added: four 32-bit sums. */
  i32x4Dot: simd(0xba, 0x01),
  i32x4Add: simd(0xae, 0x01),
  f32x4Convert: simd(0xfa, 0x01),
  f32x4Lane: (lane: number): Code => simd(0x1f, lane),
} as const;

/** Types of locals and parameters. */
export const types = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const;

/** A module with one function, which works on an imported memory. */
export interface FunctionModule {
  /** How it is exported. */
  readonly name: string;
  /** Parameters, all i32; it gives nothing back. */
  readonly parameters: number;
  /** Further locals, by type, in order. */
  readonly locals: readonly (readonly [count: number, type: number])[];
  readonly body: readonly Code[];
}

/** The bytes of a module. The memory is imported as `env.memory`. */
export function assemble({ name, parameters, locals, body }: FunctionModule): Uint8Array<ArrayBuffer> {
  const code = [...vector(locals.map(([count, type]) => [...unsigned(count), type])), ...body.flat(), ...wasm.end];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // magic and version
    ...section(1, vector([[0x60, ...vector(Array.from({ length: parameters }, () => [types.i32])), 0x00]])),
    ...section(2, vector([[...text("env"), ...text("memory"), 0x02, 0x00, 0x00]])),
    ...section(3, vector([[0x00]])),
    ...section(7, vector([[...text(name), 0x00, 0x00]])),
    ...section(10, vector([[...unsigned(code.length), ...code]])),
  ]);
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): Code {
  return vector([...Buffer.from(value)].map((byte) => [byte]));
}
