import { describe, expect, it } from 'vitest';

import { OLDEST_TESTED_MINOR, requireSupportedServer } from './supported-server.ts';

const server = (major: number, minor: number): Parameters<typeof requireSupportedServer>[0] => ({
  major,
  minor,
  text: `v${major}.${minor}.1`,
});

describe('requireSupportedServer', () => {
  it.each([
    [1, OLDEST_TESTED_MINOR],
    [1, 99],
    [2, 0],
  ])('accepts %d.%d without a word', (major, minor) => {
    expect(requireSupportedServer(server(major, minor))).toBeNull();
  });

  it.each([OLDEST_TESTED_MINOR - 1, 30])('warns of 1.%d', (minor) => {
    expect(requireSupportedServer(server(1, minor))).toBe(
      `The API server is v1.${minor}.1; Lifehook is tested with Kubernetes 1.${OLDEST_TESTED_MINOR} and later.`,
    );
  });

  it.each([29, 20])('refuses 1.%d with LHS411', (minor) => {
    const message = `LHS411: The API server is v1.${minor}.1, which cannot run commands`;
    expect(() => requireSupportedServer(server(1, minor))).toThrow(message);
  });
});
