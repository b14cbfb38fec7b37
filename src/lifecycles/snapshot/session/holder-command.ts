import type { SessionAction } from '../action-kinds.ts';
import { holderBootstrap, holderScript } from './holder-script.ts';

/** argv of the session helper. Actions are passed as arguments, its script as input. */
export function holderArguments(
  { client, freeze, thaw }: SessionAction,
  limits: { readonly windowSeconds: number; readonly longestSeconds?: number | undefined },
): readonly string[] {
  const { windowSeconds, longestSeconds = 0 } = limits;
  const shell = ['sh', '-c', holderBootstrap, 'lifehook-holder'];
  const times = [String(Math.ceil(windowSeconds)), String(Math.ceil(longestSeconds))];
  return client === undefined
    ? [...shell, 'commands', ...times, String(freeze.length), ...freeze, ...thaw]
    : [...shell, 'client', ...times, freeze.join('\n'), thaw.join('\n'), ...client];
}

/** The first input of the helper: the nonce of its reports, and its script up to the line that repeats the nonce. */
export function holderInput(nonce: string): string {
  return `${nonce}\n${holderScript}\n${nonce}\n`;
}

/** 128 bits in hexadecimal digits: no process in the container can guess it and forge a report. */
export function makeNonce(random: () => number): string {
  const digit = (): string => Math.floor(random() * 16).toString(16);
  return Array.from({ length: 32 }, digit).join('');
}
