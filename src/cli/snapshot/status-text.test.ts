import { describe, expect, it } from 'vitest';

import type { ApplicationSnapshot } from '../../lifecycles/snapshot/kinds.ts';
import { statusText } from './status-text.ts';

const message = 'This cluster does not serve VolumeSnapshotClass (snapshot.storage.k8s.io/v1).';
const withStatus = (status: object): ApplicationSnapshot =>
  ({ metadata: { namespace: 'shop', name: 'nightly' }, spec: {}, status }) as ApplicationSnapshot;
const notServed = { type: 'KindsServed', status: 'False', reason: 'KindNotServed', message };

describe('the status of a snapshot', () => {
  it('says why it has not begun where kinds are not served', () => {
    expect(statusText(withStatus({ conditions: [notServed] }))).toBe(
      `ApplicationSnapshot shop/nightly\n  phase     Pending\n  waits     KindNotServed: ${message}\n`,
    );
  });

  it('prints no control characters of the output of a hook', () => {
    const failure = { reason: 'HookFailed', message: 'Output: \u001B[2Jlocked' };
    expect(statusText(withStatus({ phase: 'Failed', failure }))).toContain(
      'failure   HookFailed: Output: \uFFFD[2Jlocked',
    );
  });

  it.each([
    ['once they are served', { conditions: [{ ...notServed, status: 'True' }] }],
    ['after it has failed', { phase: 'Failed', conditions: [notServed] }],
  ])('names nothing that it waits for %s', (_, status) => {
    expect(statusText(withStatus(status))).not.toContain('waits');
  });
});
