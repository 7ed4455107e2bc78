import { serveWall } from "../testing/wall/server.ts";

// The fault wall as a process of its own, started by startWall(): tells its parent the port, and ends when the parent does.
const clock = {
  now: () => performance.timeOrigin + performance.now(),
  after(ms: number, then: () => void) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

process.once("disconnect", () => process.exit(0));
const { port } = await serveWall(clock, Number(process.argv[2] ?? 0));
process.send?.({ port });
