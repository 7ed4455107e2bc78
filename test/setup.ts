import { afterAll } from "vitest";
import { endFile } from "./after-file.ts";

// Runs before every test file, whether or not files share their modules.
afterAll(endFile);
