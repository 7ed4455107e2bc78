import { balanceLow, budgetUsed } from "./budgets.ts";
import { circuitOpen, errorRate, limitRefused } from "./requests.ts";
import type { AlertSources } from "./source.ts";
import { backupFailed, keyExpiring, tokenExpiring } from "./stored.ts";

/** What alert rules watch. A new kind is a row here, one of `alertKinds`, and its texts. */
export const alertSources: AlertSources = {
  budget_used: budgetUsed,
  balance_low: balanceLow,
  limit_refused: limitRefused,
  key_expiring: keyExpiring,
  token_expiring: tokenExpiring,
  error_rate: errorRate,
  circuit_open: circuitOpen,
  backup_failed: backupFailed,
};
