/**
 * Decides which verdict is good enough for a snapshot. All commands and lists use this one decision. Pure.
 */
import type { Verdict, ApplicationSnapshot } from './kinds.ts';
import { REQUIRED_LEVEL } from './names.ts';

/** From the highest level to the lowest; Any accepts every verdict. */
export const REQUIRED_LEVELS = ['ApplicationConsistent', 'CrashConsistent', 'Any'] as const;
export type RequiredLevel = (typeof REQUIRED_LEVELS)[number];

/** The level if the request sets none. */
export function defaultLevel(asksForHooks: boolean): RequiredLevel {
  return asksForHooks ? 'ApplicationConsistent' : 'CrashConsistent';
}

/** The level that the request sets. By default it depends on whether the request asks for hooks. */
export function requiredLevelOf({
  metadata = {},
  spec,
  status = {},
}: ApplicationSnapshot): RequiredLevel {
  const written = metadata.annotations?.[REQUIRED_LEVEL];
  const known = REQUIRED_LEVELS.find((level) => level === written);
  const infos = spec.executionHookInfos ?? status.executionHookInfos ?? [];
  return known ?? defaultLevel(infos.length > 0);
}

/** Whether a verdict is as good as required, or better. */
export function reaches({ value }: Verdict, required: RequiredLevel): boolean {
  switch (required) {
    case 'Any':
      return true;
    case 'CrashConsistent':
      return value === 'CrashConsistent' || value === 'ApplicationConsistent';
    case 'ApplicationConsistent':
      return value === 'ApplicationConsistent';
    default:
      return required satisfies never;
  }
}
