/**
 * Runs the README's first commands on a machine that has Node and nothing else. It is a minimal Debian 12, built for
 * this test and used as an unprivileged user and as root. Needs root, mmdebstrap and a package registry.
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
const PROJECT = 'lifehook';
const CERTIFICATES = '/etc/ssl/certs';
/** The users that enter the machine, each with a checkout in the home directory. */
const HOMES = { tester: '/home/tester', root: '/root' } as const;
type User = keyof typeof HOMES;
/** Programs that the first commands must not need. */
const ABSENT = 'kubectl git runc crun podman docker cc gcc make python3 curl qjsc busybox ps';

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lifehook-clean-'));
  // All users must be able to read Debian's files.
  shell(`chmod 755 "${root}"`);
  shell(
    `mmdebstrap --quiet --variant=minbase bookworm "${root}" /etc/apt/sources.list.d/debian.sources`,
  );
  bringNode();
  shell(`chroot "${root}" useradd --create-home tester`);
  for (const home of Object.values(HOMES)) {
    const place = join(root, home, PROJECT);
    mkdirSync(place);
    // Only committed files, as another user clones them.
    shell(`git archive HEAD | tar -C "${place}" -xf -`);
  }
  shell(`chroot "${root}" chown -R root:root ${HOMES.root}`);
  shell(`chroot "${root}" chown -R tester:tester ${HOMES.tester}`);
}, SETUP_MS);

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
}, SETUP_MS);

/** Copies this machine's Node with npm and the settings, certificates and addresses that npm needs for its registry. */
function bringNode(): void {
  const node = realpathSync(process.execPath);
  bring(node, '/usr/bin/node');
  const npm = '/usr/lib/node_modules/npm';
  bring(dirname(dirname(realpathSync(join(dirname(node), 'npm')))), npm);
  shell(`ln -s ${npm}/bin/npm-cli.js "${root}/usr/bin/npm"`);
  bring(shell('npm config get globalconfig').trim(), '/usr/etc/npmrc');
  for (const home of ['/etc/skel', HOMES.root]) {
    bring(shell('npm config get userconfig').trim(), `${home}/.npmrc`);
  }
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

interface Entering {
  readonly limitMs: number;
  readonly user?: User;
}

/**
 * Runs the script in the user's checkout with a minimal environment. Kills all its processes at its end or at the time
 * limit.
 */
function there(script: string, { limitMs, user = 'tester' }: Entering): Promise<Ended> {
  const home = HOMES[user];
  const enter = `mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
    exec chroot --userspec=${user}:${user} "$1" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=${home} \
      NODE_EXTRA_CA_CERTS=${CERTIFICATES}/ca-certificates.crt LANG=C.UTF-8 NO_COLOR=1 sh -c "cd ${home}/${PROJECT} && $2"`;
  const own = ['--mount', '--pid', '--fork', '--kill-child'];
  const limit = ['--kill-after=10', String(limitMs / 1_000)];
  return run('timeout', [...limit, 'unshare', ...own, 'bash', '-c', enter, 'bash', root, script]);
}

test('the machine has no program that the README does not require', async () => {
  const look = `for name in ${ABSENT}; do command -v $name; done; true`;
  expect((await there(look, { limitMs: MINUTE_MS })).stdout).toBe('');
});

test(
  'npm ci && npm run demo succeeds: every claim holds and no temporary file is left',
  async () => {
    const { code, stdout, stderr } = await there('npm ci && npm run demo', {
      limitMs: DEMO_MS,
    });
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/(\d+) of \1 claims held\.\n/);
    expect((await there('ls -A /tmp', { limitMs: MINUTE_MS })).stdout).not.toContain('lifehook');
  },
  DEMO_MS + 2 * MINUTE_MS,
);

test(
  'the packed package starts in an empty directory, and its demo succeeds',
  async () => {
    const pack = 'npm ci && npm pack --pack-destination /tmp';
    const install = 'mkdir /tmp/empty && cd /tmp/empty && npm install /tmp/lifehook-*.tgz';
    const { code, stdout, stderr } = await there(
      `${pack} && ${install} && npx lifehook --version && npx lifehook demo`,
      { limitMs: DEMO_MS },
    );
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/(\d+) of \1 claims held\.\n/);
  },
  DEMO_MS + 2 * MINUTE_MS,
);

test('with CI set a missing program is an error before any test is skipped', async () => {
  const { code, stdout, stderr } = await there(
    'CI=true node node_modules/vitest/vitest.mjs run --project e2e',
    { limitMs: 5 * MINUTE_MS },
  );
  expect(code).toBe(1);
  const said = stdout + stderr;
  expect(said).toContain('With CI set no test may be skipped');
  expect(said).toContain('\n  kubectl (https://');
  expect(said).not.toMatch(/^ *Tests +\d/m);
});

test.each(['tester', 'root'] as const)(
  'npm ci && npm test as %s passes without a skipped test',
  async (user) => {
    const ended = await there('npm ci && npm test', { limitMs: TESTS_MS, user });
    const said = ended.stdout + ended.stderr;
    expect(ended.code, said).toBe(0);
    const summaries = ended.stdout.match(/^ *Tests .*$/gm) ?? [];
    expect(summaries, said).not.toEqual([]);
    // No test may be skipped, because this machine has everything that the tests need.
    const counts = summaries.map((line) => /^ *Tests +(\d+) passed \(\1\)$/.exec(line)?.[1]);
    expect(counts, summaries.join('\n')).not.toContain(undefined);
    expect(said).not.toContain('SKIPPED');
    expect(Math.max(...counts.map(Number)), said).toBeGreaterThan(4_000);
  },
  TESTS_MS + 2 * MINUTE_MS,
);
