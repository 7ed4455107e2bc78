/** A process of the gateway: sizes in bytes, `started_at` in milliseconds since the epoch. */
export interface ProcessFacts {
  readonly version?: string | undefined;
  readonly pid: number;
  readonly node: string;
  readonly started_at: number;
  readonly memory: { readonly rss: number; readonly heap_used: number; readonly heap_total: number };
}
