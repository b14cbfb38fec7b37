/**
 * Whether a version is not after another one, where that can be told: servers that keep their objects
 * in one store count up. Where it cannot be told, the answer is no.
 */
export function isNotAfter(version: string, position: string): boolean {
  if (version === position) return true;
  if (!COUNTED.test(version) || !COUNTED.test(position)) return false;
  // They may be larger than what a number holds exactly.
  if (version.length !== position.length) return version.length < position.length;
  return version < position;
}

const COUNTED = /^(0|[1-9]\d*)$/;
