import { expect, test } from 'vitest';

import { lintPodHooks } from './lint.ts';

function codes(httpGet: object, serverMinor: number | null): string[] {
  const lifecycle = { preStop: { httpGet } };
  const pod = {
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'app', lifecycle }] },
  };
  return lintPodHooks(pod, { serverMinor, drainSeconds: null }).findings.map(({ code }) => code);
}

test('POD-K20: a scheme is reported for an old server, and not for an unknown one', () => {
  expect(codes({ port: 80, scheme: 'HTTPS' }, 24)).toContain('LHP017');
  expect(codes({ port: 80, scheme: 'HTTPS' }, null)).not.toContain('LHP017');
});

test.each([
  [0, true],
  [1, false],
  [65_535, false],
  [65_536, true],
])('POD-K18: the port %i is refused: %s', (port, refused) => {
  expect(codes({ port }, null).includes('LHP016')).toBe(refused);
});
