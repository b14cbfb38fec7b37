/**
 * Whether a version is certainly not after another one: servers with one store for their objects count up. False if
 * that cannot be determined.
 */
export function isNotAfter(version: string, position: string): boolean {
  if (version === position) return true;
  if (!COUNTED.test(version) || !COUNTED.test(position)) return false;
  // They may exceed the integers that a number represents exactly.
  if (version.length !== position.length) return version.length < position.length;
  return version < position;
}

const COUNTED = /^(0|[1-9]\d*)$/;
