/** Whether two violations are the same failure: the same invariant, broken in the same way. Pure. */
import type { Violation } from './world.ts';

const MESSAGE_CHARACTERS = 300;

/** Equal for the same failure. Messages that differ only in numbers or in a record count as the same. */
export function failureKind({ invariant, message }: Violation): string {
  const text = message.replace(/\{.*/su, '').replaceAll(/\d+/gu, '#');
  return `${invariant} ${text.slice(0, MESSAGE_CHARACTERS)}`;
}
