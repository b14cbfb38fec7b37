/** Storage drivers that make another cut than requested, and report that. */
import type { Random } from '../random.ts';
import type { Scene } from './scene.ts';

export interface Driver {
  /** The driver omits one volume from a group snapshot (SNAP-CASE39). */
  readonly leavesOut: boolean;
  /** The driver copies file by file, so that the copy is not of one moment (SNAP-I22). */
  readonly copies: boolean;
}

export const USUAL_DRIVER: Driver = { leavesOut: false, copies: false };

/** Unusual drivers, keyed by the name of the ApplicationSnapshot or of another client's request. */
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
