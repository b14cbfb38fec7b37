/** Tests the report of each mistake in an item of a hook list: position, code, message, and next step. */
import { describe, expect, it, test } from 'vitest';

import { readTrees } from '../../../model/located-tree.ts';
import { readHookItem, type HookItem, type HookPlace } from './hook-item.ts';

function read(place: HookPlace, text: string): HookItem {
  const [tree] = readTrees('skaffold.yaml', text).trees;
  if (tree === undefined) throw new Error('nothing was read');
  return readHookItem(tree, { place, folder: '/project' });
}

/** The text of the only problem. */
function reported({ problems }: HookItem): string {
  const [problem, ...others] = problems;
  if (problem?.at === undefined || others.length > 0)
    throw new Error('not one problem with a position');
  const { at, code, message, next } = problem;
  return `${at.line}:${at.column} ${code} ${message} ${next}`;
}

type Case = readonly [place: HookPlace, text: string, report: string];

const FORM =
  'Write `host: {command: [...]}` or, where containers run, `container: {command: [...]}`.';
const ADD = 'Add `host: {command: [...]}`, or remove the item.';
const forms: readonly Case[] = [
  ['deploy', 'make', `1:1 LHL110 A hook must be a map; received "make". ${FORM}`],
  ['deploy', '[make]', `1:1 LHL110 A hook must be a map; received a list of 1. ${FORM}`],
  ['deploy', '{}', `1:1 LHL110 A hook needs a command; received an empty map. ${ADD}`],
  ['deploy', 'os: [a]', `1:1 LHL110 A hook needs a command; received a map with os. ${ADD}`],
  [
    'deploy',
    '{host: {command: [a]}, container: {command: [b]}}',
    '1:24 LHL112 A hook may have only one of host and container; received both "host" and "container". Write two items, one for each.',
  ],
  [
    'deploy',
    'host: true',
    '1:7 LHL110 "host" must be a map with a command; received true. Write `host: {command: [...]}`.',
  ],
  [
    'deploy',
    'container: [ls]',
    '1:12 LHL110 "container" must be a map with a command; received a list of 1. Write `container: {command: [...]}`.',
  ],
  [
    'deploy',
    '{host: {command: [a]}, os: [linux]}',
    '1:24 LHL110 "os" is next to "host", but belongs under it. Write `host: {command: [...]}`.',
  ],
];

const fields: readonly Case[] = [
  [
    'deploy',
    'host: {command: [a], podName: web}',
    '1:22 LHL103 "podName" is no field of a host hook here. Remove it, or write one of command, os, dir.',
  ],
  [
    'sync',
    'container: {command: [a], os: [linux]}',
    '1:27 LHL103 "os" is no field of a container hook here. It belongs to host hooks: remove it.',
  ],
  [
    'sync',
    'container: {command: [a], user: root}',
    '1:27 LHL103 "user" is no field of a container hook here. Remove it, or write one of command, podName, podPrefix, containerName.',
  ],
  [
    'sync',
    '{containerCommand: [a], user: root}',
    '1:25 LHL103 "user" is no field of a container hook here. Remove it, or write one of containerCommand, podName, podPrefix, containerName, os.',
  ],
  [
    'render',
    'host: {command: [a], withChange: [x]}',
    '1:22 LHL103 "withChange" is no field of a host hook here. It belongs to the host hooks of manifests.hooks.after.',
  ],
  [
    'deploy',
    'host: {command: [a], retries: 2}',
    `1:22 LHL103 "retries" is no field of a host hook here. It belongs under the hook's address in lifehook.yaml.`,
  ],
];

const PROGRAM = '["program", "argument"]';
const NONE = `LHL113 A host hook needs a command; received none. Add \`command: ${PROGRAM}\`.`;
const commands: readonly Case[] = [
  ['deploy', 'host: {os: [linux]}', `1:7 ${NONE}`],
  ['deploy', 'host: {command: ~}', `1:17 ${NONE}`],
  [
    'deploy',
    'host: {command: make test}',
    '1:17 LHL113 A command must be a list, its program and arguments; received "make test". Write `["sh", "-c", "make test"]` for a shell command.',
  ],
  [
    'deploy',
    'host: {command: []}',
    '1:17 LHL113 A command needs a program; received an empty list. Add the program, or remove the hook.',
  ],
  [
    'deploy',
    'host: {command: {a: b}}',
    `1:17 LHL113 A command must be a list of strings; received a map with a. Write \`command: ${PROGRAM}\`.`,
  ],
  [
    'sync',
    'containerCommand: null',
    `1:19 LHL113 A container hook needs a command; received none. Add \`containerCommand: ${PROGRAM}\`.`,
  ],
  [
    'deploy',
    'host: {command: [a, [b]]}',
    '1:21 LHL113 A command must be a list of strings; received a list of 1 in it. Write it in quotes.',
  ],
  [
    'deploy',
    'host: {command: [a, null]}',
    '1:21 LHL113 A command must be a list of strings; received nothing in it. Write it in quotes.',
  ],
  [
    'deploy',
    'host: {command: ["", a]}',
    '1:17 LHL113 The program of a command must not be empty; received "". Write the program first.',
  ],
];

