import { describe, expect, it } from 'vitest';

import { readTrees } from '../../../model/located-tree.ts';
import { readHookItem, type HookItem, type HookPlace } from './hook-item.ts';

function read(text: string, place: HookPlace = 'deploy'): HookItem {
  const [tree] = readTrees('skaffold.yaml', text).trees;
  if (tree === undefined) throw new Error('nothing was read');
  return readHookItem(tree, { place, folder: '/project/api' });
}
const codes = (text: string, place?: HookPlace): string[] =>
  read(text, place).problems.map(({ code }) => code);

describe('readHookItem', () => {
  it('reads the forms host and container, and resolves dir against the directory of the module', () => {
    expect(read('host: {command: [make, "a b"], os: [linux], dir: ../web}').action).toEqual({
      kind: 'host',
      command: ['make', 'a b'],
      os: ['linux'],
      dir: '/project/web',
    });
    expect(read('container: {command: [ls], podName: "web-*"}').action).toMatchObject({
      podName: 'web-*',
    });
  });

  it('PIPE-CASE10, PIPE-C1: reads the flat forms of the document, dashed ones with a warning', () => {
    expect(read('command: [echo, foo]').action).toMatchObject({ kind: 'host' });
    const flat = read('{containerCommand: [echo, foo], containerName: foo, podPrefix: bar}');
    expect(flat).toEqual({
      problems: [],
      action: {
        kind: 'container',
        command: ['echo', 'foo'],
        containerName: 'foo',
        podPrefix: 'bar',
      },
    });
    const dashed = read('container-command: [./minify.sh]', 'sync');
    expect(dashed.action).toMatchObject({ kind: 'container', command: ['./minify.sh'] });
    expect(dashed.problems).toMatchObject([{ code: 'LHL111', severity: 'warning' }]);
  });

  it('PIPE-C1: warns of each dashed spelling at its position, and says how to write it', () => {
    const { problems } = read('{container-command: [ls], pod-prefix: web-}', 'sync');
    expect(problems).toMatchObject([
      {
        code: 'LHL111',
        at: { line: 1, column: 2 },
        message: '"container-command" is read as "containerCommand".',
        next: 'Write "containerCommand".',
      },
      { code: 'LHL111', at: { line: 1, column: 27 } },
    ]);
  });

  it('leaves out of the action what the item does not set, or sets to nothing', () => {
    const host = { kind: 'host', command: ['a', '1', 'true'] };
    expect(read('host: {command: [a, 1, true]}').action).toStrictEqual(host);
    const empty = 'host: {command: [a, 1, true], os: null, dir: "", withChange: false}';
    expect(read(empty, 'postRender').action).toStrictEqual(host);
    expect(read('host: {command: [a, 1, true], os: []}').action).toStrictEqual(host);
    const container = { kind: 'container', command: ['ls'] };
    expect(read('container: {command: [ls]}', 'sync').action).toStrictEqual(container);
  });

  it('takes a podPrefix literally, and ignores the os of a flat container hook', () => {
    const { problems, action } = read('{containerCommand: [ls], podPrefix: "[", os: [linux]}');
    expect(problems).toEqual([]);
    expect(action).toStrictEqual({ kind: 'container', command: ['ls'], podPrefix: '[' });
  });

  it('PIPE-CASE5, PIPE-CASE6, PIPE-B6 and PIPE-B12: refuses a hook without a command', () => {
    expect(codes('host: {command: []}')).toEqual(['LHL113']);
    expect(codes('host: {os: [linux]}')).toEqual(['LHL113']);
    expect(codes('{}')).toEqual(['LHL110']);
    expect(read('host: {command: make test}').problems[0]?.next).toContain(
      '["sh", "-c", "make test"]',
    );
  });

  it('PIPE-CASE7: refuses host and container in one item', () => {
    expect(codes('{host: {command: [a]}, container: {command: [b], podName: x}}')).toEqual([
      'LHL112',
    ]);
    expect(codes('{command: [a], containerCommand: [b]}')).toEqual(['LHL112']);
  });

  it('PIPE-CASE3: refuses an os value that Go does not know, and names the known values', () => {
    const { problems } = read('host: {command: [a], os: [linux, plan9000]}');
    expect(problems).toMatchObject([{ code: 'LHL114', at: { line: 1, column: 34 } }]);
    expect(problems[0]?.message).toContain('aix, android, darwin');
    expect(codes('host: {command: [a], os: [unix]}')).toEqual(['LHL114']);
    expect(read('host: {command: [a], os: [linx]}').problems[0]?.next).toBe(
      'Did you mean "linux"?',
    );
  });

  it('PIPE-CASE9: refuses a container hook without a pod selector in deploy, and accepts it in sync', () => {
    expect(codes('container: {command: [ls]}')).toEqual(['LHL117']);
    expect(codes('container: {command: [ls]}', 'sync')).toEqual([]);
  });

  it('PIPE-C5: refuses container hooks in build and render, with the reason', () => {
    const { problems } = read('container: {command: [ls], podName: x}', 'build');
    expect(problems).toMatchObject([{ code: 'LHL115' }]);
    expect(problems[0]?.message).toContain('about to be built');
    expect(codes('container: {command: [ls]}', 'render')).toEqual(['LHL115']);
  });

  it('takes an empty containerName for none, as shipped, and refuses an empty podName', () => {
    const { problems, action } = read(
      'container: {command: [ls], podName: web, containerName: ""}',
    );
    expect(problems).toEqual([]);
    expect(action).toEqual({ kind: 'container', command: ['ls'], podName: 'web' });
    expect(codes('container: {command: [ls], podName: ""}')).toEqual(['LHL116']);
  });

  it('PIPE-B12: refuses an invalid glob', () => {
    expect(codes('container: {command: [ls], podName: "["}')).toEqual(['LHL116']);
    expect(codes('container: {command: [ls], podName: "web-[a-c]?"}')).toEqual([]);
  });

  it('PIPE-CASE11: refuses a container that is not a map, and unknown fields with a hint', () => {
    expect(codes('container: true')).toEqual(['LHL110']);
    expect(codes('{container: true, command: [ls]}')).toEqual(['LHL112']);
    expect(read('host: {command: [a], timeout: 5}').problems[0]?.next).toContain('lifehook.yaml');
    expect(read('host: {comand: [a]}').problems[0]?.next).toBe('Did you mean "command"?');
  });

  it('accepts withChange only in a hook after render', () => {
    expect(read('host: {command: [a], withChange: true}', 'postRender').action).toMatchObject({
      withChange: true,
    });
    expect(codes('host: {command: [a], withChange: true}', 'render')).toEqual(['LHL103']);
  });
});
