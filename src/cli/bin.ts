#!/usr/bin/env node
import { refuseNode } from "../engine/node-version.ts";

// Kept apart from main.ts, so that an old Node parses and runs this much and says what it lacks.
const refusal = refuseNode(process.versions.node);
if (refusal === undefined) {
  await import("./main.ts");
} else {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 1;
}
