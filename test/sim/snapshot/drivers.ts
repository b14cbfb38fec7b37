/** Drivers that cut something else than what they were asked for, and say so. */
import type { Random } from '../random.ts';
import type { Scene } from './scene.ts';

export interface Driver {
  /** Of a group: one volume is not in what it has cut (SNAP-CASE39). */
  readonly leavesOut: boolean;
  /** File by file: the copy is of no one moment (SNAP-I22). */
  readonly copies: boolean;
}

export const USUAL_DRIVER: Driver = { leavesOut: false, copies: false };

/** By the name of the ApplicationSnapshot, or of the request of another client; those that are not in it have a usual one. */
export type Drivers = ReadonlyMap<string, Driver>;

export function throwDrivers(random: Random, { snapshots, guard }: Scene): Drivers {
  const thrown = [...snapshots, ...(guard?.requests ?? [])].map(({ name, mode }) => {
    const leavesOut = random.chance(0.2) && mode === 'Group';
    return [name, { leavesOut, copies: random.chance(0.06) }] as const;
  });
  return new Map(thrown.filter(([, { leavesOut, copies }]) => leavesOut || copies));
}

export function driverIn(drivers: Drivers, snapshot: string): Driver {
  return drivers.get(snapshot) ?? USUAL_DRIVER;
}
