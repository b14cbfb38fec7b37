import { UnreachableError } from './api-error.ts';
import type { WholeAnswer } from './send-request.ts';

/** The object in an answer of success. Anything else was not written by an API server. */
export function parseObject({ text }: Pick<WholeAnswer, 'text'>, what: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UnreachableError(`${what}: ${notAnObject(text)}`, { sent: true, cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UnreachableError(`${what}: ${notAnObject(text)}`, { sent: true });
}

/** Characters of a strange answer that are shown. */
const MAX_SHOWN = 80;

function notAnObject(text: string): string {
  return `the answer is not a JSON object, it begins with ${JSON.stringify(text.slice(0, MAX_SHOWN))}`;
}
