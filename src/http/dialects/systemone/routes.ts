import type { RoutePattern } from "../../../operations/define.ts";
import type { VendorDialect } from "../shared/dialect.ts";

/** Method and path of each operation of System One's interface: under its own prefix, and where its clients look on a gateway. */
export const routes = {
  systemone_decide: "POST /systemone/v1/systemone",
  systemone_models: "GET /systemone/v1/models",
  decide_systemone: "POST /v1/systemone",
} as const satisfies Record<string, RoutePattern>;

/** The interface that vendors of decision models share (System One). Its errors have the shape of ours. */
export const systemone: VendorDialect<keyof typeof routes> = {
  prefix: "/systemone/",
  routes,
  load: () => import("./handlers.ts"),
};
