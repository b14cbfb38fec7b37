import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../../field-error.ts';
import { checkTaints } from './core-kinds.ts';

const faults = (...taints: JsonObject[]): string[] => checkTaints(taints).map(fieldErrorMessage);

describe('the taints of a node', () => {
  it('may share a key or an effect, but not both', () => {
    const taint = { key: 'example.com/a', effect: 'NoSchedule', value: 'x' };
    expect(faults(taint, { ...taint, effect: 'NoExecute' }, { ...taint, key: 'b' })).toEqual([]);
    expect(faults({ key: 'a', effect: 'NoExecute' }, { key: 'a', effect: 'NoExecute' })).toEqual([
      'metadata.taints[1]: Duplicate value: {"key":"a","effect":"NoExecute"}: taints must be unique by key and effect pair',
    ]);
  });

  it('have a valid key, value and effect', () => {
    expect(faults({ key: 'a', effect: 'Nothing' }, { key: 'b' })).toEqual([
      'metadata.taints[0].effect: Unsupported value: "Nothing": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      'metadata.taints[1].effect: Required value',
    ]);
    expect(faults({ key: '-a', value: '-', effect: 'NoSchedule' })).toEqual([
      expect.stringMatching(/^metadata\.taints\[0\]\.key: Invalid value: "-a"/),
      expect.stringMatching(/^metadata\.taints\[0\]\.value: Invalid value: "-"/),
    ]);
  });
});
