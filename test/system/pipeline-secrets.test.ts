/**
 * Tests that an image contains neither the caller's environment nor a session's record.
 * Images are built from the project, and the records are in the project, so each program that builds from a Dockerfile
 * is tested. docker is the real command line with podman's service as its daemon; if it is not installed, a script
 * calls podman.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { openProject, type Project } from '../e2e/pipeline-stand.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { pathOf } from '../needs.ts';

const CONTAINERS_CONF = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
`;

const SKAFFOLD = `apiVersion: skaffold/v4beta13
kind: Config
build:
  tagPolicy: { sha256: {} }
  artifacts:
    - image: web
      hooks:
        before:
          - command: [sh, -c, 'echo GREETING=$DB_URL >> $LIFEHOOK_ENV']
          - command: [sh, -c, 'true']
`;

const PASSWORD = 'p4ssw0rd-of-the-database';
const DB_URL = `postgres://user:${PASSWORD}@db/shop`;

/** A record in the form that an earlier version wrote. */
const OLD_RECORD = JSON.stringify({ runId: 'old', variables: { DB_URL }, withheld: [] });

let folder: string;
let env: Readonly<Record<string, string>>;
let service: ChildProcess;
const projects: Project[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-secrets-'));
  const storage = `[storage]\ndriver = "vfs"\ngraphroot = "${folder}/store"\nrunroot = "${folder}/run"\n`;
  writeFileSync(join(folder, 'containers.conf'), CONTAINERS_CONF);
  writeFileSync(join(folder, 'storage.conf'), storage);
  mkdirSync(join(folder, 'bin'));
  if (pathOf('docker') === undefined) {
    writeFileSync(join(folder, 'bin/docker'), '#!/bin/sh\nexec podman "$@"\n', { mode: 0o755 });
  }
  const socket = `unix://${folder}/podman.sock`;
  env = {
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    DOCKER_HOST: socket,
    PATH: [join(folder, 'bin'), process.env['PATH'] ?? ''].join(delimiter),
    KUBECONFIG: '/dev/null',
    DB_URL,
  };
  const argv = ['system', 'service', '--time', '0', socket];
  service = spawn('podman', argv, { env: { ...process.env, ...env }, stdio: 'ignore' });
  await eventually('the service listens', () =>
    Promise.resolve(existsSync(join(folder, 'podman.sock')) ? true : null),
  );
});

afterEach(() => {
  for (const one of projects.splice(0)) one[Symbol.dispose]();
});

afterAll(() => {
  service.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

function shop(): Project {
  const project = openProject(null, {
    'skaffold.yaml': SKAFFOLD,
    Dockerfile: 'FROM scratch\nCOPY busybox /bin/busybox\nCOPY . /app/\n',
    page: 'the page of the shop\n',
    notes: 'left out by .dockerignore',
    '.dockerignore': 'notes\n',
    '.lifehook/runs/old.json': OLD_RECORD,
    'part/.lifehook/runs/other.json': OLD_RECORD,
  });
  copyFileSync('/bin/busybox', join(project.folder, 'busybox'));
  mkdirSync(join(project.folder, 'empty'));
  projects.push(project);
  return project;
}

async function build(project: Project, program: string): Promise<string> {
  const args = ['build', '--push=false', '--cache-artifacts=false', '--container-program', program];
  const { code, stdout, stderr } = await project.start(args, env).ended;
  expect(code, stdout + stderr).toBe(0);
  const archive = join(folder, 'image.tar');
  rmSync(archive, { force: true });
  const podman = ['save', '--quiet', '--format', 'docker-archive', '--output', archive, 'web'];
  execFileSync('podman', podman, { env: { ...process.env, ...env } });
  return readFileSync(archive, 'latin1');
}

/** Compares names and contents only: the times of files in an image are the times of its build. */
function filesOf(project: Project): Record<string, string> {
  const root = join(project.folder, '.lifehook');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(root, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

it.each(['buildah', 'podman', 'docker'])(
  'an image that %s builds holds neither a record nor the environment of the caller',
  async (program) => {
    const project = shop();
    const first = await build(project, program);
    expect(first).toContain('the page of the shop');
    expect(first).toContain('app/empty');
    expect(first).not.toContain('left out by .dockerignore');
    const second = await build(project, program);
    for (const image of [first, second]) {
      expect(image.includes(PASSWORD), 'the password is in the image').toBe(false);
      expect(image.includes('.lifehook'), 'a record is in the image').toBe(false);
    }
  },
);

it('a run keeps no value of the environment, and removes what earlier versions kept', async () => {
  const project = shop();
  await build(project, 'buildah');
  const files = filesOf(project);
  expect(Object.keys(files).filter((name) => name.startsWith('runs/'))).toHaveLength(2);
  expect(files).not.toHaveProperty('runs/old.json');
  const holding = Object.keys(files).filter((name) => files[name]?.includes(PASSWORD) === true);
  expect(holding).toEqual([]);
});
