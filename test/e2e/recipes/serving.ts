import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine, type Engine } from "tollgate";
import { type Script, scriptedProviders } from "tollgate/testing";

/** What recipes ask. */
export const model = "openai/gpt-5-mini";
export const question = "What is a toll?";
export const script: Script = { [model]: [{ kind: "answer", text: "A fee for the road." }] };
export const chat = { model, messages: [{ role: "user", content: question }] };

/** What a test leaves to be closed. */
export const closers: (() => unknown)[] = [];
/** Closes it. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

/** An engine over a script on the machine's own clock, as servers with sockets need it. */
export function servingEngine(steps: Script = script): Engine {
  const engine = createEngine({ providers: scriptedProviders(steps).providers });
  closers.push(() => engine.close());
  return engine;
}

/** Serves on a free port; resolves with the address. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
