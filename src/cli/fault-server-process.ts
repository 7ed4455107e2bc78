import { serveFaults } from "../testing/faults/server/server.ts";

// The fault server as a process of its own, started by startFaultServer(): tells its parent the port, and ends when the parent does.
const clock = {
  now: () => performance.timeOrigin + performance.now(),
  after(ms: number, then: () => void) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

process.once("disconnect", () => process.exit(0));
const { port } = await serveFaults(clock, Number(process.argv[2] ?? 0));
process.send?.({ port });
