const oldest = { major: 22, minor: 13 };

/**
 * One sentence that says why tollgate does not run on this Node, or undefined when it does. `engines.node` of package.json
 * states the same bound.
 */
export function refuseNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined;
  return `tollgate needs Node.js ${oldest.major}.${oldest.minor} or newer; this is ${version}.`;
}
