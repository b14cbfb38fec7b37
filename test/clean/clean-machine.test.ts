/**
 * The README's first commands on a machine that has Node and nothing else: a Debian 12 of the smallest kind, made for
 * the purpose, entered as a user without rights. It needs root, mmdebstrap and a package registry, and takes half an hour.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Ended, run } from '../e2e/cluster-stand.ts';

const MINUTE_MS = 60_000;
const SETUP_MS = 10 * MINUTE_MS;
const DEMO_MS = 10 * MINUTE_MS;
const TESTS_MS = 60 * MINUTE_MS;
const HOME = '/home/tester';
const PROJECT = `${HOME}/lifehook`;
const CERTIFICATES = '/etc/ssl/certs';
/** What something might need, and must not. */
const ABSENT = 'kubectl git runc crun podman docker cc gcc make python3 curl qjsc busybox ps';

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lifehook-clean-'));
  // Debian's files belong to several users, who have to be able to come to them.
  shell(`chmod 755 "${root}"`);
  shell(
    `mmdebstrap --quiet --variant=minbase bookworm "${root}" /etc/apt/sources.list.d/debian.sources`,
  );
  bringNode();
  shell(`chroot "${root}" useradd --create-home tester`);
  mkdirSync(join(root, PROJECT));
  // What is committed, as somebody else gets it.
  shell(`git archive HEAD | tar -C "${root}${PROJECT}" -xf -`);
  shell(`chroot "${root}" chown -R tester:tester ${HOME}`);
}, SETUP_MS);

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
}, SETUP_MS);

/** This machine's Node with its npm, and what npm needs to reach its registry: settings, certificates, addresses. */
function bringNode(): void {
  const node = realpathSync(process.execPath);
  bring(node, '/usr/bin/node');
  const npm = '/usr/lib/node_modules/npm';
  bring(dirname(dirname(realpathSync(join(dirname(node), 'npm')))), npm);
  shell(`ln -s ${npm}/bin/npm-cli.js "${root}/usr/bin/npm"`);
  bring(shell('npm config get globalconfig').trim(), '/usr/etc/npmrc');
  bring(shell('npm config get userconfig').trim(), '/etc/skel/.npmrc');
  for (const path of ['/etc/resolv.conf', '/etc/hosts', CERTIFICATES]) bring(path, path);
}

function bring(from: string, to: string): void {
  const place = `${root}${to}`;
  if (existsSync(from)) cpSync(from, place, { recursive: true, dereference: true, force: true });
}

function shell(script: string): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', script], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${script} ended with ${status ?? 'a signal'}: ${stderr}`);
  return stdout;
}

/** As the user, with the smallest environment; nothing that it starts outlives it, nor it the limit. */
function there(script: string, limitMs: number): Promise<Ended> {
  const enter = `mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
    exec chroot --userspec=tester:tester "$1" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=${HOME} \
      NODE_EXTRA_CA_CERTS=${CERTIFICATES}/ca-certificates.crt LANG=C.UTF-8 NO_COLOR=1 sh -c "cd ${PROJECT} && $2"`;
  const own = ['--mount', '--pid', '--fork', '--kill-child'];
  const limit = ['--kill-after=10', String(limitMs / 1_000)];
  return run('timeout', [...limit, 'unshare', ...own, 'bash', '-c', enter, 'bash', root, script]);
}

test('there is nothing that the README does not ask for', async () => {
  const look = `for name in ${ABSENT}; do command -v $name; done; true`;
  expect((await there(look, MINUTE_MS)).stdout).toBe('');
});

test(
  'npm ci && npm run demo',
  async () => {
    const { code, stdout, stderr } = await there('npm ci && npm run demo', DEMO_MS);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/(\d+) of \1 claims held\.\n/);
    expect((await there('ls -A /tmp', MINUTE_MS)).stdout).not.toContain('lifehook');
  },
  DEMO_MS + 2 * MINUTE_MS,
);

test('under CI what is missing is an error, before anything is skipped', async () => {
  const { code, stderr } = await there(
    'CI=true node node_modules/vitest/vitest.mjs run --project tidy',
    MINUTE_MS,
  );
  expect(code).toBe(1);
  expect(stderr).toContain('With CI set no test may be skipped');
  expect(stderr).toContain('\n  kubectl (https://');
});

test(
  'npm ci && npm test',
  async () => {
    const { code, stdout, stderr } = await there('npm ci && npm test', TESTS_MS);
    expect(code, stdout + stderr).toBe(0);
    // The many that need only Node did run, and of the others it is told why they did not.
    const [units, whole] = [...stdout.matchAll(/^ *Tests +(\d+) passed/gm)].map(([, count]) =>
      Number(count),
    );
    expect(units, stdout).toBeGreaterThan(4_000);
    expect(whole, stdout).toBeGreaterThan(300);
    expect(stdout).toMatch(/^SKIPPED \d+ for want of kubectl \(/m);
    expect(stdout).toMatch(/^SKIPPED \d+ for want of git \(/m);
  },
  TESTS_MS + 2 * MINUTE_MS,
);
