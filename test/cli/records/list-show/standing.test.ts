import { expect, it } from "vitest";
import { writeLimitUsage } from "../../../../src/cli/records/list-show.ts";
import type { LimitUsage } from "../../../../src/engine/policy/limit-usage.ts";

const standing = (used: number, reserved: number, parts: Partial<LimitUsage> = {}): LimitUsage => ({
  level: "key",
  owner: "vk",
  unit: "cost",
  max: 1,
  duration: "1d",
  is_hard: true,
  is_calendar: false,
  used,
  reserved,
  left: 1 - used - reserved,
  resets_at: Date.UTC(2026, 0, 1),
  is_used_up: false,
  ...parts,
});
const lines = (...limits: readonly LimitUsage[]) =>
  writeLimitUsage(limits)
    .trimEnd()
    .split("\n")
    .map((line) => line.trim().split(/ {2,}/));

it("limits tell what is used and left", () => {
  expect(lines(standing(0.25, 0))).toEqual([
    ["LEVEL", "LIMIT", "USED", "LEFT", "RESETS"],
    ["key", "$1 per 1d (hard)", "$0.25", "$0.75", "2026-01-01 00:00 UTC"],
  ]);
});

it("and what calls under way have reserved, where any have", () => {
  const requests = { level: "project", unit: "requests", max: 5, used: 1, left: 4, is_hard: false } as const;
  expect(lines(standing(0.25, 0.5), standing(0, 0, requests))).toEqual([
    ["LEVEL", "LIMIT", "USED", "RESERVED", "LEFT", "RESETS"],
    ["key", "$1 per 1d (hard)", "$0.25", "$0.5", "$0.25", "2026-01-01 00:00 UTC"],
    ["project", "5 requests per 1d", "1", "0", "4", "2026-01-01 00:00 UTC"],
  ]);
});
