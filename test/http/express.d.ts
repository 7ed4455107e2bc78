/** The part of Express that the tests mount in; the package brings no types of its own. */
declare module "express" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

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
  const express: Express;
  // biome-ignore lint/style/noDefaultExport: it is how Express exports itself
  export default express;
}
