/** A server whose definition of ApplicationSnapshot is older than the controller, so that it drops its new fields. */
import { expect, it } from 'vitest';

import type { ChangeClient } from '../../../../test/sim/snapshot/replica.ts';
import { SnapshotStand } from '../../../../test/sim/snapshot/stand.ts';

/** A server that drops `cutTokenHashes` from each status whose phase satisfies `drops`. */
function droppingHashes(drops: (phase: string | undefined) => boolean): ChangeClient {
  return (client) => ({
    ...client,
    replaceStatus: (resource, object, options) => {
      const { status = {} } = object as { status?: { phase?: string; cutTokenHashes?: unknown } };
      const { cutTokenHashes: _, ...stored } = status;
      const sent = drops(status.phase) ? { ...object, status: stored } : object;
      return client.replaceStatus(resource, sent, options);
    },
  });
}

const OUTDATED = {
  phase: 'Failed',
  failure: {
    reason: 'DefinitionOutdated',
    message: expect.stringContaining('lifehook install | kubectl apply --server-side') as string,
  },
};

it('fails before a freeze, and says which definition to apply (SNAP-S8)', async () => {
  const stand = new SnapshotStand({ replicas: 1, changeClient: droppingHashes(() => true) });
  const sent: string[] = [];
  stand.onSend = ({ verb }) => sent.push(verb);
  await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
  expect(stand.snapshot?.status).toMatchObject(OUTDATED);
  expect(sent).toEqual([]);
});

it('fails before the cut where the definition is put back while it freezes (SNAP-S8)', async () => {
  const changeClient = droppingHashes((phase) => phase === 'Cutting' || phase === 'Failed');
  const stand = new SnapshotStand({ replicas: 1, changeClient });
  await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
  expect(stand.snapshot?.status).toMatchObject(OUTDATED);
  expect(stand.snapshot?.status?.volumes?.[0]?.volumeSnapshotUID).toBeUndefined();
});
