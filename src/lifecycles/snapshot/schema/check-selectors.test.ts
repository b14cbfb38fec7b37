/** The keys and values of label selectors: a comma in one would become another requirement. */
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import { judgeRestoreSpec } from '../restore/check-spec.ts';
import { judgeHookSpec, judgeSnapshotSpec } from './validate.ts';

const BAD: readonly [string, Record<string, string>][] = [
  ['value', { app: 'web,tier=db' }],
  ['value', { app: 'a b' }],
  ['key', { 'app in (a,b),tier': 'db' }],
];
const GOOD = { 'example.com/app': 'db-1', empty: '' };

function ofHook(podSelector: LabelSelector): string[] {
  const preAction = { exec: { command: ['true'] } };
  return judgeHookSpec({ preAction, podSelector }, () => undefined).errors.map(fieldProblemMessage);
}

function ofRestore(matchLabels: Record<string, string>): string[] {
  const exec = { command: ['true'], podSelector: { matchLabels } };
  const spec = {
    source: { applicationSnapshotName: 'nightly' },
    preRestore: [{ name: 'a', exec }],
  };
  return judgeRestoreSpec(spec, () => undefined).errors.map(fieldProblemMessage);
}

function ofSnapshot(matchLabels: Record<string, string>): string[] {
  const spec = { source: { selector: { matchLabels } } };
  return judgeSnapshotSpec(spec, () => undefined).errors.map(fieldProblemMessage);
}

describe('a label selector', () => {
  it.each(BAD)('is refused with a %s that no label can have: %j', (_, matchLabels) => {
    const at = 'podSelector.matchLabels';
    expect(ofHook({ matchLabels })).toEqual([expect.stringContaining(`spec.${at}`) as string]);
    expect(ofRestore(matchLabels)).toEqual([
      expect.stringContaining(`spec.preRestore[0].exec.${at}`) as string,
    ]);
    expect(ofSnapshot(matchLabels)).toEqual([
      expect.stringContaining('spec.source.selector.matchLabels') as string,
    ]);
  });

  it('is refused with such a key or value of an expression', () => {
    const of = (key: string, values: string[]): string[] =>
      ofHook({ matchExpressions: [{ key, operator: 'In', values }] });
    const at = 'spec.podSelector.matchExpressions[0]';
    expect(of('app', ['a', 'b),tier in (c'])).toEqual([
      expect.stringContaining(`${at}.values: Invalid value: "b),tier in (c"`) as string,
    ]);
    expect(of('app,tier', ['a'])).toEqual([
      expect.stringContaining(`${at}.key: Invalid value: "app,tier"`) as string,
    ]);
    expect(of('app', ['a', ''])).toEqual([]);
  });

  it('may have a prefix in its keys, and empty values', () => {
    expect([ofHook({ matchLabels: GOOD }), ofRestore(GOOD), ofSnapshot(GOOD)]).toEqual([
      [],
      [],
      [],
    ]);
  });
});
