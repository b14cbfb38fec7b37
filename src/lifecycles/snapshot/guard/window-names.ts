/** The names of windows: the guard and a number, so that two webhook processes cannot open two at once (SNAP-W6). */
import type { ApplicationSnapshot } from '../kinds.ts';

/** Example: `mariadb-window-7`. */
export function windowName(guard: string, number: number): string {
  return `${guard}-window-${number}`;
}

/** 0: it was not named by the webhook. */
export function windowNumber({ metadata }: ApplicationSnapshot): number {
  const digits = /-window-(\d{1,15})$/.exec(metadata?.name ?? '')?.[1];
  return digits === undefined ? 0 : Number(digits);
}
