import type { Json } from '../../../../src/kube/object.ts';

/** Freezes a value with all it holds, and gives it back. What is frozen already is taken as done. */
export function deepFreeze<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}
