import { lateMethods } from "../../runtime/late-methods.ts";
import type { Ports } from "../runtime/ports.ts";
import type { LateToolRequests, ToolRequests } from "./tool-requests.ts";

/** The requests to the tools of these ports. What they need is loaded with the first: most programs have none. */
export function toolRequestsOf(ports: Ports): ToolRequests {
  let opened: Promise<LateToolRequests> | undefined;
  const load = () => {
    opened ??= import("./open-requests.ts").then(({ openToolRequests }) => openToolRequests(ports));
    return opened;
  };
  return {
    ...lateMethods(load, ["tools", "search", "call", "contents", "readResource", "readPrompt", "approve", "review"]),
    hasServers: ports.tools.size > 0,
    tokenHeaders: [...ports.tools].flatMap(([name, { userTokenHeader: header }]) => (header ? [[name, header]] : [])),
    isSearched: ports.isToolSearch,
    onToolsChanged(listener) {
      const ends = [...ports.tools.values()].map((server) => server.onToolsChanged(listener));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
