/** The hooks that a claim asks for by its annotation (SNAP-R27, SNAP-R30). */
import { expect, it } from 'vitest';

import { CLAIM_HOOKS } from '../names.ts';
import { readClaimHooks } from './claim-hooks.ts';

const read = (text: string) =>
  readClaimHooks({ metadata: { name: 'data', annotations: { [CLAIM_HOOKS]: text } } });
const infos = [{ recipe: { name: 'mariadb-lock' } }];
const where = 'annotation lifehook.dev/execution-hook-infos of claim data';

it('are none without a claim, and without the annotation', async () => {
  const none = { infos: [], infosProblem: null };
  expect(await readClaimHooks(null)).toEqual(none);
  expect(await readClaimHooks({ metadata: { name: 'data' } })).toEqual(none);
  expect(await readClaimHooks({})).toEqual(none);
});

it('are read from JSON and from YAML', async () => {
  const found = { infos, infosProblem: null };
  expect(await read(JSON.stringify(infos))).toEqual(found);
  expect(await read('- recipe:\n    name: mariadb-lock\n')).toEqual(found);
});

it('are refused with the claim and the field, and none of them is used', async () => {
  const { infos: used, infosProblem } = await read('- recipe: {name: nothing}');
  expect(used).toEqual([]);
  expect(infosProblem?.startsWith(`${where}[0].recipe`)).toBe(true);
  expect((await read('[{}]')).infosProblem).toBe(
    `${where}[0].executionHookTemplateName: Required value: name a template, or a recipe`,
  );
});

it('are refused where the text is neither JSON nor YAML, with the reason', async () => {
  const { infos: used, infosProblem } = await read('[');
  expect(used).toEqual([]);
  expect(infosProblem).toMatch(
    /^annotation lifehook\.dev\/execution-hook-infos of claim data must hold a list of executionHookInfos as JSON or YAML: ./u,
  );
});

it('are refused where the text is nested too deeply, with the place', async () => {
  expect((await read('- ? '.repeat(50_000))).infosProblem).toContain(
    'more than 200 levels deep at line 1, column 40',
  );
});
