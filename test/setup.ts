import { afterAll, vi } from "vitest";
import { endFile, genuine } from "./after-file.ts";

// Runs before every test file. Files of the fast suite share what is global, too: what one puts in its place is gone for the next.
afterAll(async () => {
  await endFile();
  vi.restoreAllMocks();
  vi.useRealTimers();
  Object.assign(globalThis, genuine);
});
