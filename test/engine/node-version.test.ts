import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { refuseNode } from "../../src/engine/node-version.ts";

describe("refuseNode", () => {
  it.each(["22.13.0", "22.13.1", "22.23.3", "23.0.0", "24.21.0", "26.10.0", "100.0.0"])(
    "lets Node %s pass",
    (version) => {
      expect(refuseNode(version)).toBeUndefined();
    },
  );

  it.each(["0.10.48", "18.20.8", "20.20.2", "21.99.0", "22.0.0", "22.12.9"])(
    "refuses Node %s in one sentence",
    (version) => {
      expect(refuseNode(version)).toBe(`tollgate needs Node.js 22.13 or newer; this is ${version}.`);
    },
  );

  it("states the bound of package.json", () => {
    const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(engines.node).toBe(">=22.13");
  });
});
