import { z } from "zod";
import { op } from "../../define.ts";
import { instant } from "../fields.ts";

/** A record that a search has found: the dashboard that shows it, and the operation that reads it. */
export const SearchResult = z.object({
  area: z.string(),
  id: z.string(),
  name: z.string(),
  hint: z.string().optional(),
  path: z.string(),
});
export type SearchResult = z.output<typeof SearchResult>;

const bytes = z.int();

/** Whether the gateway can take calls. All but `status` is for the provider only. */
export const SystemStatus = z.object({
  status: z.enum(["ready", "draining", "unavailable"]),
  /** Requests under way in the process that answers. */
  in_flight: z.int().optional(),
  /** What calls depend on: `store`, `counters`, `recovery` and `ledger`, with how long their answers took, and rows of the ledger that wait or were lost. */
  checks: z
    .record(
      z.string(),
      z.object({
        status: z.enum(["ok", "failed"]),
        milliseconds: z.number(),
        message: z.string().optional(),
        waiting: z.int().optional(),
        on_disk: z.int().optional(),
        lost: z.int().optional(),
      }),
    )
    .optional(),
  version: z.string().optional(),
  /** The process that answers; `uptime` in seconds, memory in bytes. */
  process: z
    .object({
      pid: z.int(),
      node: z.string(),
      started_at: instant,
      uptime: z.int(),
      memory: z.object({ rss: bytes, heap_used: bytes, heap_total: bytes }),
    })
    .optional(),
  /** The kind of the store, and the version of its schema; absent for one in memory. */
  store: z.object({ kind: z.string(), version: z.int() }).optional(),
});
export type SystemStatus = z.output<typeof SystemStatus>;

/** Who the caller is, what it can find, and how the gateway is. */
export const context = {
  system: op("GET /system", "system-get", "Read whether the gateway can take calls, and what it runs on", {
    out: SystemStatus,
    isExtension: true,
  }),
  get: op("GET /context", "context-get", "Read who the caller is and where", {
    out: z.record(z.string(), z.unknown()),
  }),
  search: op("GET /search", "search-get", "Find keys, projects, customers, users and roles by name or id", {
    in: { q: z.string().min(1).max(200), limit: z.int().min(1).max(100).optional() },
    out: z.array(SearchResult),
    isExtension: true,
  }),
};
