import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { healthyFacts, healthyLocal } from '../../../../test/fixtures/doctor-facts.ts';
import type { Facts, LocalFacts } from '../facts.ts';
import { diskSpace, kubectlSkew, nodeVersion, OLDEST_NODE, strayProcesses } from './local.ts';

const local = (changed: Partial<LocalFacts>): Facts => ({
  ...healthyFacts,
  local: { ...healthyLocal, ...changed },
});

describe('the check of Node', () => {
  it('requires the version of package.json', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      engines: { node: string };
    };
    expect(engines.node).toBe(`>=${OLDEST_NODE}`);
  });

  it.each([
    ['20.19.0', 'ok'],
    ['20.20.1', 'ok'],
    ['24.0.0', 'ok'],
    ['20.18.9', 'error'],
    ['18.99.99', 'error'],
  ])('takes %s for %s', (version, result) => {
    expect(nodeVersion(local({ nodeVersion: version }))).toMatchObject([{ result }]);
  });
});

describe('the check of kubectl', () => {
  const withMinor = (minor: number): Facts =>
    local({ kubectl: { path: '/bin/kubectl', version: { major: 1, minor, text: `v1.${minor}` } } });

  it.each([
    [35, 'warning'],
    [36, 'ok'],
    [38, 'ok'],
    [39, 'warning'],
  ])('takes client 1.%d and server 1.37 for %s', (minor, result) => {
    expect(kubectlSkew(withMinor(minor))).toMatchObject([{ result }]);
  });

  it('compares nothing where no server answers', () => {
    const facts: Facts = {
      ...withMinor(20),
      cluster: { kind: 'none', localKubeconfig: null },
    };
    expect(kubectlSkew(facts)).toMatchObject([{ result: 'ok', found: 'kubectl v1.20' }]);
  });

  it('warns where there is none, or none that prints a version', () => {
    expect(kubectlSkew(local({ kubectl: null }))).toMatchObject([{ result: 'warning' }]);
    const silent = local({ kubectl: { path: '/bin/kubectl', version: null } });
    expect(kubectlSkew(silent)).toMatchObject([
      { result: 'warning', found: '/bin/kubectl prints no version' },
    ]);
  });
});

describe('the check of processes', () => {
  it('names the command that stops them, once for each directory', () => {
    const strays = [
      { pid: 7, role: 'pod', folder: '/state/a', isThere: true },
      { pid: 8, role: 'pod', folder: '/state/a', isThere: true },
      { pid: 9, role: 'cluster', folder: '/removed', isThere: false },
      { pid: 10, role: 'pod', folder: '/tmp/x; reboot', isThere: true },
    ] as const;
    const found = strayProcesses(local({ strays }));
    expect(found.map(({ result, next }) => [result, next])).toEqual([
      ['warning', 'lifehook down --state-dir /state/a'],
      ['warning', 'kill 9'],
      ['warning', "lifehook down --state-dir '/tmp/x; reboot'"],
    ]);
    expect(found[0]?.found).toContain('process 7, 8');
  });
});

describe('the check of the disk', () => {
  const [place] = healthyLocal.places;
  if (place === undefined) throw new Error('the fixture has a place');
  const MIB = 1_048_576;

  it.each([
    [600 * MIB, 'ok'],
    [100 * MIB, 'warning'],
    [10 * MIB, 'error'],
  ])('takes %d free bytes for %s', (freeBytes, result) => {
    expect(diskSpace(local({ places: [{ ...place, freeBytes }] }))).toMatchObject([{ result }]);
  });

  it('warns of a directory that cannot be written', () => {
    const found = diskSpace(local({ places: [{ ...place, refused: 'EACCES' }] }));
    expect(found).toMatchObject([{ result: 'warning' }]);
    expect(found[0]?.found).toMatch(/cannot be read and written: .*local \(EACCES\)/u);
  });

  it('advises to remove a file in the place of a directory', () => {
    const [found] = diskSpace(local({ places: [{ ...place, refused: 'ENOTDIR' }] }));
    expect(found?.next).toBe(
      'Remove the file in the place of the directory, or choose another directory.',
    );
  });

  it('says that a count was cut short', () => {
    const used = { bytes: 3 * MIB, files: 50_000, isWhole: false };
    const [found] = diskSpace(local({ places: [{ ...place, used }] }));
    expect(found?.found).toContain('more than 3.0 MiB in 50000 files, 20 GiB of 100 GiB free');
  });
});
