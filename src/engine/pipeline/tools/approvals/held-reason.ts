/** Why a tool is held back until it is approved. */
export type HeldReason = "new" | "changed";
