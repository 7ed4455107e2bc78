/** Memory that the kernel and JavaScript both see. */
export interface WasmMemory {
  /** Another object after every growth; views of the one before are dead. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** As much of WebAssembly as is used here: its types come with those of browsers, which this package is not built with. */
interface WebAssemblyApi {
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, WasmMemory>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

/** Node's WebAssembly. The cast is the seam to the missing types. */
export const { Memory, Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi })
  .WebAssembly;
