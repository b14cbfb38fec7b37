/**
 * The snapshots of other clients that a window of a guard admitted, read from the window's status alone (SNAP-W3).
 * Pure.
 */
import type { AdmittedObject, AdmittedVerdict, ApplicationSnapshot } from './kinds.ts';

export interface AdmittedSnapshot {
  readonly namespace: string;
  readonly kind: AdmittedObject['kind'];
  readonly name: string;
  readonly uid: string;
  /** The name of the window. */
  readonly window: string;
  /** null: no verdict yet. */
  readonly verdict: AdmittedVerdict | null;
  /** Time of the first preAction; null: not frozen, or not recorded yet. */
  readonly frozenAt: string | null;
  /** Time at which the last thaw ended; null: not thawed, or not recorded yet. */
  readonly thawedAt: string | null;
}

export function admittedSnapshots(window: ApplicationSnapshot): AdmittedSnapshot[] {
  const { namespace = '', name = '' } = window.metadata ?? {};
  return (window.status?.admitted ?? []).map((entry) => ({
    namespace,
    kind: entry.kind,
    name: entry.name,
    uid: entry.uid,
    window: name,
    verdict: entry.verdict ?? null,
    ...(entry.unfrozen === undefined ? freezeOf(window) : { frozenAt: null, thawedAt: null }),
  }));
}

/** The time of the first freeze and of the last thaw. All times have one format, so they are compared as text. */
function freezeOf({
  status = {},
}: ApplicationSnapshot): Pick<AdmittedSnapshot, 'frozenAt' | 'thawedAt'> {
  const { hooks = [] } = status;
  const frozen = hooks.flatMap(({ firstPreAt }) => firstPreAt ?? []).toSorted();
  const thawed = hooks.flatMap(({ lastThawAt }) => lastThawAt ?? []).toSorted();
  return { frozenAt: frozen[0] ?? null, thawedAt: thawed.at(-1) ?? null };
}
