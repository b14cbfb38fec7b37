import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeProtobuf } from './decode-protobuf.ts';

/** A message as pairs of field number and value. A number may repeat, as for the items of a list. */
type Message = readonly (readonly [number, string | number | Uint8Array | Message])[];

function encode(message: Message): Uint8Array {
  return Buffer.concat(
    message.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(number * 8), varint(value)]);
      const bytes =
        typeof value === 'string'
          ? Buffer.from(value)
          : value instanceof Uint8Array
            ? value
            : encode(value);
      return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
    }),
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(left & 0x7fn) | (left > 0x7fn ? 0x80 : 0));
    left >>= 7n;
  } while (left > 0n);
  return Buffer.from(bytes);
}

const body = (apiVersion: string, kind: string, object: Message): Uint8Array =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    encode([
      [
        1,
        [
          [1, apiVersion],
          [2, kind],
        ],
      ],
      [2, object],
    ]),
  ]);

const decode = (apiVersion: string, kind: string, object: Message): unknown => {
  const decoded = decodeProtobuf(body(apiVersion, kind, object));
  return decoded.kind === 'decoded' ? decoded.object : decoded.why;
};

describe('decodeProtobuf', () => {
  it('refuses an integer that would be stored with another value', () => {
    const pod = (seconds: number): unknown => decode('v1', 'Pod', [[2, [[4, seconds]]]]);
    expect(pod(2 ** 53 - 1)).toHaveProperty('spec.terminationGracePeriodSeconds', 2 ** 53 - 1);
    expect(pod(2 ** 60)).toBe(
      'proto: the integer 1152921504606846976 is too large: the local cluster stores integers of at most 53 bits',
    );
  });

  it('refuses an object that is nested deeper than one in JSON may be', () => {
    const revision = (depth: number): unknown => {
      const raw = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      return decode('apps/v1', 'ControllerRevision', [[2, [[1, raw]]]]);
    };
    expect(revision(100)).toHaveProperty('data');
    expect(revision(5_000)).toBe('proto: exceeded max depth');
  });

  it('reads texts and maps, and omits empty values that mean "not set"', () => {
    const metadata: Message = [
      [1, 'cm'],
      [2, ''],
      [3, 'default'],
      [7, 0],
      [8, []],
    ];
    const data: Message = [
      [1, 'key'],
      [2, 'value'],
    ];
    expect(
      decode('v1', 'ConfigMap', [
        [1, metadata],
        [2, data],
      ]),
    ).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cm', namespace: 'default' },
      data: { key: 'value' },
    });
  });

  it('keeps the zero of an optional field, such as replicas', () => {
    expect(
      decode('apps/v1', 'Deployment', [
        [
          2,
          [
            [1, 0],
            [5, 0],
            [7, 0],
          ],
        ],
      ]),
    ).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      // Field 5 (minReadySeconds) and field 7 (paused) are plain fields: their zero values are omitted.
      spec: { replicas: 0 },
    });
  });

  it('reads inlined messages, lists, ports by number or name, quantities and times', () => {
    const container: Message = [
      [1, 'c'],
      [3, 'sh'],
      [3, '-c'],
      [
        8,
        [
          [
            1,
            [
              [1, 'cpu'],
              [2, [[1, '500m']]],
            ],
          ],
        ],
      ],
      [
        10,
        [
          [
            1,
            [
              [
                2,
                [
                  [1, '/'],
                  [
                    2,
                    [
                      [1, 1],
                      [3, 'http'],
                    ],
                  ],
                ],
              ],
            ],
          ],
          [2, 5],
        ],
      ],
      [12, [[2, [[4, [[1, 7]]]]]]],
    ];
    const volume: Message = [
      [1, 'v'],
      [2, [[2, []]]],
    ];
    const pod: Message = [
      [
        1,
        [
          [1, 'p'],
          [8, [[1, 1_700_000_000]]],
        ],
      ],
      [
        2,
        [
          [2, container],
          [1, volume],
          [4, 0],
        ],
      ],
    ];
    expect(decode('v1', 'Pod', pod)).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', creationTimestamp: '2023-11-14T22:13:20Z' },
      spec: {
        containers: [
          {
            name: 'c',
            command: ['sh', '-c'],
            resources: { limits: { cpu: '500m' } },
            livenessProbe: { httpGet: { path: '/', port: 'http' }, initialDelaySeconds: 5 },
            lifecycle: { preStop: { sleep: { seconds: 7 } } },
          },
        ],
        volumes: [{ name: 'v', emptyDir: {} }],
        terminationGracePeriodSeconds: 0,
      },
    });
  });

  it('reads bytes as base64, negative numbers and microseconds', () => {
    expect(
      decode('v1', 'Secret', [
        [
          2,
          [
            [1, 'k'],
            [2, Uint8Array.of(0, 255)],
          ],
        ],
      ]),
    ).toMatchObject({
      data: { k: 'AP8=' },
    });
    expect(decode('apps/v1', 'Deployment', [[2, [[1, -3]]]])).toMatchObject({
      spec: { replicas: -3 },
    });
    const lease: Message = [
      [
        2,
        [
          [
            3,
            [
              [1, 1_700_000_000],
              [2, 1_500],
            ],
          ],
        ],
      ],
    ];
    expect(decode('coordination.k8s.io/v1', 'Lease', lease)).toMatchObject({
      spec: { acquireTime: '2023-11-14T22:13:20.000001Z' },
    });
  });

  it('reads DeleteOptions in any group', () => {
    const options: Message = [
      [1, 0],
      [2, [[1, 'uid']]],
      [4, 'Orphan'],
    ];
    expect(decode('apps/v1', 'DeleteOptions', options)).toMatchObject({
      gracePeriodSeconds: 0,
      preconditions: { uid: 'uid' },
      propagationPolicy: 'Orphan',
    });
  });

  it('refuses a body that is no Protobuf, truncated or of an unknown kind', () => {
    expect(decodeProtobuf(Buffer.from('{}'))).toMatchObject({ kind: 'failed' });
    expect(decode('v1', 'Nothing', [])).toContain('no kind "Nothing"');
    const whole = body('v1', 'ConfigMap', [[1, [[1, 'name']]]]);
    expect(decodeProtobuf(whole.subarray(0, -1))).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('unexpected EOF'),
    });
  });

  it('does not throw when any byte is changed', () => {
    const whole = body('v1', 'Pod', [
      [1, [[1, 'p']]],
      [2, [[2, [[1, 'c']]]]],
    ]);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const damaged = Uint8Array.from(whole);
        damaged[at] = byte;
        expect(['decoded', 'failed']).toContain(decodeProtobuf(damaged).kind);
      }),
    );
  });
});
