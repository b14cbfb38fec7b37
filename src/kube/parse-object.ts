import { UnreachableError } from './api-error.ts';
import type { WholeAnswer } from './send-request.ts';

/** The object in a successful answer. Throws for anything that an API server does not write. */
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

/** The most characters of an unexpected answer in the message. */
const MAX_SHOWN = 80;

function notAnObject(text: string): string {
  return `the answer is not a JSON object, it begins with ${JSON.stringify(text.slice(0, MAX_SHOWN))}`;
}
