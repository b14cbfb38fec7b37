/** Whether text for a stream is coloured: on a terminal, unless NO_COLOR or FORCE_COLOR says otherwise. */
import process from 'node:process';
import { styleText } from 'node:util';

export type Colour = (format: Parameters<typeof styleText>[0], text: string) => string;

interface Target {
  readonly isTTY?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** FORCE_COLOR is stronger than NO_COLOR, as it is for Node itself; its "0" and "false" say no. */
export function isColoured({ isTTY = false }: Target, env: Environment): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  return isTTY && env['TERM'] !== 'dumb';
}

export function colourOf(target: Target, env: Environment = process.env): Colour {
  if (!isColoured(target, env)) return (_format, text) => text;
  return (format, text) => styleText(format, text, { validateStream: false });
}
