import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createRequire } from "node:module";

type Handler = (req: IncomingMessage, res: ServerResponse & { send(text: string): void }, next: () => void) => void;

interface App extends RequestListener {
  use(...handlers: (string | Handler)[]): void;
  get(path: string, handler: Handler): void;
}

interface Express {
  (): App;
  json(): Handler;
  raw(options: { type: string }): Handler;
  text(options: { type: string }): Handler;
}

const require = createRequire(import.meta.url);

/** Express with types for what the tests use of it; the package brings none. */
export const express = require("express") as Express;
