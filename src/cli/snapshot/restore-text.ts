/** A restore as text: its phase while it runs, and its result. Pure. */
import { findCondition } from '../../controller/conditions.ts';
import {
  WAIT_FOR_CONSUMER,
  WAIT_FOR_SNAPSHOT,
} from '../../lifecycles/snapshot/restore/conditions-of.ts';
import type { SnapshotRestore } from '../../lifecycles/snapshot/restore/kinds.ts';
import { countText } from '../../model/count-text.ts';

const WAITS: readonly string[] = [WAIT_FOR_CONSUMER, WAIT_FOR_SNAPSHOT];

/** The phase, or what it waits for. */
export function waitsForText({ status = {} }: SnapshotRestore): string {
  const { phase = '', conditions = [] } = status;
  const found = findCondition(conditions, 'Reconciling');
  return WAITS.includes(found?.reason ?? '') ? (found?.message ?? '') : phase;
}

/** The result in lines of at most 80 columns, except names. */
export function restoreText({ status = {} }: SnapshotRestore): string {
  const { sourceVerdict, claims = [], verification, hooks = [], phase = '', cleanedUpAt } = status;
  const made = claims.filter(({ claimUID }) => claimUID !== undefined);
  const lines = [
    ...(sourceVerdict === undefined
      ? []
      : [`snapshot  ${sourceVerdict.value} (${sourceVerdict.reason})`]),
    ...made.map(({ sourceClaimName, claimName, size, bound }) => {
      const state = bound === true ? 'bound' : 'not bound';
      const kept = cleanedUpAt === undefined ? state : 'deleted';
      return `claim     ${sourceClaimName} -> ${claimName}, ${size}, ${kept}`;
    }),
    ...hooks.map(({ name, stage, outcome = 'Unknown', attempts = [] }) => {
      return `hook      ${name} (${stage}): ${outcome}, ${countText(attempts.length, 'attempt')}`;
    }),
    ...(verification === undefined ? [] : [`verified  ${verification.result}`]),
    `restore   ${phase}`,
  ];
  return `${lines.join('\n')}\n`;
}
