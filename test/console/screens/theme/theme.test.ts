import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  changesOf,
  contrastBetween,
  contrastPairs,
  leastContrast,
  longColor,
} from "../../../../console/src/screens/theme/contrast.ts";
import { checkContrast, contrastOf, readColor } from "../../../../src/portal/themes/change-theme.ts";

const digits = fc.stringMatching(/^[0-9a-fA-F]+$/);
const color = fc.oneof(
  fc.stringMatching(/^#[0-9a-f]{6}$/),
  fc.stringMatching(/^#[0-9A-F]{3}$/),
  digits.map((one) => `#${one}`),
  fc.string({ maxLength: 8 }),
);

describe("the contrast that the editor shows", () => {
  it("is the one that the gateway judges by", () => {
    fc.assert(
      fc.property(color, color, (one, other) => {
        const [front, back] = [readColor(one), readColor(other)];
        expect(contrastBetween(one, other)).toEqual(front && back ? contrastOf(front, back) : undefined);
      }),
    );
  });

  it("blocks saving where the gateway would refuse, and only there", () => {
    const names = ["text", "background", "surface", "primary", "danger"] as const;
    const colors = fc.record(Object.fromEntries(names.map((name) => [name, fc.stringMatching(/^#[0-9a-f]{6}$/)])));
    fc.assert(
      fc.property(colors, (chosen) => {
        const isRefused = (() => {
          try {
            checkContrast({ colors: chosen });
            return false;
          } catch {
            return true;
          }
        })();
        const isUnfit = contrastPairs.some(
          ([front, back]) => (contrastBetween(chosen[front] ?? "", chosen[back] ?? "") ?? 0) < leastContrast,
        );
        expect(isUnfit).toBe(isRefused);
      }),
    );
  });
});

it("a picker gets six digits, and the same colour", () => {
  fc.assert(
    fc.property(color, (one) => {
      const long = longColor(one);
      expect(long === undefined).toBe(readColor(one) === undefined);
      if (long !== undefined) expect(readColor(long)).toEqual(readColor(one));
    }),
  );
});

it("only what differs is sent, and a removed logo as null", () => {
  const counting = {
    name: "tollgate",
    colors: { primary: "#4455d0", text: "#1b1f28" },
    logo: "data:image/png;base64,a",
  };
  expect(changesOf(counting, counting)).toEqual({});
  expect(changesOf({ ...counting, colors: { ...counting.colors, primary: "#000" } }, counting)).toEqual({
    colors: { primary: "#000" },
  });
  expect(changesOf({ ...counting, name: "shop", logo: undefined }, counting)).toEqual({ name: "shop", logo: null });
});
