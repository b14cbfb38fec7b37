import { describe, expect, it } from 'vitest';

import { changedRanges, chooseChanges, type LineRange } from './changes.ts';
import type { MutantModule } from './mutant-module.ts';

const DIFF = `diff --git a/src/a/old.ts b/src/a/new.ts
similarity index 90%
--- a/src/a/old.ts
+++ b/src/a/new.ts
@@ -3 +3 @@ export function old(): void {
-  old line
+  new line
@@ -10,0 +11,3 @@
+  one
+  two
+  three
@@ -20,2 +23,0 @@
-  deleted
-  deleted
diff --git a/src/a/deleted.ts b/src/a/deleted.ts
--- a/src/a/deleted.ts
+++ /dev/null
@@ -1,2 +0,0 @@
-  deleted
-  deleted
`;

const module = (name: string): MutantModule => ({
  name,
  mutated: [`src/${name}`],
  tests: [`src/${name}`],
  floor: 90,
});

const range = (file: string, first: number, last: number): LineRange => ({ file, first, last });

describe('changedRanges', () => {
  it('reads the lines of the new version, not those that are only deleted', () => {
    expect(changedRanges(DIFF)).toEqual([
      range('src/a/new.ts', 3, 3),
      range('src/a/new.ts', 11, 13),
    ]);
  });
});

describe('chooseChanges', () => {
  it('takes changes of the modules only, not of tests, other directories or directories in them', () => {
    const all = [
      range('src/a/one.ts', 1, 2),
      range('src/a/one.test.ts', 1, 2),
      range('src/a/deeper/two.ts', 1, 2),
      range('src/c/three.ts', 1, 2),
      range('src/a/page.md', 1, 2),
    ];
    const { byModule, leftOut } = chooseChanges(all, [module('a'), module('b')], 100);
    expect(byModule).toEqual([{ module: module('a'), ranges: [range('src/a/one.ts', 1, 2)] }]);
    expect(leftOut).toEqual([]);
  });

  it('takes exactly as many lines as allowed and names every other', () => {
    const all = [range('src/a/one.ts', 1, 10), range('src/a/two.ts', 1, 10)];
    const { byModule, leftOut } = chooseChanges(all, [module('a')], 13);
    expect(byModule[0]?.ranges).toEqual([
      range('src/a/one.ts', 1, 10),
      range('src/a/two.ts', 1, 3),
    ]);
    expect(leftOut).toEqual([range('src/a/two.ts', 4, 10)]);
  });

  it('takes the modules in the order of the table', () => {
    const all = [range('src/b/one.ts', 1, 10), range('src/a/one.ts', 1, 10)];
    const { byModule, leftOut } = chooseChanges(all, [module('a'), module('b')], 10);
    expect(byModule.map((one) => one.module.name)).toEqual(['a']);
    expect(leftOut).toEqual([range('src/b/one.ts', 1, 10)]);
  });

  it('takes a range of every file before the second of one', () => {
    const all = [
      range('src/a/one.ts', 1, 5),
      range('src/a/one.ts', 11, 15),
      range('src/a/two.ts', 1, 5),
    ];
    const { byModule, leftOut } = chooseChanges(all, [module('a')], 10);
    expect(byModule[0]?.ranges).toEqual([range('src/a/one.ts', 1, 5), range('src/a/two.ts', 1, 5)]);
    expect(leftOut).toEqual([range('src/a/one.ts', 11, 15)]);
  });
});
