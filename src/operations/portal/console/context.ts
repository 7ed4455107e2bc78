import { z } from "zod";
import { op } from "../../define.ts";

/** Who the caller is. */
export const context = {
  get: op("GET /context", "context-get", "Read who the caller is and where", {
    out: z.record(z.string(), z.unknown()),
  }),
};
