import { expect, test } from 'vitest';

import { attempt } from '../../test/fixtures/processes/attempt.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { SpawnSpec } from '../platform/platform.ts';

test('a command hook starts its command as a process', async () => {
  const started: SpawnSpec[] = [];
  const processes = {
    spawn: (spec: SpawnSpec) => {
      started.push(spec);
      return {
        pid: 7,
        exited: Promise.resolve({ code: 3, signal: null }),
        signalGroup: () => undefined,
        groupAlive: () => false,
      };
    },
  };
  const handler = { kind: 'command', command: ['migrate', '--all'] } as const;
  const result = await attempt(handler, { platform: { ...nodePlatform, processes } });
  expect(started).toMatchObject([{ file: 'migrate', argv: ['migrate', '--all'], env: {} }]);
  expect(result).toMatchObject({ outcome: 'Failed', exitCode: 3 });
});
