import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/kube/object.ts';
import { builtinDefinitions } from './kinds/definitions.ts';
import { humanDuration, toTable } from './table-format.ts';

const now = '2026-01-01T01:00:00Z';

const rowOf = (kind: string, object: JsonObject): unknown => {
  const definition = builtinDefinitions().find((one) => one.kind === kind);
  if (definition === undefined) throw new Error(`no ${kind}`);
  const table = toTable({
    definition,
    objects: [object],
    listMeta: {},
    includeObject: 'None',
    now,
  });
  return (table['rows'] as { cells: unknown }[])[0]?.cells;
};

const metadata = { name: 'a', namespace: 'x', creationTimestamp: '2026-01-01T00:58:00Z' };

const pod = (status: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { ...metadata, ...more },
  spec: { containers: [{ name: 'c' }], nodeName: 'n' },
  status,
});

describe('the row of a pod', () => {
  it.each<[string, JsonObject, unknown[]]>([
    [
      'runs',
      {
        phase: 'Running',
        podIP: '1.2.3.4',
        containerStatuses: [{ ready: true, state: { running: {} } }],
      },
      ['a', '1/1', 'Running', '0', '2m', '1.2.3.4', 'n', '<none>', '<none>'],
    ],
    [
      'was restarted',
      {
        phase: 'Running',
        containerStatuses: [
          {
            ready: true,
            restartCount: 3,
            state: { running: {} },
            lastState: { terminated: { finishedAt: '2026-01-01T00:55:00Z' } },
          },
        ],
      },
      ['a', '1/1', 'Running', '3 (5m ago)', '2m', '<none>', 'n', '<none>', '<none>'],
    ],
    [
      'failed without a reason',
      { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 3 } } }] },
      ['a', '0/1', 'ExitCode:3', '0', '2m', '<none>', 'n', '<none>', '<none>'],
    ],
    [
      'waits for an image',
      { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull' } } }] },
      ['a', '0/1', 'ErrImagePull', '0', '2m', '<none>', 'n', '<none>', '<none>'],
    ],
    [
      'initializes',
      { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { running: {} } }] },
      ['a', '0/1', 'Init:0/0', '0', '2m', '<none>', 'n', '<none>', '<none>'],
    ],
  ])('that %s', (_what, status, cells) => {
    expect(rowOf('Pod', pod(status))).toEqual(cells);
  });

  it('that is terminating shows Terminating until it has ended', () => {
    const deleted = { deletionTimestamp: now };
    expect(rowOf('Pod', pod({ phase: 'Running' }, deleted))).toContain('Terminating');
    expect(rowOf('Pod', pod({ phase: 'Succeeded' }, deleted))).toContain('Succeeded');
  });
});

describe('the rows of other kinds', () => {
  it.each<[string, JsonObject, unknown[]]>([
    [
      'Deployment',
      {
        metadata,
        spec: {
          replicas: 3,
          selector: { matchLabels: { a: 'b' } },
          template: { spec: { containers: [{ name: 'c', image: 'x' }] } },
        },
        status: { readyReplicas: 2, updatedReplicas: 1, availableReplicas: 2 },
      },
      ['a', '2/3', 1, 2, '2m', 'c', 'x', 'a=b'],
    ],
    [
      'Job',
      {
        metadata,
        spec: { completions: 2 },
        status: { succeeded: 1, startTime: '2026-01-01T00:59:30Z' },
      },
      ['a', 'Running', '1/2', '30s', '2m', '', '', '<none>'],
    ],
    [
      'Service',
      {
        metadata,
        spec: {
          type: 'NodePort',
          clusterIP: '10.0.0.1',
          ports: [{ port: 80, nodePort: 3000, protocol: 'TCP' }],
        },
      },
      ['a', 'NodePort', '10.0.0.1', '<none>', '80:3000/TCP', '2m', '<none>'],
    ],
    [
      'PersistentVolumeClaim',
      {
        metadata,
        spec: { volumeName: 'v', storageClassName: 's', volumeMode: 'Filesystem' },
        status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
      },
      ['a', 'Bound', 'v', '1Gi', 'RWO', 's', '<unset>', '2m', 'Filesystem'],
    ],
    [
      'Event',
      {
        metadata,
        lastTimestamp: '2026-01-01T00:59:00Z',
        type: 'Normal',
        reason: 'Started',
        involvedObject: { kind: 'Pod', name: 'p' },
        source: { component: 'node', host: 'h' },
        message: 'm\n',
        count: 2,
      },
      ['60s', 'Normal', 'Started', 'pod/p', '', 'node, h', 'm', '<unknown>', 2, 'a'],
    ],
  ])('show a %s as kubectl does', (kind, object, cells) => {
    expect(rowOf(kind, object)).toEqual(cells);
  });
});

describe('a table', () => {
  it('includes each object as includeObject requests', () => {
    const definition = { columns: [] };
    const object = { metadata, spec: {} };
    const rowWith = (includeObject: 'None' | 'Metadata' | 'Object'): unknown => {
      const table = toTable({ definition, objects: [object], listMeta: {}, includeObject, now });
      return (table['rows'] as unknown[])[0];
    };
    expect(rowWith('None')).toEqual({ cells: [], object: null });
    expect(rowWith('Object')).toEqual({ cells: [], object });
    expect(rowWith('Metadata')).toMatchObject({
      object: { kind: 'PartialObjectMetadata', metadata },
    });
  });
});

describe('a duration', () => {
  it.each([
    [-2, '<invalid>'],
    [-1, '0s'],
    [119, '119s'],
    [120, '2m'],
    [130, '2m10s'],
    [601, '10m'],
    [3 * 3600, '3h'],
    [3 * 3600 + 300, '3h5m'],
    [47 * 3600, '47h'],
    [49 * 3600, '2d1h'],
    [10 * 86_400, '10d'],
    [800 * 86_400, '2y70d'],
    [3000 * 86_400, '8y'],
  ])('of %i seconds is shown as %s', (seconds, text) => {
    expect(humanDuration(seconds * 1000)).toBe(text);
  });
});
