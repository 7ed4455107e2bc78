import type { Calibration, CalibrationRequest, CalibrationResult } from "../../api/calibrations/calibrations.ts";
import { GatewayError } from "../../errors.ts";
import type { Store } from "../../ports/store.ts";
import type { CallOptions } from "../call/options.ts";
import { type GuardedRecords, guardRecords } from "../runtime/port-call.ts";
import type { Ports } from "../runtime/ports.ts";
import type { AskModel, CalibrationProgress } from "./samples.ts";

/** Which page of the calibration maps, oldest first. */
export interface CalibrationQuestion {
  /** Only those of a model, `provider/model`. */
  readonly model?: string | undefined;
  /** 1 to 1,000; 100 unless given. */
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/** How maps are fitted. */
export interface CalibrationOptions extends CallOptions {
  /** Called after each case. */
  readonly onProgress?: CalibrationProgress | undefined;
}

/** Calibration maps of models and questions; `invalid_configuration` without a store. */
export interface Calibrations {
  /**
   * Fits maps to labelled answers, one for each question, and stores those that are better than the model's own probabilities; at least
   * ten answers each. The model is asked where none is recorded, which is billed as any decision.
   */
  fit(request: CalibrationRequest, options?: CalibrationOptions): Promise<CalibrationResult>;
  get(id: string): Promise<Calibration>;
  list(
    question?: CalibrationQuestion,
  ): Promise<{ readonly items: readonly Calibration[]; readonly next?: string | undefined }>;
  /** Answers are the model's own from the next decision on. */
  remove(id: string): Promise<void>;
}

/** The calibration maps of an engine. What fits them is loaded with the first fit: most programs have none. */
export function calibrationsOf(
  ports: Ports,
  store: Store | undefined,
  decide: (request: Parameters<AskModel>[0], options: CallOptions) => ReturnType<AskModel>,
): Calibrations {
  const { clock } = ports;
  const opened = (): GuardedRecords => {
    if (store) return guardRecords(store.records, ports.accounting.timeouts.long);
    const message = '`store`: calibration maps need one, e.g. `sqliteStore("tollgate.db")`.';
    throw new GatewayError("invalid_configuration", message, { param: "store" });
  };
  return {
    async fit(request, { onProgress, ...options } = {}) {
      const records = opened();
      const { fitCalibrations } = await import("./registry.ts");
      return fitCalibrations({ records, clock, ask: (asked) => decide(asked, options) }, request, onProgress);
    },
    async get(id) {
      const found = await opened().get("calibration", String(id));
      if (!found) throw unknownMap(id);
      return found.record;
    },
    async list({ model, limit = 100, after } = {}) {
      if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) throw badLimit();
      const where = model === undefined ? {} : { model };
      const { records, next } = await opened().list("calibration", { where, limit, after });
      return { items: records.map(({ record }) => record), ...(next === undefined ? {} : { next }) };
    },
    async remove(id) {
      const { kind } = await opened().remove("calibration", String(id));
      if (kind === "missing") throw unknownMap(id);
    },
  };
}

function unknownMap(id: string): GatewayError {
  return new GatewayError("not_found", `There is no calibration \`${id}\`.`, { param: "id" });
}

function badLimit(): GatewayError {
  const message = "`limit`: must be a whole number from 1 to 1000";
  return new GatewayError("invalid_request", message, { param: "limit" });
}