const SYSTEMS =
  'aix, android, darwin, dragonfly, freebsd, hurd, illumos, ios, js, linux, nacl, netbsd, openbsd, plan9, solaris, wasip1, windows, zos';
const hosts: readonly Case[] = [
  [
    'deploy',
    'host: {command: [a], os: linux}',
    '1:26 LHL114 "os" is a list of systems; received "linux". Write `os: [linux, darwin]`.',
  ],
  [
    'deploy',
    'host: {command: [a], os: [{linux: yes}]}',
    `1:27 LHL114 Each item of "os" must be one of ${SYSTEMS}; received a map with linux. Write \`os: [linux, darwin]\`.`,
  ],
  [
    'deploy',
    'host: {command: [a], os: [null]}',
    `1:27 LHL114 Each item of "os" must be one of ${SYSTEMS}; received nothing. Write \`os: [linux, darwin]\`.`,
  ],
  [
    'deploy',
    'host: {command: [a], os: [linx]}',
    `1:27 LHL114 Each item of "os" must be one of ${SYSTEMS}; received "linx". Did you mean "linux"?`,
  ],
  [
    'deploy',
    'host: {command: [a], dir: [x]}',
    '1:27 LHL114 "dir" is a directory; received a list of 1. Write one path.',
  ],
  [
    'postRender',
    'host: {command: [a], withChange: maybe}',
    '1:34 LHL114 "withChange" is true or false; received "maybe". Write true or false.',
  ],
  [
    'postRender',
    'host: {command: [a], withChange: [true]}',
    '1:34 LHL114 "withChange" is true or false; received a list of 1. Write true or false.',
  ],
];

const MOVE = 'Make it a host hook, or move it to the hooks of sync or deploy.';
const NO_PODS =
  'LHL117 A container hook of a deployment needs the name of its pods; received none.';
const containers: readonly Case[] = [
  [
    'build',
    'container: {command: [ls]}',
    `1:12 LHL115 A container hook is not possible here: no container runs an image that is about to be built. ${MOVE}`,
  ],
  [
    'postRender',
    'container: {command: [ls]}',
    `1:12 LHL115 A container hook is not possible here: rendering starts no container. ${MOVE}`,
  ],
  ['deploy', 'container: {command: [ls]}', `1:12 ${NO_PODS} Add \`podName: "web-*"\`.`],
  ['deploy', 'containerCommand: [ls]', `1:1 ${NO_PODS} Add \`podPrefix: web-\`.`],
  [
    'deploy',
    'container: {command: [ls], podName: "["}',
    '1:37 LHL116 "podName" cannot match any name: a "[" has no closing "]". Correct "podName".',
  ],
  [
    'deploy',
    'container: {command: [ls], podName: ""}',
    '1:37 LHL116 "podName" cannot match any name: it is empty. Correct "podName".',
  ],
  [
    'deploy',
    'container: {command: [ls], podName: [a]}',
    '1:37 LHL116 "podName" cannot match any name: it is a list of 1. Correct "podName".',
  ],
  [
    'deploy',
    'container: {command: [ls], podName: null}',
    '1:37 LHL116 "podName" cannot match any name: it is nothing. Correct "podName".',
  ],
  [
    'sync',
    'container: {command: [ls], containerName: "["}',
    '1:43 LHL116 "containerName" cannot match any name: a "[" has no closing "]". Correct "containerName".',
  ],
  [
    'sync',
    'container: {command: [ls], podPrefix: ""}',
    '1:39 LHL116 "podPrefix" cannot match any name: it is empty. Correct "podPrefix".',
  ],
];

describe('a mistake in a hook', () => {
  const all = [...forms, ...fields, ...commands, ...hosts, ...containers];
  test.each(all)('in the hooks of %s, %s is refused with %s', (place, text, report) => {
    const item = read(place, text);
    expect(reported(item)).toBe(report);
    expect(item.problems[0]?.severity).toBe('error');
    expect(item.action).toBeNull();
  });

  it('is reported next to the others of the item', () => {
    const { problems } = read('sync', '{container-command: [], containerName: "["}');
    expect(problems.map(({ code }) => code)).toEqual(['LHL111', 'LHL116', 'LHL113']);
  });
});
