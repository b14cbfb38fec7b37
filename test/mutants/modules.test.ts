import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { projectFiles } from '../project-files.ts';
import { mutantModules } from './modules.ts';
import { mutatedFiles } from './mutant-module.ts';
import { TEXT_MAX } from './instrument.ts';
import { survivorList } from './survivor-lists.ts';

const files = projectFiles();
const modules = mutantModules.map((module) => ({ ...module, files: mutatedFiles(module, files) }));

describe.each(modules)(
  'the mutated module $name',
  ({ name, mutated, acting = [], tests, actingTests = [], files: own }) => {
    it('names only files and directories that have code, and tests that exist', () => {
      const empty = mutated.filter((path) => !own.some((file) => file.startsWith(path)));
      const isTest = (file: string, path: string): boolean =>
        file === path || file.slice(0, file.lastIndexOf('/')) === path;
      const suites = files.filter((file) => file.endsWith('.test.ts'));
      const untested = tests.filter((path) => !suites.some((file) => isTest(file, path)));
      expect({ empty, untested }).toEqual({ empty: [], untested: [] });
    });

    it('leaves out only files that exist', () => {
      expect([...acting, ...actingTests].filter((file) => !files.includes(file))).toEqual([]);
    });

    it('lists survivors of its own files, each once and with a reason', () => {
      const list = survivorList(name);
      expect(list.filter(({ file }) => !own.includes(file))).toEqual([]);
      expect(list.filter(({ reason }) => !/^[A-Z].+\.$/.test(reason))).toEqual([]);
      expect(list.filter(({ from, to }) => Math.max(from.length, to.length) > TEXT_MAX)).toEqual(
        [],
      );
      const keys = list.map((entry) => JSON.stringify({ ...entry, reason: '' }));
      expect(keys.filter((key, index) => keys.indexOf(key) < index)).toEqual([]);
    });

    it('lists survivors whose line is in their file', () => {
      const linesOf = (file: string): readonly string[] =>
        readFileSync(file, 'utf8')
          .split('\n')
          .map((line) => line.trim());
      const stale = survivorList(name).filter(
        ({ file, line }) => line !== undefined && !linesOf(file).includes(line),
      );
      expect(stale).toEqual([]);
    });
  },
);

describe('the table of mutated modules', () => {
  it('has every file in at most one module', () => {
    const all = modules.flatMap((module) => module.files);
    expect(all.filter((file, index) => all.indexOf(file) < index)).toEqual([]);
  });

  it('has every file of a lifecycle that decides', () => {
    const deciding = files.filter((file) =>
      /^src\/lifecycles\/.*\/decide[^/]*(?<!\.test)\.ts$/.test(file),
    );
    const all = new Set(modules.flatMap((module) => module.files));
    expect(deciding.length).toBeGreaterThan(20);
    expect(deciding.filter((file) => !all.has(file))).toEqual([]);
  });

  it('has a module for every list of survivors', () => {
    const lists = readdirSync(join(import.meta.dirname, 'survivors'));
    expect(lists.filter((file) => !modules.some(({ name }) => file === `${name}.json`))).toEqual(
      [],
    );
  });
});
