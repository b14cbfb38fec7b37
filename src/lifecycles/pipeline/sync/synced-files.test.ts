import type { Pod } from 'kubernetes-types/core/v1.js';
import { expect, test } from 'vitest';

import { runningPod } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import { instanceOf } from './container-root.ts';
import { SyncedFiles } from './synced-files.ts';

const WEB = { image: 'web', reference: 'web:1', namespaces: ['shop'] };

/** A pod with one instance of the container web, which the restart count identifies. */
function pod(name: string, restartCount = 0, state = 'running'): Pod {
  const made = runningPod(name, ['web'], state);
  const statuses = made.status?.containerStatuses ?? [];
  const containerStatuses = statuses.map((one) => ({ ...one, restartCount }));
  return { ...made, status: { ...made.status, containerStatuses } };
}

const into = (...pods: readonly Pod[]): Set<string> =>
  new Set(pods.map((one) => instanceOf(one, 'web')));

const lostIn = (files: SyncedFiles, ...pods: readonly Pod[]): readonly string[] =>
  files.lost(pods).flatMap(({ paths, containers }) => [...containers, ...paths]);

test('SyncedFiles reports synced files as lost in a restarted container and in a new one (PIPE-D5)', () => {
  const files = new SyncedFiles();
  files.add(WEB, ['/p/a'], into(pod('web-1')));
  expect(lostIn(files, pod('web-1'))).toEqual([]);
  expect(lostIn(files, pod('web-1', 1, 'waiting'))).toEqual([]);
  expect(lostIn(files, pod('web-1', 1))).toEqual(['shop/web-1/web', '/p/a']);
  expect(lostIn(files, pod('web-1'), pod('web-2'))).toEqual(['shop/web-2/web', '/p/a']);
  expect(lostIn(files, runningPod('db-1', ['db']))).toEqual([]);
});

test('SyncedFiles reports files as lost after a restart until all of them are synced again', () => {
  const files = new SyncedFiles();
  files.add(WEB, ['/p/a'], into(pod('web-1')));
  files.add(WEB, ['/p/b'], into(pod('web-1', 1)));
  expect(lostIn(files, pod('web-1', 1))).toEqual(['shop/web-1/web', '/p/a', '/p/b']);
  files.add(WEB, ['/p/a', '/p/b', '/p/c'], into(pod('web-1', 1)));
  expect(lostIn(files, pod('web-1', 1))).toEqual([]);
  expect(lostIn(files, pod('web-1', 2))).toEqual(['shop/web-1/web', '/p/a', '/p/b', '/p/c']);
  files.forget('web');
  expect(lostIn(files, pod('web-1', 2))).toEqual([]);
});
